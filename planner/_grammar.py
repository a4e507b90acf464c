"""Machinery of reading: words to tokens, tokens to expressions, by rules that are data.

A language brings a lexicon (word -> category and value) and rules. A rule's pattern is a regular expression over *categories*
("DIR{1,4} CL? UNIT"), compiled to one character a category, so that a rule is matched by C code over a string as short as the
sentence has time words. Matching is longest first, leftmost first, then by order of definition; a production may decline
(None), and the next candidate gets its turn. Pieces so made are tokens of category X: `planner._composition` joins them.

Cost is linear in the text: every pattern's repetition is bounded, and a rule is tried only if a category it cannot do
without is present. Of those categories each rule has a rarest, by which it is filed; a word of such a category is *telling*. A
stretch of text without a telling word holds no time, whatever else is in it ("of", 的, 三), and is passed over by C code.
"""

from __future__ import annotations

import itertools
import re
import string
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from typing import Any

from planner import _figures
from planner._form import Form, form
from planner._later import later as later
from planner.expressions import Expression


class Token:
    """Characters `[start, end)` of the text with a category and its value. `weak` pieces count only when joined to another."""

    __slots__ = ("cat", "end", "rules", "start", "value", "weak")

    def __init__(self, start: int, end: int, cat: str, value: Any, weak: bool = False, rules: tuple[str, ...] = ()) -> None:
        self.start, self.end, self.cat, self.value, self.weak, self.rules = start, end, cat, value, weak, rules

    def __repr__(self) -> str:
        return f"{self.cat}[{self.start}:{self.end}]={self.value!r}"


# So many characters about a match may have a say in what it means.
REACH = 60
_SAYS = re.compile(r"[^\W_]")


class Page:
    """A folded text, and whether productions looked beyond their own tokens: at the characters beside these, or further."""

    __slots__ = ("_held", "_says", "beside", "further", "lone", "text")

    def __init__(self, text: str) -> None:
        self.text, self.beside, self.further = text, False, False
        self.lone = True  # whether the stretch that is read is alone in the text
        self._says: tuple[int, int] | None = None  # its first and its last character that is no punctuation
        self._held: dict[re.Pattern[str], bool] = {}

    def alone(self, start: int, end: int) -> bool:
        """Whether nothing but punctuation surrounds `[start, end)`."""
        if self._says is None:
            text = self.text
            first, last = _SAYS.search(text), _SAYS.search(text[::-1])
            self._says = (first.start(), len(text) - last.end()) if first and last else (len(text), -1)
        return start <= self._says[0] and self._says[1] < end

    def holds(self, pattern: re.Pattern[str]) -> bool:
        """Whether the pattern is anywhere in the text, looked for once."""
        if pattern not in self._held:
            self._held[pattern] = pattern.search(self.text) is not None
        return self._held[pattern]


class Found:
    """What a rule's production sees: its tokens, by category, and the text about them."""

    __slots__ = ("page", "tokens")

    def __init__(self, tokens: list[Token], page: Page) -> None:
        self.tokens, self.page = tokens, page

    @property
    def text(self) -> str:
        """The whole folded text."""
        self.page.further = True
        return self.page.text

    def anywhere(self, pattern: re.Pattern[str]) -> bool:
        """Whether the pattern is anywhere in the text."""
        self.page.further = True
        return self.page.holds(pattern)

    @property
    def ahead(self) -> str:
        """The text ahead of the match, as far as it may matter."""
        start = self.tokens[0].start
        return self.text[max(start - REACH, 0) : start]

    @property
    def behind(self) -> str:
        """The text behind the match, as far as it may matter."""
        end = self.tokens[-1].end
        return self.text[end : end + REACH]

    def only(self, tokens: list[Token]) -> Found:
        """The same with some of the tokens."""
        return Found(tokens, self.page)

    def __getitem__(self, cat: str) -> Any:
        """The value of the first token of a category; KeyError if there is none."""
        for token in self.tokens:
            if token.cat == cat:
                return token.value
        raise KeyError(cat)

    def get(self, *cats: str) -> Any:
        """The value of the first token of any of these categories, or None."""
        for token in self.tokens:
            if token.cat in cats:
                return token.value
        return None

    def all(self, *cats: str) -> list[Any]:
        return [token.value for token in self.tokens if token.cat in cats]

    def has(self, cat: str) -> bool:
        return cat in [token.cat for token in self.tokens]

    def word(self, index: int) -> str:
        """The characters of one of its tokens."""
        token = self.tokens[index]
        return self.page.text[token.start : token.end]

    @property
    def before(self) -> str:
        """The two characters ahead of the match."""
        self.page.beside = True
        start = self.tokens[0].start
        return self.page.text[max(start - 2, 0) : start]

    @property
    def after(self) -> str:
        """The two characters behind the match."""
        self.page.beside = True
        end = self.tokens[-1].end
        return self.page.text[end : end + 2]

    @property
    def whole(self) -> bool:
        """Whether nothing but punctuation surrounds the match in the text."""
        return self.page.lone and self.page.alone(self.tokens[0].start, self.tokens[-1].end)


class Weak:
    """Wraps a production's result: a reading to keep only if it combines with another piece."""

    __slots__ = ("value",)

    def __init__(self, value: Expression) -> None:
        self.value = value


Made = Expression | Weak | None
NEVER = re.compile(r"(?!)")


@form
class Rule(Form):
    """A named pattern over categories and what it means.

    `examples` maps a text to its range at the reference now, Thursday 2026-09-03 22:00 in Asia/Shanghai, as "start/end" in
    ISO form with "" for an open side and "-" for no range at all; they are run as tests.
    """

    name: str
    pattern: str
    make: Callable[[Found], Made]
    examples: Mapping[str, str] = field(default_factory=dict)


@form
class Language(Form):
    """A language: its words, its rules for pieces and for what joins pieces, and how its verbs tell the time."""

    code: str
    words: Mapping[str, tuple[str, Any]]
    pieces: Sequence[Rule]
    phrases: Sequence[Rule]
    past: re.Pattern[str]
    future: re.Pattern[str]
    fold: Mapping[int, str] = field(default_factory=dict)
    numerals: re.Pattern[str] | None = None
    numeral_starts: str = ""
    read_numeral: Callable[[str], tuple[str, Any] | None] | None = None
    latin: bool = False  # whether its words are written in Latin letters
    # Found in a text of this language and in none of Chinese or English: needed where it is read alone.
    speaks: re.Pattern[str] = NEVER
    # Whether what was read as a time is a part of a name, a title or a saying: given the text as it was written and folded.
    names: Callable[[Token, str, str], bool] | None = None
    # What the sentence's other words tell, by the names that `planner.modes` and `planner.statements` ask for.
    cues: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    # Words that are a shorter one and the beginning of another behind what ends so: 两年前天津 has no 前天.
    parted: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    # Words that only frame a question, and words too common to tell one text from another.
    frame: re.Pattern[str] = NEVER
    weight: re.Pattern[str] = NEVER  # asks for what matters, not about a topic: "important things"
    stopwords: frozenset[str] = frozenset()
    bland: frozenset[str] = frozenset()  # those of them that still help to find: "go", "say", "去"
    synonyms: Sequence[frozenset[str]] = ()
    lemmas: Mapping[str, str] = field(default_factory=dict)  # irregular forms, each to the form that stands for all
    # Restatements (`planner.restatement`): words that add nothing, words that may stand for one another, function words that
    # say the opposite of each other, words whose neighbour behind has a part to play, words that make a list, articles, spellings.
    affirms: re.Pattern[str] = re.compile(r"(?!)")  # holds a negative and denies nothing: 别忘, 不得不
    nod: re.Pattern[str] = re.compile(r"(?!)")  # makes a statement sound like a question: ", ok?"
    hedges: re.Pattern[str] = NEVER  # says that something was not done without a negative: "forgot to", 差点
    owns: re.Pattern[str] = NEVER  # whose something is: two groups, the owner and what is owned
    states: re.Pattern[str] = NEVER  # is no question in spite of its last word: 在等车呢
    opening: re.Pattern[str] = NEVER  # stands ahead of what is said and tells nothing of it: "Fwd:", "I've set a reminder to"
    aside: re.Pattern[str] = NEVER  # the same in the midst of it; begins with a plain character, since every text is searched
    header: re.Pattern[str] = NEVER  # the same at the beginning of a further line
    amends: re.Pattern[str] = NEVER  # begins a text that puts right what was told before: "actually", 记错了
    anew: re.Pattern[str] = NEVER  # what a correction puts in the place of what was told: "moved to room 5"
    alike: Sequence[frozenset[str]] = ()  # words of one sense: stricter than `synonyms`, which also help to find
    heads: Mapping[str, int] = field(default_factory=dict)  # stick to the word behind in what is no shorter: 不去, 去看房
    empty: frozenset[str] = frozenset()  # characters that say nothing inside of a word either: 去趟
    labels: frozenset[str] = frozenset()  # letters that are words, and labels where no word stands behind: "plan A"
    labelled: frozenset[str] = frozenset()  # what has such labels: "group"
    telling: frozenset[str] = frozenset()  # stopwords which, outside of times, tell one thing from another: 月报, 年报
    measures: frozenset[str] = frozenset()  # written onto a figure: 10km
    scales: Mapping[str, float] = field(default_factory=dict)  # behind a figure: 3万, 1.5 million
    scaled_not: str = ""  # characters that make such a word a part of another one: 3千克
    relations: frozenset[str] = frozenset()  # words that no article stands before: "of"
    cases: Mapping[str, str] = field(default_factory=dict)  # pronouns of one person ("me" is "i"), and words for "with"
    fillers: frozenset[str] = frozenset()
    light: frozenset[str] = frozenset()
    opposites: Sequence[tuple[frozenset[str], frozenset[str]]] = ()
    markers: frozenset[str] = frozenset()
    ways: Sequence[tuple[str, str]] = ()  # markers that point opposite ways: "to" and "from"
    persons: frozenset[str] = frozenset()  # pronouns of persons
    prefixes: frozenset[str] = frozenset()  # begin a short name: 小李
    joins: frozenset[str] = frozenset()
    determiners: frozenset[str] = frozenset()
    spellings: Sequence[tuple[re.Pattern[str], str]] = ()
    # Categories that may stand between two pieces without parting them ("the 3rd *of* May").
    glue: frozenset[str] = frozenset()
    # What stands ahead of a clock time, and behind it, where it says which thing of a day is meant ("*the* 3pm *call on* Thursday"),
    # and what stands between what is had at some time of day and its day ("lunch *with Ada on* Sunday").
    attribute: tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]] | None = None
    # What lies between the day of an event and what is counted from the event (9月20号*婚礼*前一天).
    event: re.Pattern[str] | None = None
    # The same where it stands ahead of the day ("*two days before the exam* on Monday"): its place and what is meant.
    of_event: Callable[[str, int, Expression], tuple[int, Expression] | None] | None = None
    # Categories of words that a mark may join to a figure ("Jan-1").
    dated: frozenset[str] = frozenset()
    # Words by which one looks for what tells that somebody has come back.
    homing: str = ""
    # Categories of words that most sentences hold: no rule is filed by them.
    common: frozenset[str] = frozenset()
    # Numerals in the language's own characters that are a time with nothing beside them (十一); others tell nothing.
    bare_numerals: Sequence[str] = ()

    def cue(self, name: str) -> re.Pattern[str]:
        """The cue of that name; where the language has none, one that is never found."""
        return self.cues.get(name, NEVER)


_NAME = re.compile(r"[A-Z][A-Z_0-9]*")
# A name, several of which any will do, or a mark; with a sign that it may be left out.
_SYMBOL = re.compile(r"(\([A-Z][A-Z_0-9]*(?:\|[A-Z][A-Z_0-9]*)*\)|[A-Z][A-Z_0-9]*|\(|\)|\|)( *(?:\?|\*|\{0))?")


class _Codes(dict[str, str]):
    """One private character a category, given out on first sight."""

    def __missing__(self, cat: str) -> str:
        code = chr(0xE000 + len(self))
        self[cat] = code
        return code


# So many ways to choose one of each alternative are looked at; more would only be further categories to file a rule by.
_CHOICES = 64


def _requirements(pattern: str) -> list[frozenset[str]]:
    """Sets of categories of each of which every match holds at least one; empty if the pattern may match nothing."""
    symbols = iter(_SYMBOL.findall(pattern))

    def group() -> tuple[list[frozenset[str]], str]:
        """What is asked for up to the end of a group, and the sign behind it."""
        branches: list[list[frozenset[str]]] = [[]]
        optional = ""
        for symbol, optional in symbols:
            if symbol == ")":
                break
            if symbol == "|":
                branches.append([])
                continue
            if symbol == "(":
                found, optional = group()
            else:
                found = [frozenset(symbol.strip("()").split("|"))]
            if not optional:
                branches[-1] += found
        # Of alternatives only one is met: what can be said of all of them together is a category of one of each.
        asked = branches[0]
        for branch in branches[1:]:
            if len(asked) == len(branch) == 1:
                asked = [asked[0] | branch[0]]
                continue
            joined = sorted({one | other for one in asked for other in branch}, key=lambda cats: (len(cats), sorted(cats)))
            asked = [cats for at, cats in enumerate(joined) if not any(fewer < cats for fewer in joined[:at])][:_CHOICES]
        return asked, optional

    return group()[0]


class _Compiled:
    """A rule with its pattern over codes, which is compiled when a sentence first wakes the rule."""

    __slots__ = ("order", "requirements", "rule", "search", "source")

    def __init__(self, rule: Rule, order: int, source: str, requirements: list[frozenset[str]]) -> None:
        self.rule, self.order, self.source, self.requirements = rule, order, source, requirements
        self.search: Callable[[str, int], re.Match[str] | None] = self._first_search

    def _first_search(self, line: str, at: int) -> re.Match[str] | None:
        self.search = re.compile(self.source).search
        return self.search(line, at)


# Marks that join pieces, and words that clock times bear, in any language.
_SIGNS: dict[str, tuple[str, Any]] = {
    **dict.fromkeys(",·|", ("COMMA", None)), "/": ("SLASH", None), "，": ("COMMA", None), "、": ("LIST", None), "&": ("LIST", None),
    **dict.fromkeys(("am", "a.m", "a m"), ("MERIDIEM", "a")), **dict.fromkeys(("pm", "p.m", "p m"), ("MERIDIEM", "p")),
    **dict.fromkeys(("-", "--", "–", "—", "——", "~", "ー", "−"), ("DASH", None)),
}  # fmt: skip


# Categories of what is or holds a number.
NUMBERS = frozenset({"NUM", "INT", "DEC", "DIGITS"})
# Characters that do not part words, and those that Latin words are made of.
_SPACES = " \t\r\n"
_LETTERS = "abcdefghijklmnopqrstuvwxyz" + "".join(map(chr, range(0xE0, 0x100)))
_LETTER = "[a-z\u00e0-\u00ff]"
_LATIN_WORD = re.compile(f"{_LETTER}+")
_LETTER_SET = frozenset(_LETTERS)
_BLANK = str.maketrans({chr(code): " " for code in range(128) if chr(code) not in _LETTERS})
# Texts share the shapes of their runs ("DIR WDAY PART"), and the runs: what fits each shape and what each run says is remembered,
# for so many of at most so many tokens, and characters.
REMEMBERED, SHORT, LONGEST = 8192, 24, 48
# Figures with these marks, and these marks beside a word, matter from further away: nothing is remembered of such a stretch.
_FIGURED, _FAR_FIGURED = re.compile(r"\d"), re.compile(r"[.+]")
_MARKED = frozenset("_@#$\\/.")
# The first text is read from end to end if it has fewer characters: of a command it is the only one, and `_Hints` cost more.
SMALL = 100
# A word glued to something before it by these is part of another one.
_GLUED = frozenset("_@#$\\/.")


class Layer:
    """Rules tried together over one run of tokens."""

    def __init__(self, rules: Iterable[Rule], codes: _Codes, commonness: Mapping[str, int]) -> None:
        self._by_key: dict[str, list[_Compiled]] = {}  # the rules, by the categories they are filed under
        self._codes = codes
        self._known: dict[str, list[tuple[int, int, Rule]]] = {}
        self.alone: set[str] = set()  # categories of which one token by itself may be all that a rule asks for
        for order, rule in enumerate(rules):
            source = _NAME.sub(lambda m: codes[m.group()], rule.pattern).replace(" ", "")
            requirements = _requirements(rule.pattern)
            if not requirements:
                raise ValueError(f"rule {rule.name} could match nothing at all")
            self.alone |= frozenset.intersection(*requirements)
            # Filed under the rarest categories it cannot do without, so that a run wakes as few rules as can be.
            compiled = _Compiled(rule, order, source, requirements)
            for key in min(requirements, key=lambda keys: sum(commonness.get(key, 0) for key in keys)):
                self._by_key.setdefault(key, []).append(compiled)

    @property
    def telling(self) -> frozenset[str]:
        """The categories without one of which no rule fits."""
        return frozenset(self._by_key)

    def line(self, tokens: list[Token]) -> str:
        """The categories of these tokens, a character each."""
        codes = self._codes
        return "".join([codes[token.cat] for token in tokens])

    def fitting(self, tokens: list[Token]) -> list[tuple[int, int, Rule]]:
        """Every stretch of tokens `[start, end)` that a rule fits: leftmost first, then longest, then in order of definition."""
        line = self.line(tokens)
        known = self._known.get(line)
        if known is not None:
            return known
        cats = {token.cat for token in tokens}
        woken = {compiled.order: compiled for cat in cats for compiled in self._by_key.get(cat, ())}.values()
        found = []
        for compiled in woken:
            if any(cats.isdisjoint(required) for required in compiled.requirements):
                continue
            at = 0
            while (match := compiled.search(line, at)) is not None:
                start, end = match.span()
                found.append((start, -end, compiled.order, compiled.rule))
                at = start + 1
        found.sort(key=lambda f: f[:3])
        fitting = [(start, -minus_end, rule) for start, minus_end, _, rule in found]
        if len(line) <= SHORT and len(self._known) < REMEMBERED:
            self._known[line] = fitting
        return fitting

    def apply(self, tokens: list[Token], page: Page) -> tuple[list[Token], bool]:
        """The tokens with every match replaced by the piece it makes, and whether any was made."""
        out: list[Token] = []
        at, made_any = 0, False
        for start, end, rule in self.fitting(tokens):
            if start < at:
                continue
            matched = tokens[start:end]
            made = rule.make(Found(matched, page))
            if made is None:
                continue
            weak = isinstance(made, Weak)
            value = made.value if isinstance(made, Weak) else made
            out += tokens[at:start]
            rules: tuple[str, ...] = (rule.name,)
            for token in matched:
                rules += token.rules
            out.append(Token(matched[0].start, matched[-1].end, "X", value, weak, rules))
            at, made_any = end, True
        if not made_any:
            return tokens, False
        out += tokens[at:]
        return out, True


_NEXT_WORD = re.compile(r"[ '-]+([a-zà-öø-ÿ]+(?:['.][a-zà-öø-ÿ]+)*)")
_LATIN, _OTHER = re.compile("[a-z]"), re.compile("[\u0370-\uffef]")
_SPACED_CJK = re.compile(r"(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])")
# Full-width Latin, digits and punctuation have half-width twins at a fixed distance; the ideographic space is a space.
_HALF_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {0x3000: " ", 0x2019: "'", 0xA0: " ", 0x202F: " "}


# A Latin word with the points and apostrophes in it, and its parts between them.
_WORD = r"[a-zà-öø-ÿ]+(?:/[a-z]\b|(?:['.][a-zà-öø-ÿ]+)*\.?)"
_PLAIN = re.compile("[a-zà-öø-ÿ]+")
# Words that figures may take with them (`planner._figures`).
_OF_FIGURES = ("t", "z", "a", "p", "m", "h", "s", "st", "nd", "rd", "th", "utc", "gmt")


def _class(characters: Iterable[str]) -> str:
    """The inside of a character class of these."""
    return re.escape("".join(sorted(characters)))


_UNKNOWN: list[tuple[int, int, Expression, bool, tuple[str, ...]]] = []


class Memory:
    """What characters say, where that depends on them alone or on the two before and behind them as well. Forgets all when full."""

    __slots__ = ("_known",)

    # Of each piece its place among the characters, the expression, whether it is weak, the rules. None: those beside matter.
    _known: dict[tuple[str, ...], list[tuple[int, int, Expression, bool, tuple[str, ...]]] | None]

    def __init__(self) -> None:
        self._known = {}

    def recall(self, key: str, page: Page, start: int, end: int) -> list[Token] | None:
        """What `[start, end)` of a text says, or None where that is not known."""
        text = page.text
        said = text[start:end]
        if page.lone:
            return None
        known = self._known.get((key, said), _UNKNOWN)
        if known is None:
            page.beside = True
            known = self._known.get((key, said, *_beside(text, start, end)))
        if known is None or known is _UNKNOWN:
            return None
        return [Token(start + low, start + high, "X", value, weak, rules) for low, high, value, weak, rules in known]

    def keep(self, key: str, page: Page, start: int, end: int, found: list[Token], beside: bool) -> None:
        """Remembers that; a stretch that is the whole text is read anew, for some words mean more alone."""
        if page.lone:
            return
        text = page.text
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        said = text[start:end]
        known = [(token.start - start, token.end - start, token.value, token.weak, token.rules) for token in found]
        if beside:
            self._known[key, said] = None
            self._known[key, said, *_beside(text, start, end)] = known
        else:
            self._known[key, said] = known


def _beside(text: str, start: int, end: int) -> tuple[str, str]:
    return text[max(start - 2, 0) : start], text[end : end + 2]


class Reached:
    """How far the tokens of a text have been read: where to go on, and where the last one ended."""

    __slots__ = ("at", "last")

    def __init__(self) -> None:
        self.at = self.last = 0


_AHEAD = 6  # characters ahead of a word that tell whether it is one


class Grammar:
    """The languages together: one tokenizer, two layers of rules."""

    def __init__(self, languages: Sequence[Language]) -> None:
        self.languages = languages
        fold: dict[int, str] = dict(_HALF_WIDTH)
        self._signs: dict[str, _Sign] = defaultdict(_Sign)
        self._latin: dict[str, _Latin] = defaultdict(_Latin)
        self._spelled: dict[str, tuple[str, Any]] = {}  # words that begin with a figure: "2moro"
        self._dated = frozenset().union(*(language.dated for language in languages))
        self._numerals = [
            (language.numerals.match, lru_cache(maxsize=REMEMBERED)(language.read_numeral))
            for language in languages
            if language.numerals is not None and language.read_numeral is not None
        ]
        self._parted = {word: ahead for language in languages for word, ahead in language.parted.items()}
        common: dict[str, int] = {"X": 20_000, "INT": 5_000, "NUM": 5_000, "COMMA": 20_000}
        for language in languages:
            common |= dict.fromkeys(language.common, 20_000)
        for language in languages:
            fold.update(language.fold)
            for word, (cat, value) in {**_SIGNS, **language.words}.items():
                common[cat] = common.get(cat, 0) + 1
                if word[0].isalpha() and ord(word[0]) < 0x2E80:
                    first, *rest = word.split(" ")
                    entry = self._latin[first]
                    if rest:
                        entry.longer[rest[0]].append((tuple(rest[1:]), cat, value))
                    else:
                        entry.alone = (cat, value)
                elif word[0].isdigit() and word[-1].isalpha():
                    self._spelled[word] = (cat, value)
                else:
                    self._signs[word[0]].add(word, (cat, value))
        for entry in self._latin.values():
            for phrases in entry.longer.values():
                phrases.sort(key=lambda phrase: -len(phrase[0]))
        self._numeral_starts = frozenset("".join(language.numeral_starts for language in languages))
        firsts = self._numeral_starts.union(self._signs)
        self._scan = re.compile(rf"(?P<fig>\d)|(?P<word>{_WORD})|(?P<sign>[{_class(firsts)}])")
        self._foldable = re.compile("[" + re.escape("".join(map(chr, sorted(fold)))) + "]")
        self._folded = {chr(code): plain for code, plain in fold.items()}
        self._figured = later("(?:" + "|".join(map(re.escape, self._spelled)) + r")\b")
        codes = _Codes()
        self.pieces = Layer([rule for language in languages for rule in language.pieces], codes, common)
        self.phrases = Layer([rule for language in languages for rule in language.phrases], codes, common)
        # What does nothing alone; of it, what is not even read alone; the characters that a time word may begin or be parted with.
        self._idle = frozenset(common) - {"X"} - self.pieces.alone
        self._mute = self._idle - self._dated - NUMBERS
        self._touching = firsts | frozenset(_SPACES + string.digits + _LETTERS)
        self._asked = False
        self.remembered = Memory()  # what a run says, by its categories and characters
        self.stretched = Memory()  # what a stretch says, by its characters
        self.telling = self.pieces.telling | {"X"}
        self.apart, self.turns = ([language.cue(name) for language in languages] for name in ("apart", "turns"))
        evenings = [language for language in languages if "evening" in language.cues]
        self.evening = [(language.cue("evening"), language.cue("evening_behind")) for language in evenings]
        self.early, self.by_day = (
            [language.cue(name) for language in languages if name in language.cues] for name in ("early", "by_day")
        )
        self.attributes = [language.attribute for language in languages if language.attribute is not None]
        self.events = [language.event for language in languages if language.event is not None]
        self.of_events = [language.of_event for language in languages if language.of_event is not None]
        self.glue = frozenset().union(*(language.glue for language in languages))
        self.rules = {rule.name: rule for language in languages for rule in (*language.pieces, *language.phrases)}

    @cached_property
    def _hints(self) -> _Hints:
        return _Hints(self.languages, self.telling)

    def written_in(self, folded: str) -> list[Language]:
        """The languages whose letters a folded text holds: the words of the others need not be looked for."""
        return [language for language in self.languages if (_LATIN if language.latin else _OTHER).search(folded)]

    def fold(self, text: str) -> str:
        """The text as the lexicon spells it, character for character: lower case, half width, simplified where it matters."""
        if text.isascii():
            return text.lower()
        folded = self._foldable.sub(lambda match: self._folded[match.group()], text)
        lowered = folded.lower()
        # Lower case may change the length (İ): then only the letters that keep theirs are lowered.
        return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in folded)

    def stretches(self, text: str) -> Iterator[tuple[int, int]]:
        """The stretches `[start, end)` of a folded text that hold a telling word, cut where no word of the lexicon is."""
        if not self._asked:
            self._asked = True
            if len(text) < SMALL:
                yield 0, len(text)
                return
        hints, size, done = self._hints, len(text), 0
        backwards = ""
        words = hints.words(text)
        while True:
            start = hints.sign(text, done)
            word = bisect_left(words, done)
            if word < len(words):
                start = min(start, words[word])
            if start == size:
                return
            backwards = backwards or text[::-1]
            first = size - hints.reach(backwards, size - start, size - done, -1)
            done = hints.reach(text, start, size, 1)
            yield first, done

    def runs(self, text: str, *, every: bool = False) -> Iterator[list[Token]]:
        """The time words of a folded text, in runs of those that touch (spaces do not part words).

        Only runs of which an expression may be made, unless `every` one is wanted.
        """
        reached = Reached()
        for left, right in ((0, len(text)),) if every else self.stretches(text):
            for run in self.runs_within(text, left, right, reached):
                if every or self.tells(run):
                    yield run

    def runs_within(self, text: str, left: int, right: int, reached: Reached) -> Iterator[list[Token]]:
        """All runs of the stretch `[left, right)`, whose last figures may reach beyond it."""
        at, last = reached.at, reached.last
        scan, latin = self._scan, self._latin
        run: list[Token] = []
        matches = scan.finditer(text, max(left, at), right)
        while True:
            for match in matches:
                kind, said = match.lastgroup, match.group()
                if kind == "word" and said not in latin and said[-1] not in ".s":
                    continue
                start, end = match.span()
                if start < at:
                    if end > at:
                        break
                    continue
                more: Sequence[Token] = ()  # further tokens of the same figures
                if kind == "sign":
                    token, at = self._sign(text, said, start, end, start == last)
                elif kind == "word":
                    token, at = self._word(text, said, start, end)
                else:
                    # A mark between a time word and a figure joins them ("Jan-1", "Aug/10"), and is no sign of a name.
                    joined = last == start and len(run) > 1 and run[-1].cat in ("DASH", "SLASH") and run[-2].cat in self._dated
                    found, at = self._figure(text, start, joined)
                    # Figures glued to letters that are no time word belong to a name ("port2019", "v2", "A4").
                    if start and start != last and "a" <= text[start - 1] <= "z":
                        found = [Token(start, at, "JUNK", None)]
                    token, more = (found[0], found[1:]) if found else (None, ())
                if token is not None:
                    if run and token.start != last:
                        mark = text[last : token.start].strip(_SPACES)
                        if token.cat == "DASH" and "\n" in text[last : token.start]:  # of a list
                            yield run
                            run = []
                        # "16. Nov. 2016": a full stop behind a number does not part it from a month.
                        # Nor does an apostrophe part a year from what it is of ("Jan '21").
                        if (
                            mark
                            and (mark != "." or run[-1].cat != "INT" or token.cat not in self._dated)
                            and (mark != "'" or token.cat != "INT")
                        ):
                            yield run
                            run = []
                    run.append(token)
                    run += more
                    last = run[-1].end
                if at < end:
                    break
            else:
                break
            matches = scan.finditer(text, at, right)  # only a part of a word was taken
        if run:
            yield run
        reached.at, reached.last = at, last

    def plain(self, text: str, left: int, right: int) -> bool:
        """Whether a stretch is short, and its words are read without regard to more than the two characters beside it."""
        return (
            right - left <= LONGEST
            and text[right : right + 1] not in _MARKED
            and (not left or text[left - 1] not in _MARKED)
            and (not self.figured(text, left, right) or _FAR_FIGURED.search(text, left, right) is None)
        )

    def figured(self, text: str, left: int, right: int) -> bool:
        """Whether it has figures, which are read with regard to the characters beside them."""
        return _FIGURED.search(text, left, right) is not None

    def tells(self, run: list[Token]) -> bool:
        """Whether an expression may be made of a run."""
        if len(run) == 1:
            return run[0].cat not in self._idle
        return not self.telling.isdisjoint([token.cat for token in run])

    def _sign(self, text: str, said: str, start: int, end: int, touches: bool) -> tuple[Token | None, int]:
        """The word or numeral that begins with the character `[start, end)`, and where to go on."""
        token, number = None, said in self._numeral_starts
        sign = self._signs.get(said)
        if sign is not None:
            meaning, begun = sign.alone, sign.longer.get(text[end : end + 1])
            if begun is not None:
                words = begun.words
                for length in begun.lengths:
                    word = text[start : start + length]
                    if word in words:
                        ahead = self._parted.get(word) if touches else None
                        if ahead is not None and ahead.search(text[max(0, start - _AHEAD) : start]):
                            continue
                        end, meaning = start + len(word), words[word]
                        break
            if meaning is not None:
                cat, value = meaning
                if (
                    number
                    or touches
                    or cat not in self._mute
                    or text[end : end + 1] in self._touching
                    or text[start - 1] in _SPACES
                ):
                    token = Token(start, end, cat, value)
        return self._numeral(text, start, token, end) if number else (token, end)

    def _figure(self, text: str, start: int, joined: bool) -> tuple[list[Token], int]:
        """What the figures that begin at `start` mean, and where to go on; `joined` to a time word by the mark before them."""
        if self._spelled and (start == 0 or not text[start - 1].isalnum()):
            word = self._figured.match(text, start)
            if word is not None:
                cat, value = self._spelled[word.group()]
                return [Token(start, word.end(), cat, value)], word.end()
        return _figures.tokens(text, start, Token, joined)

    def _numeral(self, text: str, start: int, token: Token | None, at: int) -> tuple[Token | None, int]:
        """The numeral that begins at `start`, or the word that does (`token`, ending `at`) where it is as long."""
        for match, read in self._numerals:
            numeral = match(text, start)
            if numeral is not None and (token is None or at < numeral.end()):
                # Read whole or not at all: a run that is no number is passed over, not tried again from its second character.
                at = numeral.end()
                cat, value = read(numeral.group()) or ("NOISE", None)
                token = Token(start, at, cat, value)
        return token, at

    def _word(self, text: str, word: str, start: int, end: int) -> tuple[Token | None, int]:
        """What a Latin word `[start, end)` and those behind it mean, and where to go on."""
        latin = self._latin
        entry, stop = latin.get(word), end
        if entry is None:
            bare = word.rstrip(".")
            entry = latin.get(bare)
            stop = start + len(bare)
            if entry is None:
                if not bare.endswith("'s"):
                    return None, end
                entry = latin.get(bare[:-2])  # "Monday's", where the lexicon has no such word
                if entry is None:
                    return None, end
        if start and text[start - 1] in _GLUED and _part_of_another(text, start):
            return None, end
        if entry.longer:
            following = _NEXT_WORD.match(text, stop)
            if following is not None:
                for rest, cat, value in entry.longer.get(following[1], ()):
                    at = following.end()
                    for part in rest:
                        match = _NEXT_WORD.match(text, at)
                        if match is None or match[1] != part:
                            break
                        at = match.end()
                    else:
                        return Token(start, at, cat, value), at
        if entry.alone is None or (stop < len(text) and text[stop] in "_@\\"):
            return None, end
        return Token(start, stop, *entry.alone), stop


def _part_of_another(text: str, start: int) -> bool:
    """Whether the mark before a word makes it a part of a web address, an identifier or a name with dots."""
    before = text[start - 1]
    behind = text[start - 2] if start > 1 else " "
    return before not in "/." or (before == "/" and not behind.isdigit()) or (before == "." and behind.isalnum())


class _Hints:
    """Where a text may speak of time, told by C code alone: the words without one of which no rule has anything to say."""

    __slots__ = ("_begun", "_known", "_piece", "_signs", "_telling")

    def __init__(self, languages: Sequence[Language], categories: frozenset[str]) -> None:
        lexicon = [*_SIGNS.items(), *itertools.chain(*(language.words.items() for language in languages))]
        known, telling, alone = set(_OF_FIGURES), set[str](), set[str]()
        seconds: dict[str, set[str]] = defaultdict(set)
        touching = set(_SPACES + string.digits + ".':+").union(*(language.numeral_starts for language in languages))
        known.update(_PLAIN.findall("\n".join([word for word, _ in lexicon])))
        touching.update("".join([word for word, _ in lexicon if not _latin(word)]))
        phrases: list[list[str]] = []
        for word in [word for word, (cat, _) in lexicon if cat in categories]:
            if _latin(word):
                parts = _PLAIN.findall(word)
                if len(parts) > 1:
                    phrases.append(parts)
                else:
                    telling.update(parts)
            elif len(word) > 1:
                seconds[word[0]].add(word[1])
            else:
                alone.add(word[0])
        for parts in phrases:  # one word of each will do
            if telling.isdisjoint(parts):
                telling.add(max(reversed(parts), key=len))
        for numeral in itertools.chain(*(language.bare_numerals for language in languages)):
            seconds[numeral[0]].add(numeral[1])
        # A telling word of other than Latin letters, or its beginning: its first character and what may be the second.
        self._begun = {first: frozenset(second) for first, second in seconds.items() if first not in alone}
        self._known, self._telling = known, telling
        begun = rf"|[{_class(self._begun)}](?=([{_class(set().union(*self._begun.values()))}]))" if self._begun else ""
        self._signs = re.compile(rf"[\d{_class(alone)}]{begun}")
        self._piece = re.compile(rf"([\d{_class(touching.difference(_LETTERS))}]+)|{_LETTER}+(?:['.]{_LETTER}+)*")

    def sign(self, text: str, at: int) -> int:
        """Where, from `at` on, the next telling word of other than Latin letters begins, or a figure; else the text's length."""
        begun, search = self._begun, self._signs.search
        while (match := search(text, at)) is not None:
            if not match.lastindex or match[1] in begun[match[0]]:
                return match.start()
            at = match.end()
        return len(text)

    def words(self, text: str) -> list[int]:
        """Where the telling words of Latin letters begin, in order."""
        said = text.translate(_BLANK).split() if text.isascii() else _LATIN_WORD.findall(text)
        found = []
        for word in self._telling.intersection(said):
            start = text.find(word)
            while start >= 0:
                end = start + len(word)
                before = text[start - 1 : start]
                # A letter alone is no word behind an apostrophe: "I'm", "you'd".
                if before not in _LETTER_SET and text[end : end + 1] not in _LETTER_SET and (before != "'" or len(word) > 1):
                    found.append(start)
                start = text.find(word, end)
        return sorted(found)

    def reach(self, text: str, start: int, end: int, step: int) -> int:
        """How far from `start` on only words of the lexicon are; with `step` -1 the text is written backwards."""
        at, piece, known = start, self._piece, self._known
        while (match := piece.match(text, at, end)) is not None:
            if match[1] is None:
                parts = _PLAIN.findall(match[0][::step])
                # Letters behind figures may belong to them ("3pm").
                if known.isdisjoint(parts) and not (at > start and step > 0 and text[at - 1].isdigit()):
                    break
            at = match.end()
        return at


def _latin(word: str) -> bool:
    return word[0].isalpha() and word[0] < "\u2e80"


class _Sign:
    """What a character means alone, and the words that begin with it, by their second character."""

    __slots__ = ("alone", "longer")

    def __init__(self) -> None:
        self.alone: tuple[str, Any] | None = None
        self.longer: dict[str, _Words] = defaultdict(_Words)

    def add(self, word: str, meaning: tuple[str, Any]) -> None:
        """One more word, unless it is there already."""
        if len(word) > 1:
            self.longer[word[1]].add(word, meaning)
        elif self.alone is None:
            self.alone = meaning


class _Words:
    """Words and their lengths, longest first."""

    __slots__ = ("lengths", "words")

    def __init__(self) -> None:
        self.lengths: list[int] = []
        self.words: dict[str, tuple[str, Any]] = {}

    def add(self, word: str, meaning: tuple[str, Any]) -> None:
        self.words.setdefault(word, meaning)
        if len(word) not in self.lengths:
            self.lengths = sorted([*self.lengths, len(word)], reverse=True)


class _Latin:
    """What a Latin word means alone, and the phrases that begin with it, by their second word, longest first."""

    __slots__ = ("alone", "longer")

    def __init__(self) -> None:
        self.alone: tuple[str, Any] | None = None
        self.longer: dict[str, list[tuple[tuple[str, ...], str, Any]]] = defaultdict(list)


def squeeze(text: str) -> tuple[str, list[int] | None]:
    """The text without spaces between Chinese characters, and where each character came from (None if nothing changed)."""
    if text.isascii() or " " not in text or _SPACED_CJK.search(text) is None:
        return text, None
    origin: list[int] = []
    kept: list[str] = []
    at = 0
    for match in _SPACED_CJK.finditer(text):
        kept.append(text[at : match.start()])
        origin += range(at, match.start())
        at = match.end()
    kept.append(text[at:])
    origin += range(at, len(text) + 1)
    return "".join(kept), origin

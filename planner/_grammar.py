"""Machinery of reading: words to tokens, tokens to expressions, by rules that are data.

A language brings a lexicon (word -> category and value) and rules. A rule's pattern is a regular expression over *categories*
("DIR{1,4} CL? UNIT"), compiled to one character a category, so that a rule is matched by C code over a string as short as the
sentence has time words. Matching is longest first, leftmost first, then by order of definition; a production may decline
(None), and the next candidate gets its turn. Pieces so made are tokens of category X: `planner._composition` joins them.

Cost is linear in the text: every pattern's repetition is bounded, and a rule is tried only if a category it cannot do
without is present.
"""

from __future__ import annotations

import re
import string
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
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


class Found:
    """What a rule's production sees: its tokens, by category, and the text about them."""

    __slots__ = ("text", "tokens")

    def __init__(self, tokens: list[Token], text: str) -> None:
        self.tokens, self.text = tokens, text

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
        return self.text[token.start : token.end]

    @property
    def before(self) -> str:
        """The two characters ahead of the match."""
        start = self.tokens[0].start
        return self.text[max(start - 2, 0) : start]

    @property
    def after(self) -> str:
        """The two characters behind the match."""
        end = self.tokens[-1].end
        return self.text[end : end + 2]

    @property
    def whole(self) -> bool:
        """Whether nothing but punctuation surrounds the match in the text."""
        start, end = self.tokens[0].start, self.tokens[-1].end
        return not any(c.isalnum() for c in self.text[:start]) and not any(c.isalnum() for c in self.text[end:])


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
    fillers: frozenset[str] = frozenset()
    light: frozenset[str] = frozenset()
    opposites: Sequence[tuple[frozenset[str], frozenset[str]]] = ()
    markers: frozenset[str] = frozenset()
    persons: frozenset[str] = frozenset()  # pronouns of persons
    prefixes: frozenset[str] = frozenset()  # begin a short name: 小李
    joins: frozenset[str] = frozenset()
    determiners: frozenset[str] = frozenset()
    spellings: Sequence[tuple[re.Pattern[str], str]] = ()
    # Categories that may stand between two pieces without parting them ("the 3rd *of* May").
    glue: frozenset[str] = frozenset()
    # What stands ahead of a clock time, and behind it, where it says which thing of a day is meant ("*the* 3pm *call on* Thursday").
    attribute: tuple[re.Pattern[str], re.Pattern[str]] | None = None
    # Categories of words that a mark may join to a figure ("Jan-1").
    dated: frozenset[str] = frozenset()

    def cue(self, name: str) -> re.Pattern[str]:
        """The cue of that name; where the language has none, one that is never found."""
        return self.cues.get(name, NEVER)


_NAME = re.compile(r"[A-Z][A-Z_0-9]*")
_SYMBOL = re.compile(r"([A-Z][A-Z_0-9]*|\(|\)|\|)( *(?:\?|\*|\{0))?")  # with a sign that it may be left out


class _Codes(dict[str, str]):
    """One private character a category, given out on first sight."""

    def __missing__(self, cat: str) -> str:
        code = chr(0xE000 + len(self))
        self[cat] = code
        return code


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
            found = [frozenset({symbol})]
            if symbol == "(":
                found, optional = group()
            if not optional:
                branches[-1] += found
        if len(branches) == 1:
            return branches[0], optional
        # Of alternatives only one is met: what can be said of all of them together is a category of one of each.
        return ([frozenset().union(*(min(b, key=len) for b in branches))] if all(branches) else []), optional

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
    ",": ("COMMA", None), "/": ("SLASH", None), "，": ("COMMA", None), "、": ("LIST", None), "&": ("LIST", None),
    **dict.fromkeys(("am", "a.m", "a m"), ("MERIDIEM", "a")), **dict.fromkeys(("pm", "p.m", "p m"), ("MERIDIEM", "p")),
    **dict.fromkeys(("-", "--", "–", "—", "——", "~", "ー", "−"), ("DASH", None)),
}  # fmt: skip


# Categories of what is or holds a number.
NUMBERS = frozenset({"NUM", "INT", "DEC", "DIGITS"})
# Characters that do not part words, and those that Latin words are made of.
_SPACES = " \t\r\n"
_LETTERS = "abcdefghijklmnopqrstuvwxyz" + "".join(map(chr, range(0xE0, 0x100)))
# Texts share the shapes of their runs ("DIR WDAY PART"): what fits each is remembered, for so many of at most so many tokens.
_REMEMBERED, _SHORT = 8192, 24
# A word glued to something before it by these is part of another one.
_GLUED = frozenset("_@#$\\/.")


class Layer:
    """Rules tried together over one run of tokens."""

    def __init__(self, rules: Iterable[Rule], codes: _Codes, commonness: Mapping[str, int]) -> None:
        self._by_key: dict[str, list[_Compiled]] = {}
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

    def fitting(self, tokens: list[Token]) -> list[tuple[int, int, Rule]]:
        """Every stretch of tokens `[start, end)` that a rule fits: leftmost first, then longest, then in order of definition."""
        codes = self._codes
        line = "".join([codes[token.cat] for token in tokens])
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
        if len(line) <= _SHORT and len(self._known) < _REMEMBERED:
            self._known[line] = fitting
        return fitting

    def apply(self, tokens: list[Token], text: str) -> tuple[list[Token], bool]:
        """The tokens with every match replaced by the piece it makes, and whether any was made."""
        out: list[Token] = []
        at, made_any = 0, False
        for start, end, rule in self.fitting(tokens):
            if start < at:
                continue
            matched = tokens[start:end]
            made = rule.make(Found(matched, text))
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
            (language.numerals.match, lru_cache(maxsize=_REMEMBERED)(language.read_numeral))
            for language in languages
            if language.numerals is not None and language.read_numeral is not None
        ]
        common: dict[str, int] = {"X": 20_000, "INT": 5_000, "NUM": 5_000}
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
        self._scan = re.compile(
            r"(?P<fig>\d)|(?P<word>[a-zà-öø-ÿ]+(?:/[a-z]\b|(?:['.][a-zà-öø-ÿ]+)*\.?))|(?P<sign>["
            + re.escape("".join(sorted(firsts)))
            + "])"
        )
        self._foldable = re.compile("[" + re.escape("".join(map(chr, sorted(fold)))) + "]")
        self._folded = {chr(code): plain for code, plain in fold.items()}
        self._figured = later("(?:" + "|".join(map(re.escape, self._spelled)) + r")\b")
        codes = _Codes()
        self.pieces = Layer([rule for language in languages for rule in language.pieces], codes, common)
        self.phrases = Layer([rule for language in languages for rule in language.phrases], codes, common)
        # What does nothing alone; of it, what is not even read alone; the characters that a time word may begin or be parted with.
        self.idle = frozenset(common) - {"X"} - self.pieces.alone - self.phrases.alone
        self._mute = self.idle - self._dated - NUMBERS
        self._touching = firsts | frozenset(_SPACES + string.digits + _LETTERS)
        self.attributes = [language.attribute for language in languages if language.attribute is not None]
        self.glue = frozenset().union(*(language.glue for language in languages))
        self.rules = {rule.name: rule for language in languages for rule in (*language.pieces, *language.phrases)}

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

    def runs(self, text: str) -> Iterator[list[Token]]:
        """The time words of a folded text, in runs of those that touch (spaces do not part words)."""
        run: list[Token] = []
        at = last = 0
        scan, latin = self._scan, self._latin
        matches = scan.finditer(text)
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
            matches = scan.finditer(text, at)  # only a part of a word was taken
        if run:
            yield run

    def _sign(self, text: str, said: str, start: int, end: int, touches: bool) -> tuple[Token | None, int]:
        """The word or numeral that begins with the character `[start, end)`, and where to go on."""
        token, number = None, said in self._numeral_starts
        if said in self._signs:
            sign = self._signs[said]
            meaning, begun = sign.alone, sign.longer.get(text[end : end + 1])
            if begun is not None:
                for length in begun.lengths:
                    word = text[start : start + length]
                    if word in begun.words:
                        end, meaning = start + len(word), begun.words[word]
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

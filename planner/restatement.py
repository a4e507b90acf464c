"""Whether two texts say the same thing in other words. Pure; no time is compared here.

A `Gist` holds what a text says as units: Chinese content characters, stems of other words, figures. One text restates another
when the units of one hold those of the other: where each has a word that the other lacks they tell of different things
(牙医 / 眼科), while what only one side adds is detail. Characters and not words, since 拆了线 and 把线拆了 are cut differently. Light
units (`Language.light`) may stand for one another. What the units cannot see is compared beside them: how often it says no, the
directions it names (`Language.opposites`), who stands behind 给, "from" and their like (`Language.markers`), who owns a thing,
and words that change places.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rapidfuzz.distance import OSA

from planner import words
from planner._grammar import NEVER, Language
from planner._later import source_of
from planner._remembering import remembered
from planner.reading import grammar

_LIST = words.LISTED
# Told by their value: 三间 is 3间.
_NUMERALS = frozenset("〇零一二两三四五六七八九十百千万")
_SPAN = 24  # characters behind a negative that are looked at


class Gist:
    """What a text says, without the characters `[start, end)` of its times; the whole text if nothing else is said.

    Each part is read when it is first asked for: that most texts tell of different things is seen from the first.
    """

    def __init__(self, text: str, spans: tuple[tuple[int, int], ...] = ()) -> None:
        self._text, self._spans = text, spans

    @cached_property
    def said(self) -> tuple[str, ...]:
        """The words of the core, all but the figures, or all of it if it has no others; each once, in order."""
        return tuple(sorted(self.words - _rules().light or self.core))

    @cached_property
    def keys(self) -> frozenset[str]:
        """The same as a set."""
        return frozenset(self.said)

    def recall(self, said: tuple[str, ...]) -> None:
        """Takes what was `said` from one who has kept it; it need not be read then."""
        self.__dict__.setdefault("said", said)

    @cached_property
    def _read(self) -> tuple[str, frozenset[str], bool]:
        topic = words.blanked(self._text, self._spans)
        spoken = self._spoken(topic)
        found = frozenset[str]().union(*map(_units, spoken))
        # 会 is a function word, and a meeting.
        bare = not found and _rules().same.keys().isdisjoint(spoken)
        if not found and self._spans:
            topic = self._text
            found = found.union(*map(_units, self._spoken(topic)))
        return topic, found, bare

    @property
    def _topic(self) -> str:
        return self._read[0]

    @property
    def words(self) -> frozenset[str]:
        """The units but the figures."""
        return self._read[1]

    @property
    def bare(self) -> bool:
        """Whether it says nothing but a time and that something changes."""
        return self._read[2]

    @property
    def _languages(self) -> Sequence[Language]:
        # Chinese has no letters of ASCII, and a text of nothing else has no Chinese.
        return [language for language in grammar().languages if language.latin or not self._text.isascii()]

    def _spoken(self, topic: str) -> list[str]:
        """The words as they are said, without what opens a reply or a mail."""
        folded, rules = _written_out(words.fold(topic)), _rules()
        for opening, around, header in rules.around_latin if self._text.isascii() else rules.around:
            begun = opening.match(folded)
            if begun:
                folded = folded[begun.end() :]
            folded = around.sub(" ", folded)
            if "\n" in folded:
                folded = header.sub("\n", folded)
        said = words.cut(_ARROW.sub(" to ", folded) if "→" in folded or ">" in folded else folded)
        return said if rules.labels.isdisjoint(said) else _labelled(said, rules)

    @cached_property
    def units(self) -> frozenset[str]:
        """The words, and the figures that are said in digits or words."""
        rules, topic = _rules(), self._topic
        if (
            any(map(str.isdigit, topic))
            or not rules.figures.isdisjoint(topic)
            or not rules.counts.isdisjoint(self._spoken(topic))
        ):
            plain = _THOUSANDS.sub("", _written_out(words.fold(topic)))
            figures = [float(word) for word in words.cut(plain) if _DIGITS.fullmatch(word)]
            return self.words.union(map(_figure, [*figures, *words.numbers(plain)]))
        return self.words

    @cached_property
    def core(self) -> frozenset[str]:
        """The units without the light ones, or all of them if there are no others."""
        return self.units - _rules().light or self.units

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """What is said in order, function words and list marks among it."""
        return _tokens(self._spoken(self._topic))

    @cached_property
    def denials(self) -> int:
        folded = words.fold(self._text)
        return sum(_denials(x, folded) for x in self._languages)

    @cached_property
    def denied(self) -> frozenset[str]:
        """The words behind its negatives."""
        folded, silent = words.fold(self._text), _rules().silent
        found: set[str] = set()
        for language in self._languages:
            for match in language.cues["negated"].finditer(language.affirms.sub(" ", folded)):
                behind = words.cut(match.string[match.end() : match.end() + _SPAN])
                found.update([_known(word) for word in behind if word not in silent][:1])
        return frozenset(found)

    @cached_property
    def off(self) -> int:
        """How often it says that something is called off, negatives among it: 不去了, "cancelled"."""
        folded = words.fold(self._text)
        return sum(len(x.cues["cancelled"].findall(folded)) for x in self._languages)

    @cached_property
    def denials_else(self) -> int:
        """The denials outside of what says that something is called off."""
        folded = words.fold(self._text)
        return sum(_denials(x, x.cues["cancelled"].sub(" ", folded)) for x in self._languages)

    @cached_property
    def owned(self) -> frozenset[tuple[str, str]]:
        """What belongs to whom, the owner first."""
        folded = words.fold(self._text)
        return frozenset(found for x in self._languages for found in x.owns.findall(folded))

    @cached_property
    def amends(self) -> bool:
        """Whether it puts right what was told before."""
        return amends(words.blanked(self._text, self._spans))

    @cached_property
    def standing(self) -> Gist:
        """The gist without what it puts in the place of what was told before; itself if nothing else is said."""
        topic = words.fold(self._topic)
        for language in self._languages:
            topic = language.anew.sub(" ", topic)
        rest = gist(topic)
        return self if rest.bare else rest

    @cached_property
    def change(self) -> Gist:
        """The gist of the clauses that tell of a change, without its reasons; itself if there are no others."""
        topic = words.fold(self._topic)
        cues = [x.cues[name] for x in self._languages for name in ("cancelled", "moved")]
        telling = [clause for clause in _CLAUSES.split(topic) if any(cue.search(clause) for cue in cues)]
        rest = gist("，".join(telling))
        return self if rest.bare else rest

    @cached_property
    def affirms(self) -> bool:
        """Whether it holds a negative that denies nothing."""
        folded = words.fold(self._text)
        return any(x.affirms.search(folded) for x in self._languages)

    @cached_property
    def asks(self) -> bool:
        """False where a question mark or the like only asks for a nod: "I'll cook, ok?"."""
        folded = words.fold(self._text)
        return not any(x.nod.search(folded) or x.states.search(folded) for x in self._languages)

    @cached_property
    def directions(self) -> frozenset[str]:
        said = self._spoken(self._topic) if self._topic is self._text else words.cut(words.fold(self._text))
        return _rules().directed.intersection(said)

    @cached_property
    def marked(self) -> dict[str, frozenset[str]]:
        return _marked(self.tokens, _rules())


def gist(text: str, spans: tuple[tuple[int, int], ...] = (), said: tuple[str, ...] | None = None) -> Gist:
    """The gist of `text`; `spans` are the characters `[start, end)` that tell its times, and `said` its words where they are kept."""
    found = _gist(text, spans)
    if said is not None:
        found.recall(said)
    return found


@remembered(16384)
def _gist(text: str, spans: tuple[tuple[int, int], ...]) -> Gist:
    return Gist(text, spans)


def amends(text: str) -> bool:
    """Whether a text puts right what was told before: 记错了, "actually", "not Saturday"."""
    folded = words.fold(text)
    return any(x.amends.search(folded) for x in grammar().languages if x.latin or not folded.isascii())


@dataclass(frozen=True, slots=True)
class _Rules:
    """The languages' words for this, of all of them at once."""

    silent: frozenset[str]
    light: frozenset[str]
    opposites: tuple[tuple[frozenset[str], frozenset[str]], ...]
    directed: frozenset[str]
    markers: frozenset[str]
    persons: frozenset[str]
    prefixes: frozenset[str]
    joins: frozenset[str]
    determiners: frozenset[str]
    spellings: tuple[tuple[re.Pattern[str], str], ...]
    around: tuple[tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]], ...]
    around_latin: tuple[tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]], ...]
    labels: frozenset[str]
    labelled: frozenset[str]
    measures: frozenset[str]
    relations: frozenset[str]
    heads: dict[str, int]
    empty: frozenset[str]
    cases: dict[str, str]
    ways: tuple[tuple[str, str], ...]
    same: dict[str, str]
    figures: frozenset[str]  # characters that may begin a number in words, and
    counts: frozenset[str]  # words that are one
    scaled: tuple[re.Pattern[str], dict[str, float]]  # a figure with a word of scale, and what that makes of it


@lru_cache(maxsize=1)
def _rules() -> _Rules:
    languages: tuple[Language, ...] = tuple(grammar().languages)
    opposites = tuple(pair for language in languages for pair in language.opposites)
    spellings = tuple(rule for language in languages for rule in language.spellings)
    alike = [group for language in languages for group in language.alike]
    loose = [group.difference(*alike) for language in languages for group in language.synonyms]
    groups = [sorted(group, key=lambda word: (not word.isascii(), len(word), word)) for group in [*alike, *loose] if group]
    same = {_unit(word, spellings): _unit(group[0], spellings) for group in groups for word in group}
    around = [
        (x.latin, (x.opening, x.nod if x.aside is NEVER else re.compile(f"{source_of(x.nod)}|{source_of(x.aside)}"), x.header))
        for x in languages
    ]
    return _Rules(
        silent=frozenset().union(*(language.stopwords - language.telling | language.fillers for language in languages)),
        light=frozenset({_figure(1.0)}).union(
            same.get(unit, unit) for x in languages for unit in (_unit(w, spellings) for w in x.light)
        ),
        opposites=opposites,
        directed=frozenset().union(*(side for pair in opposites for side in pair)),
        markers=frozenset().union(*(language.markers for language in languages)),
        persons=frozenset().union(*(language.persons for language in languages)),
        prefixes=frozenset().union(*(language.prefixes for language in languages)),
        joins=frozenset({_LIST}).union(*(language.joins for language in languages)),
        determiners=frozenset().union(*(language.determiners for language in languages)),
        spellings=spellings,
        around=tuple(pattern for _, pattern in around),
        around_latin=tuple(pattern for latin, pattern in around if latin),
        labels=frozenset().union(*(language.labels for language in languages)),
        labelled=frozenset().union(*(language.labelled for language in languages)),
        measures=frozenset().union(*(language.measures for language in languages)),
        relations=frozenset().union(*(language.relations for language in languages)),
        heads={head: least for language in languages for head, least in language.heads.items()},
        empty=_NUMERALS.union(*(language.empty for language in languages)),
        cases={form: word for language in languages for form, word in language.cases.items()},
        ways=tuple(pair for language in languages for pair in language.ways),
        same=same,
        figures=frozenset("".join(language.numeral_starts for language in languages)),
        scaled=_scales(languages),
        counts=frozenset(w for x in languages for w, (cat, _) in x.words.items() if cat in ("NUM", "INT", "DEC", "DIGITS")),
    )


def _scales(languages: Sequence[Language]) -> tuple[re.Pattern[str], dict[str, float]]:
    scales = {word: by for language in languages for word, by in language.scales.items()}
    not_before = "".join(language.scaled_not for language in languages)
    return re.compile(rf"(?<!\d)(\d+(?:\.\d+)?) ?({'|'.join(scales)})(?![a-z{not_before}])(?:(\d)(?!\d))?"), scales


def _written_out(folded: str) -> str:
    """The text with figures in full: 3万5 is 35000."""
    if _DIGIT.search(folded) is None:
        return folded
    pattern, scales = _rules().scaled
    plain = pattern.sub(lambda m: _scaled(float(m[1]), scales[m[2]], m[3]), folded)
    plain = _NUMBERED.sub(" ", plain)
    return plain.replace("°c", "度") if "°" in plain else plain


_NUMBERED = re.compile(r"(?<=[a-z]{2})(?=\d)")  # iphone17 is iphone 17


def _scaled(figure: float, scale: float, tenths: str | None) -> str:
    return f"{figure * scale + (int(tenths) * scale / 10 if tenths else 0):.12g} "


_ARROW = re.compile(r"→|[-=]+>")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CLAUSES = re.compile(r"[,，。;；!！?？\n]+|\b(?:because|since|so)\b|因为|所以")
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def _denials(language: Language, folded: str) -> int:
    rest = language.affirms.sub(" ", folded)
    return len(language.cues["negated"].findall(rest)) + len(language.hedges.findall(rest))


def _figure(number: float) -> str:
    return f"#{number:.12g}"


def _labelled(said: list[str], rules: _Rules) -> list[str]:
    """Letters that would be words are labels where none stands behind them that they could belong to: "gate A", A口."""
    labels, last = rules.labels, len(said) - 1
    for n, word in enumerate(said):
        if word in labels and _is_label(said[n - 1] if n else _LIST, word, said[n + 1] if n < last else _LIST, rules):
            said[n] = f"{word}."
    return said


def _is_label(before: str, word: str, after: str, rules: _Rules) -> bool:
    if after == _LIST or not after.isascii() or after in rules.relations:
        return True
    return before in rules.labelled and word in rules.determiners


def _unit(word: str, spellings: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    if not word.isascii():
        return word
    if _any_of(spellings).search(word):
        for pattern, plain in spellings:
            word = pattern.sub(plain, word)
    return words.stem(word)


@lru_cache
def _any_of(spellings: tuple[tuple[re.Pattern[str], str], ...]) -> re.Pattern[str]:
    return re.compile("|".join([NEVER.pattern, *(source_of(pattern) for pattern, _ in spellings)]))


def _known(word: str) -> str:
    rules = _rules()
    unit = _unit(word, rules.spellings)
    return rules.same.get(unit, unit)


@lru_cache(maxsize=65536)
def _units(word: str) -> tuple[str, ...]:
    """The units of a word as it is said, none if it is silent or a figure."""
    rules = _rules()
    if word.isascii():
        if word == _LIST or word in rules.silent or word in rules.counts or word.replace(".", "").isdigit():
            return ()
        if not word.isalpha() and any(map(str.isdigit, word)):
            measure = word.lstrip("0123456789.")
            return (_known(measure) if measure in rules.measures else "#" + word,)
        return (_known(word),)
    if not _chinese(word):
        return (word,)
    units: dict[str, None] = {}
    for part in _parts(word, rules):
        if part in rules.silent:
            continue
        if rules.same.get(part, part).isascii():
            units[rules.same[part]] = None
        else:
            units.update((rules.same.get(c, c), None) for c in rules.same.get(part, part) if c not in rules.empty)
    return tuple(units)


def _chinese(word: str) -> bool:
    return "\u3400" <= word[0] <= "\u9fff"


def _tokens(said: Sequence[str]) -> tuple[str, ...]:
    rules = _rules()
    tokens: list[str] = []
    for word in said:
        if word.isascii():
            if word not in rules.determiners:
                tokens.append(rules.cases.get(word) or _known(word))
            continue
        if not _chinese(word):
            tokens.append(word)
            continue
        for part in _parts(word, rules):
            unit = rules.same.get(part, part)
            if len(part) == 1 and tokens and tokens[-1] in rules.prefixes:
                tokens[-1] += unit
            else:
                tokens.append(unit)
    return tuple(tokens)


def _parts(word: str, rules: _Rules) -> tuple[str, ...]:
    """A word that was cut too long in two: 云南旅游, of which one end has a synonym, and 咱妈, which begins with a pronoun."""
    if len(word) == _PAIR and word[0] in rules.persons:
        return word[0], word[1]
    if word not in rules.same and len(word) >= rules.heads.get(word[0], len(word) + 1):
        return word[0], *_parts(word[1:], rules)
    if len(word) > _PAIR and word not in rules.same:
        if word[-_PAIR:] in rules.same:
            return word[:-_PAIR], word[-_PAIR:]
        if word[:_PAIR] in rules.same:
            return word[:_PAIR], word[_PAIR:]
    return (word,)


_PAIR = 2  # characters of most Chinese words


def _marked(tokens: tuple[str, ...], rules: _Rules) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for n, token in enumerate(tokens[:-1]):
        marker = token if token in rules.markers else token[-1] if token[-1] in rules.markers and not token.isascii() else ""
        if marker:
            behind = next((t for t in tokens[n + 1 : n + 3] if t not in rules.silent or t in rules.persons), _LIST)
            if behind != _LIST and behind not in rules.counts and not behind.isdigit():
                found[marker] = found.get(marker, frozenset()) | {behind}
    return found


def contradicts(a: Gist, b: Gist) -> bool:
    """Whether the two cannot be tellings of one thing: each says what the other does not, or what is opposite."""
    if a is b:
        return False
    if differ(a, b):
        return True
    if a.denials != b.denials and not (a.off and b.off and a.denials_else == b.denials_else):
        return True
    if a.directions != b.directions and _opposite(a.directions, b.directions):
        return True
    if a.tokens == b.tokens:
        return False
    for marker, who in a.marked.items():
        other = b.marked.get(marker)
        if other is not None and not who & other and not _begun(who, other):
            return True
    if any(_turned(a.marked, b.marked, *way) for way in _rules().ways):
        return True
    if a.owned and b.owned and _otherwise(a.owned, b.owned):
        return True
    return _swapped(a.tokens, b.tokens)


def _otherwise(a: frozenset[tuple[str, str]], b: frozenset[tuple[str, str]]) -> bool:
    """Whether one thing belongs to one in `a` and to another in `b`: my car, Ben's car."""
    owner = {thing: who for who, thing in a}
    return any(owner.get(thing, who) != who for who, thing in b - a)


def _begun(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether a word of one begins a word of the other, which may be cut otherwise: "wi-fi", "wifi"."""
    return any(x.isascii() and y.isascii() and (x.startswith(y) or y.startswith(x)) for x in a for y in b)


def _turned(a: dict[str, frozenset[str]], b: dict[str, frozenset[str]], there: str, back: str) -> bool:
    """Whether one names behind "to" whom or what the other names behind "from"."""
    nobody = frozenset[str]()
    return bool(
        (a.get(there, nobody) & b.get(back, nobody) and there not in b and back not in a)
        or (a.get(back, nobody) & b.get(there, nobody) and back not in b and there not in a)
    )


def replaced(a: Gist, b: Gist) -> bool:
    """Whether beside one word each says what the other does not: lunch with Bea, lunch with Tom."""
    ours, theirs = _beside_others(a, b), _beside_others(b, a)
    return any(place in theirs for place in ours)


def _beside_others(a: Gist, b: Gist) -> set[tuple[str, int]]:
    """The words of `a` beside which stands what `b` does not say, with the side: 1 behind them, -1 before them."""
    rules = _rules()
    silent, light = rules.silent, rules.light
    said = b.units.union(b.tokens)
    found: set[tuple[str, int]] = set()
    for word, behind in zip(a.tokens, a.tokens[1:], strict=False):
        for beside, other, side in ((word, behind, 1), (behind, word, -1)):
            if _LIST in (word, behind) or other in said or other in silent or other in light:
                continue
            if other.isascii() or not said.issuperset(other):
                found.add((rules.cases.get(beside, beside), side))
    return found


def overlap(a: Gist, b: Gist) -> float:
    """Dice's overlap of what the two say, 0.0 to 1.0."""
    whole = len(a.core) + len(b.core)
    shared = len(a.core & b.core) + slip(a.core, b.core)
    return 2 * shared / whole if whole else 0.0


def slip(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether all that the two differ by is one word, misspelt or cut in two in one of them."""
    if len(a) == len(b):
        only = a - b
        return len(only) == 1 and _may_be_misspelt(*only) and _misspelt(*only, *(b - a))
    if abs(len(a) - len(b)) != 1:
        return False
    only, others = a - b, b - a
    return len(only) + len(others) == _CUT and bool(only) and bool(others) and _joined(only, others)


def differ(a: Gist, b: Gist) -> bool:
    """Whether each says something that the other does not."""
    if a.units <= b.units or b.units <= a.units:
        return False
    light = _rules().light
    only_a, only_b = a.units - b.units, b.units - a.units
    if only_a <= light and only_b <= light:
        return False
    strong_a, strong_b = only_a - light, only_b - light
    if len(strong_a) == len(strong_b) == 1:
        return not _misspelt(*strong_a, *strong_b)
    return not (len(strong_a) + len(strong_b) == _CUT and strong_a and strong_b and _joined(strong_a, strong_b))


_CUT = 3  # words, where one is cut in two


def _joined(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether one word is the two others written together: "wifi" is "wi-fi"."""
    [whole], parts = (a, sorted(b)) if len(a) == 1 else (b, sorted(a))
    return whole.isascii() and whole in (parts[0] + parts[1], parts[1] + parts[0])


def _misspelt(a: str, b: str) -> bool:
    """Whether one is the other with a letter inside left out, doubled or changed in place: "definitly", "recieve".

    A letter that is another one, or at either end, makes another word or name: Carla, Carlo; Martin, Martina.
    """
    return (
        _may_be_misspelt(a)
        and _may_be_misspelt(b)
        and a[0] == b[0]
        and a[-1] == b[-1]
        and (len(a) != len(b) or sorted(a) == sorted(b))
        and OSA.distance(a, b, score_cutoff=1) == 1
    )


_LONG = 6


def _may_be_misspelt(word: str) -> bool:
    return len(word) >= _LONG and word.isascii() and word.isalpha()


def _opposite(a: frozenset[str], b: frozenset[str]) -> bool:
    for left, right in _rules().opposites:
        if (a & left and not a & right and b & right and not b & left) or (
            b & left and not b & right and a & right and not a & left
        ):
            return True
    return False


def _swapped(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether two words have changed places about what stands between them: "Bea lent Tom" and "Tom lent Bea".

    Words of a list may change places (小李和小王), and so may neighbours, which only are in another order.
    """
    at_a, at_b = _places(a), _places(b)
    rules = _rules()
    shared = [t for t in at_a if t in at_b and t not in rules.joins and t not in rules.markers]
    moved = [t for t in shared if _beside(a, at_a[t]) != _beside(b, at_b[t])][:_MOVED]
    for n, x in enumerate(moved):
        for y in moved[n + 1 :]:
            if (at_a[x] < at_a[y]) == (at_b[x] < at_b[y]):
                continue
            if (
                _takes(_beside(a, at_a[x]), _beside(b, at_b[y]))
                and _takes(_beside(a, at_a[y]), _beside(b, at_b[x]))
                and _parted(a, at_a[x], at_a[y], rules)
                and _parted(b, at_b[x], at_b[y], rules)
            ):
                return True
    return False


_MOVED = 12


def _places(tokens: tuple[str, ...]) -> dict[str, int]:
    places: dict[str, int] = {}
    twice: set[str] = set()
    for n, token in enumerate(tokens):
        if token in places:
            twice.add(token)
        places[token] = n
    return {token: n for token, n in places.items() if token not in twice}


def _beside(tokens: tuple[str, ...], n: int) -> tuple[str, str]:
    return tokens[n - 1] if n else "", tokens[n + 1] if n + 1 < len(tokens) else ""


def _takes(a: tuple[str, str], b: tuple[str, str]) -> bool:
    """Whether a word takes the place of another: the same word stands on the same side of both."""
    return (a[0] == b[0] != "" and a[0] != _LIST) or (a[1] == b[1] != "" and a[1] != _LIST)


def _parted(tokens: tuple[str, ...], x: int, y: int, rules: _Rules) -> bool:
    first, last = sorted((x, y))
    between = tokens[first + 1 : last]
    return bool(between) and not (between[0] in rules.joins and between[-1] in rules.joins)

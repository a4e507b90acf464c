"""WhatsApp's chat export: a text file, alone or in an archive as `_chat.txt`, written as the phone's language has it.

    [02/09/2026, 15:05:12] Ada: text                      02/09/26, 15:05 - Ada: text
    [2026/9/2 下午3:05:12] 小林: text                       9/2/26, 3:05 PM - Ada: text

A line that does not begin so goes on with the message before it. A date may be day first, month first or year first: the whole file
decides, by dates that only one order allows, then by the order in which the messages run; dates that say nothing are refused until
`--date-order` tells. Times are wall time in `--timezone`. What WhatsApp itself wrote (system lines, omitted media, deleted messages,
the mark of an edit) is left out; it is known by U+200E before it, by its angle brackets, or by having no speaker. The export names
people as the phone's address book does and does not say who the person is: `--me` does.

There are no ids: a message is known by its time, speaker and text, and by its place among those alike.
"""

from __future__ import annotations

import datetime as dt
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO

from temporal_recall.importers.export import Export
from temporal_recall.importers.messages import ExportError, Left, Options, Said, Same, local, speaker, who
from temporal_recall.importers.streaming import one_of

_BEFORE_NOON = ("am", "a.m.", "a. m.", "上午", "凌晨", "清晨", "早上", "午前", "오전")
_AFTER_NOON = ("pm", "p.m.", "p. m.", "下午", "傍晚", "晚上", "午後", "오후")
_NOON = ("中午",)
_MARK = "|".join(re.escape(mark).replace(r"\ ", r"\s") for mark in (*_BEFORE_NOON, *_AFTER_NOON, *_NOON))
_HEADER = re.compile(
    r"[\u200e\u200f\u202a-\u202e\ufeff]*(?P<open>\[?)"
    r"(?P<a>\d{1,4})(?:[./-]\s?|年)(?P<b>\d{1,2})(?:[./-]\s?|月)(?P<c>\d{1,4})(?:日|\.)?[,،]?\s{0,2}"
    rf"(?P<before>{_MARK})?\s?(?P<hour>\d{{1,2}})[:.](?P<minute>\d\d)(?:[:.](?P<second>\d\d))?\s?(?P<after>{_MARK})?"
    r"(?P<close>\]|\s[-–])\s(?P<rest>.*)",
    re.IGNORECASE,
)
_ORDERS = ("dmy", "mdy")
_FIRST_DAY = dt.date(2009, 1, 1)  # there was no WhatsApp before
_DAY = dt.timedelta(days=1)

# What WhatsApp writes of itself where a name could stand before the colon.
_NO_NAME = re.compile(
    r"[\"“”「『]|\b(?:changed|created|added|removed|joined|left|pinned|turned)\b|更改了|创建了|加入了|移除了|退出了",
    re.IGNORECASE,
)
_MEDIA = re.compile(
    r"<[^<>\n]{0,60}(?:\s|省略|忽略)[^<>\n]{0,60}>"
    r"|(?P<name>[^\n]{1,120}\.\w{2,5}) \((?:file attached|文件附件|archivo adjunto|Datei angehängt|fichier joint)\)"
    r"|\u200e?(?:image|video|audio|sticker|GIF|document|Contact card) omitted|(?:图像|图片|视频|音频|贴图|文档)已?忽略|null",
    re.IGNORECASE,
)
_ATTACHED = re.compile(r"<(?:attached|附件|adjunto|Anhang|pièce jointe)\s*[:：]\s*(?P<name>[^<>]+)>", re.IGNORECASE)
_DELETED = re.compile(
    r"(?:This message was deleted|You deleted this message|此消息已删除|消息已删除|您已删除此消息|你已刪除此訊息|此訊息已刪除)[.。]?",
    re.IGNORECASE,
)


def read(export: Export, options: Options) -> Iterator[Said | Left]:
    names = one_of([name for name in export.find("*.txt") if not name.startswith("__")], "text file")
    export.expect(names, times=2)
    for name in names:
        with export.open(name) as stream:
            survey = _survey(_lines(stream), options)
        if not survey.names:
            raise ExportError(f"{name} holds no line that begins as WhatsApp's do")
        order = options.date_order or survey.order()
        me = who(options, survey.names)
        same = Same()
        with export.open(name) as stream:
            for message in _messages(_lines(stream), survey.form, order, options):
                yield _read(message, name, me, same, options)


def _lines(stream: IO[bytes]) -> Iterator[str]:
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="\n")
    for line in text:
        yield line.rstrip("\r\n")
    text.detach()


# --- dates ----------------------------------------------------------------------------------------------------------------


def date_of(a: str, b: str, c: str, order: str, last: dt.date) -> dt.date | None:
    """The date that three numbers mean in an order (dmy, mdy, ymd), from 2009 to `last`; None if they mean none.

    A number of four digits is the year, wherever the order has it; one of two is of this century.
    """
    parts = {"dmy": (c, b, a), "mdy": (c, a, b), "ymd": (a, b, c)}["ymd" if len(a) == 4 else order]
    year, month, day = (int(part) for part in parts)
    if len(parts[1]) > 2 or len(parts[2]) > 2 or len(parts[0]) == 3:
        return None
    try:
        found = dt.date(year + 2000 if len(parts[0]) < 3 else year, month, day)
    except ValueError:
        return None
    return found if _FIRST_DAY <= found <= last else None


@dataclass
class Survey:
    """What the whole file tells of the order of its dates: how often each is impossible, and how often it would run backwards."""

    last: dt.date
    names: set[str] = field(default_factory=set)
    form: str = ""
    wrong: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*_ORDERS, "ymd"), 0))
    back: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*_ORDERS, "ymd"), 0))
    differ: bool = False
    count: int = 0
    _before: dict[str, dt.date] = field(default_factory=dict)

    def see(self, a: str, b: str, c: str) -> None:
        self.count += 1
        found = {order: date_of(a, b, c, order, self.last) for order in self.wrong}
        self.differ = self.differ or found["dmy"] != found["mdy"]
        for order, date in found.items():
            if date is None:
                self.wrong[order] += 1
                continue
            before = self._before.get(order)
            self.back[order] += before is not None and before - date > _DAY
            self._before[order] = date

    def order(self) -> str:
        """The order of the dates. Raises ExportError when they allow two that differ."""
        dmy, mdy = ((self.wrong[order], self.back[order]) for order in _ORDERS)
        if min(dmy[0], mdy[0]) * 2 > self.count and self.wrong["ymd"] < min(dmy[0], mdy[0]):
            return "ymd"  # 26/9/2, which only then is thought of: two digits first are hardly ever a year
        if dmy == mdy and self.differ:
            raise ExportError("every date of this export can be read day first and month first: give --date-order dmy or mdy")
        return "dmy" if dmy <= mdy else "mdy"


def _survey(lines: Iterable[str], options: Options) -> Survey:
    survey = Survey(options.now.date() + _DAY)
    for line in lines:
        header = _header(line, survey.form)
        if header is not None:
            survey.form = survey.form or _form(header)
            survey.see(header["a"], header["b"], header["c"])
            name, text = _speaker(header["rest"])
            if name is not None and not text.startswith("\u200e"):
                survey.names.add(name)
    return survey


def _form(header: re.Match[str]) -> str:
    return "[" if header["open"] else "-"


def _header(line: str, form: str) -> re.Match[str] | None:
    """The line's beginning, if it is a message's, in the form that the file has."""
    header = _HEADER.match(line)
    if header is None or bool(header["open"]) != (header["close"] == "]"):
        return None
    return header if form in ("", _form(header)) else None


def _clock(header: re.Match[str]) -> dt.time | None:
    hour, minute, second = int(header["hour"]), int(header["minute"]), int(header["second"] or 0)
    mark = " ".join((header["before"] or header["after"] or "").lower().split())
    if mark:
        if not 0 <= hour <= 12:
            return None
        if mark in _AFTER_NOON or (mark in _NOON and hour < 10):
            hour = hour % 12 + 12
        elif mark in _BEFORE_NOON:
            hour %= 12
    return dt.time(hour, minute, second) if hour < 24 and minute < 60 and second < 60 else None


# --- messages -------------------------------------------------------------------------------------------------------------


@dataclass
class _Message:
    line: int
    wall: dt.datetime
    rest: list[str]


def _messages(lines: Iterable[str], form: str, order: str, options: Options) -> Iterator[_Message | int]:
    """The messages, each with its lines; a line before the first one is given by its number."""
    last = options.now.date() + _DAY
    message: _Message | None = None
    for n, line in enumerate(lines, 1):
        header = _header(line, form)
        date = date_of(header["a"], header["b"], header["c"], order, last) if header is not None else None
        clock = _clock(header) if header is not None else None
        if header is not None and date is not None and clock is not None:
            if message is not None:
                yield message
            message = _Message(n, dt.datetime.combine(date, clock), [header["rest"]])
        elif message is not None:
            message.rest.append(line)
        elif line.strip():
            yield n
    if message is not None:
        yield message


def _speaker(rest: str) -> tuple[str | None, str]:
    """Who speaks and what; None for a line of WhatsApp's own."""
    name, colon, text = rest.partition(":")
    name = name.strip("\u200e\u200f\u202a\u202c ~\u00a0\u202f")
    if not colon or not name or len(name) > 60 or (text and not text[0].isspace()) or _NO_NAME.search(name):
        return None, rest
    return name, text[1:]


def _read(message: _Message | int, name: str, me: str, same: Same, options: Options) -> Said | Left:
    if isinstance(message, int):
        return Left(f"{name}:{message}", "no message before this line", bad=True)
    place = f"{name}:{message.line}"
    who_, first = _speaker(message.rest[0])
    if who_ is None:
        return Left(place, "system line")
    text, attachments, own = _text("\n".join([first, *message.rest[1:]]))
    if not text:
        return Left(place, "attachment" if attachments else own or "no text", attachments=attachments)
    key = same.id(message.wall.isoformat(), who_, text)
    role = "user" if who_ == me else speaker(who_)
    return Said(key, name, role, text, local(message.wall, options.zone), place, attachments)


def _text(said: str) -> tuple[str, tuple[str, ...], str]:
    """What the person wrote, what came with it, and, if nothing is left, what WhatsApp wrote instead."""
    attached = [found["name"].strip() for found in _ATTACHED.finditer(said)]
    kept = []
    own = ""
    for line in _ATTACHED.sub("", said).split("\n"):
        words, mark, written = line.partition("\u200e")
        plain = words.strip("\u200e\u200f ")
        if mark and not plain:
            media = _MEDIA.fullmatch(written.strip())
            own = own or ("deleted" if _DELETED.search(written) else "attachment" if media else "system line")
            if media:
                attached.append(media["name"] or written.strip("<> "))
        elif media := _MEDIA.fullmatch(plain):
            own = "attachment"
            attached.append(media["name"] or plain.strip("<> "))
        elif _DELETED.fullmatch(plain):
            own = "deleted"
        else:
            kept.append(words.rstrip() if mark else line.rstrip())
    return "\n".join(kept).strip("\n "), tuple(attached), own

"""WeChat chats as the usual tools write them to CSV, in two forms, with or without a byte order mark, in UTF-8 or GB 18030.

    localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime[,Remark,NickName,Sender]     CreateTime Unix seconds
    消息ID,类型,发送人,时间,内容                                                    时间 wall time in `--timezone`

The first says by IsSender what is the person's own; for the second `--me` is their name in 发送人 (我, where it is there). Kept are texts
(Type 1, 文本) and answers that quote (Type 49, SubType 57); pictures, voice, files, links and calls are attachments, 10000 and 10002
system lines. The ids of these tools are not unique over chats and computers: a message is known by all that its row tells.
"""

from __future__ import annotations

import codecs
import csv
import datetime as dt
import html
import io
import re
from collections.abc import Iterator
from typing import IO

from adapters import _times
from temporal_recall.importers.export import Export
from temporal_recall.importers.messages import ExportError, Left, Options, Said, Same, local, speaker, who
from temporal_recall.importers.streaming import one_of

_LONG = {"Type", "IsSender", "CreateTime", "StrContent"}
_SHORT = {"类型", "发送人", "时间", "内容"}
_SYSTEM = ("10000", "10002", "系统消息", "系统通知", "系统", "撤回", "拍一拍")
_OWN = ("我", "自己")
_TITLE = re.compile(r"<title>(?:<!\[CDATA\[)?(.*?)(?:\]\]>)?</title>", re.DOTALL)
_WALL = re.compile(r"(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})日?[ T](\d{1,2}):(\d\d)(?::(\d\d))?")
_LARGEST_FIELD = 8 * 2**20


def read(export: Export, options: Options) -> Iterator[Said | Left]:
    names = one_of(export.find("*.csv"), "CSV file")
    export.expect(names, times=2)
    for name in names:
        encoding = _encoding(export, name)
        with export.open(name) as stream:
            people, columns = _survey(stream, encoding)
        if columns >= _LONG:
            me = None
        elif columns >= _SHORT:
            own = next((word for word in _OWN if word in people), None)
            me = own if options.me is None and own is not None else who(options, people)
        else:
            raise ExportError(f"{name} has neither the columns of WeChat's long form nor those of its short one")
        same = Same()
        with export.open(name) as stream:
            for line, row in _rows(stream, encoding):
                place = f"{name}:{line}"
                if isinstance(row, str):
                    yield Left(place, row, bad=True)
                else:
                    yield _long(row, place, same, options) if me is None else _short(row, place, name, me, same, options)


def _encoding(export: Export, name: str) -> str:
    """UTF-8, unless the whole file is not: then GB 18030, which the spreadsheets of China write."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with export.open(name) as stream:
        try:
            while part := stream.read(1 << 16):
                decoder.decode(part)
            # A file cut off in the middle of a character is UTF-8 none the less.
        except UnicodeDecodeError:
            return "gb18030"
        finally:
            export.done = 0
    return "utf-8-sig"


def _rows(stream: IO[bytes], encoding: str) -> Iterator[tuple[int, dict[str, str] | str]]:
    """The rows by their column's name, with the line they end on; or what is wrong with one."""
    csv.field_size_limit(_LARGEST_FIELD)  # a link's XML is longer than the default allows
    text = io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline="")
    reader = csv.reader(text)
    columns: list[str] = []
    while True:
        try:
            row = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            yield reader.line_num, f"no CSV: {error}"
            continue
        if not columns:
            columns = [cell.strip() for cell in row]
        elif len(row) == len(columns):
            yield reader.line_num, dict(zip(columns, row, strict=True))
        elif row:
            yield reader.line_num, f"{len(row)} columns instead of {len(columns)}"
    text.detach()


def _survey(stream: IO[bytes], encoding: str) -> tuple[set[str], set[str]]:
    """Who speaks in the short form, and the columns."""
    people: set[str] = set()
    columns: set[str] = set()
    for _, row in _rows(stream, encoding):
        if isinstance(row, dict):
            columns = columns or set(row)
            if row.get("类型") not in _SYSTEM:
                people.add(row.get("发送人", "").strip())
    return people - {""}, columns


def _long(row: dict[str, str], place: str, same: Same, options: Options) -> Said | Left:
    kind, content = row["Type"].strip(), row["StrContent"].strip()
    own = row["IsSender"].strip()
    if own not in ("0", "1"):
        return Left(place, "IsSender is neither 0 nor 1", bad=True)
    if kind in _SYSTEM:
        return Left(place, "system line")
    if kind == "49" and row.get("SubType", "").strip() == "57":
        title = _TITLE.search(content)
        content = html.unescape(title[1]).strip() if title is not None else content
    elif kind != "1":
        title = _TITLE.search(content)
        named = html.unescape(title[1]).strip() if title is not None else ""
        return Left(place, "attachment", attachments=(named or f"type {kind}",))
    if not content:
        return Left(place, "no text")
    moment = _times.moment(row["CreateTime"].strip() or None, options.zone, "epoch_s") or _wall(row.get("StrTime", ""), options)
    if moment is None:
        return Left(place, "neither CreateTime nor StrTime is a time", bad=True)
    talker = row.get("TalkerId", "").strip() or "wechat"
    names = (row.get(column, "").strip() for column in ("Remark", "NickName", "Sender"))
    role = "user" if own == "1" else speaker(next((name for name in names if name), f"talker {talker}"))
    key = same.id(row.get("localId"), talker, own, row["CreateTime"], row.get("StrTime"), content)
    return Said(key, talker, role, content, moment, place)


def _short(row: dict[str, str], place: str, name: str, me: str, same: Same, options: Options) -> Said | Left:
    kind, content, sender = row["类型"].strip(), row["内容"].strip(), row["发送人"].strip()
    if kind in _SYSTEM:
        return Left(place, "system line")
    if kind not in ("文本", "文字", "文本消息"):
        return Left(place, "attachment", attachments=(content[:80] or kind,))
    if not content:
        return Left(place, "no text")
    moment = _wall(row["时间"], options)
    if moment is None:
        return Left(place, "时间 is no time", bad=True)
    key = same.id(row.get("消息ID"), row["时间"].strip(), sender, content)
    return Said(key, name, "user" if sender == me else speaker(sender), content, moment, place)


def _wall(text: str, options: Options) -> dt.datetime | None:
    found = _WALL.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups())
    try:
        return local(dt.datetime(year, month, day, hour, minute, second), options.zone)
    except (ValueError, OverflowError):
        return None

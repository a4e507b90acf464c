"""The words and dates of mails hold for any input: nothing raises, and what is well-formed comes back as it was."""

from __future__ import annotations

import base64
import datetime as dt
import time
from email.header import Header
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mailing import SHANGHAI

from adapters._mail_dates import from_line, internal, received, sent
from adapters._mail_message import body_of, head_of, header_of
from adapters._mail_text import decoded, header_text, html_text, own_words, unwrapped
from planner.ranges import UTC

WORDS = st.text(st.characters(codec="gb18030", categories=("L", "N", "P")), min_size=1, max_size=60)
MOMENTS = st.datetimes(dt.datetime(1990, 1, 1), dt.datetime(2090, 1, 1), timezones=st.just(UTC)).map(
    lambda m: m.replace(microsecond=0)
)


@given(st.binary(max_size=400), st.text(max_size=20))
def test_any_bytes_under_any_label(data: bytes, label: str) -> None:
    """Bytes under any charset, known or not, give text; and a mail of any bytes is read without an error."""
    assert isinstance(decoded(data, label), str)
    header_text(data)
    html_text(decoded(data))
    own_words(decoded(data))
    body_of(data)
    head_of(header_of(data), UTC)


@given(WORDS)
def test_chinese_under_its_older_names(text: str) -> None:
    """Whatever GB 18030 can write is read under the labels of the smaller sets that mailers give it."""
    for label in ("gb2312", "GBK", "gb_2312-80", "cp936", "gb18030"):
        assert decoded(text.encode("gb18030"), label) == text


@given(WORDS, st.integers(0, 40))
def test_what_is_cut_short_is_the_beginning(text: str, cut: int) -> None:
    """Text that ends within a character is read up to there."""
    data = text.encode("utf-8")
    assert text.startswith(decoded(data[: max(0, len(data) - cut)], "utf-8"))


@given(WORDS, st.integers(1, 30))
def test_words_cut_anywhere(text: str, size: int) -> None:
    """A subject cut into encoded words anywhere, even within a character, comes back whole."""
    data = text.encode("utf-8")
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    raw = b"\r\n ".join(b"=?utf-8?B?" + base64.b64encode(part) + b"?=" for part in parts)
    assert header_text(raw) == header_text(b"=?utf-8?B?" + base64.b64encode(data) + b"?=")


@given(st.text(st.characters(codec="utf-8", categories=("L", "N")), min_size=1, max_size=40))
def test_headers_as_the_library_writes_them(text: str) -> None:
    """What the standard library encodes is decoded."""
    assert header_text(Header(text, "utf-8").encode().encode()) == text


@given(MOMENTS, st.integers(-12 * 4, 14 * 4))
def test_a_date_with_an_offset_is_that_moment(moment: dt.datetime, quarters: int) -> None:
    """Whatever the offset and the zone of the reader, also in a Received header and as INTERNALDATE."""
    local = moment.astimezone(dt.timezone(dt.timedelta(minutes=15 * quarters)))
    text = format_datetime(local)
    assert sent(text, None, SHANGHAI) == moment
    assert received(f"from a by b; {text}", SHANGHAI) == moment
    assert internal(local.strftime("%d-%b-%Y %H:%M:%S %z")) == moment


@given(MOMENTS, st.sampled_from([-6, 8]), st.integers(0, 3600))
def test_the_same_letters_in_two_lands(moment: dt.datetime, hours: int, seconds: int) -> None:
    """CST is the zone in which the mail had just been sent when a server took it in."""
    wall = moment.astimezone(dt.timezone(dt.timedelta(hours=hours)))
    text = wall.strftime("%a, %d %b %Y %H:%M:%S CST")
    assert sent(text, moment + dt.timedelta(seconds=seconds), UTC) == moment


@given(st.text(max_size=60))
def test_any_date(text: str) -> None:
    """Any text as a date gives a moment or none."""
    for read in (sent(text, None, SHANGHAI), received(";" + text, SHANGHAI), from_line("From a " + text), internal(text)):
        assert read is None or read.tzinfo is not None


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("yes\n> no", "yes"),
        ("好的\n\n于 2026/8/31 9:12, Ada 写道:\n> 行吗", "好的"),
        ("ok\n\n---- 回复的原邮件 ----\n发件人 Ada\n行吗", "ok"),
        ("ok\n\n________________________________\nFrom: Ada\nSent: today\nTo: Bo\nSubject: x\n\nwell?", "ok\n\n________________________________"),
        ("ok\n\n2026年8月31日 上午9:12，Ada <a@b.cn> 写道：\n\n行吗", "ok"),
        ("ok\n\nAm 31.08.2026 um 09:12 schrieb Ada:\n> gut?", "ok"),
        ("ok\n-- \nBo\nBerg & Co", "ok"),
        ("ok\n\nGet Outlook for iOS<https://aka.ms/x>", "ok"),
        ("From: the top of the hill one sees far.\nTo: the sea it is a day.", "From: the top of the hill one sees far.\nTo: the sea it is a day."),
        ("She wrote: come.\nI came.", "She wrote: come.\nI came."),
    ],
)  # fmt: skip
def test_whose_words(text: str, own: str) -> None:
    """Quotations and signatures of many programs are cut, and what only resembles them stays."""
    assert own_words(text).own == own


def test_lines_broken_for_their_width() -> None:
    """They are joined, Chinese without a blank; a list and short lines stay."""
    wide = "我们已经把所有的材料都准备好了，请您务必在本周五下午三点之前到公司"
    assert unwrapped(f"{wide}\n来一趟。") == f"{wide}来一趟。"
    assert unwrapped("Milk\nBread\nEggs") == "Milk\nBread\nEggs"
    assert unwrapped("x" * 70 + "\n- a point") == "x" * 70 + "\n- a point"


def test_the_time_grows_with_the_length() -> None:
    """A header and a text made to be slow for patterns are read in linear time: twice as long takes no four times as long."""

    def spent(size: int) -> float:
        began = time.perf_counter()
        own_words(("On " + "2026 a@b " * size + "\n") * 3)
        header_text(b"=?utf-8?Q?" + b"=?" * size)
        html_text("<blockquote>" * size)
        return time.perf_counter() - began

    spent(100)
    assert spent(4000) < 12 * spent(1000) + 0.5

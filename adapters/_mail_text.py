"""The words of a mail: bytes under a wrong or unknown charset, broken encoded headers, HTML; and whose words they are.

What a mail quotes was said by another, at another time; what signs it is the same under every mail. Both are cut, so that a time is
read only where its writer, on that day, wrote it.
"""

from __future__ import annotations

import base64
import codecs
import quopri
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from selectolax.lexbor import LexborHTMLParser

# --- bytes ----------------------------------------------------------------------------------------------------------------

# Labels that name less than what is sent under them: each is read as the larger set that holds it.
_MEANT = {
    **dict.fromkeys(("gb2312", "gb-2312", "gb-2312-80", "x-gb2312", "gbk", "x-gbk", "cp936", "ms936", "windows-936", "euc-cn", "x-euc-cn", "hz-gb-2312-80", "chinese"), "gb18030"),
    **dict.fromkeys(("big5", "x-big5", "big-5", "cp950", "big5-eten"), "big5hkscs"),
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii", "ascii", "ansi-x3.4-1968", "ansi"), "cp1252"),
    **dict.fromkeys(("shift-jis", "shift_jis", "sjis", "x-sjis"), "cp932"),
    **dict.fromkeys(("ks-c-5601-1987", "ks_c_5601-1987", "euc-kr", "ksc5601"), "cp949"),
    **dict.fromkeys(("utf8", "utf-8", "utf8mb4", "unicode-1-1-utf-8"), "utf-8"),
    "unicode-1-1-utf-7": "utf-7", "cp-850": "cp850", "iso-8859-8-i": "iso-8859-8",
}  # fmt: skip
_ANSI = "cp1252"


def decoded(data: bytes, label: str | None = None) -> str:
    """The text of `data`, sent under the charset `label`; the last character may be cut short. Never raises.

    A label that is unknown, missing or contradicted by the bytes is passed over: UTF-8 if they are that, else GB 18030 if they are
    that, else Windows-1252.
    """
    if not label and data.isascii():
        return data.decode()
    name = re.sub(r"[\s_]+", "-", (label or "").strip().strip("\"'").lower())
    name = _MEANT.get(name, name)
    tried = [name] if name != _ANSI and _known(name) else []
    if data.isascii():
        tried = tried if name in ("utf-7", "hz", "iso-2022-jp", "iso-2022-kr", "iso-2022-jp-2") else ["ascii"]
    elif name == _ANSI and label and "1252" not in label and "8859" not in label:
        tried = ["utf-8", "gb18030"]  # eight bits under a seven-bit label
    elif name == _ANSI:
        tried = ["utf-8", _ANSI]
    for charset in [*tried, "utf-8", "gb18030"]:
        try:
            text = codecs.getincrementaldecoder(charset)("strict").decode(data, False)
        except (LookupError, ValueError, TypeError, AssertionError):
            continue
        if charset == "utf-8" and name != "utf-8" and _jumbled(text):
            continue
        return text
    return data.decode(tried[0] if tried else _ANSI, "replace")


def _jumbled(text: str) -> bool:
    """Whether it mixes scripts as only chance does: short GBK can be well-formed UTF-8 of Greek and Hebrew letters in turn."""
    scripts = {
        unicodedata.name(c, "NONE").partition(" ")[0] for c in text if c >= "\x80" and unicodedata.category(c)[0] in "LM"
    }
    return len(scripts) > 1 and "LATIN" not in scripts and all(c < "\u0800" for c in text)


@lru_cache(maxsize=256)
def _known(charset: str) -> bool:
    """Whether it is a charset, and no other transformation that Python has a name for."""
    try:
        "a".encode(charset)
    except (LookupError, ValueError, TypeError):
        return False
    return bool(charset) and charset not in ("idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined")


# --- headers --------------------------------------------------------------------------------------------------------------

# The end may be missing, blanks may stand within, and the language of RFC 2231 behind the charset.
_WORD = re.compile(rb"=\?([^?*\s]{1,40})(?:\*[^?]{0,20})?\?([bBqQ])\?((?:[^?]|\?(?!=))*)(?:\?=|$)")


def header_text(raw: bytes) -> str:
    """What a header says: encoded words decoded, also broken ones, folding undone, unlabelled eight-bit bytes guessed.

    Words of one charset that stand side by side are joined before they are decoded: many mailers cut within a character.
    """
    if raw.isascii() and b"=?" not in raw:
        return " ".join(plain(raw.decode()).split())
    said: list[str] = []
    pending: list[tuple[bytes, bytes]] = []
    charset, at = "", 0
    raw = re.sub(rb"\r?\n(?=[ \t])", b"", raw).strip()
    for word in _WORD.finditer(raw):
        between = raw[at : word.start()]
        name = word[1].decode("ascii", "replace").lower()
        if between.strip() or name != charset:
            said.append(decoded(_transferred(pending), charset))
            pending = []
        if between.strip() or not at:
            said.append(decoded(between))
        pending.append((word[2].upper(), word[3]))
        charset, at = name, word.end()
    said += [decoded(_transferred(pending), charset), decoded(raw[at:])]
    return " ".join(plain("".join(said)).split())


def _transferred(parts: list[tuple[bytes, bytes]]) -> bytes:
    """The bytes of neighbouring encoded words; base64 that is cut elsewhere than after four characters is joined first."""
    data, open_ = b"", b""
    for form, text in parts:
        if form == b"Q":
            data, open_ = data + from_base64(open_) + quopri.decodestring(text.replace(b" ", b"_"), header=True), b""
        else:
            open_ += re.sub(rb"[^A-Za-z0-9+/=]", b"", text)
            if open_.endswith(b"=") or len(open_) % 4 == 0:
                data, open_ = data + from_base64(open_), b""
    return data + from_base64(open_)


def from_base64(text: bytes) -> bytes:
    """The bytes of base64, as far as it goes: foreign characters are passed over, what is cut off at the end is lost."""
    kept = re.sub(rb"[^A-Za-z0-9+/]", b"", text)
    kept = kept[: len(kept) - (len(kept) % 4 == 1)]
    return base64.b64decode(kept + b"=" * (-len(kept) % 4))


# Characters that are there to be not seen: joiners, byte order marks, soft hyphens, the padding of newsletters; and controls.
_UNSEEN = re.compile(
    "[\u200b\u200c\u2060\ufeff\u00ad\u034f\u061c\u180e\u200e\u200f\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]"
)


def plain(text: str) -> str:
    """`text` without unseen characters, every kind of blank a space, every line end a newline."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n").replace("\x0c", "\n")
    return re.sub("[\u00a0\u1680\u2000-\u200a\u202f\u205f\t]", " ", _UNSEEN.sub("", text))


# --- HTML -----------------------------------------------------------------------------------------------------------------

_MARK = "\x1e"
_BLOCKS = "p,div,tr,li,ul,ol,dl,dt,dd,table,h1,h2,h3,h4,h5,h6,blockquote,section,article,header,footer,pre,address,center"
_NO_TEXT = "script,style,head,title,noscript,template,svg,object,select,button"
_HIDDEN = '[hidden],[style*="display:none"],[style*="display: none"],[style*="mso-hide:all"]'
_QUOTES = 'blockquote[type="cite"],blockquote.gmail_quote,div.gmail_quote blockquote,#isReplyContent,#divRplyFwdMsg ~ *,#appendonsend ~ *'
# Beyond so many characters of HTML lies no beginning of a text.
_HTML_AT_MOST = 400_000


def html_text(html: str) -> tuple[str, str]:
    """The text of an HTML body without what it marks as quoted, and the quoted text; a block or `<br>` ends a line."""
    tree = LexborHTMLParser(html[:_HTML_AT_MOST])
    body = tree.body
    if body is None:
        return "", ""
    for node in tree.css(f"{_NO_TEXT},{_HIDDEN}"):
        node.decompose()
    for node in tree.css("br,hr"):
        node.insert_after(_MARK)
    for node in tree.css(_BLOCKS):
        node.insert_before(_MARK)
        node.insert_after(_MARK)
    for node in tree.css("td,th"):
        node.insert_after(" ")
    quoted = []
    for node in tree.css(_QUOTES):
        quoted.append(_lines(node.text()))
        node.decompose()
    return _lines(body.text()), "\n".join(quoted)


def _lines(text: str) -> str:
    lines = (" ".join(plain(line).split()) for line in text.split(_MARK))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


# --- own words ------------------------------------------------------------------------------------------------------------

# A line that says whose words follow. With a date or an address in it: "他在信里写道：" is the writer's own.
_WROTE = re.compile(
    r"\s*[>|]*\s*(?:"
    r"(?:On|At|Am|Le|El|Il|Em|Op)\b.{6,240}?\b(?:wrote|schrieb.{0,80}|a écrit|escribió|ha scritto|escreveu|schreef.{0,80})\s*[:：]"
    r"|.{0,240}?(?:\d{4}\s*[-年/.]|\d{1,2}:\d\d|@).{0,240}?(?:写道|寫道|写到|寫到|wrote)\s*[:：]"
    r")\s*",
    re.DOTALL,
)
_LABEL = "Original Message|Original Appointment|Forwarded [Mm]essage|Forwarded by .{0,80}|Reply Message|Ursprüngliche Nachricht|Message d'origine|原始邮件|原始郵件|原始信件|原邮件|邮件原件|回复的原邮件|回覆的原郵件|转发邮件|轉寄郵件|轉寄信件|转发的邮件|转发邮件信息|转发的消息|原文"
_RULED = re.compile(
    rf"\s*[-_—=*]{{2,}}\s*(?:{_LABEL})\s*[-_—=*]{{2,}}.*|\s*Begin forwarded message:\s*|\s*开始转发的邮件[：:]\s*"
)
_FROM = re.compile(r"\s*\*{0,2}(?:From|发件人|发信人|寄件者|寄件人|發件人|Von|De)\s*\*{0,2}\s*[:：]", re.IGNORECASE)
_FIELD = re.compile(
    r"\s*\*{0,2}(?:Sent|Date|To|Cc|Subject|发送时间|发送日期|时间|日期|收件人|抄送|抄送人|主题|主旨|寄件日期|傳送時間|發送時間|收件者|副本|主題|Gesendet|An|Betreff|Envoyé|À|Objet)\s*\*{0,2}\s*[:：]",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"\s*(?:--\s*|—— ?)$"
    r"|\s*(?:Sent from (?:my|Yahoo|Mail|Outlook|Proton)\b|Sent via |Get Outlook for|发自我的|發自我的|从我的.{1,12}发送|來自我的|来自我的|发送自 ?|發送自 ?|使用.{1,16}(?:发送|發送)$)",
    re.IGNORECASE,
)
_SIGNATURE_LINES = 15


@dataclass(frozen=True, slots=True)
class Words:
    """What the writer wrote, and what they passed on or quoted."""

    own: str
    quoted: str = ""


def own_words(text: str, quoted: str = "") -> Words:
    """`text` parted into its writer's words and quoted ones. Answers written between or under quoted lines are the writer's."""
    lines = plain(text).split("\n")
    own: list[str] = []
    other: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.lstrip().startswith((">", "＞")):
            other.append(line.lstrip().lstrip(">＞ "))
        elif taken := _heads_quote(lines, at):
            after = next((later for later in lines[at + taken :] if later.strip()), "")
            if not (_RULED.fullmatch(line) or _FROM.match(line)) and after.lstrip().startswith((">", "＞")):
                at += taken
                continue
            other += lines[at + taken :]
            break
        else:
            own.append(line)
        at += 1
    return Words(_unsigned(own), "\n".join([*other, quoted]).strip())


def _heads_quote(lines: list[str], at: int) -> int:
    """How many lines, from `at` on, announce a quotation; 0 if they do not."""
    line = lines[at]
    if not line.strip():
        return 0
    if _RULED.fullmatch(line):
        return 1
    if _FROM.match(line):
        block = [later for later in lines[at + 1 : at + 9] if later.strip()][:5]
        if sum(_FIELD.match(later) is not None for later in block) >= 2:
            return 1
    for size in (1, 2, 3):
        part = lines[at : at + size]
        if len(part) < size or not part[-1].strip():
            break
        if part[-1].rstrip().endswith((":", "：")):
            return size if _WROTE.fullmatch("\n".join(part)) else 0
    return 0


def _unsigned(lines: list[str]) -> str:
    for at in range(len(lines) - 1, max(-1, len(lines) - _SIGNATURE_LINES - 2), -1):
        if _SIGNED.match(lines[at]):
            following = "".join(lines[at + 1 :]).strip()
            if lines[at].strip(" -—") == "" or len(following) < 40:
                lines = lines[:at]
    return re.sub(r"\n\s*\n\s*\n+", "\n\n", "\n".join(line.rstrip() for line in lines)).strip()


_ENDS = tuple(".!?:;。！？：；…」”\"'")
_STARTS = re.compile(r"\s*(?:[-*•·●>]|\d{1,2}[.)、]|[（(]?[一二三四五六七八九十]+[、)）])")
_WIDE = 66


def unwrapped(text: str) -> str:
    """`text` with the lines joined that a mailer broke for their width: a time must not be cut in two."""
    joined: list[str] = []
    before = ""
    for line in text.split("\n"):
        said = line.strip()
        # It was broken for its width if the next word would have made it too wide.
        word = said.partition(" ")[0][:1] if _east(said[:1]) else said.partition(" ")[0]
        if (
            before
            and said
            and not _STARTS.match(line)
            and _width(before) + 1 + _width(word) >= _WIDE
            and not before.endswith(_ENDS)
        ):
            last = joined[-1].rstrip()
            joined[-1] = f"{last}{'' if _east(last[-1:]) and _east(said[:1]) else ' '}{said}"
        else:
            joined.append(line)
        before = line.rstrip()
    return "\n".join(joined)


def _width(text: str) -> int:
    return len(text) + sum(map(_east, text))


def _east(character: str) -> bool:
    return bool(character) and unicodedata.east_asian_width(character) in "WF"

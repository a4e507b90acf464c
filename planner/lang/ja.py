"""Japanese: days, weeks, months, years, dates, parts of the day and clock times, with the particles that join them.

Read alone, where a text is Japanese: kana, or words with a character that Chinese does not use so. Numerals give NUM.
Categories that other languages share (NUM, INT, CLOCK, DASH ...) keep their names; those of Japanese alone begin with J.
"""

from __future__ import annotations

import re
from typing import Any

from planner import expressions as ex
from planner._grammar import Found, Language, Made, Rule, Token, Weak, later

# Kana tell Japanese, unless the text also holds what only Chinese writes: a Chinese text may quote a Japanese name.
SPEAKS = later(
    r"(?s)^(?!.*(?:[们們这這吗嗎么呢吧说說没沒给您她哪你]|[今昨明后後]天|[上下這本][周週]|[周週][一二三四五六]|周[日末]|[上下][个個]|星期|禮拜|礼拜))"
    r".*(?:[ぁ-ゖ]|[ァ-ヺ].*[ァ-ヺ]|[先今来再々毎]週|[月火水木金土日]曜)"
)

# --- numerals -------------------------------------------------------------------------------------------------------------

_DIGIT = {c: n for n, c in enumerate("〇一二三四五六七八九")} | {"零": 0}
_TEN = {"十": 10, "百": 100, "千": 1000, "万": 10000}


def read_numeral(text: str) -> tuple[str, Any] | None:
    """A run of numeral characters: read digit by digit (二〇二六) or by places (二十三); None for one that is no number."""
    if len(text) > 12:
        return None
    if all(c in _DIGIT for c in text):
        return "NUM", int("".join(str(_DIGIT[c]) for c in text))
    total = digit = 0
    for c in text:
        if c in _DIGIT:
            digit = _DIGIT[c]
        elif c == "万":
            total, digit = (total + digit) * 10000, 0
        else:
            total, digit = total + (digit or 1) * _TEN[c], 0
    return "NUM", total + digit


# --- words ----------------------------------------------------------------------------------------------------------------


def _all(cat: str, table: dict[str, Any]) -> dict[str, tuple[str, Any]]:
    return {word: (cat, value) for words, value in table.items() for word in words.split()}


_MORNING, _EVENING, _NIGHT = ex.DayPart("early_morning", 6, 9), ex.DayPart("evening", 18, 24), ex.DayPart("night", 18, 30)
_TODAY, _YESTERDAY, _TOMORROW = ex.This("day"), ex.This("day", -1), ex.This("day", 1)
WORDS: dict[str, tuple[str, Any]] = {
    **_all("JTHIS", {
        "今日 きょう 本日": ("day", 0), "昨日 きのう": ("day", -1), "明日 あした あす": ("day", 1), "一昨日 おととい": ("day", -2),
        "明後日 あさって": ("day", 2), "明々後日 しあさって": ("day", 3),
        "今週": ("week", 0), "先週": ("week", -1), "来週": ("week", 1), "先々週 先先週": ("week", -2), "再来週": ("week", 2),
        "今週末": ("weekend", 0), "先週末": ("weekend", -1), "来週末": ("weekend", 1),
        "今月": ("month", 0), "先月": ("month", -1), "来月": ("month", 1), "先々月 先先月": ("month", -2), "再来月": ("month", 2),
        "今年 ことし": ("year", 0), "去年 昨年": ("year", -1), "来年": ("year", 1), "一昨年 おととし": ("year", -2), "再来年": ("year", 2),
        "今四半期": ("quarter", 0), "前四半期": ("quarter", -1), "来四半期": ("quarter", 1),
    }),
    **_all("JEXPR", {
        "今朝 けさ": ex.Within(_TODAY, _MORNING), "今夜 今晩": ex.Within(_TODAY, _EVENING),
        "昨夜 昨晩 ゆうべ": ex.Within(_YESTERDAY, _NIGHT), "明朝": ex.Within(_TOMORROW, _MORNING), "明晩": ex.Within(_TOMORROW, _EVENING),
        "最近 近頃 このごろ このところ": ex.Vague(-1), "先日 この間": ex.Vague(-1, 7), "近日中 近いうちに": ex.Vague(1, 7),
        "正午": ex.Clock(12), "ここ数日 この数日": ex.Vague(-1, 7),
        "月末": ex.Slice("late", "month"), "月初 月初め": ex.Slice("early", "month"), "年末": ex.Slice("end", "year"), "年初 年明け": ex.Slice("start", "year"),
        "元日 元旦 お正月": ex.Festival("new_year"), "大晦日 大みそか": ex.Festival("new_year_eve"),
        "バレンタイン バレンタインデー": ex.Festival("valentine"), "ハロウィン": ex.Festival("halloween"),
        "クリスマス": ex.Festival("christmas"), "クリスマスイブ クリスマス・イブ": ex.Festival("christmas_eve"),
    }),
    **_all("JWD", {f"{c}曜日 {c}曜": ex.Weekday(n) for n, c in enumerate("月火水木金土日")}), **_all("JWEEKEND", {"週末": ex.Weekend()}),
    **_all("JPART", {
        "未明 明け方": ex.DayPart("small_hours", 0, 6), "早朝": ex.DayPart("dawn", 4, 7), "午前 午前中": ex.DayPart("morning", 6, 12),
        "お昼 昼間": ex.DayPart("noon", 11, 13), "午後": ex.DayPart("afternoon", 12, 18), "夕方": ex.DayPart("dusk", 17, 19),
        "夜中 深夜": ex.DayPart("late_night", 22, 26),
    }),
    # One character alone is too often a part of another word: these count only beside another time.
    **_all("JWEAK", {"朝": _MORNING, "昼": ex.DayPart("noon", 11, 13), "晩 夜": _EVENING, "春": ex.Season(0), "夏": ex.Season(1), "秋": ex.Season(2), "冬": ex.Season(3)}),
    **_all("JUNIT", {"秒 秒間": "second", "分間": "minute", "時間": "hour", "日間": "day", "週 週間": "week", "か月 カ月 ヶ月 ヵ月 ケ月 箇月 か月間 カ月間 ヶ月間 ヵ月間": "month", "年間": "year"}),
    **_all("JSIZE", {"半日": (12.0, "hour"), "半月": (0.5, "month"), "半年": (0.5, "year")}),
    **_all("JNEN", {"年": "year"}), **_all("JGATSU", {"月": None}), **_all("JNICHI", {"日": "day"}), **_all("JJI", {"時": None}),
    **_all("JFUN", {"分": "minute"}), **_all("JHAN", {"半": None}),
    **_all("JERA", {"昭和": 1925, "平成": 1988, "令和": 2018}), **_all("JFIRST", {"元年": 1}),
    **_all("JMAE", {"前 まえ": None}), **_all("JGO", {"後": None}), **_all("JPAST", {"過去 ここ この 直近": -1}), **_all("JCOMING", {"今後 これから 向こう": 1}),
    **_all("JNEXT", {"次の つぎの 今度の": 1, "この前の 前回の": -1}),
    **_all("JEDGE", {"上旬 初旬 初め はじめ": "early", "中旬 半ば": "mid", "下旬 末 終わり": "late"}),
    **_all("JDAI", {"第": None}), **_all("JLAST", {"最後の": -1, "最初の": 1}), **_all("JMAI", {"毎": None}),
    **_all("JEVERY", {"毎日 毎朝 毎晩 毎週末": None}),
    **_all("JKARA", {"から より": None}), **_all("JMADE", {"まで までに": None}), **_all("JIKO", {"以降 以来": None}), **_all("JIZEN", {"以前": None}),
    **_all("JNO", {"の": None}), **_all("JNAKA", {"以内 以内に": None}),
    **_all("JNOISE", {
        "日曜大工 日曜日記 水曜どうでしょう 金曜ロードショー 月曜から夜ふかし 火曜サスペンス 土曜ドラマ ブラックマンデー 三日坊主 三日月 五月雨 五月病 五月晴れ 七五三 十五夜 "
        "明日香 明日菜 今日子 四日市 五日市 八日市 廿日市 十日町 二日酔い 三日天下 朝日 朝食 朝ご飯 朝顔 昼食 昼寝 昼ご飯 夕食 夕日 夜景 夜行 晩ご飯 春日 春巻き 夏目 夏休み 秋田 秋葉原 "
        "毎日新聞 毎日放送 冬休み 春休み 青春 日本 この前 この月 この年 前の人 次の人 千秋楽 一日中 一時停止 半日陰": None,
    }),
}  # fmt: skip

# --- rules ----------------------------------------------------------------------------------------------------------------

_N = "(NUM|INT)"
_U = "(JUNIT|JNICHI|JNEN|JFUN)"
_AMOUNT = f"(JSIZE|({_N} {_U} JHAN?){{1,3}})"


def _amount(m: Found) -> ex.Amount | None:
    """The length that the matched tokens say: 三日間, 1時間半, 半年."""
    parts: list[tuple[float, str]] = []
    number: float | None = None
    for token in m.tokens:
        if token.cat in ("NUM", "INT"):
            number = float(token.value)
        elif token.cat == "JSIZE":
            parts.append(token.value)
        elif token.cat in ("JUNIT", "JNICHI", "JNEN", "JFUN") and number is not None:
            parts.append((number, token.value))
            number = None
        elif token.cat == "JHAN" and parts:
            parts[-1] = (parts[-1][0] + 0.5, parts[-1][1])
    return ex.Amount(tuple(parts)) if parts else None


def _ago(sign: int) -> Any:
    def make(m: Found) -> Made:
        amount = _amount(m)
        return None if amount is None else ex.Ago(amount, sign, to_the_day=amount.finest in ("week", "month"))

    return make


def _rolling(m: Found) -> Made:
    amount = _amount(m)
    return None if amount is None else ex.Rolling(amount, m.get("JPAST", "JCOMING") or 1)


def _length(m: Found) -> Made:
    amount = _amount(m)
    return None if amount is None else ex.Length(amount)


def _year(m: Found) -> Made:
    number = m.get("NUM", "INT", "JFIRST")
    if m.has("JERA"):
        return ex.Year(m["JERA"] + number)
    return ex.Year(number) if 1000 <= number <= 2999 else None


def _month(number: int) -> ex.Month | None:
    return ex.Month(number) if 1 <= number <= 12 else None


def _month_day(m: Found) -> Made:
    month, day = m.all("NUM", "INT")
    return ex.Within(ex.Month(month), ex.Day(day)) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _clock(m: Found) -> Made:
    hour, *minutes = m.all("NUM", "INT")
    minute = 30 if m.has("JHAN") else minutes[0] if minutes else 0
    return ex.Clock(hour, minute, twelve=1 <= hour <= 12) if hour <= 24 and minute <= 59 else None


def _nth(m: Found) -> Made:
    number = m.get("NUM", "INT", "JLAST")
    return ex.Nth(number, m.get("JWD", "JUNIT")) if number else None


def _edge(m: Found) -> Made:
    """来月末, 3月上旬, 去年の初め: a part of what stands before it."""
    outer, name = m["X"], m["JEDGE"]
    if outer.grain < ex.GRAIN["week"] or isinstance(outer, ex.Length | ex.Ago | ex.Rolling):
        return None
    if outer.grain is ex.GRAIN["year"]:
        name = {"early": "start", "late": "end"}.get(name, name)
    return ex.Within(outer, ex.Slice(name))


def _placed(make: Any) -> Any:
    """For what only a place in time can do: not for a length or a recurrence."""
    return lambda m: None if any(isinstance(e, ex.Length | ex.Recurring) for e in m.all("X")) else make(*m.all("X"))


PIECES = (
    Rule("ja.relative", "JTHIS", lambda m: ex.This(*m["JTHIS"]), {
        "昨日は何をした": "2026-09-02/2026-09-03", "先々週の出張": "2026-08-17/2026-08-24", "再来月の予定は": "2026-11-01/2026-12-01",
        "去年の写真を見せて": "2025-01-01/2026-01-01", "今週末どこへ行く": "2026-09-05/2026-09-07", "明日香さんに会った": ""}),
    Rule("ja.word", "JEXPR", lambda m: m["JEXPR"], {
        "昨夜の夢": "2026-09-02T18:00/2026-09-03T06:00", "最近どう": "2026-08-21/2026-09-03T22:00", "クリスマスに何をした": "2025-12-25/2025-12-26", "月末までに": "/2026-10-01"}),
    Rule("ja.weekday", "(JWD|JWEEKEND)", lambda m: m.get("JWD", "JWEEKEND"), {
        "週末に何をしましたか": "2026-08-29/2026-08-31",         "先週の金曜日に何をしましたか": "2026-08-28/2026-08-29", "来週水曜日": "2026-09-09/2026-09-10", "日曜大工が好き": "", "水曜どうでしょうを見た": ""}),
    Rule("ja.next_weekday", "(JNEXT|JMAE JNO) (JWD|JWEEKEND)", lambda m: ex.Relative(m.get("JWD", "JWEEKEND"), m.get("JNEXT") or -1), {
        "次の月曜日は": "2026-09-07/2026-09-08", "この前の土曜日に": "2026-08-29/2026-08-30", "前の金曜日の": "2026-08-28/2026-08-29", "前の人": ""}),
    Rule("ja.year", f"({_N} JNEN|JERA ({_N} JNEN|JFIRST))", _year, {"2019年は何をしていた": "2019-01-01/2020-01-01", "令和元年の春": "2019-03-01/2019-06-01", "平成7年に": "1995-01-01/1996-01-01"}),
    Rule("ja.month", f"{_N} JGATSU", lambda m: _month(m.get("NUM", "INT")), {"10月に行った所": "2025-10-01/2025-11-01", "一月さんに電話した": "", "来年の三月は": "2027-03-01/2027-04-01", "五月病になった": ""}),
    Rule("ja.month_day", f"{_N} JGATSU {_N} JNICHI", _month_day, {"9月3日の会議": "2026-09-03/2026-09-04", "2026年七月十一日に": "2026-07-11/2026-07-12", "13月5日の": "2026-09-05/2026-09-06"}),
    Rule("ja.day", f"{_N} JNICHI", lambda m: ex.Day(m.get("NUM", "INT")) if 1 <= m.get("NUM", "INT") <= 31 else None, {"来月15日の会議": "2026-10-15/2026-10-16", "三日坊主だった": "", "四日市に行った": ""}),
    Rule("ja.part", "JPART", lambda m: m["JPART"], {"昨日の午後": "2026-09-02T12:00/2026-09-02T18:00", "明日の夕方に": "2026-09-04T17:00/2026-09-04T19:00"}),
    Rule("ja.weak", "JWEAK", lambda m: Weak(m["JWEAK"]), {"去年の夏に": "2025-06-01/2025-09-01", "一昨日の夜": "2026-09-01T18:00/2026-09-02", "秋葉原の夜景": "", "朝ご飯を食べた": ""}),
    Rule("ja.this_season", "JPAST JWEAK", lambda m: ex.Within(ex.This("year"), m["JWEAK"]) if m.word(0) == "この" and m["JWEAK"].frame == "year" else None, {
        "この夏どこへ行った": "2026-06-01/2026-09-01"}),
    Rule("ja.clock", f"{_N} JJI (JHAN|{_N} JFUN)?", _clock, {"明日の午後3時に": "2026-09-04T15:00/2026-09-04T15:00", "金曜日の10時半から": "2026-09-04T10:30/", "一時停止した": ""}),
    Rule("ja.clock_figures", "CLOCK", lambda m: m["CLOCK"], {"明日の14:30に": "2026-09-04T14:30/2026-09-04T14:30"}),
    Rule("ja.ago", f"{_AMOUNT} JMAE", _ago(-1), {"3日前に会った人": "2026-08-31/2026-09-01", "二週間前の": "2026-08-20/2026-08-21", "1時間半前に": "2026-09-03T20:30/2026-09-03T20:30", "半年前に": "2026-03-03/2026-03-04"}),
    Rule("ja.from_now", f"{_AMOUNT} JGO", _ago(1), {"5日後に": "2026-09-08/2026-09-09", "30分後に電話": "2026-09-03T22:30/2026-09-03T22:30"}),
    Rule("ja.window", f"(JPAST|JCOMING) JNO? {_AMOUNT}", _rolling, {"過去7日間の": "2026-08-28/2026-09-04", "この一週間で": "2026-08-27/2026-09-04", "今後三日間の": "2026-09-03/2026-09-06"}),
    Rule("ja.within", f"{_AMOUNT} JNAKA", _rolling, {"3日以内に": "2026-09-03/2026-09-06"}),
    Rule("ja.nth", f"(JDAI {_N}|JLAST) (JWD|JUNIT)", _nth, {"先月の第二金曜日に": "2026-08-14/2026-08-15", "来月の最後の月曜日は": "2026-10-26/2026-10-27", "3月の第2週に": "2026-03-09/2026-03-16"}),
    Rule("ja.every", f"(JMAI (JWD|JUNIT|JNEN|JGATSU) (JWD|JNO? {_N} JNICHI)?|JEVERY)", lambda m: ex.Recurring(), {"毎週金曜日に走る": "-", "毎月5日に払う": "-", "毎朝走っている": "-", "毎日新聞を読む": ""}),
    Rule("ja.length", f"(JSIZE|({_N} (JUNIT|JFUN) JHAN?){{1,3}})", _length, {"3時間寝た": "-", "三百ページ読んだ": ""}),
)  # fmt: skip

PHRASES = (
    Rule("ja.from_to", "X (JKARA|DASH) X JMADE?", _placed(lambda first, last: ex.FromTo(first, last)), {
        "9月3日から5日まで": "2026-09-03/2026-09-06", "月曜日から水曜日まで": "2026-08-31/2026-09-03", "午後2時〜4時の会議": "2026-09-03T14:00/2026-09-03T16:00"}),
    Rule("ja.since", "X (JKARA|JIKO)", _placed(lambda base: ex.Since(base)), {"先週から": "2026-08-24/", "8月1日以降の": "2026-08-01/"}),
    Rule("ja.until", "X JMADE", _placed(lambda base: ex.Until(base, through=True)), {"金曜日までに出す": "/2026-09-05"}),
    Rule("ja.before", "X JIZEN", _placed(lambda base: ex.Until(base)), {"去年以前の": "/2025-01-01"}),
    Rule("ja.edge", "X JNO? JEDGE", _edge, {"来月末までに": "/2026-11-01", "3月上旬に": "2026-03-01/2026-03-11", "去年の終わりに": "2025-11-01/2026-01-01"}),
)  # fmt: skip


def names(token: Token, text: str, folded: str) -> bool:
    """Whether it is somebody's name: 一月さん."""
    return _ADDRESSED.match(folded, token.end) is not None


_ADDRESSED = later(r"(?:さん|ちゃん|くん|君|さま|様|先生)(?!の日)")

# --- what the other words tell --------------------------------------------------------------------------------------------

PAST = later(
    r"(?:[っいきしちりにみびぎけげせてねべめれえ見出来居]|だっ|かっ)た(?!い|く|ら|め|ち|び|り|だ)|[んい]だ(?=[の人時かよね？?。]|$)|だった|でした|ました"
)
FUTURE = later(r"予定|つもり|する?べき|ましょう|でしょう|だろう|[るうくすつぬぶむぐ]か[？?]?$|[行会食飲見]く?ます|しよう|こう$")
CUES = {
    "records": later(r"メモ|ノート|タスク|リマインダー|記録|文書|ファイル"),
    "ask_created": later(
        r"(?:作成|追加|登録|保存|記録)(?:した|して)|(?:メモ|ノート|タスク|リマインダー).{0,6}(?:作っ|書い|追加|作成)"
    ),
    "ask_due": later(r"締め?切り?|期限|提出|支払|までに.{0,8}(?:出|払|終)"),
    "ask_mentioned": later(r"(?:話|言|述べ|触れ|伝え|聞)(?:し|っ|い)?(?:た|て)|話題|メッセージ|言及"),
    "ask_planned": later(r"予定|つもり|計画|約束|スケジュール"),
    "ask_occurred": later(r"(?:まし|でし|だっ|[っいきしちりみ])た"),
}
FRAME = later(
    r"[のはがをに]*(?:何|なに|なん(?=で)|誰|どこ|いつ|どの|どんな|予定)[はがをにへと]*|(?:を|(?<=[\sを])|^)(?:しました|した|します|する)(?:の|か)*"
    r"|ありますか?|(?<=[\sがは])ある(?:の|か)?|ですか?|教えて(?:ください)?|見せて(?:ください)?"
    # Particles that stood between a time and the topic.
    r"|(?:^|(?<=\s))(?:[はがをにでとへもの]+(?=\s|$)|(?:には|では|[のにをはが])(?=[一-鿿ァ-ヺ]))|[?？。、！!]+"
)

LANGUAGE = Language(
    code="ja",
    words=WORDS,
    pieces=PIECES,
    phrases=PHRASES,
    past=PAST,
    future=FUTURE,
    speaks=SPEAKS,
    names=names,
    fold={0x301C: "~", 0xFF5E: "~"},
    numerals=re.compile("[〇零一二三四五六七八九十百千万]+"),
    numeral_starts="〇零一二三四五六七八九十百千万",
    read_numeral=read_numeral,
    cues=CUES,
    frame=FRAME,
    weight=later(r"(?:一番|最も)?(?:重要|大事|大切)な(?:こと|事|もの)?"),
    glue=frozenset({"JNO", "COMMA", "LIST"}),
)

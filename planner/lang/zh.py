"""Chinese, simplified and traditional: words, rules with their examples, tenses.

Traditional characters are folded to simplified ones where time is concerned (`FOLD`), one for one, so spans stay in place.
Numerals give NUM (十五, 廿三), DIGITS (二〇二六, read digit by digit) or DEC (七点八 as a decimal).
"""

from __future__ import annotations

import re
from typing import Any

from planner import expressions as ex
from planner._figures import two_digit_year
from planner._grammar import Found, Language, Made, Rule, Weak

FOLD = str.maketrans(
    "個這週禮點鐘號時過來後裡裏內間從將對幾兩農曆曆閏臘節雙聖誕誔勞動兒國慶婦聯歡開學發現當剛纔還沒會說記與約後難復萬復師親單龍處驚穀種滿陰陽舊歲際華羅爾戰畢業準備計劃訂預買賣結訊該給們嗎麼誰樣長遠總經應題頭並據續絕連實寫貼終東見說電視機車馬門",
    "个这周礼点钟号时过来后里里内间从将对几两农历历闰腊节双圣诞诞劳动儿国庆妇联欢开学发现当刚才还没会说记与约后难复万复师亲单龙处惊谷种满阴阳旧岁际华罗尔战毕业准备计划订预买卖结讯该给们吗么谁样长远总经应题头并据续绝连实写贴终东见说电视机车马门",
)  # fmt: skip

# --- numerals -------------------------------------------------------------------------------------------------------------

_DIGIT = {"零": 0, "〇": 0, "○": 0, "一": 1, "壹": 1, "二": 2, "贰": 2, "两": 2, "俩": 2, "三": 3, "叁": 3, "仨": 3, "四": 4,
          "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}  # fmt: skip
_TEN = {"十": 10, "拾": 10, "百": 100, "千": 1000, "万": 10000}
_SHORT_TENS = {"廿": 20, "卅": 30}
NUMERALS = re.compile(
    r"[零〇○一二三四五六七八九十百千]+点[一二三四五六七八九][零一二三四五六七八九]*(?![零一二三四五六七八九十分刻半])"
    r"|[零〇○一壹二贰两俩三叁仨四五六七八九十拾百千万廿卅]+"
)


def read_numeral(text: str) -> tuple[str, Any] | None:
    """A run of numeral characters as (category, value); None for one that is no number (一两 is both one and two)."""
    if len(text) > 16:
        return None
    if "点" in text:
        whole, _, rest = text.partition("点")
        head = read_numeral(whole)
        if head is None or head[0] not in ("NUM", "DIGITS"):
            return None
        return "DEC", float(f"{head[1]}." + "".join(str(_DIGIT[c]) for c in rest))
    if all(c in _DIGIT for c in text):
        if len(text) == 1:
            return "NUM", _DIGIT[text]
        value = int("".join(str(_DIGIT[c]) for c in text))
        if len(text) == 2 and text[0] not in "零〇○":
            return ("FEW", value) if _DIGIT[text[1]] - _DIGIT[text[0]] in (1, 2) else ("DIGITS", value)
        return "DIGITS", value
    total = section = digit = 0
    for c in text:
        if c in _DIGIT:
            digit = _DIGIT[c]
        elif c in _SHORT_TENS:
            section += _SHORT_TENS[c]
        else:
            size = _TEN[c]
            if size == 10000:
                total, section, digit = (total + section + digit) * size, 0, 0
            else:
                section, digit = section + (digit or 1) * size, 0
    return "NUM", total + section + digit


# --- words ----------------------------------------------------------------------------------------------------------------


def _all(cat: str, table: dict[str, Any]) -> dict[str, tuple[str, Any]]:
    return {word: (cat, value) for words, value in table.items() for word in words.split()}


PARTS: dict[str, ex.DayPart] = {
    words: ex.DayPart(name, first, last)
    for words, name, first, last in (
        ("凌晨 拂晓 破晓 后半夜 下半夜", "small_hours", 0, 6),
        ("清晨 清早 大清早 早晨 早上 一早 一大早 大早上 早间 晨间 朝早", "early_morning", 6, 9),
        ("上午 午前", "morning", 6, 12),
        ("中午 正午 午间 晌午 大中午", "noon", 11, 13),
        ("下午 午后 后晌 晏昼", "afternoon", 12, 18),
        ("傍晚 黄昏 日落 薄暮", "dusk", 17, 19),
        ("晚上 晚间 夜晚 夜间 夜里 晚里 大晚上 入夜 夜", "evening", 18, 24),
        ("深夜 半夜 午夜 子夜 大半夜 深更半夜 三更半夜", "late_night", 22, 26),
        ("白天 白日 大白天 日间", "daytime", 6, 18),
        ("饭点", "noon", 11, 13),
    )
}
_NIGHT = ex.DayPart("night", 18, 30)
_EVENING = PARTS["晚上 晚间 夜晚 夜间 夜里 晚里 大晚上 入夜 夜"]
_MORNING = PARTS["清晨 清早 大清早 早晨 早上 一早 一大早 大早上 早间 晨间 朝早"]


def _day_part(offset: int, part: ex.DayPart) -> ex.Expression:
    return ex.Within(ex.This("day", offset), part)


FESTIVALS: dict[str, str] = {
    "元旦 元旦节 新年第一天": "new_year",
    "跨年 跨年夜 新年夜": "new_year_eve",
    "腊八 腊八节": "laba",
    "小年 小年夜": "little_new_year",
    "除夕 除夕夜 年三十 大年三十 年三十晚上 年夜": "spring_festival_eve",
    "春节 大年初一 农历新年 新春 过年 中国新年 农历春节": "spring_festival",
    "元宵 元宵节 上元节 正月十五": "lantern",
    "龙抬头 二月二": "dragon_head",
    "上巳 上巳节 三月三": "shangsi",
    "清明节": "tomb_sweeping",
    "端午 端午节 端阳节 重五": "dragon_boat",
    "七夕 七夕节 乞巧节": "qixi",
    "中元节 鬼节 盂兰盆节": "ghost",
    "中秋 中秋节 八月十五 八月节": "mid_autumn",
    "重阳 重阳节 九九重阳": "double_ninth",
    "冬至节": "winter_solstice",
    "情人节": "valentine",
    "妇女节 三八节 三八妇女节 女神节 三八": "women",
    "植树节": "arbor",
    "消费者权益日 三一五 315": "consumer",
    "愚人节": "april_fools",
    "地球日 世界地球日": "earth",
    "劳动节 五一劳动节 五一节 五一 国际劳动节": "labour",
    "青年节 五四青年节 五四": "youth",
    "护士节": "nurses",
    "儿童节 六一儿童节 六一": "children",
    "建党节 七一建党节": "party_founding",
    "建军节 八一建军节 八一": "army",
    "教师节": "teachers",
    "国庆 国庆节 十一国庆 十一国庆节": "national",
    "万圣节 万圣夜": "halloween",
    "双十一 双11 光棍节": "singles",
    "双十二 双12": "shopping_1212",
    "平安夜": "christmas_eve",
    "圣诞 圣诞节 耶诞节": "christmas",
    "复活节": "easter",
    "耶稣受难日 受难日 圣周五 耶稣受难节": "good_friday",
    "圣灰日 圣灰星期三": "ash_wednesday",
    "棕枝主日": "palm_sunday",
    "圣灵降临节 五旬节": "pentecost",
    "耶稣升天节": "ascension",
    "忏悔星期二 煎饼星期二": "shrove_tuesday",
    "母亲节": "mothers",
    "父亲节": "fathers",
    "感恩节": "thanksgiving",
    "黑色星期五 黑五": "black_friday",
    "网络星期一": "cyber_monday",
    "马丁路德金日": "mlk",
    "总统日": "presidents",
    "阵亡将士纪念日": "memorial",
    "独立日 美国独立日": "independence",
    "东正教复活节": "orthodox_easter",
    "东正教圣周五 东正教耶稣受难日": "orthodox_good_friday",
}
# Holidays of several days: "国庆假期", 五一期间, 春节期间.
_LONG = {"national", "spring_festival", "labour", "tomb_sweeping", "dragon_boat", "mid_autumn", "new_year"}

# Words that begin like a time word and are none; the longest match wins, so these silence what they hold.
NOISE = (
    "上海 上班 上课 上学 上网 上司 上级 上升 上面 上边 上传 上市 上线 上车 上楼 上床 上映 上火 上次 上回 上述 上帝 上衣 上手 上头 "
    "下面 下班 下课 下载 下雨 下雪 下来 下去 下单 下降 下楼 下车 下边 下属 下棋 下厨 下次 下回 下手 下落 下一步 下架 下线 下达 "
    "一下 一些 一样 一起 一直 一共 一定 一般 一切 一边 一旦 一次性 一点点 一点儿 一会儿 一会 一日三餐 一日之计 一时 一月河 二月河 "
    "马上 以下 以上 之上 之下 之一 这里 这么 这样 这些 这边 这种 这位 这是 本来 本身 本人 本质 本地 本子 本科 本书 本领 本次 今后 "
    "日本 日记 日报 日程 日常 日志 日语 日元 日用 日照 日期 日历 日益 日落 天气 天津 天空 天使 天才 天堂 天文 天真 天然 天下 天花 "
    "今日头条 明天系 周围 周边 周到 周杰伦 周报 周会 周刊 周期 周岁 周转 周年 周密 周折 月亮 月饼 月票 月薪 月球 月光 月经 月嫂 月台 月卡 月报 "
    "年轻 年龄 年级 年代感 年会 年假 年薪 年货 年糕 年夜饭 年报 年终奖 年味 年审 年检 年卡 号码 号召 号线 点击 点赞 点评 点菜 点餐 点心 点头 点名 点子 "
    "分享 分析 分钱 分手 分别 分配 分布 分类 分公司 分部 分支 分之 秒杀 秒回 时间 时候 时代 时尚 时装 时刻 时差 时区 时事 时速 "
    "前面 前端 前台 前任 前途 前提 前进 前锋 前妻 前景 后面 后端 后台 后果 后悔 后背 后续 后勤 后备 后视镜 后门 内容 内部 内存 内心 内科 内衣 "
    "早餐 早饭 早点 早就 早日 早教 早期 早安 早读 晚餐 晚饭 晚点 晚安 晚会 晚霞 晚辈 晚婚 夜景 夜市 夜宵 夜店 夜班 夜跑 夜场 "
    "初中 初恋 初级 初步 初衷 初心 初版 初稿 初始 底线 底部 底层 底下 末端 末尾 半岛 半天没 半路 半导体 半价 半圆 半径 半成品 "
    "千万 万一 百分 百度 一百 万科 三星 三亚 三国 四川 五粮液 六安 七喜 八卦 九寨沟 十字 十足 三八线 二维码 五星级 四季酒店 四季豆 "
    "春风 春笋 春卷 秋裤 冬瓜 夏威夷 夏令营 秋千 小时候 小时工 到底 到位 到处 到时候 到达 从来 从此 从事 从而 自己 自动 自从来 和平 和谐 及时 及格 "
    "起来 起床 起码 起步 内向 过来 过去式 过程 过分 过敏 过期 过年好 当年 当时 当然 当地 当面 当前端 近视 近亲 头发 头疼 头像 头条 头痛 第一时间 第一次 第二次 第一名 "
    "每当 每次 每个人 每人 每位 各位 各种 各自 各地 日日夜夜 差点 差不多 差别 差评 间谍 间接 期间费用 号外 旬阳 季军 季后赛 刻意 刻苦 刻录 刻薄 分辨 时不时 "
    "大年 春节联欢晚会 国庆路 中秋月 生日 节日 假日 吉日 往日 来日 度日 整日 终日 明日之后 昨日重现 星期天乐队 星期八 前天性 后天性 先天 半夜鸡叫 深夜食堂 "
    "百日 三天两头 三五 九五 万岁 千岁 周一围 一周目 二周目 三周目 周游 周长 周恩来 周星驰 周润发 周末愉快 点到为止 "
    "年轻人 月子 月季 月牙 日光 日出 日子 年纪 年味儿 年画 年度报告 分钟级 秒级 天线 天天向上 天猫 天王 天台 天赋 天坛 天地 天安门 天山 天桥 天涯"
).split()

WORDS: dict[str, tuple[str, Any]] = {
    **dict.fromkeys(NOISE, ("NOISE", None)),
    **_all("DAYWORD", {
        "大大前天": -4, "大前天 大前日": -3, "前天 前日 前儿": -2, "昨天 昨日 昨儿 昨儿个 昨个 昨": -1,
        "今天 今日 今儿 今儿个 本日 今个 即日": 0, "明天 明日 明儿 明儿个 翌日 次日 第二天 隔天 明个 聽日 听日": 1,
        "后天 后日 后儿": 2, "大后天 大后日": 3, "大大后天": 4,
    }),
    **_all("YEARWORD", {"大前年": -3, "前年": -2, "去年 昨年 旧年 上年 去年度": -1, "今年 本年 本年度 今年度 今岁": 0,
                        "明年 来年 下年 翌年 次年 出年 明年度": 1, "后年": 2, "大后年": 3}),
    **{word: ("EXPR", value) for words, value in {
        "昨晚 昨夜 昨天夜里 昨儿晚上 昨日晚上": _day_part(-1, _NIGHT), "今晚 今夜 今宵": _day_part(0, _EVENING),
        "明晚 明夜": _day_part(1, _EVENING), "前晚 前夜": _day_part(-2, _NIGHT), "后晚": _day_part(2, _EVENING),
        "昨早 昨晨": _day_part(-1, _MORNING), "今早 今晨 今儿早上": _day_part(0, _MORNING), "明早 明晨": _day_part(1, _MORNING),
        "现在 目前 此刻 此时 当前 眼下 这会儿 如今 当下 此时此刻 刚才 刚刚 方才": ex.Now(),
        "最近 近期 近来 近日 这阵子 这阵儿 这段时间 最近这段时间 近些天 这些天 这些日子": ex.Vague(-1),
        "前阵子 前一阵 前一阵子 前些天 前些日子 前段时间 前段日子 早些时候 不久前 不久之前": ex.Vague(-1, 30),
        "前些年 这些年 近些年 近年 近年来": ex.Vague(-1, 1095),
        "过些天 过阵子 过几天 过两天 改天 改日 过段时间 这几天内 不久后 不久之后 近几天内": ex.Vague(1, 7),
        "上半年": ex.Half(1), "下半年": ex.Half(2),
        "上半月": ex.Slice("first_half", "month"), "下半月": ex.Slice("second_half", "month"),
        "岁首": ex.Slice("start", "year"), "岁末": ex.Slice("end", "year"),
        "上旬": ex.Slice("early", "month"), "中旬": ex.Slice("mid", "month"), "下旬": ex.Slice("late", "month"),
        "上中旬": ex.Slice("early_mid", "month"), "中下旬": ex.Slice("mid_late", "month"), "中上旬": ex.Slice("early_mid", "month"),
        "周初": ex.Slice("early", "week"), "周中": ex.Slice("mid", "week"),
        "季初 季度初": ex.Slice("early", "quarter"), "季末 季度末 季底": ex.Slice("late", "quarter"),
        "春天 春季 春日": ex.Season(0), "夏天 夏季 夏日": ex.Season(1), "秋天 秋季 秋日": ex.Season(2), "冬天 冬季 冬日": ex.Season(3),
        "暑假": ex.FromTo(ex.Month(7), ex.Month(8)), "寒假": ex.FromTo(ex.Within(ex.Month(1), ex.Slice("late")), ex.Within(ex.Month(2), ex.Slice("early_mid"))),
        "元月 元月份": ex.Month(1),
    }.items() for word in words.split()},
    **{word: ("WEAK", ex.Season(n)) for n, word in enumerate("春夏秋冬")},
    **{word: ("FESTIVAL", key) for words, key in FESTIVALS.items() for word in words.split() if not word.isascii()},
    **{term: ("TERM", term) for term in ("立春", "雨水", "惊蛰", "春分", "清明", "谷雨", "立夏", "小满", "芒种", "夏至", "小暑", "大暑", "立秋",
                                         "处暑", "白露", "秋分", "寒露", "霜降", "立冬", "小雪", "大雪", "冬至", "小寒", "大寒")},
    **{word: ("PART", part) for words, part in PARTS.items() for word in words.split()},
    **_all("WEAK", {"早": _MORNING, "晚": _EVENING, "晨": _MORNING}),
    **_all("WEEK", {"周 星期 礼拜 拜": "week"}), **_all("WKND", {"周末 星期末 礼拜末 双休日": "weekend"}),
    **_all("YUE", {"月 月份": "month"}), **_all("NIAN", {"年 年度 年份": "year"}), **_all("RI", {"日": "day"}), **_all("TIAN", {"天": "day"}),
    **_all("HAO", {"号": "day"}), **_all("QTR", {"季度 季": "quarter"}), **_all("FEN", {"分": "minute"}), **_all("MIAO", {"秒": "second"}),
    **_all("UNIT", {"小时 钟头 个钟 钟": "hour", "分钟": "minute", "秒钟": "second", "世纪": "century", "半年度": "half"}),
    **_all("DIAN", {"点 点钟 时": None}), **_all("KE", {"刻 刻钟": None}), **_all("ZHENG", {"整": None}), **_all("CHA", {"差": None}),
    **_all("NIANDAI", {"年代": None}), **_all("CL", {"个": None}), **_all("HALF", {"半": None}), **_all("DUO", {"多 来": None}),
    **_all("FEW", {"几 数 若干": 3, "好几": 5}), **_all("DI", {"第": None}), **_all("LAST", {"最后 最末": None}), **_all("DAOSHU", {"倒数": None}),
    **_all("HEAD", {"头 最初 开头": None}), **_all("DIR", {"上": -1, "下": 1, "这 本 今 此": 0}),
    **_all("QIAN", {"前": None}), **_all("HOU", {"后": None}), **_all("ZHIQIAN", {"之前 以前 前面的": None}), **_all("ZHIHOU", {"之后 以后 过后": None}),
    **_all("NEI", {"内 之内 以内 里 里面 中 当中": None}), **_all("LAI", {"以来 来": None}), **_all("GUO", {"过 再过": None}),
    **_all("RECENT", {"最近 近 过去 过去的 最近的 以往 刚过去的 刚刚过去的": -1}), **_all("COMING", {"未来 今后 接下来 接下来的 往后 将来 未来的 此后 后续": 1}),
    **_all("FROM", {"从 自 自从 打 由 从打": None}), **_all("TO", {"到 至 直到 一直到 到了": None}), **_all("AND", {"和 跟 与 及 以及 还有 或 或者 还是": None}),
    **_all("SINCE", {"起 开始 以来 至今 到现在 到今天 到目前为止 为起点 之后到现在 来": None}), **_all("BY", {"截至 截止 截止到 截至到 直到 不晚于 最晚 最迟": None}),
    **_all("END", {"为止 止": None}), **_all("BETWEEN", {"之间 期间 这段时间 间": None}), **_all("AROUND", {"左右 前后 附近 上下 许": None}),
    **_all("EVERY", {"每 每逢 每到 每隔": None}), **_all("EVERYDAY", {"天天 年年 月月 周周 每每 日日 夜夜": None}), **_all("OFTEN", {"每天 每周 每月 每年 每日 每晚 每早 每星期 每个月": None}),
    **_all("LUNAR", {"农历 阴历 旧历 夏历 农历的": None}), **_all("LEAP", {"闰": None}), **_all("LMONTH", {"正月": 1, "腊月": 12, "冬月": 11}),
    **{"初" + c: ("LDAY", n) for n, c in enumerate("一二三四五六七八九十", 1)}, **_all("EDGE", {"初": "early", "底 末 尾": "late", "中": "mid"}),
    **_all("SLICE", {"初期 早期 前期 初段": "early", "中期 中段": "mid", "后期 晚期 末期 末段": "late", "前半 上半": "first_half", "后半 下半": "second_half"}),
    **_all("DE", {"的 那 那个 那天 当天 当日 这天 这一天": None}), **_all("SAMETIME", {"这个时候 这时候 此时 这时 的这个时间 同一时间 同期": None}),
    **_all("YUE_EDGE", {"月初 月份初": "early", "月中 月中间 月份中": "mid", "月底 月末 月尾 月份底 月份末": "late"}),
    **_all("NIAN_EDGE", {"年初": "start", "年中 年中间": "mid", "年底 年末 年尾 年终": "end"}),
    **_all("PUBLIC", {"放假 假期 长假 小长假 黄金周 期间": None}), **_all("SHI", {"是 就是": None}),
}  # fmt: skip
# Words that are two things at once keep the sense their place in a rule gives them: these spellings are looked up first.
WORDS |= {"过去": ("RECENT", -1), "最近": ("RECENT", -1), "近": ("RECENT", -1), "将来": ("COMING", 1), "中": ("EDGE", "mid")}
WORDS |= {"来": ("LAI", None), "直到": ("TO", None), "到现在": ("SINCE", None), "第二天": ("DAYWORD", 1)}

# --- rules ----------------------------------------------------------------------------------------------------------------

_N = "(NUM|INT|DEC|FEW)"
_U = "(UNIT|WEEK|YUE|NIAN|RI|TIAN|FEN|MIAO|KE|WKND|QTR)"
_AMOUNT = f"(({_N} CL? HALF? {_U} HALF?|HALF CL? {_U}) LING?){{1,4}}"
_WEEKDAY = "WEEK (NUM|INT|RI|TIAN)"


def _amount(m: Found) -> ex.Amount | None:
    """The length the matched tokens say; None where they say a date (三月 is March, 三个月 is three months)."""
    parts: list[tuple[float, str]] = []
    number: float | None = None
    classified = few = False
    for index, token in enumerate(m.tokens):
        cat = token.cat
        if cat in ("NUM", "INT", "DEC", "FEW"):
            number, classified, few = float(token.value), False, cat == "FEW"
        elif cat == "HALF":
            if index and m.tokens[index - 1].cat in ("UNIT", "WEEK", "YUE", "NIAN", "RI", "TIAN", "KE", "WKND", "QTR") and parts:
                parts[-1] = (parts[-1][0] + 0.5, parts[-1][1])
            else:
                number = (number or 0.0) + 0.5
        elif cat == "CL":
            classified = True
        elif cat in ("UNIT", "WEEK", "YUE", "NIAN", "RI", "TIAN", "FEN", "MIAO", "KE", "WKND", "QTR"):
            if number is None:
                continue
            if cat == "KE":
                parts.append((number * 15, "minute"))
            else:
                said = m.word(index - 1)
                if cat == "YUE" and not classified and not few and number % 1 == 0 and said not in ("两", "俩"):
                    return None
                if cat == "NIAN" and number >= 1000:
                    return None
                if cat == "RI" and not few and number <= 31 and index == len(m.tokens) - 1:
                    return None
                parts.append((number, token.value))
            number = None
    return ex.Amount(tuple(parts)) if parts else None


def _length(m: Found) -> Made:
    amount = _amount(m)
    return None if amount is None else ex.Length(amount)


def _ago(sign: int) -> Any:
    def make(m: Found) -> Made:
        amount = _amount(m)
        if amount is None:
            return None
        if m.has("FEW") and m["FEW"] in (3, 5) and not amount.elapsed:
            return ex.Vague(sign, {"day": 7, "week": 28, "month": 120, "year": 1461}.get(amount.finest, 30))
        return ex.Ago(amount, sign)

    return make


def _rolling(sign: int, whole: bool = False) -> Any:
    def make(m: Found) -> Made:
        amount = _amount(m)
        if amount is None:
            return None
        if m.has("FEW") and m["FEW"] in (3, 5) and not amount.elapsed:
            return ex.Vague(sign, {"day": 7, "week": 28, "month": 120, "year": 1461}.get(amount.finest, 30))
        unit = amount.finest
        return ex.Rolling(amount, sign, whole or unit in ("weekend", "quarter"))

    return make


def _this_unit(m: Found) -> Made:
    if m.has("NUM") and m["NUM"] != 1:
        return None
    steps = m.all("DIR")
    if len(set(steps)) > 1 or (len(steps) > 1 and not steps[0]):
        return None
    unit = m.get("WEEK", "YUE", "NIAN", "UNIT", "QTR", "WKND")
    if unit in ("second", "minute") or (unit == "hour" and m.word(-1) == "钟"):
        return None
    return ex.This(unit, sum(steps))


def _counted_units(m: Found) -> Made:
    amount = _amount(m)
    if amount is None:
        return None
    sign = m["DIR"]
    if sign == 0:
        if amount.finest != "day":
            return ex.Rolling(amount, -1) if amount.parts[0][0] > 1 else None
        return ex.Vague(0, 5 if m.has("FEW") else int(amount.parts[0][0]))
    return ex.Rolling(amount, sign, True) if amount.parts[0][0] > 1 else None


def _weekday_number(m: Found) -> int | None:
    number = m.get("NUM", "INT")
    if number is None:
        return 6
    return number - 1 if 1 <= number <= 7 else None


def _weekday(m: Found) -> Made:
    day = _weekday_number(m)
    if day is None:
        return None
    steps = m.all("DIR")
    if not steps:
        return ex.Weekday(day)
    if len(set(steps)) > 1:
        return None
    return ex.Within(ex.This("week", sum(steps)), ex.Weekday(day))


def _year(m: Found) -> Made:
    token = m.tokens[0]
    digits = token.end - token.start
    value = token.value
    if token.cat == "NUM":
        return ex.Year(value) if 1000 <= value <= 2999 else None
    if digits == 4 and 1 <= value <= 2999:
        return ex.Year(value)
    if digits == 2 and (token.cat == "INT" or value < 30) and not re.search(r"[了过近整满约工干长达前后]$", m.before):
        return ex.Year(two_digit_year(value)) if token.cat == "INT" or m.word(0)[0] in "零〇○" or value >= 10 else None
    return None


def _month(m: Found) -> Made:
    number = m.get("NUM", "INT", "DIGITS")
    return ex.Month(number) if number is not None and 1 <= number <= 12 else None


def _day(m: Found) -> Made:
    number = m.get("NUM", "INT", "DIGITS")
    return ex.Day(number) if number is not None and 1 <= number <= 31 else None


def _month_day(m: Found) -> Made:
    numbers = m.all("NUM", "INT", "DIGITS")
    if not (1 <= numbers[0] <= 12 and 1 <= numbers[-1] <= 31):
        return None
    return ex.Within(ex.Month(numbers[0]), ex.Day(numbers[-1]))


_COUNTED = re.compile(r"建议|意见|要求|原因|理由|看法|想法|内容|好处|说明|感受|体会|希望|启示|不足|问题|经验|共识|区别|优势|缺点|注意|不|都|也|没|儿|点")


def _clock(m: Found) -> Made:
    hour = m.tokens[0].value
    if not isinstance(hour, int) or not 0 <= hour <= 24:
        return None
    minute, second, plain = 0, 0, True
    numbers = m.all("NUM", "INT", "DIGITS")[1:]
    if m.has("HALF"):
        minute, plain = 30, False
    elif m.has("KE"):
        minute, plain = (numbers[0] if numbers else 1) * 15, False
    elif numbers:
        if not m.has("FEN") and numbers[0] < 10 and m.tokens[2].cat != "DIGITS" and m.tokens[2].end - m.tokens[2].start < 2:
            return None
        minute, plain = numbers[0], False
        second = numbers[1] if len(numbers) > 1 else 0
    if minute > 59 or second > 59 or (hour == 24 and minute):
        return None
    made = ex.Clock(hour, minute, second, 1 <= hour <= 12)
    word = m.word(1)
    if plain and word != "点钟" and not m.has("ZHENG"):
        if word == "时" and m.tokens[0].cat == "NUM" and hour < 10 and m.after:
            return Weak(made)
        if hour == 1 and m.tokens[0].cat == "NUM" or _COUNTED.match(m.text, m.tokens[-1].end):
            return Weak(made)
    return made


def _clock_short_of(m: Found) -> Made:
    minutes = [v for t in m.tokens if t.cat in ("NUM", "INT") for v in [t.value]]
    hour_at = next(i for i, t in enumerate(m.tokens) if t.cat == "DIAN") - 1
    hour = m.tokens[hour_at].value
    less = minutes[0] if hour_at > 1 and m.tokens[0].cat == "CHA" else minutes[-1]
    if m.has("KE"):
        less *= 15
    if not (1 <= hour <= 24 and 0 < less < 60):
        return None
    earlier = hour - 1
    return ex.Clock(earlier, 60 - less, 0, 1 <= earlier <= 12)


def _nth(m: Found) -> Made:
    number = m.get("NUM", "INT") if m.has("DI") else 1
    tail = m.tokens[-1]
    sign = -1 if m.has("LAST") or m.has("DAOSHU") else 1
    weekday = re.search(r"(?:周|星期|礼拜)([一二三四五六日天1-7])$", m.text[: tail.end])
    if weekday is not None and m.has("WEEK") and tail.cat != "WEEK":
        numbers = m.all("NUM", "INT")
        number = numbers[0] if m.has("DI") or m.has("LAST") and len(numbers) > 1 else 1
        day = "一二三四五六日".find(weekday[1].replace("天", "日"))
        return ex.Nth(sign * number, ex.Weekday(day if day >= 0 else int(weekday[1]) - 1))
    unit = tail.value
    if number is None or not 1 <= number <= 366 or unit in ("minute", "second", "hour"):
        return None
    if unit == "week" and number > 5:
        return ex.WeekNumber(number) if number <= 53 else None
    if unit == "quarter" and sign > 0:
        return ex.Quarter(number) if number <= 4 else None
    default = {"day": "month", "week": "month", "weekend": "month", "month": "year", "quarter": "year"}.get(unit)
    return None if default is None else ex.Nth(sign * number, unit, default)


def _head(m: Found) -> Made:
    amount = _amount(m)
    return None if amount is None else ex.Rolling(amount, -1 if m.has("HEAD") else 1, True)


def _quarter(m: Found) -> Made:
    number = m.get("NUM", "INT")
    return ex.Quarter(number) if number in (1, 2, 3, 4) else None


def _festival(m: Found) -> Made:
    key = m["FESTIVAL"]
    return ex.Festival(key, key in _LONG and m.has("PUBLIC"))


def _lunar(m: Found) -> Made:
    month = m.get("LMONTH")
    numbers = m.all("NUM", "INT")
    if month is None:
        month, numbers = numbers[0], numbers[1:]
    number = m.get("LDAY")
    if number is None and numbers:
        number = numbers[0]
    if not 1 <= month <= 12 or (number is not None and not 1 <= number <= 30):
        return None
    return ex.Lunar(month, number, m.has("LEAP"))


def _decade(m: Found) -> Made:
    value = m.get("NUM", "INT", "DIGITS")
    if value is not None and 1000 <= value <= 2090 and value % 10 == 0:
        return ex.Within(ex.Year(value), ex.Nth(1, "decade")) if False else _decade_of(value)
    return ex.Decade(value) if value is not None and value % 10 == 0 and 0 <= value <= 90 else None


def _decade_of(year: int) -> ex.Expression:
    return ex.Within(_century_of(year // 100 + 1), ex.Decade(year % 100))


def _century_of(number: int) -> ex.Expression:
    import datetime as dt

    start = max((number - 1) * 100, 1)
    return ex.Fixed(dt.datetime(start, 1, 1), dt.datetime(number * 100, 1, 1), ex.GRAIN["century"])


def _century(m: Found) -> Made:
    number = m.get("NUM", "INT")
    return _century_of(number) if m["UNIT"] == "century" and number is not None and 1 <= number <= 30 else None


def _same_day(m: Found) -> Made:
    """去年今天, 上个月的今天: today moved by the unit."""
    offset = m.tokens[0].value
    if m.tokens[0].cat == "YEARWORD":
        unit = "year"
    else:
        offset, unit = sum(m.all("DIR")), m.get("WEEK", "YUE", "NIAN", "QTR")
    if not offset:
        return None
    base: ex.Expression = ex.Now() if m.has("SAMETIME") else ex.This("day", m["DAYWORD"])
    return ex.Shift(base, ex.Amount(((abs(offset), unit),)), 1 if offset > 0 else -1)


def _unit_edge(m: Found, unit: str, cat: str) -> Made:
    """月底, 三月底, 上个月底; 年初, 2020年初: an edge written as one word with its unit."""
    number, steps = m.get("NUM", "INT", "DIGITS"), m.all("DIR")
    if number is None:
        return ex.Within(ex.This(unit, sum(steps)), ex.Slice(m[cat])) if steps else ex.Slice(m[cat], unit)
    if unit == "year":
        year = number if 1000 <= number <= 2999 else two_digit_year(number) if 0 <= number <= 99 else None
        return None if year is None else ex.Within(ex.Year(year), ex.Slice(m[cat]))
    return ex.Within(ex.Month(number), ex.Slice(m[cat])) if 1 <= number <= 12 else None


def _edge(m: Found) -> Made:
    """三月底, 去年年底's 底, 11世纪初: the edge of what stands before it."""
    outer = m["X"]
    if not isinstance(outer, ex.Month | ex.This | ex.Within | ex.Year | ex.Fixed | ex.Quarter | ex.Decade) or outer.grain < ex.GRAIN["week"]:
        return None
    name = m.get("EDGE", "SLICE")
    if outer.grain is ex.GRAIN["year"] and name in ("early", "late") and m.has("EDGE"):
        name = "start" if name == "early" else "end"
    if name == "mid" and m.has("EDGE") and outer.grain is not ex.GRAIN["month"] and outer.grain is not ex.GRAIN["year"]:
        return None
    return ex.Within(outer, ex.Slice(name))


def _from_to(m: Found) -> Made:
    first, last = m.all("X")
    return _range(first, last)


def _range(first: ex.Expression, last: ex.Expression) -> Made:
    barred = (ex.Since, ex.Until, ex.Recurring, ex.FromTo)
    if isinstance(first, barred) or isinstance(last, barred) or isinstance(first, ex.Length) or isinstance(last, ex.Length):
        return None
    return ex.FromTo(first, last)


def _bare_to(m: Found) -> Made:
    """9月3到5号, 3到5月, 上午9到11点: the first side borrows the last one's unit."""
    number, last = m.get("INT", "NUM"), m["X"]
    first: ex.Expression | None = None
    if isinstance(last, ex.Day):
        first = ex.Day(number) if 1 <= number <= 31 else None
    elif isinstance(last, ex.Month):
        first = ex.Month(number) if 1 <= number <= 12 else None
    elif isinstance(last, ex.Clock):
        first = ex.Clock(number, twelve=1 <= number <= 12) if 0 <= number <= 24 else None
    elif isinstance(last, ex.Weekday):
        first = ex.Weekday(number - 1) if 1 <= number <= 7 else None
    elif isinstance(last, ex.Year):
        first = ex.Year(number) if 1900 <= number <= 2100 else None
    elif isinstance(last, ex.Quarter):
        first = ex.Quarter(number) if 1 <= number <= 4 else None
    return None if first is None else ex.FromTo(first, last)


def _to_bare(m: Found) -> Made:
    """9月3日到5, 周一到五: the last side borrows the first one's unit."""
    first, number = m["X"], m.get("INT", "NUM")
    inner = first
    while isinstance(inner, ex.Within):
        inner = inner.inner
    if isinstance(inner, ex.Weekday) and 1 <= number <= 7:
        return ex.FromTo(first, ex.Weekday(number - 1))
    if isinstance(inner, ex.Day) and m.tokens[-1].cat == "INT" and 1 <= number <= 31:
        return ex.FromTo(first, ex.Day(number))
    return None


def _since(m: Found) -> Made:
    base = m["X"]
    return None if isinstance(base, ex.Since | ex.Until | ex.Recurring | ex.Length | ex.Now) else ex.Since(base)


def _after(m: Found) -> Made:
    base = m["X"]
    if isinstance(base, ex.Since | ex.Until | ex.Recurring | ex.Length | ex.Now | ex.Rolling | ex.Vague):
        return None
    return ex.Since(base, after=not isinstance(base, ex.Clock))


def _before(m: Found) -> Made:
    base = m["X"]
    return None if isinstance(base, ex.Since | ex.Until | ex.Recurring | ex.Length | ex.Rolling | ex.Vague) else ex.Until(base)


def _through(m: Found) -> Made:
    base = m["X"]
    if isinstance(base, ex.Until):
        return base
    return None if isinstance(base, ex.Since | ex.Recurring | ex.Length | ex.Rolling) else ex.Until(base, through=True)


def _event_offset(m: Found) -> Made:
    """国庆后三天, 春节前两天, 2月13号的一个月以前: a length counted from a day."""
    base, length = m["X"], next((v for v in m.all("X") if isinstance(v, ex.Length)), None)
    if length is None or isinstance(base, ex.Length | ex.Since | ex.Until | ex.Recurring | ex.Now) or base is length:
        return None
    sign = -1 if m.has("QIAN") or m.has("ZHIQIAN") else 1
    return ex.Shift(base, length.amount, sign)


def _recurring(m: Found) -> Made:
    return ex.Recurring()


PIECES = (
    Rule("zh.day_word", "DAYWORD", lambda m: ex.This("day", m["DAYWORD"]) if m.word(0) != "昨" else None, {
        "今天有会": "2026-09-03/2026-09-04", "大前天": "2026-08-31/2026-09-01", "后天": "2026-09-05/2026-09-06"}),
    Rule("zh.same_day", f"(YEARWORD|DIR{{1,3}} CL? (WEEK|YUE|NIAN|QTR)) DE? (DAYWORD|SAMETIME)", _same_day, {
        "去年今天": "2025-09-03/2025-09-04", "上个月的今天": "2026-08-03/2026-08-04", "去年的这个时候": "2025-09-03T22:00/2025-09-03T22:00"}),
    Rule("zh.year_word", "YEARWORD", lambda m: ex.This("year", m["YEARWORD"]), {
        "去年": "2025-01-01/2026-01-01", "后年": "2028-01-01/2029-01-01"}),
    Rule("zh.word", "EXPR", lambda m: m["EXPR"], {
        "昨晚": "2026-09-02T18:00/2026-09-03T06:00", "下半年": "2026-07-01/2027-01-01", "月底": "2026-09-21/2026-10-01"}),
    Rule("zh.weak_word", "WEAK", lambda m: Weak(m["WEAK"]), {"周五晚": "2026-09-04T18:00/2026-09-05"}),
    Rule("zh.recent", "RECENT", lambda m: ex.Vague(-1) if m.word(0) == "最近" else None, {
        "最近忙什么": "2026-08-21/2026-09-03T22:00"}),
    Rule("zh.this_unit", "DIR{1,4} NUM? CL? (WEEK|YUE|NIAN|UNIT|QTR|WKND)", _this_unit, {
        "上上周": "2026-08-17/2026-08-24", "下个月": "2026-10-01/2026-11-01", "这周末": "2026-09-05/2026-09-07",
        "上一年": "2025-01-01/2026-01-01", "本季度": "2026-07-01/2026-10-01"}),
    Rule("zh.counted_units", f"DIR {_N} CL? {_U}", _counted_units, {
        "上两周": "2026-08-17/2026-08-31", "下三个月": "2026-10-01/2027-01-01", "这两天吃了什么": "2026-09-02/2026-09-04",
        "这两天要做什么": "2026-09-03/2026-09-05"}),
    Rule("zh.weekday", f"(DIR{{1,4}} CL?)? {_WEEKDAY}", _weekday, {
        "上周五": "2026-08-28/2026-08-29", "下下周一": "2026-09-14/2026-09-15", "周日": "2026-09-06/2026-09-07", "星期八乐队": "",
        "礼拜三": "2026-09-02/2026-09-03"}),
    Rule("zh.weekend", "WKND", lambda m: ex.Weekend(), {"周末": "2026-09-05/2026-09-07"}),
    Rule("zh.year", "(NUM|INT|DIGITS) NIAN", _year, {
        "2019年": "2019-01-01/2020-01-01", "二〇二五年": "2025-01-01/2026-01-01", "98年": "1998-01-01/1999-01-01"}),
    Rule("zh.month", "(NUM|INT|DIGITS) YUE", _month, {"3月": "2026-03-01/2026-04-01", "十二月": "2026-12-01/2027-01-01"}),
    Rule("zh.month_day", "(NUM|INT|DIGITS) YUE (NUM|INT|DIGITS) (HAO|RI)?", _month_day, {
        "9月3号": "2026-09-03/2026-09-04", "七月十一日": "2026-07-11/2026-07-12", "07月11": "2026-07-11/2026-07-12"}),
    Rule("zh.month_edge", "((NUM|INT|DIGITS)|DIR{1,4} CL?)? YUE_EDGE", lambda m: _unit_edge(m, "month", "YUE_EDGE"), {
        "三月底": "2026-03-21/2026-04-01", "下个月初": "2026-10-01/2026-10-11", "月中": "2026-09-11/2026-09-21"}),
    Rule("zh.year_edge", "((INT|DIGITS)|DIR{1,4})? NIAN_EDGE", lambda m: _unit_edge(m, "year", "NIAN_EDGE"), {
        "2020年底": "2020-11-01/2021-01-01", "年初": "2026-01-01/2026-03-01"}),
    Rule("zh.day", "(NUM|INT|DIGITS) (HAO|RI)", _day, {"15号": "2026-09-15/2026-09-16", "二十日": "2026-09-20/2026-09-21"}),
    Rule("zh.clock", "(NUM|INT) DIAN (ZHENG|HALF|(NUM|INT)? KE|(NUM|INT|DIGITS) FEN? ((NUM|INT) MIAO)?)?", _clock, {
        "下午三点半": "2026-09-03T15:30/2026-09-03T15:30", "21点05分": "2026-09-03T21:05/2026-09-03T21:05",
        "明早八点一刻": "2026-09-04T08:15/2026-09-04T08:15", "三点建议": "", "一点都不好玩": ""}),
    Rule("zh.clock_figures", "CLOCK", lambda m: m["CLOCK"], {"晚上9:30": "2026-09-03T21:30/2026-09-03T21:30"}),
    Rule("zh.clock_short_of", "(CHA (NUM|INT) (FEN|KE|UNIT) TO? (NUM|INT) DIAN|(NUM|INT) DIAN CHA (NUM|INT) (FEN|KE|UNIT))", _clock_short_of, {
        "明天上午差十分九点": "2026-09-04T08:50/2026-09-04T08:50", "晚上八点差一刻": "2026-09-03T19:45/2026-09-03T19:45"}),
    Rule("zh.part", "PART", lambda m: m["PART"] if m.word(0) != "夜" else Weak(m["PART"]), {
        "昨天下午": "2026-09-02T12:00/2026-09-02T18:00", "明天凌晨": "2026-09-04/2026-09-04T06:00"}),
    Rule("zh.ago", f"{_AMOUNT} DUO? (QIAN|ZHIQIAN)", _ago(-1), {
        "3天前": "2026-08-31/2026-09-01", "两个小时前": "2026-09-03T20:00/2026-09-03T20:00", "一个半小时之前": "2026-09-03T20:30/2026-09-03T20:30",
        "两周前": "2026-08-17/2026-08-24", "半年前": "2026-03-03/2026-03-04"}),
    Rule("zh.from_now", f"GUO? {_AMOUNT} DUO? (HOU|ZHIHOU)", _ago(1), {
        "5天后": "2026-09-08/2026-09-09", "半小时后": "2026-09-03T22:30/2026-09-03T22:30", "再过三天以后": "2026-09-06/2026-09-07"}),
    Rule("zh.passing", f"GUO {_AMOUNT}", lambda m: _ago(1)(m) if m.word(0) == "再过" else None, {"再过三天": "2026-09-06/2026-09-07"}),
    Rule("zh.past_window", f"RECENT DE? {_AMOUNT} (NEI|LAI)?", _rolling(-1), {
        "过去七天": "2026-08-28/2026-09-04", "最近三个周末": "2026-08-15/2026-08-31", "近两个月": "2026-07-03/2026-09-04",
        "过去两小时": "2026-09-03T20:00/2026-09-03T22:00"}),
    Rule("zh.since_window", f"{_AMOUNT} (LAI|SINCE)", lambda m: _rolling(-1)(m) if m.word(-1) in ("来", "以来") else None, {"三天以来": "2026-09-01/2026-09-04"}),
    Rule("zh.coming_window", f"COMING DE? {_AMOUNT} NEI?", _rolling(1), {"未来三天": "2026-09-03/2026-09-06"}),
    Rule("zh.within", f"{_AMOUNT} NEI", lambda m: _inside(m), {"一周内": "2026-09-03/2026-09-10"}),
    Rule("zh.before_window", f"QIAN DE? {_N} CL? {_U}", _rolling(-1, True), {"前两天": "2026-09-01/2026-09-03", "前三个月": "2026-06-01/2026-09-01"}),
    Rule("zh.after_window", f"HOU DE? {_N} CL? {_U}", _rolling(1, True), {"后两周": "2026-09-07/2026-09-21"}),
    Rule("zh.head", f"HEAD {_N} CL? {_U}", _head, {"上个月头三天": "2026-08-01/2026-08-04"}),
    Rule("zh.half_of", "(QIAN|HOU) HALF CL? (NIAN|YUE)", lambda m: _half_of(m), {"2018年前半年": "2018-01-01/2018-07-01"}),
    Rule("zh.nth", f"(DI (NUM|INT)|LAST NUM?|DAOSHU DI (NUM|INT)) CL? ({_WEEKDAY}|{_U})", _nth, {
        "三月第二周": "2026-03-09/2026-03-16", "上个月最后一个星期五": "2026-08-28/2026-08-29", "2026年第36周": "2026-08-31/2026-09-07"}),
    Rule("zh.quarter", "(NUM|INT) QTR", _quarter, {"三季度": "2026-07-01/2026-10-01"}),
    Rule("zh.festival", "FESTIVAL DE? PUBLIC?", _festival, {
        "中秋节": "2026-09-25/2026-09-26", "国庆假期": "2026-10-01/2026-10-08", "去年端午": "2025-05-31/2025-06-01"}),
    Rule("zh.solar_term", "TERM", lambda m: ex.SolarTerm(m["TERM"]) if m.word(0) not in ("大雪", "小雪", "雨水", "小满", "大暑") else Weak(ex.SolarTerm(m["TERM"])), {
        "立秋": "2026-08-07/2026-08-08", "昨天下了大雪": "2026-09-02/2026-09-03"}),
    Rule("zh.lunar", "LUNAR LEAP? ((NUM|INT) (YUE|YUE_EDGE)|LMONTH) (LDAY|NUM|INT)? (RI|HAO)?", _lunar, {"农历八月初八": "2026-09-18/2026-09-19"}),
    Rule("zh.lunar_plain", "LEAP? ((NUM|INT) YUE LDAY|(NUM|INT) YUE_EDGE NUM|LMONTH (LDAY|NUM|INT)?)", _lunar, {"正月初三": "2026-02-19/2026-02-20", "腊月二十三": "2026-02-10/2026-02-11"}),
    Rule("zh.century", "(NUM|INT) UNIT", _century, {"20世纪": "1900-01-01/2000-01-01"}),
    Rule("zh.decade", "(NUM|INT|DIGITS) NIANDAI", _decade, {"九十年代": "1990-01-01/2000-01-01", "20世纪80年代": "1980-01-01/1990-01-01"}),
    Rule("zh.every", f"(EVERY (NUM|INT)? CL? ({_WEEKDAY}|{_U}|PART)|EVERY|EVERYDAY|OFTEN (NUM|RI|TIAN)?)", _recurring, {
        "每周五开会": "-", "每天早上跑步": "-", "天天加班": "-"}),
    Rule("zh.length", _AMOUNT, _length, {"睡了三个小时": "-", "三百页": ""}),
)  # fmt: skip


def _inside(m: Found) -> Made:
    amount = _amount(m)
    if amount is None:
        return None
    past = re.search(r"[了过]|过去|曾", m.text) is not None
    return ex.Rolling(amount, -1 if past else 1)


def _half_of(m: Found) -> Made:
    first = m.has("QIAN")
    if m.has("NIAN"):
        return ex.Half(1 if first else 2)
    return ex.Slice("first_half" if first else "second_half", "month")


_DAYISH = "X"
PHRASES = (
    Rule("zh.from_to", "(FROM|BY)? X DE? (TO|DASH) X (BETWEEN|END)?", _from_to, {
        "上周三到周五": "2026-08-26/2026-08-29", "下午两点到四点半": "2026-09-03T14:00/2026-09-03T16:30", "9月3号到5号": "2026-09-03/2026-09-06",
        "下周一到下下周一": "2026-09-07/2026-09-15"}),
    Rule("zh.between", "X (AND|DASH) X BETWEEN", _from_to, {"3月和5月之间": "2026-03-01/2026-06-01"}),
    Rule("zh.bare_to", "(INT|NUM) (TO|DASH) X", _bare_to, {"9到11点": "2026-09-03T09:00/2026-09-03T11:00", "3-5月": "2026-03-01/2026-06-01"}),
    Rule("zh.to_bare", "X (TO|DASH) (INT|NUM)", _to_bare, {"周一到五": "2026-08-31/2026-09-05"}),
    Rule("zh.to_now", "FROM? X (SINCE|(TO|END) NOWX?)", _since, {"上周以来": "2026-08-24/", "8月1日至今": "2026-08-01/", "从昨天开始": "2026-09-02/"}),
    Rule("zh.since", "FROM X", lambda m: _since(m) if m.word(0) in ("自", "自从") else None, {"自上个月": "2026-08-01/"}),
    Rule("zh.edge", "X DE? (EDGE|SLICE)", _edge, {"去年初": "2025-01-01/2025-03-01", "11世纪初": "1000-01-01/1033-01-01"}),
    Rule("zh.event_offset", "X DE? X (QIAN|ZHIQIAN|HOU|ZHIHOU)", _event_offset, {"2月13号的一个月以前": "2026-01-13/2026-01-14"}),
    Rule("zh.after", "X DE? (HOU|ZHIHOU)", _after, {"8月1日之后": "2026-08-02/", "今晚八点以后": "2026-09-03T20:00/"}),
    Rule("zh.before", "X DE? (QIAN|ZHIQIAN)", _before, {"周五之前": "/2026-09-04", "去年以前": "/2025-01-01"}),
    Rule("zh.until", "(BY X|X END|BY X END)", _through, {"截止到周五": "/2026-09-05"}),
    Rule("zh.around", "X (AROUND|BETWEEN)", lambda m: None if isinstance(m["X"], ex.Length) else m["X"], {"三点左右": "2026-09-03T03:00/2026-09-03T03:00"}),
)  # fmt: skip

# --- tense ----------------------------------------------------------------------------------------------------------------

PAST = re.compile(
    r"[了过](?![年节会来去期程于头])|已经|曾|刚刚?|当时|那时|上次|上回|昨|去年|前天|没[有能]?[^事空]{0,6}[过到成完]|[做干吃去见聊说写看买学玩走发]了"
    r"|(?:发生|完成|结束|做|去|见|聊|说|写|看|买|吃|学)过|干嘛了|都(?:做|干|去|聊|说|写|看|买|吃)[^些]{0,3}了|(?:是|在)[^，。]{0,12}(?:买|来|去|做|说|写|学|见|认识|搬|入职|毕业|结婚)的"
)
FUTURE = re.compile(
    r"将|要(?!是|不是|求|素|点|紧|闻|么|死|命|害)(?<!主要)(?<!重要)(?<!需要)(?<!必要)(?<!想要)(?<!只要)|需要|想要|会(?=[去来不有在发]|议)(?<!开会)(?<!议会)(?<!社会)(?<!机会)|打算|准备|计划|安排|预定|预约|即将|待办|截止|到期|"
    r"该(?=去|做|交|还)|得(?=去|做|交|还|开|赶)|明天|后天|明年|下次|记得|提醒|别忘|有空|约(?=在|好)|出差去|未来|接下来"
)

# --- cues -----------------------------------------------------------------------------------------------------------------

# What a question asks for; `planner.modes` weighs them in its own order.
_RECORD = r"(?:笔记|任务|提醒|待办|备忘|日记|便签|清单|文档|文件|表格|[算划计间报]表|草稿|记录|记忆|日程|书签|收藏|菜谱|闹钟|条目|卡片|标签|相册)"
_MUST = r"(?:要|得|该|必须|需要?|务必)"
_OWED = r"(?:交(?![流通谈往际友])|付|缴|归还|递交|还(?=的|哪|什么|多少|钱|款|给|谁|书|[？?]|$))"
ASKS = {
    "ask_created": re.compile(
        r"新建|创建|新增|新加|添加|录入|保存|收藏(?!夹|里)|记下|写下|存下|存档|建立|(?<!聊天)记录(?=了|过|下)|"
        rf"(?:建|写|记|存|加|设|列|添|录|标|开|生成)(?:了|过|的|好|进|到|入)+[^，。？?说聊]{{0,10}}?{_RECORD}|做(?:了|过|的)[^，。？?]{{0,4}}(?:笔记|记录|清单|表)|"
        r"(?<!忘)(?<!登)记(?:了|过)(?!账|仇)|存(?:了|过)(?![^，。？?]{0,4}钱)|上传|"
        rf"{_RECORD}(?:录|夹)?[^，。？?]{{0,12}}?(?:加|建|设|写|记|存|录)(?:了|的|过|下)"
    ),
    "ask_due": re.compile(
        r"截止|截稿|到期|逾期|过期|deadline|ddl|期限|还款(?![了过])|最[晚迟]|失效|限期|交(?=什么|哪些)|不[交还付缴]就|"
        rf"{_MUST}[^，。？?了过]{{0,4}}?{_OWED}|提交(?=什么|哪)|必须|务必|{_MUST}[^，。？?了过]{{0,4}}(?:完成|搞定|弄完|做完|写完|办[完好])|(?:什么时候|啥时候|哪[天日]|几[号点]|何时){_MUST}?(?:交(?![流通谈往际友])|还(?!有|能|会|可)|付|缴)(?![^，。？?]*[的了过])|前[^，。？?想]{{0,2}}{_MUST}|[之以]?内[^，。？?想]{{0,2}}{_MUST}"
    ),
    "ask_mentioned": re.compile(
        r"提(?:到|过|起|及|的|了)|(?<![小听据传演解来请])说(?![明服不说一下])|聊|(?<!听)讲(?![座课究师台讲一])|谈(?!恋爱)|讨论|告诉(?!我)|(?<!^)(?<![请能以我])告诉我|"
        r"问(?:过|了|的|你|我|谁)|回复(?:了|过|的|我)|吐槽|抱怨|念叨|形容|描述|夸|答应|表达|消息[里中]|条消息|发(?:过|的|了)(?:什么|哪|那|几)?[^，。？?烧]{0,3}(?:[话句字]|英文|消息|链接|群|图|照片|语音)|"
        r"输入|打过?字|[句段]话|话题|留言|评论|转发|分享|群里|微信里|聊天|推荐|建议|交代|嘱咐|叮嘱|转告|问起|(?:^|[^我])[让叫]我(?!们)|嘀咕|唠叨|透露|强调|承认|骂"
    ),
    # Talk that is still to come is a plan: 明天要跟谁谈.
    "ask_to_talk": re.compile(r"(?:要|打算|准备|计划|想|得|该)[^，。？?说讲过了]{0,8}?(?:聊|谈|讨论|说|讲|告诉|问|通知|回复|分享)(?![过了])"),
    "ask_planned": re.compile(
        r"打算|计划|准备(?![了好])|预备|预定|预约|原本|本来|原定|(?<![大合条节契])约(?=[了好的在过没谁定]|[？?]|$)|有约|安排|日程|待办|接下来|即将|剩下的|还剩|下[次回]|有空|空着|有没有空|没空|"
        r"想(?=去|做|要|学|买|看|换|吃|办|在|把|怎么|干|玩|见|读)|(?<!签)订(?:了|好|的)(?!婚)|要(?:做|去|开|见|办|参加|干|出差|带|买|来|飞|上)|还要|得(?=去|做|开|赶|见|带|来)|该(?=去|做|见|带)|会有|排了|怎么过"
    ),
    # Names of what stands in a calendar: planned, unless the range is past.
    "ask_schedule": re.compile(r"行程|航班|车票|机票|预订"),
    "ask_occurred": re.compile(
        r"(?<![为除])了(?![解不结断])|(?<=[一-龥])(?<![不超难通经再么])过(?![年节期程于头敏来去]|生日|两[天个]|[几一][天会])|已经|曾|刚[刚才]?|发生|经历|(?:完成|结束)(?=[了过的])|干嘛|那[次回场年]|几岁|来着|"
        r"最近一次|第一次|上[次回]|前一次|多久没|没(?=[去来做吃见买看])|到现在|至今|为止|以来|完[^，。？?]{0,10}(?:什么时候|哪|几)|(?:上|下|出|进|回|过)去是|"
        r"(?:什么时候|啥时候|哪[天儿年]|几[点号时月]|在哪[里儿]?|怎么|跟谁|和谁|谁)[^，。？?]{1,16}的(?=[？?啊呢]|$)|是[^，。？?]{1,16}的(?=[？?啊呢]|$)|[睡吃过玩干做学考]得|[吃喝买看做玩穿住坐用]的(?:啥|什么|哪)|(?:谁|哪[里儿]?)[^，。？?]{1,3}的[一-龥]{1,2}(?=[？?]|$)"
    ),
    # A bare verb asked for its time is still to come: 什么时候去拔牙 (去了, 去的 are not).
    "ask_ahead": re.compile(r"(?:什么时候|啥时候|几[点号]|哪[天日]|何时)(?![是的])[^，。？?了过的]{1,12}(?=[？?啊呢]|$)"),
}  # fmt: skip

# What a source text tells of its event.
TELLS = {
    # Words of another, or no claim at all: "“…”", if, wishes, advice, opinions.
    "quoted": re.compile(r"[“「『\"][^”」』\"]*[”」』\"]"),
    "unreal": re.compile(r"要是|如果|假如|假设|万一|除非|中了?[^，。]{0,4}[万奖]|太阳打西|下辈子|[你您他她]们?应该|应该是|要我说|我觉得|笑不活|老规矩|别跟我|可能是|胜过|宁愿|[太好真]?[^，。]死了$|太[^，。]{1,4}了$"),
    "habit": re.compile(r"一般|通常|平时|每[次天周月年回逢]|老(?=写|说|是|爱)|总[是爱]|往往|又犯|经常"),
    "asks": re.compile(
        r"[?？]|吗(?=[，。]|$)|呢$|什么|哪|谁|几[点号付]|怎么|为什么|为何|是否|多少|要不要|有没有|([一-龥])[不没]\1|[^，。还]没$|不$|没有$|来着"
    ),
    "asks_not": re.compile(r"谁爱|还没[说定想]|不知道|不清楚|无论|不管|哪[儿里]?都|[什谁]么?都|没什么|怎么也"),
    "cancelled": re.compile(
        r"取消|没[一-龥]{1,2}成(?![功了])|黄了|泡汤|作罢|作废|算了|改天再|推掉|鸽子?了|放[^，。]{0,3}鸽子|退[了掉订]|散了|另议|不办(?!法)|"
        r"(?<![来受忍看睡对差听吃做赶早就])不(?![再了然是知多及见住起着行好如]|活|够)[一-龥]{1,5}了(?=[，。！!,吧啊]|$)|(?:本来|原本|原计划|本该)[^。]{1,16}(?:结果|没去|没[来做办]|怂|但|可是)"
    ),
    # Called off by not being there: its time may be over.
    "missed": re.compile(r"没[一-龥]{1,2}成|没[来去做办]|怂|鸽"),
    "put_off": re.compile(r"推迟|延[期后]|押后|暂停"),
    "moved": re.compile(r"改[约签订]?[到成在至期签为]|推迟|延[期后了到至]|提前(?=[了到至])|[挪换移调][到至成为]|调整[到为成至]|往[后前][推延挪]|顺延|放宽|不是[^，。]{1,10}，?(?:是|而是)|是[^，。是]{1,8}不是"),
    "not_this": re.compile(r"(?:不是|从|原定|原本|本来|由)$"),
    "done": re.compile(
        r"[一-龥]完(?=[了啦的]|[，。！!]|$)|(?:做|办|弄|搞|发|填|交|寄|还|付|缴|改|写|修|洗|续|订|约|报|买|补|备|收拾|整理|打包)(?:好|妥|掉|清|齐|上)[^，。]{0,4}[了啦]|搞定|办妥|已完成|完成了|解决了|提交[了的过]|"
        r"(?:寄|发|交|转|还|送|递)给[^，。]{1,4}[了啦]|考过了|办下来了|(?<![忘社])(?:交|缴|还清|付)了(?=[一-龥])(?!朋友|个朋友)|(?<![要该得来])(?:交|寄|付|缴|办|签|报)的(?:[一-龥]{1,4})?$|(?:寄|发|交|转|还|送|递|传|买|取|搬|领)(?:过|给[^，。]{1,3})?(?:出去|过去|回来|回去|上去|到位)[了啦]|把[^，。]{1,8}?(?:交|寄|发|还|付|缴|办|填|取|打|签|订|报|开|改|写|洗|修|转|退)[^，。]{0,3}[了啦]|"
        r"(?<![忘该得要])(?:交|寄|发|还|付|缴|办|填|取|打|签|订(?!婚)|报|修|洗|改|回|领|递|批|审|拿)过?[了啦](?=[，。！!,]|$)"
    ),
    "done_not": re.compile(r"没(?:有)?[^，。]{0,4}(?:完|好|交|做)|快[^，。]{0,4}完了"),
    "others": re.compile(r"^[^，。]{0,4}(?:[他她您你]们?(?!也)|客户|房东|公司|学校|同事|我[妈爸哥姐弟妹])(?!.*[让要叫]我)|^[小老][一-龥](?!.*[让要叫]我)"),
    "todo": re.compile(
        r"记得|别忘|不要忘|提醒|待办|todo|to-do|帮我记|记一下|叫我|(?<![重主需必不可能只])要(?:记得|交|买|还|付|写|做|准备|完成|提交|寄|取|回|整理|给|问|找|出(?!差|远门|国)|把|打(?!算)|约|洗|修|换|订|改|填|办|去(?:趟)?(?:取|拿|办|买|交|见|接|领|退|医院|银行|复查|找))|"
        r"(?<![觉懂显记值获取舍免难使懒晓认])得(?:抽|把|交|买|还|付|写|做|去|完成|给|开|赶|换|转|找|打|回|收|洗|修|订|问|准备|弄|改)|(?<!应)该(?:交|买|还|付|写|做|去|给|换|打|回|洗|修|剪|订|办|准备|收拾)|应该(?:抽|先|去|给|把|多|早)|需要(?!吗)|必须|务必"
    ),
    "due": re.compile(r"截止|截稿|到期|过期|失效|逾期|为止|最[晚迟]|还款|限期|期限|deadline|ddl|交稿|就关了"),
    "owed": re.compile(r"论文|初稿|作业|报告|稿子|开题|房租|[水电话]费|信用卡|贷款|账单|[缴付]|交(?![流通谈往际友])|还款|让我们?"),
    # What is handed over is due at its time; and an order without a subject is one's own.
    "hands_in": re.compile(r"交(?![流通谈往际友])|缴|还[款钱贷书]"),
    "order": re.compile(r"(?<!我)把|要[一-龥]"),
    "limit": re.compile(r"^[^，。？?]{0,4}?(?:[之以]?前(?![台面往任排天])|[之以]?内(?!部|容))"),
    "commitment": re.compile(
        r"包在我身上|交给我|(?<!能)保证(?!书|金)|我答应|说到做到|承诺|我来(?=[一-龥])(?!了|过|自)|我去(?![了过年趟的世哪]|不)|我会(?![议员不])|我负责|我[^，。]{0,10}(?:一定|尽快|马上)(?:[给到还交去来发]|把|回)|"
        r"(?:给|陪|送|替|帮|还|告诉|发|教|请|带)(?:你|您|大家)"
    ),
    "commitment_not": re.compile(r"^[^，。]{0,6}(?:你|他|她|老师|客户)[^，。]{0,6}(?:告诉|给|帮|请|发|还)|提醒我|谢谢|(?:告诉|给|帮|请|发|还)(?:你|您)[^，。]{0,8}[了过吗](?=[，。？?]|$)|^(?:请|麻烦)"),
    "planned": re.compile(r"打算|计划|安排|准备|预定|预约|约[了好]|想(?=去|把|学|买|换|做)|即将|定在|原定"),
    "negated": re.compile(r"没(?![事准了]|关系|问题|迟)|不(?![过错然仅但管如同断再久少]|是|知道|好意思)|未(?=[完能到])|无法|从[不没]|别(?![忘人的墅])|不再"),
    "plea": re.compile(r"(?:千万|可)?别|不要忘"),
    "report": re.compile(r"(?<![为除罢算知道明白好行到累饿困对])[了啦](?!解|不起)|(?<=[一-龥])(?<![不超难通经])过(?![年节期程于头敏来去])|没[见去来做吃]|刚[刚才]?(?=[下到回吃看见从出进])|的休$|以前|曾"),
    "weighty": re.compile(r"重要|紧急|决定|确定|敲定|签约|签了|合同|面试|考试|婚礼|结婚|离婚|生日|手术|住院|医院|体检|航班|机票|火车|高铁|发布|上线|验收|评审|入职|离职|辞职|搬家|毕业|答辩|offer|工资|房租|贷款|会议|开会|截止|里程碑|怀孕|出生|去世|获奖|晋升|裁员|出差"),
    "of_assistant": re.compile(r"你(?:给我|帮我|向我|跟我|曾经?|之前|上次)?(?:给我|向我|跟我)?(?:推荐|建议|告诉|教|介绍|回答|说过|提到过?|讲过|提议)"),
    "trivial": re.compile(r"^(?:好的?|嗯+|哦+|哈+|行|可以|谢谢|不客气|再见|拜拜|你好|您好|早|晚安|早安|收到|知道了|ok|是的?|对的?|没事|没关系|加油)[。！!~～，, ]*$"),
}
CUES = ASKS | TELLS
FRAME = re.compile(
    r"(?:请|麻烦|帮我?|帮忙|给我|能不能|可以|可不可以|查一?下|看看|看一?下|找一?下|回忆一?下|想想|列出?一?下?|总结一?下?|告诉我|说说|列举|汇总|整理)|"
    r"我们?(?:俩|自己)?|咱们?|你(?!们|好)|有没有|有(?:什么|哪些|啥|几个|多少|哪几)|什么时候|什么(?:事情?|东西|内容|样)?|哪(?:些|个|里|儿|天|几个?|位)|谁|怎么样?|为什么|多少|几[个次点号]|啥|"
    r"(?:还|都|也|就|又|再|曾经?|已经|正在|到底|究竟|大概|一共|总共|一下|分别|具体|关于|有关|记不记得|还记得|记得|是不是|是否)|"
    r"(?:发生|提到|提及|说起|说到|说|聊到?|讲|谈到?|讨论|告诉|做|干|去|安排|计划|打算|准备|完成|需要|想要|要|会|该|得|能|可能|应该|到期|截止|新建|创建|记录?|添加|保存|参加|经历|忙)(?=[了过的吗呢啊吧着到？?，。]|什么|哪|啥|$|\s)|"
    r"(?:有|是|在|的|了|过|吗|呢|啊|吧|着|嘛|呀|和|跟|与|被|把|让|对|从|到|里|上|内|中|那|这|个|些|事情|事儿|事|情况|东西|内容|时间|时候|期间|左右|之间|一些|一个|哪|几|没|没有)(?![一-龥])|[？?。，,！!、：:；;“”\"'（）()《》…~]+"
)
STOPWORDS = frozenset(
    "的 了 是 在 我 我们 你 你们 他 她 它 他们 和 跟 与 就 都 也 还 又 很 有 没 没有 不 吗 呢 啊 吧 呀 嘛 着 过 把 被 让 给 对 从 到 里 上 下 中 内 这 那 这个 那个 这些 那些 个 些 "
    "什么 哪些 哪 哪个 哪里 哪儿 谁 怎么 怎样 怎么样 为什么 多少 几 啥 什么时候 时候 一个 一些 一下 一 会 要 想 能 可以 应该 需要 去 来 说 做 干 得 地 之 于 以 及 或 但 但是 而 而且 因为 所以 如果 "
    "曾经 已经 提到 提到过 提过 说过 告诉 聊 聊过 讲 谈 事 事情 事儿 重要 大事 要紧 内容 东西 情况 记得 还记得 请 请问 帮 帮我 发生 一起 自己 您 咱们 咱 其 该 哦 嗯 哈 哈哈 好 好的 吗".split()
)
SYNONYMS = tuple(
    frozenset(group.split())
    for group in (
        "开会 会议 会 例会", "电影 片子 影片", "吃饭 聚餐 饭局 用餐", "看病 医院 就诊 看医生", "医生 大夫", "牙医 牙科 看牙", "飞机 航班 机票", "火车 高铁 动车", "旅游 旅行 出游 游玩",
        "买 购买 购物", "家 家里", "工作 上班", "老板 领导 上司", "妈妈 母亲 老妈 妈", "爸爸 父亲 老爸 爸", "手机 电话", "锻炼 健身 运动", "跑步 慢跑", "书 书籍", "音乐 歌曲 歌", "朋友 好友",
        "报告 汇报", "截止 到期 ddl", "生病 不舒服 感冒", "考试 测验 考", "孩子 小孩 宝宝", "搬家 搬迁", "面试 应聘", "辞职 离职", "推荐 介绍", "景色 风景", "喜欢 爱好 喜爱 兴趣",
    )
)  # fmt: skip

LANGUAGE = Language(
    code="zh",
    words=WORDS,
    pieces=PIECES,
    phrases=PHRASES,
    past=PAST,
    future=FUTURE,
    fold={code: chr(to) if isinstance(to, int) else to for code, to in FOLD.items()},
    numerals=NUMERALS,
    numeral_starts="零〇○一壹二贰两俩三叁仨四五六七八九十拾百千万廿卅",
    read_numeral=read_numeral,
    cues=CUES,
    frame=FRAME,
    weight=re.compile(r"最?重要的?(?:事情|事儿|事项|事|内容|东西|安排)?|大事|要紧的?事?|关键的?事?|值得[^，。]{0,4}的事"),
    stopwords=STOPWORDS,
    synonyms=SYNONYMS,
    glue=frozenset({"DE", "COMMA", "SHI"}),
)

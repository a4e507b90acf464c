"""Chinese, simplified and traditional: words, rules with their examples, tenses.

Traditional characters are folded to simplified ones where time is concerned (`FOLD`), one for one, so spans stay in place.
Numerals give NUM (十五, 廿三), DIGITS (二〇二六, read digit by digit) or DEC (七点八 as a decimal).
"""

from __future__ import annotations

import re
from typing import Any

from planner import expressions as ex
from planner._composition import beside, in_zone, innermost, outer_of
from planner._figures import day as figures_day
from planner._figures import two_digit_year
from planner._grammar import REACH, Found, Language, Made, Rule, Token, Weak, later
from planner._later import source_of

FOLD = str.maketrans(
    "飯個這週禮點鐘號時過來後裡裏內間從將對幾兩農曆曆閏臘節雙聖誕誔勞動兒國慶婦聯歡開學發現當剛纔還沒會說記與約後難復萬復師親單龍處驚穀種滿陰陽舊歲際華羅爾戰畢業準備計劃訂預買賣結訊該給們嗎麼誰樣長遠總經應題頭並據續絕連實寫貼終東見說電視機車馬門晝穌齋靈樹獻燈灑紅勝衛猶圖歸紀護陣憲軍黨產遊聽尋錄鍾貳參陸緒順統貞觀寶啟豐餘禱諾賽奧獨慟亞諸顯顕網絡臨體淨燭龐沈惡葉諭遜殺衆誠頓薩凱煙環糧誼萊納莊憑達",
    "饭个这周礼点钟号时过来后里里内间从将对几两农历历闰腊节双圣诞诞劳动儿国庆妇联欢开学发现当刚才还没会说记与约后难复万复师亲单龙处惊谷种满阴阳旧岁际华罗尔战毕业准备计划订预买卖结讯该给们吗么谁样长远总经应题头并据续绝连实写贴终东见说电视机车马门昼稣斋灵树献灯洒红胜卫犹图归纪护阵宪军党产游听寻录钟贰叁陆绪顺统贞观宝启丰余祷诺赛奥独恸亚诸显显网络临体净烛庞沉恶叶谕逊杀众诚顿萨凯烟环粮谊莱纳庄凭达",
)  # fmt: skip
FOLD |= str.maketrans("ⅠⅡⅢⅣ嘅咗喺嗰", "一二三四的了在那")

# --- numerals -------------------------------------------------------------------------------------------------------------

_DIGIT = {"零": 0, "〇": 0, "○": 0, "一": 1, "壹": 1, "二": 2, "贰": 2, "两": 2, "俩": 2, "三": 3, "叁": 3, "仨": 3, "四": 4, "肆": 4,
          "五": 5, "伍": 5, "六": 6, "陆": 6, "七": 7, "柒": 7, "八": 8, "捌": 8, "九": 9, "玖": 9}  # fmt: skip
_TEN = {"十": 10, "拾": 10, "百": 100, "千": 1000, "万": 10000}
_SHORT_TENS = {"廿": 20, "卅": 30}
NUMERALS = later(
    r"[零〇○一二三四五六七八九十百千]+点(?!一[直起定共般样下边些切路同个份家])[一二三四五六七八九][零一二三四五六七八九]*(?![零一二三四五六七八九十分刻半]|个字)"
    r"|[零〇○一壹二贰两俩三叁仨四肆五伍六陆七柒八捌九玖十拾百千万廿卅]+"
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
            # 两三: its higher end; the lower one is read from the text where it matters.
            return ("FEW", _DIGIT[text[1]]) if _DIGIT[text[1]] - _DIGIT[text[0]] in (1, 2) else ("DIGITS", value)
        return "DIGITS", value
    if len(text) > 2 and text[-3] in _TEN and text[-2] in _DIGIT and _DIGIT.get(text[-1], 0) - _DIGIT[text[-2]] == 1:  # 十一二
        higher = read_numeral(text[:-2] + text[-1])
        return None if higher is None else ("FEW", higher[1])
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
    if digit and len(text) > 1 and text[-2] in "百千万":  # 三千五 is 3,500, and 三千零五 is not
        digit *= _TEN[text[-2]] // 10
    return "NUM", total + section + digit


# --- words ----------------------------------------------------------------------------------------------------------------


def _all(cat: str, table: dict[str, Any]) -> dict[str, tuple[str, Any]]:
    return {word: (cat, value) for words, value in table.items() for word in words.split()}


PARTS: dict[str, ex.DayPart] = {
    words: ex.DayPart(name, first, last)
    for words, name, first, last in (
        ("凌晨 后半夜 下半夜", "small_hours", 0, 6),
        ("黎明 拂晓 破晓 天亮", "dawn", 4, 7),
        ("清晨 清早 大清早 早晨 早上 大早 大早上 一清早 大清早上 朝早 朝头早", "early_morning", 6, 9),
        ("上午 午前 上昼 早间 晨间 上半天 上半晌 前半晌 前晌 头晌", "morning", 6, 12),
        ("中午 正午 午间 晌午 晌午头 大中午", "noon", 11, 13),
        ("下午 一下午 午后 后晌 下晌 后半晌 下半晌 下半天 晏昼 下昼", "afternoon", 12, 18),
        ("傍晚 黄昏 日落 薄暮 傍黑 傍黑儿 擦黑 擦黑儿", "dusk", 17, 19),
        ("晚上 晚间 夜晚 夜间 夜里 晚里 大晚上 入夜 晚黑 夜晚黑 夜黑 夜", "evening", 18, 24),
        ("深夜 半夜 午夜 子夜 大半夜 深更半夜 三更半夜", "late_night", 22, 26),
        ("白天 大白天 日间", "daytime", 6, 18),
        ("饭点 中午饭点", "noon", 11, 13),
        # Beside a meal: what precedes and follows it, and the time that is kept for it. The meal itself is what one did, not when.
        *(
            (
                " ".join(meal + word for meal in meals.split() for word in words.split()),
                f"{place}_{name}",
                hours[at],
                hours[at + 1],
            )
            for meals, name, hours in (
                ("早饭 早餐", "breakfast", (5, 7, 9, 12)),
                ("午饭 午餐 中饭", "lunch", (9, 11, 13, 18)),
                ("晚饭 晚餐", "dinner", (12, 18, 20, 24)),
            )
            for at, (place, words) in enumerate(
                (("before", "前 之前 以前"), ("at", "时间 时候 的时候 时 点"), ("after", "后 之后 以后 过后"))
            )
        ),
        # The twelve double hours of the old day, and the watches of the night.
        ("子时", "double_hour", 23, 25),
        *((f"{name}时", "double_hour", 2 * n + 1, 2 * n + 3) for n, name in enumerate("丑寅卯辰巳午未申酉戌亥")),
        *((f"{name}更天", "watch", 2 * n + 19, 2 * n + 21) for n, name in enumerate("一二三四五")),
    )
}
_BY_MEAL = frozenset(part.name for words, part in PARTS.items() if words[0] in "早午晚" and words[1] in "饭餐")
_NIGHT = ex.DayPart("night", 18, 30)
_PART_OF = {word: part for words, part in PARTS.items() for word in words.split()}
_EVENING, _MORNING = _PART_OF["晚上"], _PART_OF["早上"]


def _day_part(offset: int, part: ex.DayPart) -> ex.Expression:
    return ex.Within(ex.This("day", offset), part)


def _days(first: int, last: int) -> ex.Expression:
    return ex.FromTo(ex.This("day", first), ex.This("day", last))


def _for_days(n: int) -> ex.Amount:
    return ex.Amount(((n, "day"),))


def _after_days(base: ex.Expression, n: int) -> ex.Expression:
    return ex.Shift(base, _for_days(abs(n)), 1 if n > 0 else -1)


# The first year of each reign or era; "元年" is the first.
ERAS: dict[str, int] = {
    "武德": 618, "贞观": 627, "永徽": 650, "开元": 713, "天宝": 742, "洪武": 1368, "建文": 1399, "永乐": 1403, "洪熙": 1425, "宣德": 1426,
    "正统": 1436, "景泰": 1450, "天顺": 1457, "成化": 1465, "弘治": 1488, "正德": 1506, "嘉靖": 1522, "隆庆": 1567, "万历": 1573, "泰昌": 1620,
    "天启": 1621, "崇祯": 1628, "顺治": 1644, "康熙": 1662, "雍正": 1723, "乾隆": 1736, "嘉庆": 1796, "道光": 1821, "咸丰": 1851, "同治": 1862,
    "光绪": 1875, "宣统": 1909, "民国": 1912, "明治": 1868, "大正": 1912, "昭和": 1926, "平成": 1989, "令和": 2019,
}  # fmt: skip

FESTIVALS: dict[str, str] = {
    "元旦 元旦节 新年第一天 新年 阳历新年 公历新年": "new_year",
    "跨年 跨年夜 新年夜": "new_year_eve",
    "腊八 腊八节": "laba",
    "小年 小年夜": "little_new_year",
    "除夕 除夕夜 年三十 大年三十 年三十晚上 年夜 年三十儿 大年三十儿 大年夜": "spring_festival_eve",
    "春节 大年初一 农历新年 新春 过年 中国新年 农历春节": "spring_festival",
    "元宵 元宵节 上元节": "lantern",
    "龙抬头": "dragon_head",
    "上巳 上巳节": "shangsi",
    "清明 清明节": "tomb_sweeping",
    "端午 端午节 端阳节 重五": "dragon_boat",
    "七夕 七夕节 乞巧节": "qixi",
    "中元节 鬼节 盂兰盆节 七月半": "ghost",
    "中秋 中秋节 八月节 八月半": "mid_autumn",
    "重阳 重阳节 九九重阳": "double_ninth",
    "冬至节": "winter_solstice",
    "情人节 圣瓦伦丁节 圣华伦泰节": "valentine",
    "女生节": "girls",
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
    "复活节 复活节主日 复活主日": "easter",
    "复活节星期一 复活节周一 复活节礼拜一": "easter_monday",
    "耶稣受难日 受难日 圣周五 耶稣受难节 主受难日 主受难节 沉默周五 沉默星期五": "good_friday",
    "圣周六 圣星期六 神圣周六 神圣星期六 黑色星期六 黑色周六 复活节前夜": "holy_saturday",
    "圣周四 神圣星期四 神圣周四 濯足节 濯足星期四 设立圣餐日 最后晚餐日": "maundy_thursday",
    "圣灰日 圣灰星期三 圣灰节 圣灰周三 大斋首日 灰日": "ash_wednesday",
    "大斋期 大斋节 四旬期": "lent",
    "棕枝主日 圣枝主日 棕榈主日 圣树主日 基督苦难主日": "palm_sunday",
    "拉匝路周六 拉撒路圣周六 拉撒路周六": "orthodox_lazarus_saturday",
    "圣灵降临节 五旬节 圣灵降临日 圣神降临节 圣灵降临主日": "pentecost",
    "圣灵节庆日 圣灵降临节星期一 圣灵降临周一": "whit_monday",
    "三一主日 圣三主日 天主圣三一节 圣三一主日 天主圣三节": "trinity_sunday",
    "基督圣体节 基督圣体圣血节 圣体节": "corpus_christi",
    "耶稣圣心节 圣心节": "sacred_heart",
    "耶稣升天节 升天节 耶稣升天日": "ascension",
    "忏悔星期二 煎饼星期二 忏悔节 煎饼节 肥美星期二": "shrove_tuesday",
    "主显节 三王节": "epiphany",
    "圣母升天节 圣母升天日": "assumption",
    "诸圣节 诸圣日": "all_saints",
    "追思亡者节 诸灵节 万灵节": "all_souls",
    "降临节 将临期第一主日": "advent",
    "节礼日": "boxing",
    "母亲节": "mothers",
    "父亲节": "fathers",
    "感恩节": "thanksgiving",
    "黑色星期五 黑五": "black_friday",
    "网络星期一": "cyber_monday",
    "马丁路德金日": "mlk",
    "总统日": "presidents",
    "阵亡将士纪念日": "memorial",
    "独立日 美国独立日 美国国庆 美国国庆日": "independence",
    "哥伦布日": "columbus",
    "退伍军人节 老兵节": "veterans",
    "圣帕特里克节": "st_patrick",
    "土拨鼠日": "groundhog",
    "加拿大国庆日": "canada",
    "法国国庆 法国国庆日 巴士底日": "bastille",
    "澳大利亚国庆日 澳洲国庆日": "australia",
    "澳新军团日 澳纽军团日": "anzac",
    **{
        f"东正教{word}": key
        for word, key in (
            ("复活节", "orthodox_easter"),
            ("圣周五", "orthodox_good_friday"),
            ("耶稣受难日", "orthodox_good_friday"),
            ("耶稣受难节", "orthodox_good_friday"),
            ("主受难日", "orthodox_good_friday"),
            ("主受难节", "orthodox_good_friday"),
            ("沉默周五", "orthodox_good_friday"),
            ("圣周六", "orthodox_holy_saturday"),
            ("神圣周六", "orthodox_holy_saturday"),
            ("复活节前夜", "orthodox_holy_saturday"),
            ("复活节星期一", "orthodox_easter_monday"),
            ("圣枝主日", "orthodox_palm_sunday"),
            ("圣树主日", "orthodox_palm_sunday"),
            ("棕枝主日", "orthodox_palm_sunday"),
            ("净周一", "orthodox_clean_monday"),
            ("升天节", "orthodox_ascension"),
            ("五旬节", "orthodox_pentecost"),
            ("圣灵降临节", "orthodox_pentecost"),
            ("圣诞节", "orthodox_christmas"),
            ("大斋期", "orthodox_lent"),
        )
    },
    "净周一 洁净周一 洁净星期一": "orthodox_clean_monday",
    "四旬节 大四旬节": "orthodox_lent",
    "犹太新年 犹太人新年 岁首节": "rosh_hashanah",
    "赎罪日": "yom_kippur",
    "住棚节 棚节": "sukkot",
    "圣会节 严肃会节": "shemini_atzeret",
    "西赫托拉节 西赫妥拉节 诵经节 欢庆圣法节 妥拉节": "simchat_torah",
    "光明节 修殿节 献殿节 烛光节 哈努卡节 马加比节": "hanukkah",
    "犹太植树节 图比舍巴特节 树木新年": "tu_bishvat",
    "普珥节 普林节": "purim",
    "逾越节": "passover",
    "以色列独立日 以色列国庆节 以色列国庆日": "yom_haatzmaut",
    "篝火节": "lag_baomer",
    "七七节 收获节 新果实节 周日节": "shavuot",
    "圣殿被毁日 禁食日": "tisha_bav",
    "伊斯兰历新年 伊斯兰新年 伊斯兰教新年": "islamic_new_year",
    "阿舒拉节 阿修罗节": "ashura",
    "圣纪节 圣纪日 先知诞辰 穆罕默德诞辰": "mawlid",
    "登霄节 夜行登霄节 升霄节": "isra_miraj",
    "斋月 斋戒月 穆斯林斋月 回历斋月": "ramadan",
    "盖德尔夜 力量之夜": "laylat_al_qadr",
    "开斋节 肉孜节 尔代节": "eid_al_fitr",
    "古尔邦节 宰牲节 忠孝节 哈芝节": "eid_al_adha",
    "庞格尔节 印度丰收节 淡米尔丰收节 丰收节": "pongal",
    "泼水节 宋干节": "songkran",
    "侯丽节 洒红节 胡里节 霍利节 五彩节 荷丽节": "holi",
    "卫塞节 佛诞日 威瑟节": "vesak",
    "浴佛节 佛诞 佛诞节": "buddha",
    "妈祖诞": "mazu",
    "拉克沙班丹节 印度兄妹节 兄妹节": "raksha_bandhan",
    "九夜节 难近母节": "navaratri",
    "十胜节 圣母节 凯旋节": "dussehra",
    "排灯节 印度灯节 万灯节 屠妖节": "diwali",
    "克哈特普迦节": "chhath",
    "甘地诞辰": "gandhi",
    "印度共和国日": "india_republic",
    "香港回归纪念日 香港回归日": "hong_kong",
    "澳门回归纪念日 澳门回归日": "macau",
    "双十节": "taiwan_national",
    "国家公祭日": "nanjing_memorial",
    "抗战胜利纪念日": "victory",
    "记者节": "journalists",
    "国家宪法日 宪法日": "constitution",
    "世界无烟日": "no_tobacco",
    "世界环境日": "environment",
    "世界海洋日": "oceans",
    "世界读书日 读书日": "book",
    "世界水日": "water",
    "世界卫生日": "health",
    "世界粮食日": "food",
    "世界艾滋病日 艾滋病日": "aids",
    "白色情人节": "white_valentine",
    "寒衣节": "winter_clothes",
    "下元节": "xiayuan",
}
# Holidays of several days: "国庆假期", 五一期间, 春节期间.
_LONG = {"national", "spring_festival", "labour", "tomb_sweeping", "dragon_boat", "mid_autumn", "new_year"}

# Festivals and fasts that are several days by themselves.
_WHOLE = {
    "lent", "orthodox_lent", "rosh_hashanah", "sukkot", "hanukkah", "passover", "shavuot", "ramadan", "navaratri", "songkran",
}  # fmt: skip

# Whose clocks are meant: what is said before 时间, and what needs no such word.
_ZONE_TIMES: dict[str, int | str] = {
    "北京 中国 上海 东八区": "Asia/Shanghai", "香港": "Asia/Hong_Kong", "台北 台湾": "Asia/Taipei", "东京 日本": "Asia/Tokyo", "首尔 韩国": "Asia/Seoul",
    "新加坡": "Asia/Singapore", "曼谷 泰国": "Asia/Bangkok", "印度": "Asia/Kolkata", "迪拜": "Asia/Dubai", "莫斯科": "Europe/Moscow",
    "伦敦 英国": "Europe/London", "巴黎 法国": "Europe/Paris", "柏林 德国 欧洲中部": "Europe/Berlin",
    "纽约 美东 美国东部 东部": "America/New_York", "芝加哥 美国中部": "America/Chicago",
    "美西 美国西部 太平洋 西部 洛杉矶 旧金山 西雅图 加州": "America/Los_Angeles", "悉尼 墨尔本": "Australia/Sydney",
    "格林威治 格林尼治 格林威治标准 格林尼治标准 世界标准 协调世界": 0,
}  # fmt: skip
ZONES: dict[str, int | str] = {f"{place}时间": zone for places, zone in _ZONE_TIMES.items() for place in places.split()}
ZONES |= {"协调世界时": 0, "世界时": 0, "美东": "America/New_York", "美西": "America/Los_Angeles"}

# Words that begin like a time word and are none; the longest match wins, so these silence what they hold. None may begin
# with what ends a time (日, 年, 前, 内): "25日出差" and "三天前提交" are dates.
NOISE = (
    "同一 上海 上班 上课 上学 上网 上司 上级 上升 上面 上边 上传 上市 上线 上车 上楼 上床 上映 上火 上次 上回 上述 上帝 上衣 上手 上头 下面 下班 下课 下载 下雨 下雪 下来 下去 下单 下降 下楼 下车 下边 下属 "
    "下棋 下厨 下次 下回 下手 下落 下一步 下架 下线 下达 一下 一些 一样 一起 一直 一共 一定 一般 一切 一边 一旦 一次性 一点点 一点儿 一会儿 一会 一日三餐 一日之计 一时 一月河 二月河 马上 以下 以上 之上 之下 "
    "之一 这里 这么 这样 这些 这边 这种 这位 这是 本来 本身 本人 本质 本地 本子 本科 本书 本领 本次 今后 日元 今日头条 明天系 周杰伦 周岁 月饼 年轻 年龄 年级 年代感 年糕 年夜饭 年终奖 年味 号码 号召 号线 "
    "点击 点赞 点菜 点餐 点头 点名 点子 分之 秒杀 秒回 时间 时候 时代 时尚 时装 时刻 时差 时区 时事 时速 早餐 早饭 早点 早就 早日 早教 早期 早安 早读 晚餐 晚饭 晚点 晚安 晚会 晚霞 晚辈 晚婚 夜景 夜市 "
    "夜宵 夜店 夜班 夜跑 夜场 初中 初恋 初级 初步 初衷 初心 初版 初稿 初始 底线 底部 底层 底下 末端 末尾 千万 万一 百分 百度 万科 三亚 三国 四川 五粮液 六安 七喜 八卦 九寨沟 十字 十足 三八线 二维码 五星级 "
    "四季酒店 四季豆 春风 春笋 春卷 秋裤 冬瓜 夏威夷 夏令营 秋千 小时候 小时工 到底 到位 到时候 到达 从来 从此 从事 从而 自己 自动 自从来 和平 和谐 及时 及格 起来 起床 起飞 起跑 起身 起火 起诉 起草 "
    "起名 起哄 起义 起点 起初 起源 起因 起夜 起航 起步 起码 过来 过去式 过程 过分 过敏 过期 过年好 当年 当时 当然 当地 当面 当前端 近视 近亲 头发 头疼 头像 头条 头痛 第一时间 第一次 第二次 第一名 每当 每次 "
    "每个人 每人 每位 各位 各种 各自 各地 日日夜夜 差点 差不多 差别 差评 间谍 间接 期间费用 号外 旬阳 季军 季后赛 刻意 刻苦 刻录 刻薄 时不时 春节联欢晚会 中秋月 生日 节日 假日 吉日 往日 来日 度日 整日 "
    "终日 明日之后 昨日重现 星期天乐队 星期八 先天 半夜鸡叫 深夜食堂 公元前 西元前 纪元前 三点水 两点水 三点式 五月天演唱会 五月天乐队 五月天的歌 四月物语 七月与安生 八月长安 明日方舟 昨日青空 明日香 记下 留下 剩下 "
    "放下 收下 拍下 存下 省下 新年快乐 新年好 新年愿望 新年礼物 新年目标 新年计划 一天到晚 一年到头 一分为二 一分钱 十分钟爱 百日 三天两头 万岁 千岁 一周目 二周目 三周目 周恩来 周星驰 周润发 周末愉快 点到为止 "
    "月龄 老早 很早 好早 早早 圣诞老人 圣诞树 圣诞帽 圣诞袜 圣诞卡 圣诞歌 圣诞老公公 立夏蛋 清明团 清明粿 清明果 清明螺 重阳木 夏至草 霜降牛肉 八月桂花遍地开 六月船歌 三月兔 月子中心 月子餐 月子会所 月子病 起居 起不来 早一点 仲夏夜之梦 一月不见 二八年华 小年轻 后日谈 今晚80后 午夜飞行 四点水 早起 月老庙 月老祠 清明上河 三伏贴 三伏茶 数九歌 年轻人 年纪 年味儿 分钟级 秒级 天天向上 "
    # sayings
    "如一日 一号文件 明日黄花 昨日黄花 一日之寒 一日之功 一日之长 一日为师 一日不见 一日三秋 一日千里 一日夫妻 一日打鱼 有朝一日 今朝有酒 今朝醉 一朝一夕 三月不知肉味 朝三暮四 朝九晚五 朝朝暮暮 今非昔比 今日事今日毕 今日事 明日复明日 "
    "一年之计 春夏秋冬 前天津市 当日达 次日达 成日 十年树木 百年树人 百年好合 十年寒窗 十年磨一剑 三十年河东 三十年河西 十年不晚 秋后算账 秋后蚂蚱 秋后的蚂蚱 春华秋实 秋高气爽 冬暖夏凉 夏虫不可语冰 一叶知秋 多事之秋 千秋万代 三天打鱼 两天晒网 七十二变 "
    "今天不努力 改天换地 光天化日 青天白日 白日做梦 白日梦 夜长梦多 夜郎自大 夜猫子 七上八下 八九不离十 三七二十一 早知今日 今日不同往日 今时不同往日 早出晚归 起早贪黑 一夜暴富 一夜成名 一夜情 夜不能寐 夜以继日 "
    "五十步笑百步 十月怀胎 五百年前是一家 五百年前一家 十年河东 十年如一日 一日不如一日 今日不知明日事 早晚有一天 半夜鸡叫 丑时代 半夜三更鬼敲门 养兵千日 不怕半夜鬼敲门 半夜鬼敲门 过了这村 黎明前的黑暗 不是一天两天 一天两天的事 说一不二 前人栽树 一问三不知 三十六计 五湖四海 早晚会 迟早 一早一晚 "
    # greetings, dishes, works, events that bear a time's name
    "明日何其多 两点之间 月中折桂 白天鹅 今日水印 今天国际 午夜凶铃 午夜巴黎 黄昏恋 日落大道 腊八粥 腊八蒜 腊八醋 重阳糕 清明上河图 四点底 点共线 点一线 点共圆 点论 点透视 点支撑 点定位 点校准 点测光 点安全带 点触控 清明茶 谷雨前茶 政治清明 今日说法 今日资本 明日之子 明日之星 明日世界 明天你好 明天会更好 "
    "明天过后 昨日今日 十月围城 九月的高跟鞋 人间四月天 四月是你的谎言 七月流火 八月未央 五月花号 六月雪 二月兰 三月三公园 十月革命 二月革命 七月王朝 八一南昌起义 八一厂 八一队 八一电影制片厂 三八红旗手 三八大盖 六一居士 "
    "五四运动 五四精神 五四大街 五四广场 五一广场 五一劳动奖章 春秋航空 春秋战国 春秋时期 吕氏春秋 四季青 四季歌 冬虫夏草 冬阴功 夏目漱石 夏洛 立春卷 大雪山 大寒山 小满足 周六福 周五福 周六顺 周一围 周三多 七天酒店 七天连锁 "
    "二十四节气歌 星期八乐队 一月一号乐队 半夏 中秋月饼厂 双十协定 光棍节快乐歌 除夕夜饭馆 今日美术馆 五月风暴 五卅运动 一二九运动 九一八事变 七七事变 一二八事变 二二六事件 二七大罢工 二七广场 三一运动 十月党人 十二月党人 七月革命 六月起义 七月派 布拉格之春 茉莉花之春 春田花花 春光乍泄 春秋笔法 春秋大梦 春天在哪里 春天的故事 春娇与志明 春江花月夜 夏日香气 夏日么么茶 夏日友人帐 夏至未至 盛夏光年 秋天的童话 秋日私语 秋菊打官司 冬日恋歌 冬日奏鸣曲 冬天的秘密 冬吴相对论 五月之恋 六月新娘 八月照相馆 八月迷情 十一月的肖邦 十一月的萧邦 十二月的奇迹 十月初五的月光 三月里的小雨 今日传媒 今日印象 今日亚洲 今日影评 今日阅读 今夜无人入睡 今夜无人入眠 今夜有戏 今夜百乐门 今天也要加油鸭 昨日之歌 昨日之岛 昨日的世界 昨夜星辰 昨夜雨疏风骤 昨夜西风凋碧树 昨夜闲潭梦落花 明日边缘 明日帝国 明日之丈 明日之路 午夜快递 午夜牛郎 午夜蓝 子夜歌 子夜吴歌 黎明杀机 黎明觉醒 清晨集 正午阳光 午后红茶 午后咖啡馆 黄昏清兵卫 暮光之城 爱在黎明破晓前 爱在日落黄昏时 爱在午夜降临前 周末画报 周末夜狂热 星期五的孩子 黑色星期五乐队 黑色星期一 血色星期天 第八日的蝉 第七天堂 第七天魔 第十二夜 三月的狮子 当下的力量 时间都去哪儿 现在进行时 一般现在时 过去完成时 将来时 冬至饺子夏至面 此时无声"
).split()

WORDS: dict[str, tuple[str, Any]] = {
    **dict.fromkeys(NOISE, ("NOISE", None)),
    **_all("DAYWORD", {
        "大大前天": -4, "大前天 大前日 大前儿 大前儿个": -3, "前天 前日 前儿 前儿个": -2, "昨天 昨日 昨儿 昨儿个 昨个 琴日 寻日 噚日 昨": -1,
        "今天 今日 今儿 今儿个 本日 即日": 0, "明天 明日 明儿 明儿个 翌日 次日 隔天 明个 听日": 1,
        "后天 后日 后儿 后儿个": 2, "大后天 大后日 大后儿 大后儿个": 3, "大大后天": 4,
    }),
    **_all("YEARWORD", {"大前年": -3, "前年": -2, "去年 昨年 旧年 上年 去年度": -1, "今年 本年 本年度 今年度 今岁": 0,
                        "明年 来年 下年 翌年 次年 出年 明年度": 1, "后年": 2, "大后年": 3}),
    **{word: ("EXPR", value) for words, value in {
        "昨晚 昨夜 昨天夜里 昨儿晚上 昨日晚上 琴晚 寻晚 噚晚": _day_part(-1, _NIGHT), "今晚 今夜 今宵": _day_part(0, _EVENING),
        "明晚 明夜 听晚": _day_part(1, _EVENING), "前晚": _day_part(-2, _NIGHT), "后晚": _day_part(2, _EVENING),
        "昨早 昨晨": _day_part(-1, _MORNING), "今早 今晨 今儿早上 今朝": _day_part(0, _MORNING), "明早 明晨 听朝": _day_part(1, _MORNING),
        "最近 近期 近日 这阵子 这阵儿 这段时间 最近这段时间 近些天 这些天 这些日子": ex.Vague(-1, either=True), "近来": ex.Vague(-1),
        "前阵子 前一阵 前一阵子 前些天 前些日子 前段时间 前段日子 早些时候 不久前 不久之前": ex.Vague(-1, 30),
        "前些年 这些年 近些年 近年 近年来": ex.Vague(-1, 1095),
        "过些天 过阵子 过几天 过两天 改天 改日 过段时间 这几天内 不久后 不久之后 近几天内": ex.Vague(1, 7),
        # The three parts of the dog days, and the nine times nine days from the winter solstice on.
        "三伏天 三伏 伏天": ex.Festival("dog_days", True), "头伏 初伏": ex.Festival("dog_days_first", True), "末伏": ex.Festival("dog_days_last", True),
        "中伏 二伏": ex.Festival("dog_days_middle", True), "入伏": ex.Festival("dog_days_first"),
        "数九 数九天 数九寒天": ex.Lasting(ex.SolarTerm("冬至"), _for_days(81)),
        "三九天": ex.Lasting(_after_days(ex.SolarTerm("冬至"), 18), _for_days(9)),
        "明后天 明后两天": _days(1, 2), "今明天 今明两天": _days(0, 1), "今明后三天 今明后天": _days(0, 2), "昨今两天 昨今天": _days(-1, 0),
        "前昨两天 前昨天 昨前天": _days(-2, -1), "明后三天": _days(1, 3), "今明两年": ex.FromTo(ex.This("year"), ex.This("year", 1)), "明后年 明后两年": ex.FromTo(ex.This("year", 1), ex.This("year", 2)),
        "当月 当月份": ex.This("month"), "次月": ex.This("month", 1), "次周": ex.This("week", 1), "当周": ex.This("week"), "呢几日": ex.Vague(0, 5), "呢排": ex.Vague(-1), "当季 当季度": ex.This("quarter"), "首季 首季度": ex.Quarter(1),
        "上半周": ex.FromTo(ex.Weekday(0), ex.Weekday(2)), "下半周": ex.FromTo(ex.Weekday(3), ex.Weekday(6)),
        "上半年 前半年": ex.Half(1), "下半年 后半年": ex.Half(2),
        "上半月 前半月": ex.Slice("first_half", "month"), "下半月 后半月": ex.Slice("second_half", "month"),
        "岁首": ex.Slice("start", "year"), "岁末": ex.Slice("end", "year"),
        "上旬": ex.Slice("early", "month"), "中旬": ex.Slice("mid", "month"), "下旬": ex.Slice("late", "month"),
        "上中旬": ex.Slice("early_mid", "month"), "中下旬": ex.Slice("mid_late", "month"), "中上旬": ex.Slice("early_mid", "month"),
                "春天 春季 春日 开春 入春": ex.Season(0), "夏天 夏季 夏日 入夏": ex.Season(1), "秋天 秋季 秋日 入秋": ex.Season(2), "冬天 冬季 冬日 入冬": ex.Season(3),
        **{
            f"{word}": ex.Within(ex.Season(n), ex.Slice(part))
            for n, season in enumerate("春夏秋冬")
            for heads, part in (("初", "early"), (("暮", "", "深晚", "")[n], "late"), (("", "盛仲", "", "隆")[n], "mid"))
            for word in [head + season for head in heads]
        },
        "春夏": ex.FromTo(ex.Season(0), ex.Season(1)), "秋冬": ex.FromTo(ex.Season(2), ex.Season(3)), "暑假": ex.FromTo(ex.Month(7), ex.Month(8)), "寒假": ex.FromTo(ex.Within(ex.Month(1), ex.Slice("late")), ex.Within(ex.Month(2), ex.Slice("early_mid"))),
        "元月 元月份": ex.Month(1),
    }.items() for word in words.split()},
    **{word: ("WEAK", ex.Season(n)) for n, word in enumerate("春夏秋冬")},
    **{word: ("FESTIVAL", key) for words, key in FESTIVALS.items() for word in words.split() if not word.isascii()},
    **{term: ("TERM", term) for term in ("立春", "雨水", "惊蛰", "春分", "谷雨", "立夏", "小满", "芒种", "夏至", "小暑", "大暑", "立秋",
                                         "处暑", "白露", "秋分", "寒露", "霜降", "立冬", "小雪", "大雪", "冬至", "小寒", "大寒")},
    **{word: ("PART", part) for word, part in _PART_OF.items()},
    **_all("WEAK", {"前半天": _PART_OF["上午"], "后半天": _PART_OF["下午"]}), **_all("WEAK", {"早": _MORNING, "晚": _EVENING, "晨": _MORNING}),
    # A weekday is one word, or 周一下午 would be read as 周, 一下. The adverbs that begin with 一 are the exception.
    **{name + c: ("WDAY", n) for name in ("周", "星期", "礼拜", "拜") for n, cs in enumerate(("一", "二", "三", "四", "五", "六", "日天")) for c in cs},
    **{name + adverb: ("WADV", None) for name in ("周", "星期", "礼拜") for adverb in ("一共", "一直", "一起", "一定", "一般", "一家人")},
    **_all("WEEK", {"周 星期 礼拜 拜": "week"}), **_all("WKND", {"周末 星期末 礼拜末 星期尾 礼拜尾 双休日": "weekend"}),
    **_all("YUE", {"月 月份": "month"}), **_all("NIAN", {"年 年度 年份 财年 财政年度 会计年度": "year"}), **_all("RI", {"日": "day"}), **_all("TIAN", {"天": "day"}),
    **_all("HAO", {"号": "day"}), **_all("QTR", {"季度 季": "quarter"}), **_all("FEN", {"分": "minute"}), **_all("MIAO", {"秒": "second"}),
    **_all("UNIT", {"小时 钟头 个钟头 个钟 钟": "hour", "分钟": "minute", "秒钟": "second", "世纪": "century", "半年度": "half"}),
    **_all("DIAN", {"点 点钟 时": None}), **_all("KE", {"刻 刻钟": None}), **_all("ZHENG", {"整": None}), **_all("CHA", {"差": None}),
    **_all("NIANDAI", {"年代": None}), **_all("CL", {"个": None}), **_all("HALF", {"半": None}), **_all("DUO", {"多 余": None}),
    **_all("FEW", {"几 数 若干": 3, "好几": 5}), **_all("DI", {"第": None}), **_all("LAST", {"最后 最末": None}), **_all("DAOSHU", {"倒数": None}),
    **_all("HEAD", {"头 最初 开头": None}), **_all("DIR", {"上": -1, "下": 1, "这 本 今 此 呢个": 0, "大上 再上": -2, "大下 再下": 2}), **_all("CURRENT", {"当前": 0}),
    **_all("QIAN", {"前": None}), **_all("HOU", {"后": None}), **_all("ZHIQIAN", {"之前 以前 前面 前面的": None}), **_all("ZHIHOU", {"之后 以后 过后": None}),
    **_all("NEI", {"内 之内 以内 里 里面 中 当中": None}), **_all("LAI", {"以来 来": None}), **_all("GUO", {"过 再过": None}),
    **_all("RECENT", {"最近 近 过去 过去的 最近的 以往 刚过去的 刚刚过去的": -1}), **_all("COMING", {"未来 今后 接下来 接下来的 往后 后面 后面的 将来 未来的 此后": 1}),
    **_all("ZFROM", {"从 自 自从 打 由 从打": None}), **_all("ZTO", {"到 至 直到 一直到 到了": None}), **_all("LIST", {"和 跟 与 及 以及 还有 或 或者 还是": None}),
    **_all("SINCE", {"起 开始 以来 为起点": None}), **_all("TONOW", {"迄今 到现在 直到现在 到目前 到目前为止 到如今 至今为止 到今为止 之后到现在": None}),
    **_all("UPTO", {f"{c}{w}": None for c in ("或", "及", "或者", "以及", "或在", "及其") for w in ("之前", "以前", "更早", "此前")}),
    **_all("ONWARD", {f"{c}{w}": None for c in ("或", "及", "或者", "以及", "或在", "及其") for w in ("之后", "以后", "更晚", "此后")}), **_all("EARLIER", {"早于 先于": None}), **_all("LATER", {"晚于 迟于": True, "不早于": False}), **_all("BY", {"截至 截止 截止到 截至到 直到 不晚于 不迟于 最晚 最迟": None}),
    **_all("END", {"为止 止": None}), **_all("OVER", {"结束 过完": None}), **_all("BETWEEN", {"之间 期间 这段时间 间": None}), **_all("AROUND", {"左右 前后 附近 上下 许": None}),
    **_all("REST", {"剩下 剩下的 剩余 剩余的 余下 余下的": None}), **_all("EVERY", {"每 逢 每逢 每到 每隔": None}), **_all("EVERYDAY", {"平日 天天 每每 夜夜": None}), **_all("OFTEN", {"隔周 双周 单周 隔月 每天 每月 每年 每日 每晚 每早 每个月": None}),
    **_all("LUNAR", {"农历 阴历 旧历 夏历 农历的": None}), **_all("LEAP", {"闰": None}), **_all("DANIAN", {"大年": None}), **_all("TA", {"踏 搭": None}), **_all("ZI", {"字": None}), **_all("YUANNIAN", {"元年": 1}),
    **{word: ("ZZONE", zone) for word, zone in ZONES.items()}, **_all("ERA", ERAS), **_all("LMONTH", {"正月": 1, "腊月": 12, "冬月": 11}),
    **{"初" + c: ("LDAY", n) for n, c in enumerate("一二三四五六七八九十", 1)}, **_all("EDGE", {"初": "early", "底 末 尾": "late", "伊始": "start", "中": "mid"}),
    **_all("SLICE", {"初期 早期 前期 初段": "early", "中期 中段": "mid", "后期 晚期 末期 末段": "late", "前半 上半": "first_half", "后半 下半": "second_half"}),
    **_all("DE", {"的 那 那个 那天 当天 当日 这天 这一天": None}), **_all("NOW", {"现在 目前 此刻 此时 当前时间 眼下 这会儿 如今 当下 此时此刻 刚才 刚刚 方才 而家 依家 家阵": None}), **_all("SAMETIME", {"这个点 这个点儿 这个时间 这个时候 这时候 这时 的这个时间 同一时间 同期": None}),
    **_all("YUE_EDGE", {"月初 月份初": "early", "月中间 月中旬": "mid", "月中下旬": "mid_late", "月中上旬": "early_mid", "月底 月末 月尾 月份底 月份末": "late"}),
    **_all("WEEK_EDGE", {"周初": "early", "周中 周中段": "mid", "周尾": "late"}),
    **_all("QTR_EDGE", {"季初 季度初": "early", "季末 季度末 季底 季度底": "late"}),
    **_all("NIAN_EDGE", {"年初 财年初": "start", "年中间": "mid", "年底 年末 年尾 年终 财年末 财年底": "end"}),
    **_all("EVE", {"前夜 前夕": None, "当晚 当夜": 0}), **_all("INCL", {"(含) (含当日) (含当天) (含本日) (含该日) (包含当天) (包括当天)": None}), "(": ("PAREN", None), ")": ("PAREN", None), **_all("WORKDAY", {"工作日 交易日": "workday"}), **_all("PUBLIC", {"放假 假期 长假 小长假 黄金周 期间": None}), **_all("TOGO", {"再有 还差 还剩": None}), **_all("SAMEDAY", {"同一天 同日": None}), **_all("NEARLY", {"不到 将近": None}), **_all("SHI", {"是 就是": None}),
}  # fmt: skip
# Words that are two things at once keep the sense their place in a rule gives them: these spellings are looked up first.
WORDS |= {"过去": ("RECENT", -1), "最近": ("RECENT", -1), "近": ("RECENT", -1), "将来": ("COMING", 1), "中": ("EDGE", "mid")}
WORDS |= {"来": ("LAI", None), "直到": ("ZTO", None)}

# --- rules ----------------------------------------------------------------------------------------------------------------

_N = "(NUM|INT|DEC|FEW|DIGITS)"
_UNITS = ("UNIT", "WEEK", "YUE", "NIAN", "RI", "TIAN", "FEN", "MIAO", "KE", "WKND", "QTR", "WORKDAY")
_U = f"({'|'.join(_UNITS)})"
_AMOUNT = f"(((NUM|FEW)? {_N} (DUO|LAI)? CL? DUO? HALF? {_U} HALF? DUO?|HALF CL? {_U}) LING?){{1,4}}"
_WEEKDAY = "(WDAY|WEEK INT)"


def _amount(m: Found, loose: bool = False) -> ex.Amount | None:
    """The length the matched tokens say; None where they say a date (三月 is March, 三个月 is three months).

    `loose` where what stands before them leaves no date to read (近三月, 前两日).
    """
    parts: list[tuple[float, str]] = []
    number: float | None = None
    classified = few = False
    for index, token in enumerate(m.tokens):
        cat = token.cat
        if cat == "DIGITS" and not (parts and number is None and m.word(index)[0] in "零〇○"):  # 两年零三个月
            return None
        if cat in ("NUM", "INT", "DEC", "FEW", "DIGITS"):
            if number is not None and few:  # 几十
                number = number * token.value
            elif number is not None and cat != "FEW":
                return None
            else:
                number, classified, few = float(token.value) + (number or 0.0), False, cat == "FEW"
        elif cat == "HALF":
            if index and m.tokens[index - 1].cat in _UNITS and parts:
                parts[-1] = (parts[-1][0] + 0.5, parts[-1][1])
            else:
                number = (number or 0.0) + 0.5
        elif cat in ("CL", "DUO", "LAI"):
            classified = True
        elif cat in _UNITS:
            if number is None:
                continue
            if cat == "KE":
                parts.append((number * 15, "minute"))
            else:
                said = m.word(index - 1)
                if (
                    cat == "YUE"
                    and not classified
                    and not few
                    and not loose
                    and number % 1 == 0
                    and said not in ("两", "俩", "仨")
                ):
                    return None
                if cat == "NIAN" and not classified and _names_year(m, index - 1):
                    return None
                if (
                    cat == "RI"
                    and not few
                    and not loose
                    and said not in ("两", "俩")
                    and number <= 31
                    and index == len(m.tokens) - 1
                ):
                    return None
                parts.append((number, token.value))
            number = None
    return ex.Amount(tuple(parts)) if parts else None


def _names_year(m: Found, index: int) -> bool:
    """Whether a number before 年 is a year and no count: 07年, 98年, 2008年, but 7年, 90年 and 一千五百年."""
    said, cat, number = m.word(index), m.tokens[index].cat, m.tokens[index].value
    if cat in ("NUM", "INT") and number >= 1000:
        return cat == "INT" or number % 100 != 0
    return (cat == "INT" and len(said) == 2 and (said[0] == "0" or (said > "84" and said[1] != "0"))) or cat == "DIGITS"


_ONCE = later(r"[^，。？!！\s]{0,4}?一[次回趟遍]")


def _day_word(m: Found) -> Made:
    said = m.word(0)
    if said == "隔天" and _ONCE.match(m.behind):  # 隔天跑一次步
        return ex.Recurring()
    return None if said == "昨" or (said == "次日" and NUMERALS.search(m.before[-1:])) else ex.This("day", m["DAYWORD"])


def _length(m: Found) -> Made:
    amount = _amount(m)
    return None if amount is None or m.word(-1) == "分" else ex.Length(amount)  # 十分 is also "very", 九十分 a mark


# The days that "a few" of a unit reach over.
_A_FEW = {"day": 7, "workday": 7, "weekend": 28, "week": 28, "month": 120, "quarter": 365, "year": 1461}


def _moved(amount: ex.Amount, m: Found, sign: int) -> ex.Expression:
    index = next((n for n, token in enumerate(m.tokens) if token.cat == "FEW"), None)
    said = "" if index is None else m.word(index)
    if len(said) == 2 and said[0] in _DIGIT and len(amount.parts) == 1:  # 两三天前
        return _between(_DIGIT[said[0]], amount, sign)
    if m.has("FEW") and not amount.elapsed and amount.parts[0][0] > 5:  # 十几天前, 几十年前
        return ex.Vague(sign, int(amount.parts[0][0] * 1.5 * {"week": 7, "month": 30, "year": 365}.get(amount.finest, 1)))
    if m.has("FEW") and m["FEW"] in (3, 5) and not amount.elapsed:
        return ex.Vague(sign, _A_FEW.get(amount.finest, 365))
    return ex.Ago(amount, sign)


def _between(low: int, amount: ex.Amount, sign: int) -> ex.Expression:
    """Between `low` and the amount's own number of its units away."""
    near, far = ex.Ago(ex.Amount(((low, amount.parts[0][1]),)), sign), ex.Ago(amount, sign)
    return ex.FromTo(far, near) if sign < 0 else ex.FromTo(near, far)


def _ago_between(m: Found) -> Made:
    amount = _amount(m.only(m.tokens[2:]))
    low = m.tokens[0].value
    if amount is None or not 0 < low < amount.parts[0][0]:
        return None
    return _between(low, amount, -1 if m.has("QIAN") or m.has("ZHIQIAN") else 1)


# 5分钟前端面试题: what follows makes another word of 前.
_NOT_BEFORE = later("端(?![午上来走着起出给])|台(?![风湾北上])|言|缀|沿|锋|列腺")


def _ago(sign: int) -> Any:
    def make(m: Found) -> Made:
        if sign < 0 and m.word(-1) == "前" and _NOT_BEFORE.match(m.after):
            return None
        if m.word(1) == "季度" and m.tokens[0].value in (1, 2, 3, 4) and m.word(0) != "两":
            return None  # 二季度前两个月
        amount = _amount(m)
        return None if amount is None else _moved(amount, m, sign)

    return make


_THEN_IT_IS = later(r"\s?(?:就|才|便|到期|截止|开[学考业会]|放假|高考|考试|出发|结束|过年)")

_THE_SAME = later(r"[一个]$")  # 同一个月内: no month of the calendar

_UNSAID = frozenset("几 数 若干 好几".split())  # 两三天 says how many


def _rolling(sign: int, whole: bool = False) -> Any:
    def make(m: Found) -> Made:
        amount = _amount(m, loose=m.tokens[0].cat not in ("NUM", "INT", "DEC"))
        if amount is None or (m.word(0) == "过去" and m.after[:1] == "了"):  # 已经过去几天了
            return None
        if m.word(0) == "前" and m.before.endswith("提"):  # of what, another one tells: 提前一刻钟到
            return None
        if any(token.cat == "FEW" and m.word(n) in _UNSAID for n, token in enumerate(m.tokens)) and not amount.elapsed:
            return ex.Vague(sign, _A_FEW.get(amount.finest, 365))
        unit = amount.finest
        return ex.Rolling(amount, sign, whole or unit in ("weekend", "quarter"))

    return make


def _this_unit(m: Found) -> Made:
    if m.has("NUM") and (m["NUM"] != 1 or m.word(0)[0] == "再"):  # 再上一年学
        return None
    steps = m.all("DIR", "CURRENT")
    if len(set(steps)) > 1 or (len(steps) > 1 and not steps[0]):
        return None
    unit = "half" if m.has("HALF") else m.get("WEEK", "YUE", "NIAN", "UNIT", "QTR", "WKND", "WORKDAY")
    if unit == "workday" and not sum(steps):
        return None
    if unit in ("second", "minute") or (unit == "hour" and m.word(-1) == "钟"):
        return None
    return ex.This(unit, sum(steps))


def _counted_units(m: Found) -> Made:
    amount = _amount(m)
    if amount is None or abs(m["DIR"]) > 1:  # 再下两天雨
        return None
    sign = m["DIR"]
    if sign == 0:
        if amount.finest != "day":
            return ex.Rolling(amount, -1, amount.finest == "weekend") if amount.parts[0][0] > 1 else None
        return ex.Vague(0, 5 if m.has("FEW") else int(amount.parts[0][0]))
    return ex.Rolling(amount, sign, True) if amount.parts[0][0] > 1 else None


def _weekday_number(m: Found) -> int | None:
    last = m.tokens[-1]
    if last.cat == "WDAY":
        return int(last.value)
    return int(last.value) - 1 if last.cat == "INT" and 1 <= last.value <= 7 else None


def _weekday(m: Found) -> Made:
    day, steps = _weekday_number(m), m.all("DIR")
    if day is None or len(set(steps)) > 1:
        return None
    if steps:
        return ex.Within(ex.This("week", sum(steps)), ex.Weekday(day))
    # "一周一次" is no Monday, "周三周五" is a Friday
    return (
        None
        if re.match(r"[^周期拜]?[\d一二两三四五六七八九十半]$", m.before[-2:]) and m.before[:1] not in "周期拜"
        else ex.Weekday(day)
    )


# What a number counts when one of these follows: 周三四点, 周一三个人.
_COUNTS = later(
    "[个点时号月年天周次人本条块元杯场节位名家岁度折成倍刻分秒小楼层届级两十百千万半只张台件套份页斤公米里遍回趟门口道篇首部款项种双把根支箱瓶包袋盒碗盘桶辆架间栋期批组句笔]"
)


_WEEK_DAYS = {c: n % 7 for n, c in enumerate("一二三四五六日1234567")} | {"天": 6}


def _weekdays(m: Found) -> Made:
    """周一三五, 下周二、四: several days of a week in one word."""
    said = "".join(m.word(n) for n, token in enumerate(m.tokens) if token.cat not in ("DIR", "CL", "LIST"))
    days, steps = [_WEEK_DAYS.get(c, -1) for c in said.lstrip("周星期礼拜")], m.all("DIR")
    if -1 in days or sorted(set(days)) != days or len(set(steps)) > 1 or _COUNTS.match(m.after):
        return None
    week = ex.This("week", sum(steps))
    return ex.Union(tuple(ex.Within(week, ex.Weekday(day)) if steps else ex.Weekday(day) for day in days))


def _week_adverb(m: Found) -> Made:
    """上周一共, 这周一定: the week and an adverb; alone, 周一 and what follows."""
    steps = m.all("DIR")
    if len(set(steps)) > 1:
        return None
    return ex.This("week", sum(steps)) if steps else ex.Weekday(0)


def _saturday_sunday(m: Found) -> Made:
    steps = m.all("DIR")
    if m["WDAY"] != 5 or len(set(steps)) > 1:
        return None
    return ex.Within(ex.This("week", sum(steps)), ex.Weekend()) if steps else ex.Weekend()


def _next_weekday(m: Found) -> Made:
    """上一个周五, 下一个周日: counted from today and not by the week."""
    day = _weekday_number(m)
    step = -1 if m.has("QIAN") else 1 if m.has("HOU") else m["DIR"]
    if day is None or m["NUM"] != 1:
        return None
    return ex.Relative(ex.Weekday(day), step) if step else ex.Within(ex.This("week"), ex.Weekday(day))


def _year(m: Found) -> Made:
    token = m.tokens[0]
    value, said = token.value, m.word(0)
    if m.before == "元前" or re.match("以上|以下|以内|多|左右", m.after):
        return None
    if token.cat == "NUM":  # 千年 is how long
        return ex.Year(value) if said[0] not in "百千万" and 1000 <= value <= 2999 else None
    if len(said) == 4 and 1 <= value <= 2999:
        return ex.Year(value)
    if len(said) == 3 and (token.cat == "DIGITS" or m.before.endswith("元")) and value > 99:
        return ex.Year(value)
    if len(said) == 2 and not re.search(r"[了过近整满约工干长达前后]$", m.before):
        if token.cat == "DIGITS":  # spelt out: 三三年 is the last century's
            return ex.Year(value + (2000 if value < 30 else 1900))
        return ex.Year(two_digit_year(value))
    return None


def _years(m: Found) -> Made:
    """2023、2024年, 2023和2024两年: several years, of which one number says how many."""
    years, count = m.all("INT"), m.get("NUM")
    if any(len(m.word(n)) != 4 for n, token in enumerate(m.tokens) if token.cat == "INT") or count not in (None, len(years)):
        return None
    told = sorted(set(years)) == years and years[0] >= 1900 and years[-1] <= 2100
    return ex.Union(tuple(ex.Year(year) for year in years)) if told else None


_LIVED = later(r"\s?(?:[在我你他她咱]|全年|整年|的(?:时候|[春夏秋冬上下]|那)|[看去住跟和哪](?![一二三四五六七八九十]?[块元]))")


def _bare_year(m: Found) -> Made:
    """2019在哪住: four figures at the head of a clause, or behind a preposition, with somebody's doings behind them."""
    number = m["INT"]
    if not 1900 <= number <= 2100 or not _LIVED.match(m.text, m.tokens[0].end):
        return None
    return ex.Year(number) if re.search(r"(?:^|[^\w]|[在从自到])$", m.before) else None


# Days of sales and of vows that are named by their figures.
_SALES = {"618": "shopping_618", "520": "shopping_520"}
_SOLD = later(r"\s?(?:大促|活动|[那当]天|期间|购物节|晚会|[买囤抢]|下单|狂欢)")


def _sale_day(m: Found) -> Made:
    key = _SALES.get(m.word(0))
    if key is None or _COUNTS.match(m.text, m.tokens[0].end):
        return None
    return ex.Festival(key) if _SOLD.match(m.text, m.tokens[0].end) else Weak(ex.Festival(key))


def _era_year(m: Found) -> Made:
    number = m.get("NUM", "INT", "YUANNIAN")
    return ex.Year(m["ERA"] + number - 1) if 1 <= number <= 99 else None


def _month(m: Found) -> Made:
    number = m.get("NUM", "INT", "DIGITS")
    if m.after == "一次":
        return None
    return ex.Month(number) if number is not None and 1 <= number <= 12 else None


# 晚上好 greets, 晚上好冷 tells.
_GREETED = later(r"好(?=$|[^\w]|[啊呀吖哇])")


def _part(m: Found) -> Made:
    if _GREETED.match(m.after):
        return None
    part = m["PART"]
    return Weak(part) if m.word(0) == "夜" or part.name in _BY_MEAL or m.after[:1] == "茶" else part


# What a number with 号 names when one of these follows: a building, a seat, a battery, a ward.
_STREETS = ("路", "街", "巷", "弄", "道", "同", "村")
_NUMBERED = later(
    r"楼|位|车厢|电池|房(?![租贷])|门(?!诊)|院(?!子)|桌|店(?!庆)|机(?![场票])|馆|厅|室|选手|球衣|仓|铺|柜|床|病房|井|公路|单元|会议室|厂|窗口|口(?![试头])|台(?![风湾北])|字|套餐|链接|方案|仓库|电梯|线(?![上下])|餐[桌位]|柜台|区(?![域里内间])|坑|坡|种子|标段|地块|出口|入口|站台|公馆|座(?!谈)|别墅|码头|航站楼|染色体|电动|滑板车|文件夹|盒(?!饭)|储物[箱柜]|箱|袋|通道|跑道|场地|赛道|泳道|教室|宿舍|实验室|车间|汽油|柴油|铅笔|砂纸|嫌疑|病人|患者|卫星|火箭|飞船|元素|螺丝|球员|包厢|包间|卡座|雅间|信箱|锅炉|矿|隧道|塔|硬盘|键|楼层|队(?![友里内伍建])|组(?![织会长里内])|作品(?!展)|首长|车(?!险)|船|球"
)


_BEFORE_DATE = later(r"[月年在到定和与及至从于自是的了这本每等今我你他她们就都也要有约前后过说周日天号里间]$")


_TOUR = later("游(?![泳玩戏])|通票|体验票|套票")


def _day(m: Found) -> Made:
    number = m.get("NUM", "INT", "DIGITS")
    if re.match(r"[\d零〇一二三四五六七八九十]月", m.before):  # what is left of a date that there is not
        return None
    if m.has("HAO") and (_NUMBERED.match(m.text, m.tokens[-1].end) or m.before[-1:] in _STREETS):
        return None
    if m.has("HAO") and m.before[-1:] == "第":  # 第12号文件 is counted, and no date
        return None
    if number is None or not 1 <= number <= 31 or (m.has("RI") and _TOUR.match(m.after)):
        return None
    # 神舟十三号, 深海一号: a number in words behind a noun is part of its name. A date stands behind a mark or a small word.
    if m.has("HAO") and m.has("NUM") and re.search(r"[一-鿿]$", m.before) and not _BEFORE_DATE.search(m.before):
        return Weak(ex.Day(number))
    return ex.Day(number)


def _month_day(m: Found) -> Made:
    numbers = m.all("NUM", "INT", "DIGITS")
    if not (1 <= numbers[0] <= 12 and 1 <= numbers[-1] <= 31):
        return None
    plain = not m.has("HAO") and not m.has("RI") and m.tokens[-1].cat == "NUM"
    if not m.has("HAO") and not m.has("RI") and m.after[:1] == "月":  # 11月12月 are two months
        return None
    if plain and numbers[-1] < 10 and re.match("[整个些直起定样次下家场周本位]", m.after):
        return None
    if plain and not re.match(r"[\d零〇一二三四五六七八九千]年", m.before) and (feast := _FEASTS.get(tuple(numbers))):
        return ex.Festival(feast)
    return ex.Within(ex.Month(numbers[0]), ex.Day(numbers[-1]))


_LATIN, _HAN = re.compile("[a-z]"), re.compile("[一-龥]")


def _foreign(m: Found) -> bool:
    """Whether the text is in another language, in which bare figures mean clock times and scores."""
    return m.anywhere(_LATIN) and not m.anywhere(_HAN)


# Figures that measure: 评分9.1-9.5, 36.5-37.2度.
_MEASURED = later(r"[分率价值温力度比重量速版长宽高压糖约]的?[是在为从由]?$")
_THAT_DAY = later("[那当]天|号|日(?!元)")
_SET_FOR = later(r"(?:ddl|deadline|截止|截稿|日期|时间|到期|最[晚迟]|定在|[改推]到|推迟到)[是为在到：:]?\s?$")
# What one does from day to day.
_FROM_TO_DAY = later(
    r"$|\s?(?:[号日去在回到休住来飞，。,：:的]|出[差国门]|[放请休]假|期间|之间|开[会放]|旅[行游]|培训|值班|上课|展|考|不在|参)"
)

# At the head of a text they are days if words stand behind them that measure nothing: 9.5-9.7 厦门.
_PLACE_BEHIND = later(r"\s(?![元块分折度个倍米斤公万千百%吨岁折])[一-龥]")


def _dotted_date(m: Found) -> Made:
    """2.12 where nothing else is said, 9.10-9.15 unless it is of a measure."""
    days = []
    for index, token in enumerate(m.tokens):
        if token.cat != "DEC":
            continue
        month, dot, number = m.word(index).partition(".")
        if not dot or len(number) > 2 or not (1 <= int(month) <= 12 and 1 <= int(number) <= 31):
            return None
        days.append((int(month), int(number)))
    first, *rest = (ex.Within(ex.Month(month), ex.Day(number)) for month, number in days)
    if not rest:
        firm = _THAT_DAY.match(m.text, m.tokens[0].end) or _SET_FOR.search(m.ahead)
        return first if firm else Weak(first)
    ahead = m.text[max(m.tokens[0].start - 4, 0) : m.tokens[0].start]
    if days[0] >= days[1]:
        return None
    made = ex.FromTo(first, rest[0])
    behind = _FROM_TO_DAY.match(m.text, m.tokens[-1].end) or (not m.before and _PLACE_BEHIND.match(m.text, m.tokens[-1].end))
    return made if _MEASURED.search(ahead) is None and behind else Weak(made)


def _clock_figures(m: Found) -> Made:
    """0730-0930: hours and minutes without a mark between them; one alone only beside a day."""
    if _foreign(m):
        return None
    clocks = []
    for index, token in enumerate(m.tokens):
        if token.cat != "INT":
            continue
        hour, minute = divmod(token.value, 100)
        if len(m.word(index)) != 4 or hour > 23 or minute > 59 or minute % 5:
            return None
        clocks.append(ex.Clock(hour, minute, twelve=False))
    zero = any(m.word(index)[0] == "0" for index in range(len(m.tokens)))
    if _COUNTS.match(m.after) or not (zero or len(clocks) > 1):
        return None
    made = clocks[0] if len(clocks) == 1 else ex.FromTo(*clocks)
    return made if zero and len(clocks) > 1 else Weak(made)


def _digits_date(m: Found) -> Made:
    """2010 01 29, and where nothing else is said 17-7."""
    year, month_, *rest = m.all("INT")
    if len(m.word(0)) == len(m.word(2)) == 4 and not rest:
        return _clock_figures(m)
    if re.match(r"\s?[点时号日月年天周个分小:]", m.after):
        return None
    if not rest and len(m.word(0)) == len(m.word(2)) == 2 and year < 13 and 1 <= month_ <= 31:
        return Weak(ex.Within(ex.Month(year), ex.Day(month_))) if year else None  # 08-15
    if not rest:
        named = len(m.word(0)) == 2 and 12 < year < 50 and 1 <= month_ <= 12
        return Weak(ex.Within(ex.Year(2000 + year), ex.Month(month_))) if named else None
    if [len(m.word(index)) for index in range(3)] != [4, 2, 2] or not 1900 <= year <= 2100:
        return None
    return figures_day(year, month_, rest[0])


# Dates of the lunar calendar that are feasts even where the calendar is not named.
_FEASTS = {(8, 15): "mid_autumn", (2, 2): "dragon_head", (3, 3): "shangsi"}

_COUNTED = later(
    r"建议|意见|要求|原因|理由|看法|想法|内容|好处|说明|感受|体会|希望|启示|不足|问题|经验|共识|区别|优势|缺点|注意|不|都|也|没|儿|点|式|档(?!期)"
)


# Behind these 三点 are three points to make.
_POINTS = ("第", "注意", "以下", "如下", "强调", "总结", "归纳", "补充", "说明", "重申", "提出", "几下")


_PRICED = later("[元块岁斤倍折度]|公[里斤]|美元")
# What one does by day, and words that tell the half of the day or are of the night.
_DOINGS = later(
    r"开(?:个|完|了|的)?(?:\w{0,3}会)|例会|周会|晨会|[的有个场]会(?![员计费儿议])|会议|会改|面试|面谈|见(?:客户|面|老师|医生)|[上下]课|[上下]班|放学|看(?:牙|病|房|医生)|牙医|体检|复诊|接(?:孩子|娃|儿子|女儿)|"
    r"汇报|培训|讲座|答辩|签约|评审|家长会|取(?:件|快递|票)|彩排|办(?:证|签证|手续)|约[了的好]?(?:客户|医生|牙医|律师|老师|中介)|考试|退房|入住"
)
_TOLD_HALF = later(r"[午夜晚晨早]|(?<!提)醒|睡|通宵|失眠|闹钟|天亮|熬")


def _by_day(m: Found) -> bool:
    """Whether the clause speaks of what is done by day, so that 三点 is that of the afternoon: 明天三点开会."""
    ahead, behind = _CLAUSES.split(m.ahead)[-1], _CLAUSES.split(m.behind, maxsplit=1)[0][:12]
    return (_DOINGS.search(behind) or _DOINGS.search(ahead[-12:])) is not None and not (
        _TOLD_HALF.search(ahead) or _TOLD_HALF.search(behind)
    )


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
    elif m.has("TA") or m.has("ZI"):  # Cantonese: the clock face's figures, five minutes each
        minute, plain = numbers[0] * 5, False
    elif numbers:
        if not m.has("FEN") and numbers[0] < 10 and m.tokens[2].cat != "DIGITS" and m.tokens[2].end - m.tokens[2].start < 2:
            return None
        minute, plain = numbers[0], False
        second = numbers[1] if len(numbers) > 1 else 0
    if numbers and not m.has("FEN") and _PRICED.match(m.after):  # 三点三十八元
        return None
    if minute > 59 or second > 59 or (hour == 24 and minute) or m.after == "方向":
        return None
    made = ex.Clock(hour, minute, second, 1 <= hour <= 12)
    if 1 <= hour <= 5 and not m.has("MERIDIEM") and _by_day(m):
        made = ex.Clock(hour + 12, minute, second)
    if m.has("MERIDIEM"):
        return ex.Clock(hour % 12 + (12 if m["MERIDIEM"] == "p" else 0), minute, second) if 1 <= hour <= 12 else made
    word = m.word(1)
    if plain and word != "点钟" and not m.has("ZHENG"):
        if word == "时" and m.tokens[0].cat == "NUM" and hour < 10 and m.after:
            return Weak(made)
        if hour == 0 and m.after[:1] == "几":  # 零点几
            return None
        if (hour == 1 and m.tokens[0].cat == "NUM") or m.before.endswith(_POINTS) or _COUNTED.match(m.after):
            return Weak(made)
    return made


def _pair(m: Found) -> Made:
    """三四点, 七八月, 十一二号, 九十点: from the one to the other."""
    said, high = m.word(0), m.tokens[0].value
    if said == "九十":
        low, high = 9, 10
    elif len(said) == 2 and said[0] in _DIGIT:
        low = _DIGIT[said[0]]
    elif len(said) == 3 and m.has("FEW"):
        low = high - 1
    else:
        return None
    if m.has("DIAN") and high <= 24:
        return ex.FromTo(*(ex.Clock(hour, twelve=hour <= 12) for hour in (low, high))) if m.word(1) != "时" else None
    if m.has("HAO") and high <= 31:
        return ex.FromTo(ex.Day(low), ex.Day(high))
    return ex.FromTo(ex.Month(low), ex.Month(high)) if m.has("YUE") and high <= 12 and said[0] not in "两俩" else None


def _days_of_month(m: Found) -> Made:
    """9月4、5、6号: several days of one month."""
    numbers = m.all("NUM", "INT")
    month = numbers.pop(0) if m.has("YUE") else None
    if sorted(set(numbers)) != numbers or not numbers[0] >= 1 or numbers[-1] > 31 or m.before.endswith("第"):
        return None
    if _NUMBERED.match(m.text, m.tokens[-1].end) or (month is not None and not 1 <= month <= 12):
        return None
    return ex.Union(tuple(ex.Day(n) if month is None else ex.Within(ex.Month(month), ex.Day(n)) for n in numbers))


def _months(m: Found) -> Made:
    """5、6、7月, 五、六两个月: several months, of which one number may say how many."""
    numbers = m.all("NUM", "INT")
    if m.has("DIGITS"):  # 六、七、八三个月
        numbers += divmod(m["DIGITS"], 10)
    if m.has("CL") and numbers.pop() != len(numbers):
        return None
    if sorted(set(numbers)) != numbers or not numbers[0] >= 1 or numbers[-1] > 12 or m.before.endswith("第"):
        return None
    return ex.Union(tuple(ex.Month(n) for n in numbers))


def _some_day(m: Found) -> Made:
    """二十几号, 八月十来号: one of ten days."""
    *month, tens = m.all("NUM", "INT")
    if tens not in (10, 20) or not all(1 <= number <= 12 for number in month):
        return None
    first, last = (ex.Within(ex.Month(month[0]), ex.Day(n)) if month else ex.Day(n) for n in (tens, tens + 9))
    return ex.FromTo(first, last)


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


_SERIES = later(r"[》剧番]|集(?!团)|综艺|节目|播|追到?第|更新到?第")


_UNNAMED = later(r"(?:^|[^一-龥]|[年度的在是到和与及从了])$")
_BUSINESS = later(r"[度初末底中]|[营业销]|财|利|收|GDP|报|预算|目标|净")


def _of_series(m: Found) -> bool:
    return _SERIES.search(m.text, max(m.tokens[0].start - 12, 0), m.tokens[-1].end + 6) is not None


def _nth(m: Found) -> Made:
    if m.has("HEAD") and m["NUM"] != 1:
        return None
    number = m.get("NUM", "INT") if m.has("DI") else 1
    tail = m.tokens[-1]
    sign = -1 if m.has("LAST") or m.has("DAOSHU") else 1
    if tail.cat == "WDAY" or (m.has("WEEK") and tail.cat == "INT"):
        day = _weekday_number(m)
        numbers = [t.value for t in m.tokens[:-1] if t.cat in ("NUM", "INT")]
        return None if day is None else ex.Nth(sign * (numbers[0] if numbers else 1), ex.Weekday(day))
    unit = tail.value
    if m.word(-1) == "季" and (m.after.startswith("第") or _of_series(m)):  # of a series
        return None
    if number is None or not 1 <= number <= 366 or unit in ("minute", "second", "hour"):
        return None
    if unit == "week" and number > 5:
        return ex.WeekNumber(number) if number <= 53 else None
    if unit == "quarter" and sign > 0:
        named = m.word(-1) == "季" and _UNNAMED.search(m.before) is None and _BUSINESS.match(m.text, tail.end) is None
        return None if number > 4 else Weak(ex.Quarter(number)) if named else ex.Quarter(number)  # 老友记第二季
    default = {"day": "day", "workday": "month", "week": "month", "weekend": "month", "month": "year", "quarter": "year"}.get(
        unit
    )
    if default is None:
        return None
    if unit == "day" and sign < 0:
        default = "month"
    made = ex.Nth(sign * number, unit, default)
    return Weak(made) if unit == "day" and number == sign == 1 else made


def _nths(m: Found) -> Made:
    """第一个和最后一个周六: several, of which the last says what is counted."""
    parts: list[list[Token]] = [[]]
    for token in m.tokens:
        if token.cat == "LIST":
            parts.append([])
        else:
            parts[-1].append(token)
    counted = parts[-1][-2:] if parts[-1][-1].cat == "INT" else parts[-1][-1:]
    made = [_nth(m.only(part + (counted if part is not parts[-1] else []))) for part in parts]
    each = tuple(one for one in made if isinstance(one, ex.Nth))
    return ex.Union(each) if len(each) == len(made) else None


def _mixed_nth(m: Found) -> Made:
    """第二个 weekend, 最后一个 Friday: English for what is counted."""
    number = m.get("NUM", "INT") or 1
    sign = -1 if m.has("LAST") or m.has("DAOSHU") else 1
    day, unit = m.get("EWD", "EWDWEAK"), m.get("EUNIT")
    if day is not None:
        return ex.Nth(sign * number, ex.Weekday(day))
    return ex.Nth(sign * number, unit, "year" if unit == "month" else "month") if unit in ("week", "weekend", "month") else None


_DAYS_OFF = later(r"(?:[节假五]期?|国庆|清明|端午|中秋|元旦)$")


def _head(m: Found) -> Made:
    amount = _amount(m)
    if amount is None:
        return None
    n, unit = amount.parts[0]
    if m.has("LAST"):
        return Weak(ex.Rolling(amount, 1, True)) if n > 1 else None
    if n == 1 and unit == "day":  # 头一天 of what?
        return Weak(ex.Rolling(amount, -1, True))
    if not n % 1 and _DAYS_OFF.search(m.before):  # 国庆头三天
        return ex.Run(int(n), unit)
    return ex.Rolling(amount, -1, True)


def _quarter(m: Found) -> Made:
    number = m.get("NUM", "INT")
    if m.word(0) in ("两", "俩"):
        return None
    if m.word(-1) == "季" and (m.after.startswith("第") or (m.before.endswith("第") and _of_series(m))):  # of a series
        return None
    return ex.Quarter(number) if number in (1, 2, 3, 4) else None


def _festival(m: Found) -> Made:
    key, said = m["FESTIVAL"], m.word(0)
    if said in _FIGURED and m.before[-1:] in ("块", "毛", "角"):
        return None
    if said in _FIGURED and re.match(r"[路街大广村小中班站桥青厂区块个元年月运馆巷湖礼式]|公园|儿童|医院|幼儿|小学", m.after):
        return None
    if m.has("LUNAR"):
        return ex.Festival(key)
    return ex.Festival(key, key in _WHOLE or (key in _LONG and m.has("PUBLIC")))


def _festival_days(m: Found) -> Made:
    """元旦三天假, 国庆这七天: the holiday, said with its days."""
    off = m["FESTIVAL"] in _LONG and (m.has("PUBLIC") or m.get("DIR") == 0 or m.after[:1] == "假")
    return ex.Festival(m["FESTIVAL"], True) if off else None


# Festivals spelt with figures alone: what follows may make them a street or a school.
_FIGURED = frozenset("五一 六一 五四 八一 三八 三一五".split())


_AT_NATIONAL_DAY = later(
    r"打算|准备|计划|去[哪了玩]|回老?家|出[去国游门行]|要去|想去|自驾|放假|放几天|那几天|你们?去|我们?(?:打算|准备|计划|要|想)?去"
)


def _eleventh(m: Found) -> Made:
    """十一: the national day, where it is a holiday or the whole text, and with a year beside it."""
    if m.word(0) != "十一":
        return None
    if m.has("PUBLIC"):
        return ex.Festival("national", True)
    if m.before == "" and _AT_NATIONAL_DAY.match(m.behind):  # 十一打算去哪
        return ex.Festival("national")
    return Weak(ex.Festival("national")) if re.match(r"(?![\w])|$|[去做玩干在有的我你是和到回那]", m.after) else None


# What stands ahead of 年前 and 年后 where no number of years does.
_ON_ITS_OWN = later(r"(?:^|[^\w]|[在到从赶等了的过着我你他们就都要是把去])$")


def _lunar_days(m: Found) -> Made:
    """初一到初七: of the first lunar month. 初一到初三 are the years of a school."""
    first, last = m.all("LDAY")
    return ex.FromTo(ex.Lunar(1, first), ex.Lunar(1, last)) if first < last and last > 3 else None


def _year_end(m: Found) -> Made:
    """年廿八: a day of the lunar year's last month, of which nobody says more than 年."""
    plain = m.word(1)[0] in "廿二" and not _COUNTS.match(m.after) and _ON_ITS_OWN.search(m.before)
    return ex.Lunar(12, m["NUM"]) if plain and 23 <= m["NUM"] <= 29 else None


def _lunar(m: Found) -> Made:
    tokens = m.tokens
    year: ex.Expression | None = None
    for index, token in enumerate(tokens):
        if token.cat == "NIAN":
            number = tokens[index - 1].value
            if not 1000 <= number <= 2999:
                return None
            year, tokens = ex.Year(number), tokens[index + 1 :]
            break
        if token.cat == "YEARWORD":
            year, tokens = ex.This("year", token.value), tokens[index + 1 :]
            break
    if m.has("NIAN_EDGE") and (m.word(0) != "年初" or m["NUM"] > 9 or _COUNTS.match(m.after)):  # 年初三
        return None
    if m.get("YUE_EDGE") not in (None, "early"):  # 五月底六月初
        return None
    month = next((t.value for t in tokens if t.cat == "LMONTH"), None)
    numbers = [t.value for t in tokens if t.cat in ("NUM", "INT")]
    if month is None and (m.has("DANIAN") or m.has("NIAN_EDGE")):
        month = 1
    if month is None:
        month, numbers = numbers[0], numbers[1:]
    number = next((t.value for t in tokens if t.cat == "LDAY"), numbers[0] if numbers else None)
    if not 1 <= month <= 12 or (number is not None and not 1 <= number <= 30):
        return None
    made = ex.Lunar(month, number, m.has("LEAP"))
    return made if year is None else ex.Within(year, made)


def _decade(m: Found) -> Made:
    value = m.get("NUM", "INT", "DIGITS")
    if value is not None and 1000 <= value <= 2090 and value % 10 == 0:
        return _decade_of(value)
    return ex.Decade(value) if value is not None and value % 10 == 0 and 0 <= value <= 90 else None


def _decades(m: Found) -> Made:
    """八九十年代, 七、八十年代: from the one to the other."""
    last = m.tokens[-2].value
    said = m.word(0)
    first = (_DIGIT[said[0]] if len(said) == 3 else m.tokens[0].value) if m.tokens[0].cat == "NUM" else 0
    if last is None or last % 10 or not 10 < last < 100 or not 0 < first < last / 10:
        return None
    return ex.FromTo(ex.Decade(first * 10), ex.Decade(last))


def _some_year(m: Found) -> Made:
    """八几年, 零几年, 一九八几年: a year of that decade, it is not said which."""
    tens = m.tokens[0].value
    if m.word(1) != "几" or m.tokens[0].cat == "INT":
        return None
    return _decade_of(tens * 10) if 100 <= tens <= 209 else ex.Decade(tens * 10) if tens < 10 else None


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
    if m.tokens[0].cat == "DAYWORD":
        unit = "day"
    elif m.tokens[0].cat == "YEARWORD":
        offset, unit = sum(m.all("YEARWORD")), "year"
    else:
        offset, unit = sum(m.all("DIR")), m.get("WEEK", "YUE", "NIAN", "QTR")
    if not offset:
        return None
    base: ex.Expression = ex.Now() if m.has("SAMETIME") or m.has("NOW") else ex.This("day", m.get("DAYWORD") or 0)
    return ex.Shift(base, ex.Amount(((abs(offset), unit),)), 1 if offset > 0 else -1)


def _same_day_ago(m: Found) -> Made:
    """一年前的今天, 三周后的今天: today, or now, moved by a length."""
    amount = _amount(m)
    if amount is None or amount.elapsed:
        return None
    sign = 1 if m.has("HOU") or m.has("ZHIHOU") else -1
    return ex.Shift(ex.This("day", m["DAYWORD"]) if m.has("DAYWORD") else ex.Now(), amount, sign)


# What makes 中 the beginning of another word: 中国, 中学, 中考.
_NOT_MIDDLE = later("[国学期医午考文心秋]")


def _unit_edge(m: Found, unit: str, cat: str) -> Made:
    """月底, 三月底, 上个月底; 年初, 2020年初: an edge written as one word with its unit."""
    number, steps = m.get("NUM", "INT", "DIGITS"), m.all("DIR")
    if m.has("EDGE"):  # 年中, 月中, but 五月中国队
        if m.word(-1) != "中" or _NOT_MIDDLE.match(m.after):
            return None
        cat = "EDGE"
    if unit == "quarter" and number is not None:
        return ex.Within(ex.Quarter(number), ex.Slice(m[cat])) if 1 <= number <= 4 else None
    if number is None:
        return ex.Within(ex.This(unit, sum(steps)), ex.Slice(m[cat])) if steps else ex.Slice(m[cat], unit)
    if unit == "year":
        year = number if 1000 <= number <= 2999 else two_digit_year(number) if 0 <= number <= 99 else None
        return None if year is None else ex.Within(ex.Year(year), ex.Slice(m[cat]))
    return ex.Within(ex.Month(number), ex.Slice(m[cat])) if 1 <= number <= 12 else None


def _unit_head(m: Found) -> Made:
    """下個月頭, 三月头: its first part, where no days are counted."""
    if _NUMBER_NEXT.match(m.after):
        return None
    if m.has("DIR"):
        return ex.Within(ex.This(m.get("YUE", "WEEK"), sum(m.all("DIR"))), ex.Slice("early"))
    if m.has("WEEK"):
        return ex.Slice("early", "week")
    number = m.get("NUM", "INT", "DIGITS")
    if number is None:
        return None if m.before[-1:] in ("个", "每") else ex.Slice("early", "month")
    return ex.Within(ex.Month(number), ex.Slice("early")) if 1 <= number <= 12 else None


_NUMBER_NEXT = later(r"[\d一二两三四五六七八九十几]")


def _edge(m: Found) -> Made:
    """三月底, 去年年底's 底, 11世纪初: the edge of what stands before it."""
    outer = m["X"]
    if (
        not isinstance(outer, ex.Month | ex.This | ex.Within | ex.Year | ex.Fixed | ex.Quarter | ex.Decade)
        or outer.grain < ex.GRAIN["week"]
    ):
        return None
    name = m.get("EDGE", "SLICE")
    if m.word(-1) == "中" and _NOT_MIDDLE.match(m.after):
        return None
    if outer.grain is ex.GRAIN["year"] and name in ("early", "late") and m.has("EDGE"):
        name = "start" if name == "early" else "end"
    if name == "mid" and m.has("EDGE") and outer.grain is not ex.GRAIN["month"] and outer.grain is not ex.GRAIN["year"]:
        return None
    return ex.Within(outer, ex.Slice(name))


def _from_to(m: Found) -> Made:
    first, last = m.all("X")
    if all(token.weak for token in m.tokens if token.cat == "X") and _COUNTS.match(m.after):
        return None  # 1100-1200元
    if m.has("QIAN") or m.has("ZHIQIAN"):
        if last.grain > ex.GRAIN["day"]:
            return None
        last = ex.Shift(last, ex.Amount(((1, "day"),)), -1) if last.grain is ex.GRAIN["day"] else last
    at = max(n for n, token in enumerate(m.tokens) if token.cat == "X")
    return _range(first, last, told_first=_CLOCK_AHEAD.match(m.word(at)) is None)


# Its day stands behind: "9am-10am tomorrow" is all of tomorrow, 两点到明天三点 is not.
_CLOCK_AHEAD = later("[\\d零一二两三四五六七八九十]")


def _range(first: ex.Expression, last: ex.Expression, *, told_first: bool) -> Made:
    if isinstance(first, ex.Recurring) or isinstance(last, ex.Recurring):
        return ex.Recurring()
    barred = (ex.Since, ex.Until, ex.FromTo, ex.Length)
    if isinstance(first, barred) or isinstance(last, barred):
        return None
    if isinstance(last, ex.Slice) and (whole := outer_of(first, last.of)) is not None:  # 八月二十五号到月底
        edge = ex.Nth(-1, "month" if last.of == "year" else "day") if last.name in ("late", "end") else last
        last = ex.Within(whole, edge)
    elif isinstance(last, ex.Slice) and last.of == "month" and last.name == "late" and isinstance(first, ex.Day):
        last = ex.Nth(-1, "day")
    day = last.outer if isinstance(last, ex.Within) else last
    while isinstance(day, ex.Within):
        day = day.outer
    if told_first and first.frame == "day" and isinstance(day, ex.This) and day.unit == "day" and day.offset > 0:
        first = ex.Within(ex.This("day"), first)  # a day said for the end only: the beginning is today
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
    first, number = m["X"], m.get("INT", "NUM", "LDAY")
    inner = innermost(first)
    if m.has("LDAY"):
        if isinstance(inner, ex.Festival) and inner.key in ("spring_festival", "spring_festival_eve"):
            inner = ex.Lunar(1, 1)
        return ex.FromTo(first, ex.Lunar(inner.month, number)) if isinstance(inner, ex.Lunar) else None
    if isinstance(inner, ex.Weekday) and 1 <= number <= 7:
        return ex.FromTo(first, ex.Weekday(number - 1))
    if isinstance(inner, ex.Day) and m.tokens[-1].cat == "INT" and 1 <= number <= 31:
        return ex.FromTo(first, ex.Day(number))
    return None


def _since(m: Found) -> Made:
    base = m["X"]
    if isinstance(base, ex.Since | ex.Until | ex.Recurring | ex.Length):
        return None
    if (
        isinstance(base, ex.Clock | ex.Within)
        and base.grain <= ex.GRAIN["hour"]
        and (m.word(-1) == "开始" or (m.word(-1) == "起" and not m.after[:1].isalnum()))
        and not m.has("ZFROM")
    ):
        return base  # a meeting that starts, or a person who gets up, at three
    if m.has("DIR") and m.word(next(n for n, t in enumerate(m.tokens) if t.cat == "DIR")) != "今":
        return None
    back = m.word(-1) in ("以来", "来") or m.word(0) == "自从"
    return ex.FromTo(base, ex.Now()) if m.has("TONOW") or m.has("DIR") else ex.Since(base, back=back)


def _after(m: Found) -> Made:
    base = m["X"]
    if isinstance(base, ex.Since | ex.Until | ex.Recurring | ex.Length | ex.Now | ex.Rolling | ex.Vague):
        return None
    entered = isinstance(innermost(base), ex.Season) and m.word(0)[-2] in "入开"  # 入秋以后
    return ex.Since(base, after=not (entered or isinstance(base, ex.Clock)))


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


def _from_day(m: Found) -> Made:
    """国庆第三天, 9月3号次日, 元旦前一天, 圣诞前夕: a day counted from another one."""
    base, *rest = m.all("X")
    if base.grain is not ex.GRAIN["day"]:
        return None
    if isinstance(base, ex.This):  # 明天往后三天; 明天 and 第二天 side by side are two days
        coming = isinstance(rest[0], ex.Rolling) and not rest[0].whole if rest else False
        return _days_from(base, rest[0].amount) if coming else None
    if base.frame is None and not isinstance(base, ex.Within | ex.Fixed):
        return None
    if m.has("EVE"):
        return ex.Shift(base, _for_days(1), -1) if m["EVE"] is None else ex.Within(base, _EVENING)
    other = rest[0]
    if isinstance(other, ex.Run):
        holiday = _holiday(base)
        return None if holiday is None else ex.Within(holiday, other)
    if isinstance(other, ex.Nth) and other.what == "day":
        holiday = _holiday(base)
        if holiday is not None and (other.n < 0 or holiday == base):
            return ex.Within(holiday, other)
        if other.n > 0:
            return ex.Shift(base, ex.Amount(((other.n - 1, "day"),)), 1) if other.n > 1 else base
    if isinstance(other, ex.This) and m.word(-1) in ("翌日", "次日", "隔天"):
        return ex.Shift(base, ex.Amount(((1, "day"),)), 1)
    if isinstance(other, ex.Within) and isinstance(other.outer, ex.Rolling) and other.outer.base is None:  # 国庆前一晚
        return ex.Within(beside(base, other.outer), other.inner)
    if isinstance(other, ex.Rolling) and other.base is None:
        return beside(base, other) if other.whole else _days_from(base, other.amount)
    return None


_THAT_WEEK = later(r"[那当](?:一个?|个)?(?:周|星期|礼拜)$")


def _week_about(m: Found) -> Made:
    """国庆那周, 5月1日当周, 端午那个周末: the week or the weekend about a day."""
    day, *rest = m.all("X")
    inner = innermost(day)
    if day.grain is not ex.GRAIN["day"] or not isinstance(
        inner, ex.Day | ex.Festival | ex.Lunar | ex.SolarTerm | ex.Fixed | ex.Numeric
    ):
        return None
    said = m.text[m.tokens[0].start : m.tokens[-1].end]
    if rest:
        if isinstance(rest[0], ex.Weekend) and m.tokens[-1].rules == ("zh.weekend",):
            return ex.WeekendBy(day)
        week = isinstance(rest[0], ex.Length) and _THAT_WEEK.search(said) is not None
        return ex.WeekOf(day) if m.word(-1) == "当周" or week else None
    return ex.WeekOf(day) if _THAT_WEEK.search(said) else None


def _rest_of_unit(m: Found) -> Made:
    """What of a unit is still to come; of one that does not hold now the word tells nothing."""
    whole = ex.This("day", m["DAYWORD"]) if m.has("DAYWORD") else ex.This("year", m["YEARWORD"]) if m.has("YEARWORD") else None
    if whole is None:
        steps = m.all("DIR")
        if len(set(steps)) > 1:
            return None
        whole = ex.This(m.get("WEEK", "YUE", "NIAN", "QTR", "WKND"), sum(steps))
    return None if whole.offset else ex.Rest(whole, 1)


def _about_new_year(m: Found) -> Made:
    """年前, 年后: the month before or after the Spring Festival, of which nobody says more than 年."""
    if not m.has("YEARWORD") and _ON_ITS_OWN.search(m.before) is None:
        return None
    feast: ex.Expression = ex.Festival("spring_festival")
    if m.has("YEARWORD"):
        feast = ex.Within(ex.This("year", m["YEARWORD"]), feast)
    return ex.Rolling(ex.Amount(((1, "month"),)), -1 if m.has("QIAN") or m.has("ZHIQIAN") else 1, base=feast)


def _mixed_unit(m: Found) -> Made:
    """next周三, 上个weekend: one language's word for which, the other's for what."""
    steps = m.all("DIR", "ENEXT", "ELAST", "EPREV", "ETHIS")
    if len(set(steps)) > 1:
        return None
    day = m.get("WDAY", "EWD", "EWDWEAK")
    if day is not None:
        return ex.Within(ex.This("week", sum(steps)), ex.Weekday(day))
    unit = m.get("WEEK", "YUE", "NIAN", "QTR", "WKND", "EUNIT")
    return ex.This(unit, sum(steps)) if unit in ("week", "weekend", "month", "quarter", "year") else None


def _nth_beside(m: Found) -> Made:
    """国庆后第一个周一, 春节前最后一个工作日, 中秋后的周末: counted from a day, which the text names."""
    base, other = m.all("X")
    if base.grain is not ex.GRAIN["day"] or isinstance(base, ex.Length | ex.Recurring | ex.Now):
        return None
    sign = -1 if m.has("QIAN") or m.has("ZHIQIAN") else 1
    nth = other if isinstance(other, ex.Nth) else ex.Nth(1, other) if isinstance(other, ex.Weekday | ex.Weekend) else None
    if nth is None:
        return None
    if nth.what == "day":
        return ex.Shift(base, ex.Amount(((abs(nth.n), "day"),)), sign)
    if nth.what == "workday":  # the days off about a festival are none
        base = _holiday(base) or base
    unit = nth.what if isinstance(nth.what, str) and nth.what in ("month", "quarter") else "week"
    window = ex.Amount(((abs(nth.n) + 1, unit),))
    return ex.Within(ex.Rolling(window, sign, base=base), ex.Nth(sign * abs(nth.n), nth.what))


def _from_for(m: Found) -> Made:
    """从9月5日起三天: a length that begins with a day."""
    base, length = m.all("X")
    if not isinstance(length, ex.Length) or base.grain is not ex.GRAIN["day"] or isinstance(base, ex.Length):
        return None
    return _days_from(base, length.amount)


def _holiday(e: ex.Expression) -> ex.Expression | None:
    """The whole holiday about a festival, with what surrounds it; None where there is none."""
    if isinstance(e, ex.Within):
        inner = _holiday(e.inner)
        return None if inner is None else ex.Within(e.outer, inner)
    return ex.Festival(e.key, True) if isinstance(e, ex.Festival) and e.key in _LONG | _WHOLE else None


def _days_from(base: ex.Expression, amount: ex.Amount) -> Made:
    """So many days or weeks, the day they are counted from among them."""
    n, unit = amount.parts[0]
    if len(amount.parts) > 1 or n % 1 or unit not in ("day", "week"):
        return None
    days = int(n) * (7 if unit == "week" else 1) - 1
    return ex.FromTo(base, ex.Shift(base, ex.Amount(((days, "day"),)), 1)) if days else base


def _daily_hours(m: Found) -> Made:
    """周一到周五9点到17点: the days; their hours have no single place."""
    first, last, close = m.all("X")
    day = last
    while isinstance(day, ex.Within) and day.grain < ex.GRAIN["day"]:
        day = day.outer
    timed = day is not last and close.grain < ex.GRAIN["day"]
    return ex.FromTo(first, day) if timed and first.grain is day.grain is ex.GRAIN["day"] else None


def _around(m: Found) -> Made:
    about = m.tokens[0]
    return None if isinstance(about.value, ex.Length) else Weak(about.value) if about.weak else about.value


def _passing(m: Found) -> Made:
    """再过三天, and 过三分钟 at the head of a clause; 去过三天 is none."""
    if m.word(0) == "再过" or not m.before.strip(" ,，。、!?！？").strip():
        amount = _amount(m)
        return None if amount is None else _moved(amount, m, 1)
    return None


_DAILY = frozenset("天天 每天 每日 每晚 每早 每每 夜夜".split())


def _recurring(m: Found) -> Made:
    return ex.Recurring(ex.This("day") if m.word(0) in _DAILY and len(m.tokens) == 1 else None)


PIECES = (
    Rule("zh.day_of_day", "(DAYWORD DE DAYWORD|YEARWORD DE YEARWORD)", lambda m: ex.This("day" if m.has("DAYWORD") else "year", sum(m.all("DAYWORD", "YEARWORD"))), {
        "明天的后天": "2026-09-06/2026-09-07", "去年的前年": "2023-01-01/2024-01-01"}),
    Rule("zh.same_day_ago", f"{_AMOUNT} (QIAN|ZHIQIAN|HOU|ZHIHOU) DE (DAYWORD|SAMETIME|NOW)", lambda m: _same_day_ago(m), {
        "一年前的今天": "2025-09-03/2025-09-04", "三周后的今天": "2026-09-24/2026-09-25", "两周前的这个时候": "2026-08-20T22:00/2026-08-20T22:00"}),
    Rule("zh.day_word", "DAYWORD", _day_word, {"去一次日本": "",
        "今天有会": "2026-09-03/2026-09-04", "大前天": "2026-08-31/2026-09-01", "隔天洗一次头": "-", "后天": "2026-09-05/2026-09-06"}),
    Rule("zh.same_unit", "YEARWORD DE? DIR CL? (WEEK|YUE|QTR)", lambda m: ex.Shift(ex.This(m.get("WEEK", "YUE", "QTR")), ex.Amount(((abs(n), "year"),)), 1 if n > 0 else -1) if (n := m["YEARWORD"]) and not m["DIR"] else None, {
        "去年这个月": "2025-09-01/2025-10-01", "前年的这个季度": "2024-07-01/2024-10-01"}),
    Rule("zh.same_day", "((YEARWORD (DE YEARWORD)?|DIR{1,3} CL? (WEEK|YUE|NIAN|QTR)) DE? (DAYWORD|SAMETIME|SAMEDAY)|DAYWORD DE? (SAMETIME|NOW))", _same_day, {
        "昨天这个时候": "2026-09-02T22:00/2026-09-02T22:00",
        "去年今天": "2025-09-03/2025-09-04", "上个月的今天": "2026-08-03/2026-08-04", "上个月同一天": "2026-08-03/2026-08-04", "和他同一天生日": "", "去年的这个时候": "2025-09-03T22:00/2025-09-03T22:00"}),
    Rule("zh.year_word", "YEARWORD", lambda m: ex.This("year", m["YEARWORD"]), {
        "去年": "2025-01-01/2026-01-01", "后年": "2028-01-01/2029-01-01"}),
    Rule("zh.word", "EXPR", lambda m: m["EXPR"], {
        "昨晚": "2026-09-02T18:00/2026-09-03T06:00", "三伏天去了哪里": "2026-07-15/2026-08-24", "去年中伏": "2025-07-30/2025-08-09", "末伏": "2026-08-14/2026-08-24",
        "数九寒天": "2026-12-22/2027-03-13", "下半年": "2026-07-01/2027-01-01", "月底": "2026-09-21/2026-10-01"}),
    Rule("zh.weak_word", "WEAK", lambda m: Weak(m["WEAK"]), {"周五晚": "2026-09-04T18:00/2026-09-05"}),
    Rule("zh.now", "NOW|CURRENT", lambda m: ex.Now() if m.has("NOW") else Weak(ex.Now()), {"当前": "2026-09-03T22:00/2026-09-03T22:00", "当前目录": "", "现在几点": "2026-09-03T22:00/2026-09-03T22:00"}),
    Rule("zh.recent", "RECENT", lambda m: ex.Vague(-1, either=True) if m.word(0) == "最近" else None, {
        "最近忙什么": "2026-08-21/2026-09-03T22:00", "最近要交什么": "2026-09-03/2026-09-17", "近期打算去体检": "2026-09-03/2026-09-17", "最近两三天": "2026-09-01/2026-09-04"}),
    Rule("zh.this_unit", "(DIR{1,4}|CURRENT) NUM? ZHENG? CL? (WEEK|YUE|NIAN|UNIT|QTR|WKND|WORKDAY|HALF NIAN)", _this_unit, {
        "上上周": "2026-08-17/2026-08-24", "大上个月": "2026-07-01/2026-08-01", "再上周": "2026-08-17/2026-08-24", "下个月": "2026-10-01/2026-11-01", "这周末": "2026-09-05/2026-09-07",
        "上一年": "2025-01-01/2026-01-01", "当前季度": "2026-07-01/2026-10-01", "本季度": "2026-07-01/2026-10-01"}),
    Rule("zh.just_over", "RECENT DIR? CL? (WEEK|WKND|YUE|NIAN|QTR)", lambda m: ex.This(m.get("WEEK", "WKND", "YUE", "NIAN", "QTR"), -1) if m.word(0)[0] == "刚" and not m.get("DIR") else None, {
        "刚过去的这个周末": "2026-08-29/2026-08-31", "过去的这个月": "2026-09-01/2026-10-01"}),
    Rule("zh.counted_units", f"DIR {_N} CL? {_U}", _counted_units, {
        "上两周": "2026-08-17/2026-08-31", "下三个月": "2026-10-01/2027-01-01", "这两天吃了什么": "2026-09-02/2026-09-04",
        "这两天要做什么": "2026-09-03/2026-09-05"}),
    Rule("zh.weekday", f"(DIR{{1,4}} CL?)? {_WEEKDAY}", _weekday, {
        "上周五": "2026-08-28/2026-08-29", "下下周一": "2026-09-14/2026-09-15", "周日": "2026-09-06/2026-09-07", "星期八乐队": "", "下周一下午": "2026-09-07T12:00/2026-09-07T18:00", "一周一次": "", "本周周四": "2026-09-03/2026-09-04",
        "礼拜三": "2026-09-02/2026-09-03", "9月3日（周四）": "2026-09-03/2026-09-04"}),
    Rule("zh.weekdays", f"(DIR{{1,4}} CL?)? {_WEEKDAY} (LIST? (NUM|FEW|DIGITS|INT)){{1,6}} RI?", _weekdays, {
        "周三五点": "2026-09-02T05:00/2026-09-02T05:00"}),
    Rule("zh.week_adverb", "(DIR{1,4} CL?)? WADV", _week_adverb, {
        "上周一共花了多少": "2026-08-24/2026-08-31", "周一起去": "2026-08-31/2026-09-01"}),
    Rule("zh.next_weekday", "(DIR|QIAN|HOU) NUM CL? WDAY", _next_weekday, {
        "上一个周五": "2026-08-28/2026-08-29", "下一个周日": "2026-09-06/2026-09-07"}),
    Rule("zh.saturday_sunday", "(DIR{1,4} CL?)? WDAY RI", _saturday_sunday, {"周六日": "2026-09-05/2026-09-07", "下周六日": "2026-09-12/2026-09-14"}),
    Rule("zh.weekend", "WKND", lambda m: ex.Weekend(), {"周末": "2026-09-05/2026-09-07"}),
    Rule("zh.year", "(NUM|INT|DIGITS) NIAN", _year, {
        "2019年": "2019-01-01/2020-01-01", "二〇二五年": "2025-01-01/2026-01-01", "98年": "1998-01-01/1999-01-01"}),
    Rule("zh.years", "INT (LIST INT){1,4} NUM? NIAN", _years, {"2023、2024个人": ""}),
    Rule("zh.era_year", "ERA ((NUM|INT) NIAN|YUANNIAN)", _era_year, {
        "民国三年": "1914-01-01/1915-01-01", "公元前1046年": "", "雍正元年": "1723-01-01/1724-01-01", "康熙三年五月": "1664-05-01/1664-06-01"}),
    Rule("zh.month", "(NUM|INT|DIGITS) YUE", _month, {"3月": "2026-03-01/2026-04-01", "十二月": "2026-12-01/2027-01-01"}),
    Rule("zh.month_day", "(NUM|INT|DIGITS) YUE (NUM|INT|DIGITS) (HAO|RI)?", _month_day, {
        "9月3号": "2026-09-03/2026-09-04", "七月十一日": "2026-07-11/2026-07-12", "07月11": "2026-07-11/2026-07-12", "2015年三月三号": "2015-03-03/2015-03-04", "八月十五": "2026-09-25/2026-09-26"}),
    Rule("zh.dotted_date", "DEC ((DASH|ZTO) DEC)?", lambda m: None if _foreign(m) else _dotted_date(m), {
        "2.12": "2026-02-12/2026-02-13", "涨了2.12": "", "9.10-9.15出差": "2026-09-10/2026-09-16", "评分9.1-9.5": ""}),
    Rule("zh.bare_figures", "INT", lambda m: _bare_year(m) or _clock_figures(m) if len(m.word(0)) == 4 else _sale_day(m), {"去年618": "2025-06-18/2025-06-19", "618元": "",
        "2019在哪住": "2019-01-01/2020-01-01", "在2019的时候": "2019-01-01/2020-01-01", "编号2019在哪": "", "2000块": "",
        "明天0930开会": "2026-09-04T09:30/2026-09-04T09:30", "0930": "2026-09-03T09:30/2026-09-03T09:30", "0930室": ""}),
    Rule("zh.digits_date", "(INT INT INT|INT DASH INT)", lambda m: None if _foreign(m) else _digits_date(m), {
        "0730-0930": "2026-09-03T07:30/2026-09-03T09:30",
        "2010 01 29": "2010-01-29/2010-01-30", "17-7": "2017-07-01/2017-08-01", "08-15": "2026-08-15/2026-08-16", "10-12点": "2026-09-03T10:00/2026-09-03T12:00", "得了08-15分": ""}),
    Rule("zh.unit_head", "((NUM|INT|DIGITS) YUE|DIR{1,4} CL? (YUE|WEEK)|WEEK|YUE) HEAD", _unit_head, {"月头": "2026-09-01/2026-09-11", "每个月头": "-", "周头开会": "2026-08-31/2026-09-03", "这周头两天": "2026-08-31/2026-09-02",
        "下個月頭": "2026-10-01/2026-10-11", "三月头": "2026-03-01/2026-03-11", "下星期头": "2026-09-07/2026-09-10", "上个月头两天": "2026-08-01/2026-08-03"}),
    Rule("zh.month_edge", "((NUM|INT|DIGITS)|DIR{1,4} CL?)? (YUE_EDGE|YUE EDGE)", lambda m: _unit_edge(m, "month", "YUE_EDGE"), {
        "三月底": "2026-03-21/2026-04-01", "下个月初": "2026-10-01/2026-10-11", "四月中下旬": "2026-04-11/2026-05-01", "三月中国队赢了": "2026-03-01/2026-04-01", "月中": "2026-09-11/2026-09-21"}),
    Rule("zh.week_edge", "(DIR{1,4} CL?)? WEEK_EDGE", lambda m: _unit_edge(m, "week", "WEEK_EDGE"), {
        "周初": "2026-08-31/2026-09-03", "下周中": "2026-09-09/2026-09-11", "上周尾": "2026-08-28/2026-08-31"}),
    Rule("zh.year_edge", "((INT|DIGITS)|DIR{1,4})? (NIAN_EDGE|NIAN EDGE)", lambda m: _unit_edge(m, "year", "NIAN_EDGE"), {
        "2020年底": "2020-11-01/2021-01-01", "年初": "2026-01-01/2026-03-01", "年中": "2026-05-01/2026-09-01", "过去十年中国变了": "2016-09-03/2026-09-04"}),
    Rule("zh.quarter_edge", "(DI? (NUM|INT)|DIR{1,4} CL?)? QTR_EDGE", lambda m: _unit_edge(m, "quarter", "QTR_EDGE"), {
        "一季度末": "2026-03-01/2026-04-01", "2025年第二季度末": "2025-06-01/2025-07-01", "上个季度末": "2026-06-01/2026-07-01"}),
    Rule("zh.day", "(NUM|INT|DIGITS) (HAO|RI)", _day, {"15号": "2026-09-15/2026-09-16", "15号楼": "", "第12号文件": "", "13月5日": "", "5号房租": "2026-09-05/2026-09-06", "二十日": "2026-09-20/2026-09-21", "25日出差": "2026-09-25/2026-09-26"}),
    Rule("zh.clock", "(NUM|INT) DIAN (ZHENG|HALF|(NUM|INT)? KE|TA? HALF|TA NUM|NUM CL ZI|GUO? (NUM|INT|DIGITS) FEN? ((NUM|INT) MIAO)?)? MERIDIEM?", _clock, {
        "6点30pm": "2026-09-03T18:30/2026-09-03T18:30", "三點兩個字": "2026-09-03T03:10/2026-09-03T03:10", "24点5度": "",
        "下午三点半": "2026-09-03T15:30/2026-09-03T15:30", "21点05分": "2026-09-03T21:05/2026-09-03T21:05",
        "明早八点一刻": "2026-09-04T08:15/2026-09-04T08:15", "明天三点开会": "2026-09-04T15:00/2026-09-04T15:00", "例会改到两点半": "2026-09-04T14:30/2026-09-04T14:30", "三点建议": "", "一点都不好玩": "", "两点钟方向": ""}),
    Rule("zh.clock_figures", "CLOCK DIAN?", lambda m: m["CLOCK"], {"明天11:00时": "2026-09-04T11:00/2026-09-04T11:00","晚上9:30": "2026-09-03T21:30/2026-09-03T21:30"}),
    Rule("zh.pair", "(FEW|NUM) (DIAN|YUE|HAO)", _pair, {"晚上九十点钟": "2026-09-03T21:00/2026-09-03T22:00", "十一二月": "2026-11-01/2027-01-01",
        "凌晨三四点": "2026-09-03T03:00/2026-09-03T04:00", "七八月去哪玩": "2026-07-01/2026-09-01", "两三点": "2026-09-03T02:00/2026-09-03T03:00"}),
    Rule("zh.days", "((NUM|INT) YUE)? (NUM|INT) (LIST (NUM|INT)){1,6} (HAO|RI)", _days_of_month, {
        "3、4号病房": ""}),
    Rule("zh.months", "(NUM|INT) (LIST (NUM|INT)){0,5} (LIST (NUM|INT) (YUE|NUM CL YUE)|LIST DIGITS CL YUE)", _months, {
        "1、2、13月": "", "3、4个月": "-"}),
    Rule("zh.some_day", "((NUM|INT) YUE)? NUM (FEW|LAI|DUO) HAO", _some_day, {
        "下个月二十几号": "2026-10-20/2026-10-30", "八月十来号去的": "2026-08-10/2026-08-20"}),
    Rule("zh.clock_short_of", "(CHA (NUM|INT) (FEN|KE|UNIT) ZTO? (NUM|INT) DIAN|(NUM|INT) DIAN CHA (NUM|INT) (FEN|KE|UNIT))", _clock_short_of, {
        "明天上午差十分九点": "2026-09-04T08:50/2026-09-04T08:50", "晚上八点差一刻": "2026-09-03T19:45/2026-09-03T19:45"}),
    Rule("zh.part_at_one", "NUM (PART|WEAK)", lambda m: m.get("PART", "WEAK") if m.word(0) == "一" and m.word(1) in ("早", "大早", "大早上") else None, {
        "明天一早": "2026-09-04T06:00/2026-09-04T09:00", "下周一早上": "2026-09-07T06:00/2026-09-07T09:00"}),
    Rule("zh.part", "PART", _part, {
        "周六下午茶": "2026-09-05T12:00/2026-09-05T18:00", "下午茶喝什么": "",
        "明天午饭后": "2026-09-04T13:00/2026-09-04T18:00", "早餐时间是几点": "",
        "昨天下午": "2026-09-02T12:00/2026-09-02T18:00", "明天凌晨": "2026-09-04/2026-09-04T06:00", "晚上好": "", "晚上好冷": "2026-09-03T18:00/2026-09-04"}),
    Rule("zh.decades", "NUM ((LIST|ZTO|DASH) NUM)? NIANDAI", _decades, {"八九十年代": "1980-01-01/2000-01-01", "七、八十年代": "1970-01-01/1990-01-01", "九十年代": "1990-01-01/2000-01-01"}),
    Rule("zh.some_year", "(NUM|DIGITS) FEW NIAN", _some_year, {"零几年": "2000-01-01/2010-01-01", "一九八几年": "1980-01-01/1990-01-01", "十几年": "-"}),
    Rule("zh.ago", f"{_AMOUNT} (QIAN|ZHIQIAN)", _ago(-1), {
        "3天前提交的": "2026-08-31/2026-09-01", "5分钟前端面试题": "-", "两个小时前": "2026-09-03T20:00/2026-09-03T20:00", "一个半小时之前": "2026-09-03T20:30/2026-09-03T20:30",
        "两周前": "2026-08-17/2026-08-24", "半年前": "2026-03-03/2026-03-04", "07年以前": "/2007-01-01", "两个半月前": "2026-06-18/2026-06-19", "两年零三个月前": "2024-06-03/2024-06-04",
        "三年多前": "2023-01-01/2024-01-01", "一千年前": "1026-01-01/1027-01-01", "十来天前": "2026-08-24/2026-08-25",
        "三个月前天气怎么样": "2026-06-01/2026-07-01", "两年前天津下雪": "2024-01-01/2025-01-01"}),
    Rule("zh.ago_between", f"(INT|NUM) (DASH|ZTO) (INT|NUM) CL? {_U} (QIAN|ZHIQIAN|HOU|ZHIHOU)", _ago_between, {
        "2-3天前": "2026-08-31/2026-09-02", "三到五天后": "2026-09-06/2026-09-09", "两三天前": "2026-08-31/2026-09-02"}),
    Rule("zh.from_now", f"GUO? {_AMOUNT} (HOU|ZHIHOU)", _ago(1), {
        "5天后": "2026-09-08/2026-09-09", "半小时后": "2026-09-03T22:30/2026-09-03T22:30", "再过三天以后": "2026-09-06/2026-09-07"}),
    Rule("zh.passing", f"GUO {_AMOUNT}", _passing, {"过三分钟提醒我": "2026-09-03T22:03/2026-09-03T22:03", "去过三天": "-","再过三天": "2026-09-06/2026-09-07"}),
    Rule("zh.still_to_go", f"(LIST|TOGO) {_AMOUNT}", lambda m: _moved(a, m, 1) if (m.word(0) == "还有" or m.has("TOGO")) and _THEN_IT_IS.match(m.behind) and (a := _amount(m)) else None, {
        "还有三天就到期了": "2026-09-06/2026-09-07", "还有两周开学": "2026-09-14/2026-09-21", "还有三天假": "-", "还差五天到期": "2026-09-08/2026-09-09", "还剩三天": "-"}),
    Rule("zh.past_window", f"RECENT (DE|DIR)? {_AMOUNT} (NEI|LAI)?", _rolling(-1), {
        "过去七天": "2026-08-28/2026-09-04", "最近这一周": "2026-08-27/2026-09-04", "最近三个周末": "2026-08-15/2026-08-31", "近两个月": "2026-07-03/2026-09-04",
        "过去两小时": "2026-09-03T20:00/2026-09-03T22:00"}),
    Rule("zh.since_window", f"DIR? {_AMOUNT} (LAI|SINCE)", lambda m: _rolling(-1)(m) if m.word(-1) in ("来", "以来") and not m.get("DIR") else None, {"这一个月来": "2026-08-03/2026-09-04","三天以来": "2026-09-01/2026-09-04"}),
    Rule("zh.coming_window", f"COMING DE? {_AMOUNT} NEI?", _rolling(1), {"未来三天": "2026-09-03/2026-09-06"}),
    Rule("zh.within", f"{_AMOUNT} NEI", lambda m: _inside(m), {"一周内": "2026-09-03/2026-09-10", "三天内的聊天记录": "2026-09-01/2026-09-04"}),
    Rule("zh.within_unit", "(NIAN|YUE) NEI", lambda m: ex.This(m.tokens[0].value) if m.word(1).endswith("内") and not _THE_SAME.search(m.before) else None, {"在同一个月内": "", "年内要买车": "2026-01-01/2027-01-01", "年中": "2026-05-01/2026-09-01"}),
    Rule("zh.before_window", f"(QIAN|ZHIQIAN) DE? {_N} CL? {_U}", _rolling(-1, True), {"前两天": "2026-09-01/2026-09-03", "考试前一天晚上": "", "小王前两天来了": "2026-09-01/2026-09-03", "前三个月": "2026-06-01/2026-09-01", "之前两个月": "2026-07-01/2026-09-01", "前2月": "2026-07-01/2026-09-01", "提前15分钟到": "-"}),
    Rule("zh.night_beside", "(QIAN|HOU) NUM WEAK", lambda m: ex.Within(ex.Rolling(_for_days(1), -1 if m.has("QIAN") else 1, True), _EVENING) if m["NUM"] == 1 and m.word(-1) == "晚" else None, {
        "国庆前一晚": "2026-09-30T18:00/2026-10-01", "考试前一晚": ""}),
    Rule("zh.after_window", f"HOU DE? {_N} CL? {_U}", _rolling(1, True), {"后两周": "2026-09-07/2026-09-21", "手术后三天": ""}),
    Rule("zh.head", f"(HEAD|LAST) {_N} CL? {_U}", _head, {"八月最后三天": "2026-08-29/2026-09-01", "最后两天打折": "","上个月头三天": "2026-08-01/2026-08-04"}),
    Rule("zh.half_of", "SLICE CL? (NIAN|YUE)", lambda m: _half_of(m), {"2018年前半年": "2018-01-01/2018-07-01", "下半个月": "2026-09-16/2026-10-01"}),
    Rule("zh.nth", f"(DI (NUM|INT)|LAST NUM?|DAOSHU DI (NUM|INT)) CL? ({_WEEKDAY}|{_U})|HEAD NUM CL? ({_WEEKDAY}|WKND)", _nth, {
        "下个月头一个礼拜天": "2026-10-04/2026-10-05", "二季度前两个月": "2026-04-01/2026-06-01",
        "三月第二周": "2026-03-09/2026-03-16", "第一季第三集": "-", "上个月最后一个星期五": "2026-08-28/2026-08-29", "2026年第36周": "2026-08-31/2026-09-07"}),
    Rule("zh.nths", f"((DI (NUM|INT)|LAST NUM?|DAOSHU DI (NUM|INT)) CL? LIST){{1,3}} (DI (NUM|INT)|LAST NUM?|DAOSHU DI (NUM|INT)) CL? ({_WEEKDAY}|{_U})", _nths, {
        "第一个和最后一个朋友": ""}),
    Rule("zh.mixed_nth", "(DI (NUM|INT)|LAST NUM?|DAOSHU DI (NUM|INT)) CL? (EUNIT|EWD|EWDWEAK)", _mixed_nth, {
        "9月的第二个 weekend": "2026-09-12/2026-09-14", "下个月最后一个Friday": "2026-10-30/2026-10-31", "第三个day": ""}),
    Rule("zh.rest_of_unit", "DIR{1,4} CL? (WEEK|YUE|NIAN|QTR|WKND) DE? REST|(YEARWORD|DAYWORD) DE? REST", _rest_of_unit, {
        "本周剩下的时间": "2026-09-03T22:00/2026-09-07", "今年余下的时间": "2026-09-03T22:00/2027-01-01", "上周剩下的菜": "2026-08-24/2026-08-31"}),
    Rule("zh.about_new_year", "YEARWORD? NIAN (QIAN|HOU|ZHIQIAN|ZHIHOU)", _about_new_year, {
        "年后要见的人": "2027-02-07/2027-03-07", "今年年前买的": "2026-01-17/2026-02-17", "三年前": "2023-01-01/2024-01-01", "多年前的事": ""}),
    Rule("zh.mixed_unit", "(ENEXT|ELAST|EPREV|ETHIS) CL? (WDAY|WEEK|YUE|NIAN|QTR|WKND)|DIR{1,3} CL? (EUNIT|EWD|EWDWEAK)", _mixed_unit, {
        "next周三": "2026-09-09/2026-09-10", "last 周末": "2026-08-29/2026-08-31", "上个weekend": "2026-08-29/2026-08-31", "下个 Monday": "2026-09-07/2026-09-08",
        "下个day": ""}),
    Rule("zh.quarter", "(NUM|INT) QTR", _quarter, {"三季度": "2026-07-01/2026-10-01", "春秋两季": "-"}),
    Rule("zh.festival_days", "FESTIVAL DE? DIR? NUM TIAN PUBLIC?", _festival_days, {
        "元旦三天假": "2026-01-01/2026-01-04", "国庆这七天": "2026-10-01/2026-10-08", "国庆七天后": "2026-10-08/2026-10-09", "端午三天假期": "2026-06-19/2026-06-22"}),
    Rule("zh.festival", "LUNAR? FESTIVAL DE? PUBLIC?", _festival, {
        "中秋节": "2026-09-25/2026-09-26", "国庆假期": "2026-10-01/2026-10-08", "去年端午": "2025-05-31/2025-06-01", "六一路": "", "五四青年": ""}),
    Rule("zh.national_day", "NUM PUBLIC?", _eleventh, {"十一": "2026-10-01/2026-10-02", "十一假期": "2026-10-01/2026-10-08", "十一个人": "", "十一打算去哪": "2026-10-01/2026-10-02", "十一度": ""}),
    Rule("zh.solar_term", "TERM", lambda m: ex.SolarTerm(m["TERM"]) if m.word(0) not in ("大雪", "小雪", "雨水", "小满", "大暑") else Weak(ex.SolarTerm(m["TERM"])), {
        "立秋": "2026-08-07/2026-08-08", "冬至那天": "2026-12-22/2026-12-23", "昨天下了大雪": "2026-09-02/2026-09-03"}),
    Rule("zh.lunar", "LUNAR ((NUM|INT|DIGITS) NIAN|YEARWORD)? LEAP? ((NUM|INT) (YUE|YUE_EDGE)|LMONTH) (LDAY|NUM|INT)? (RI|HAO)?", _lunar, {
        "农历八月初八": "2026-09-18/2026-09-19", "阴历二〇二一年六月": "2021-07-10/2021-08-08"}),
    Rule("zh.year_end", "NIAN NUM", _year_end, {
        "年廿八大扫除": "2027-02-04/2027-02-05", "年二十三": "2027-01-30/2027-01-31", "年二十几": ""}),
    Rule("zh.lunar_plain", "LEAP? ((NUM|INT) YUE LDAY|(NUM|INT) YUE_EDGE NUM|LMONTH (LDAY|NUM|INT)?|DANIAN LDAY|NIAN_EDGE NUM)", _lunar, {"大年初五": "2026-02-21/2026-02-22","正月初三": "2026-02-19/2026-02-20", "年初三": "2026-02-19/2026-02-20", "年初三个人": "2026-01-01/2026-03-01", "五月底": "2026-05-21/2026-06-01", "2019年腊月初一": "2019-12-26/2019-12-27"}),
    Rule("zh.lunar_days", "LDAY (ZTO|DASH) LDAY", _lunar_days, {"初一到初七": "2026-02-17/2026-02-24", "初一到初三": ""}),
    Rule("zh.century", "(NUM|INT) UNIT", _century, {"20世纪": "1900-01-01/2000-01-01"}),
    Rule("zh.decade", "(NUM|INT|DIGITS) NIANDAI", _decade, {"九十年代": "1990-01-01/2000-01-01", "20世纪80年代": "1980-01-01/1990-01-01"}),
    Rule("zh.every", f"(EVERY (NUM|INT)? CL? ({_WEEKDAY} (LIST? (NUM|FEW|DIGITS|INT)){{0,6}}|{_U}|PART|YUE_EDGE|NIAN_EDGE|QTR_EDGE) WORKDAY?|WORKDAY|EVERYDAY|OFTEN (NUM|RI|TIAN|WORKDAY)?)", _recurring, {
        "每月4号": "-", "每周六上午9点到11点": "-", "每周工作日9点": "-", "每周一三五有课": "-", "工作日早上": "-", "每年母亲节": "-", "每到月底就没钱": "-", "每个受方": "",
        "每周五开会": "-", "每天早上跑步": "-", "天天加班": "-"}),
    Rule("zh.length", _AMOUNT, _length, {"睡了三个小时": "-", "三百页": ""}),
)  # fmt: skip


_OVER, _CLAUSES = re.compile("[了过]|过去|曾"), re.compile("[，。；,;!！?？\n]")


# What there is of times that are over.
_KEPT = later(
    r"\s?的?[^，。？?要将得该]{0,4}?(?:消息|聊天|记录|邮件|照片|支出|消费|花销|通话|动态|日记|笔记|变化|新闻|发生|步数|体重|睡眠|心情|发言|对话)"
)


def _inside(m: Found) -> Made:
    amount = _amount(m)
    if amount is None:
        return None
    past = _OVER.search(_CLAUSES.split(m.ahead)[-1]) or _OVER.search(_CLAUSES.split(m.behind, maxsplit=1)[0])
    return ex.Rolling(amount, -1 if past or _KEPT.match(m.behind) else 1)


def _half_of(m: Found) -> Made:
    name = m["SLICE"]
    if name not in ("first_half", "second_half"):
        return None
    return ex.Half(1 if name == "first_half" else 2) if m.has("NIAN") else ex.Slice(name, "month")


PHRASES = (
    Rule("zh.from_to", "(ZFROM|BY)? X DE? SINCE? (ZTO|DASH) X (BETWEEN|END|QIAN|ZHIQIAN)?", _from_to, {"从9月1日起到9月15日之前": "2026-09-01/2026-09-15",
        "上周三到周五": "2026-08-26/2026-08-29", "下午两点到四点半": "2026-09-03T14:00/2026-09-03T16:30", "9月3号到5号": "2026-09-03/2026-09-06", "七月中旬到下旬": "2026-07-11/2026-08-01",
        "下周一到下下周一": "2026-09-07/2026-09-15", "八月25号到月底": "2026-08-25/2026-09-01", "去年8月到年底": "2025-08-01/2026-01-01", "去年3月至今年5月": "2025-03-01/2026-06-01", "从2018年12月九号到十五号": "2018-12-09/2018-12-16", "自5月26起至5月29止": "2026-05-26/2026-05-30",
        "下午2点到明天下午3点": "2026-09-03T14:00/2026-09-04T15:00", "明天下午3点至下午8点": "2026-09-04T15:00/2026-09-04T20:00", "9am-10am tomorrow": "2026-09-04T09:00/2026-09-04T10:00"}),
    Rule("zh.between", "X (LIST|DASH) X BETWEEN", _from_to, {"3月和5月之间": "2026-03-01/2026-06-01"}),
    Rule("zh.bare_to", "(INT|NUM) (ZTO|DASH) X", _bare_to, {"9到11点": "2026-09-03T09:00/2026-09-03T11:00", "3-5月": "2026-03-01/2026-06-01"}),
    Rule("zh.to_bare", "X (ZTO|DASH) (INT|NUM|LDAY)", _to_bare, {"大年初一到初七": "2026-02-17/2026-02-24", "除夕到初三": "2026-02-16/2026-02-20", "周一到五": "2026-08-31/2026-09-05"}),
    Rule("zh.since_unto", "ZFROM? X (SINCE? (TONOW|ZTO DIR) END?|SINCE)", _since, {
        "上周以来": "2026-08-24/", "入冬以来": "2025-12-01/", "8月1日至今": "2026-08-01/2026-09-03T22:00", "从昨天开始": "2026-09-02/", "从现在开始": "2026-09-03T22:00/", "明天三点开始": "2026-09-04T03:00/2026-09-04T03:00", "年初至今": "2026-01-01/2026-09-03T22:00", "从2001年起至今": "2001-01-01/2026-09-03T22:00"}),
    Rule("zh.from_for", "ZFROM? X DE? SINCE DE? X", _from_for, {"从9月5日起三天": "2026-09-05/2026-09-08", "明天起一周": "2026-09-04/2026-09-11"}),
    Rule("zh.onward", "X COMING", lambda m: _since(m) if m.word(-1) in ("往后", "此后") and m["X"].grain is ex.GRAIN["day"] else None, {"上个月二十号往后": "2026-08-20/"}),
    Rule("zh.on_or_before", "X DE? UPTO", _through, {"9月1日或之前": "/2026-09-02"}),
    Rule("zh.on_or_after", "X DE? ONWARD", _since, {"9月1日及之后": "2026-09-01/"}),
    Rule("zh.from_day", "X DE? (X|EVE)", _from_day, {
        "国庆第三天": "2026-10-03/2026-10-04", "国庆最后一天": "2026-10-07/2026-10-08", "国庆第一天": "2026-10-01/2026-10-02", "9月3号次日": "2026-09-04/2026-09-05", "圣诞前夕": "2026-12-24/2026-12-25", "国庆前一天晚上": "2026-09-30T18:00/2026-10-01", "明天往后三天": "2026-09-04/2026-09-07"}),
    Rule("zh.week_about", "X DE? (WEEK|X)", _week_about, {
        "国庆那周": "2026-09-28/2026-10-05", "端午那个周末": "2026-06-19/2026-06-22", "9月10号当周": "2026-09-07/2026-09-14", "中秋周末": "2026-09-25/2026-09-28", "中秋周年": "2026-09-25/2026-09-26"}),
    Rule("zh.since", "ZFROM X", lambda m: _since(m) if m.word(0) in ("自", "自从") else None, {"自上个月": "2026-08-01/"}),
    Rule("zh.edge", "X DE? (EDGE|SLICE)", _edge, {"去年初": "2025-01-01/2025-03-01", "11世纪初": "1000-01-01/1033-01-01"}),
    Rule("zh.nth_beside", "X (HOU|ZHIHOU|QIAN|ZHIQIAN) DE? X", _nth_beside, {
        "国庆后第一个周一": "2026-10-05/2026-10-06", "春节前最后一个工作日": "2026-02-13/2026-02-14", "国庆后第一个工作日": "2026-10-08/2026-10-09",
        "中秋后的周末": "2026-09-26/2026-09-28", "9月10号后第二天": "2026-09-12/2026-09-13"}),
    Rule("zh.event_offset", "X DE? X (QIAN|ZHIQIAN|HOU|ZHIHOU)", _event_offset, {"2月13号的一个月以前": "2026-01-13/2026-01-14"}),
    Rule("zh.after", "X DE? (HOU|ZHIHOU)", _after, {"8月1日之后": "2026-08-02/", "入秋以后": "2026-09-01/", "今年入夏之后": "2026-06-01/", "今晚八点以后": "2026-09-03T20:00/"}),
    Rule("zh.before", "X DE? (QIAN|ZHIQIAN)", _before, {"周五之前": "/2026-09-04", "去年以前": "/2025-01-01"}),
    Rule("zh.before_that_too", "X INCL DE? (QIAN|ZHIQIAN)", _through, {"9月15日（含）前提交": "/2026-09-16"}),
    Rule("zh.after_that_too", "ZFROM? X INCL DE? (HOU|ZHIHOU|SINCE)", lambda m: ex.Since(m["X"]) if m["X"].grain is ex.GRAIN["day"] else None, {"自10月1日（含）起": "2026-10-01/"}),
    Rule("zh.once_over", "X OVER (QIAN|ZHIQIAN|HOU|ZHIHOU)", lambda m: (_through if m.has("QIAN") or m.has("ZHIQIAN") else _after)(m), {
        "Q3结束之前": "/2026-10-01", "这个月过完以后": "2026-10-01/", "九月结束了": "2026-09-01/2026-10-01"}),
    Rule("zh.until", "((BY|ZTO) X|X END|BY X END)", lambda m: _through(m) if m.tokens[0].cat != "ZTO" or m.word(0).endswith("直到") else None, {"直到上个月": "/2026-09-01", "截止到周五": "/2026-09-05"}),
    Rule("zh.earlier", "EARLIER X", _before, {"早于2009年": "/2009-01-01"}),
    Rule("zh.later", "LATER X", lambda m: ex.Since(m["X"], after=m["LATER"]) if m["X"].frame or isinstance(m["X"], ex.This | ex.Year | ex.Fixed | ex.Within) else None, {
        "晚于周五": "2026-09-05/", "不早于9月10日": "2026-09-10/"}),
    Rule("zh.daily_hours", "ZFROM? X (ZTO|DASH) X (ZTO|DASH) X", _daily_hours, {"周一到周五上午9点到12点": "2026-08-31/2026-09-05", "今天8点到10点到站": "2026-09-03T08:00/2026-09-03T10:00"}),
    Rule("zh.in_zone", "ZZONE DE? X|X DE? PAREN? ZZONE PAREN?", lambda m: in_zone(m["X"], m["ZZONE"]), {
        "美东时间明天上午10点": "2026-09-04T22:00/2026-09-04T22:00", "周五下午三点（伦敦时间）": "2026-09-04T22:00/2026-09-04T22:00", "北京时间今晚八点": "2026-09-03T20:00/2026-09-03T20:00",
        "明天GMT下午两点": "2026-09-04T22:00/2026-09-04T22:00", "明天美西那边没人": "2026-09-04/2026-09-05"}),
    Rule("zh.around", "X (AROUND|BETWEEN)", _around, {"三点左右": "2026-09-03T03:00/2026-09-03T03:00"}),
)  # fmt: skip

# --- tense ----------------------------------------------------------------------------------------------------------------

# What one is told not to do is not done: 别记错了. What is put on a day may be still to come: 约到了周五.
_TOLD_NOT = r"(?<!(?<![特分告离区级])别[一-龥])(?<!(?<![特分告离区级])别[一-龥]{2})(?<!(?<![特分告离区级])别[一-龥]{3})"
_PUT = r"(?<![约定排改推拖挪延调]到)(?<![约定排改推拖挪延调]在)(?<![约定排改推拖挪延调]成)(?<!就(?:放假|开学|毕业|结婚|考试|到期|出发|过年|上班|手术))"
PAST = later(
    # What is booked or called off may be still to come; 下了班 is no past.
    rf"{_TOLD_NOT}{_PUT}(?<![约订排不])(?<!取消)(?<![订约定买]好)(?<![排约订]满)[了过](?![年节会来去期程于头班课]|一[遍下眼])|已经|曾|刚刚?|当时|那时|(?<![晚早])上[次回]|昨|去年|前天|没[有能]?[^事空]{{0,6}}[过到成完]|(?:到货|[买收寄领搬修拍换])的(?=[，,。！!]|$)|(?<![要该得想能会])[搬提拆种拔报装]的[一-龥]{{1,3}}(?=[，,。！!]|$)|{_TOLD_NOT}[做干吃去见聊说写看买学玩走发]了"
    r"|(?:发生|完成|结束|做|去|见|聊|说|写|看|买|吃|学)过|干嘛了|都(?:做|干|去|聊|说|写|看|买|吃)[^些]{0,3}了|(?:是|在)[^，。]{0,12}(?:买|来|去|做|说|写|学|见|认识|搬|入职|毕业|结婚)的"
    r"|[点半]才(?:起|到|睡|醒|下班|回|吃)|[点半刻分](?:才|就|钟)?(?:到|来|走|出门|起|睡|吃|回|下班|醒|进)的"
)
FUTURE = later(
    r"将|要(?!是|不是|求|素|点|紧|闻|么|死|命|害)(?<!主要)(?<!为什么要)(?<!重要)(?<!需要)(?<!必要)(?<!想要)(?<!只要)|需要|想要|会(?=[去来不有在发]|议(?!纪要|记录|总结))(?<!开会)(?<!议会)(?<!社会)(?<!机会)|打算|准备|计划|安排|预定|预约|即将|待办|截止(?![到至])|到期|前[把将得要]|(?:周|星期|礼拜)[一二三四五六日天][上下中晚早]?[午上]?[之以]?前(?!天)|"
    r"该(?=去|做|交|还)|得(?=去|做|交|还|开|赶)|(?:改|挪|推迟?|延期?|提前|顺延|调整?)[到至成在]|明天|后天|明年|下次|记得|提醒|别忘|预计|估计|有空|约(?=在|好)|出差去|未来|接下来"
)

# --- cues -----------------------------------------------------------------------------------------------------------------

# What a question asks for; `planner.modes` weighs them in its own order.
_RECORD = r"(?:笔记|任务|提醒|待办|备忘|日记|便签|清单|[书歌片]单|文档|文件|表格|[算划计间报]表|草稿|记录|记忆|日程|书签|收藏|菜谱|闹钟|条目|卡片|标签|相册)"
_NEXT = r"下一?[次回场趟]|下一[班节轮堂期集部顿]|下一?个(?![月周星礼季世学年])"
_MUST = r"(?:要|得|该|必须|需要?|务必)"
_OWED = r"(?:交(?![流通谈往际友])|付|缴|归还|递交|还(?=的|哪|什么|多少|钱|款|给|谁|书|[？?]|$))"
ASKS = {
    "records": later(_RECORD),
    "record_todo": later(r"任务|待办|提醒"),
    "record_note": later(r"笔记|备忘|日记|便签"),
    "ask_created": later(
        rf"新建|创建|新增(?=了?(?:什么|哪|啥|几|的|[？?]|$)|[^，。？?]{{0,8}}?{_RECORD})|新加|"
        r"登记(?:[了过](?!结婚|酒店)|的(?=支出|费用|开销|收入|账|信息|客户|物品|名单|[？?]|$))|(?<=哪天)加的|录(?:了|过|的)[^，。？?]{0,4}(?:音频|视频|录音)|添加|录入|保存|收藏(?!夹|里)|记下|写下|存下|存档|建立|(?<!聊天)记录(?=了|过|下)|"
        rf"(?:建|写|记|存|加|设[置定]?|列|添|录|标|开|生成)(?:了|过|的|好|进|到|入)+[^，。？?说聊]{{0,10}}?{_RECORD}|做(?:了|过|的)[^，。？?]{{0,4}}(?:笔记|记录|清单|表|导图|幻灯|ppt|模板)|生成(?:了|过|的)|(?<![修搭盖扩福封组基新重改])建的(?![房楼路桥])|"
        r"(?<!忘)(?<!登)记(?:了|过)(?!账|仇)|(?<![忘登])记的(?!得|没|不|是)|存(?:了|过|的)(?![^，。？?]{0,4}钱)|标(?:星|记)|上传|"
        rf"{_RECORD}(?:录|夹)?[^，。？?]{{0,12}}?(?:加|建|设|写|记|存|录)(?:了|的|过|下)"
    ),
    "ask_due": later(
        r"截止(?:日期?|时间|期)?|截稿|到期|逾期|超期|过期|不能再?拖|(?:还(?:有|剩)?|有(?:什么|哪些|啥))[^，。？?]{0,6}没(?:交(?!到|过)|还(?!有)|付|缴)(?=的|$|[？?])|欠(?![了过缺佳])|续(?:费|期|保)(?![了过的])|扣(?:款|费|钱)?(?=[？?]|$)|deadline|ddl|期限|还款(?![了过])|(?<![得个件])最[晚迟](?!发生|出现|的)|失效|限期|交(?=什么|哪些)|不[交还付缴]就|"
        rf"{_MUST}[^，。？?了过]{{0,4}}?{_OWED}|提交(?=什么|哪)|必须|务必|{_MUST}[^，。？?了过]{{0,4}}(?:完成|搞定|弄完|做完|写完|办[完好])|(?:什么时候|啥时候|哪[天日]|几[号点]|何时){_MUST}?(?:交(?![流通谈往际友])|还(?!有|能|会|可)|付|缴)(?![^，。？?]*[的了过])|(?:哪[天日]|几[号点]|什么时候|啥时候|何时)[之以]?前{_MUST}?(?:提交|交(?![流通谈往际友])|还(?!有|能|会|可)|付|缴|办[完好])|(?<![目眼当先提此])前[^，。？?想]{{0,2}}{_MUST}|(?<=[之以天日周月年季期时钟])内[^，。？?想]{{0,2}}{_MUST}"
    ),
    # Talk that is measured is itself what happened: 跟小李聊了多久.
    "ask_measured": later(r"(?:聊|谈|吵|讨论|通话|打电话|说话)[^，。？?]{0,4}?(?:多久|多长时间|多少(?:分钟|小时|次)|几(?:分钟|个?小时|[次回]))"),
    "ask_mentioned": later(
        r"原[话句文]|回绝|公告(?!栏)|劝(?:我|你|他|她|说)|提(?:到|过|起|及|的|了)|(?<![小听据传演解来请])说(?![明服不说一下])|聊|(?<!听)讲(?![座课究师台讲一])|谈(?!恋爱)|讨论|告诉(?!我)|(?<!^)(?<![请能以我])告诉我|"
        r"问(?:过|了|的|你|我|谁)|回复(?:了|过|的|我)|吐槽|抱怨|念叨|形容|描述|夸|答应|表达|消息[里中]|条消息|发(?:过|的|了)(?:什么|哪|那|几)?[^，。？?烧]{0,3}(?:[话句字]|英文|消息|链接|群|图|照片|语音)|"
        r"输入|打(?:过|了|的)?[^，。？?]{0,3}字|主意|评价|解释|反馈|请教|提议|承诺(?!书)|坦白|汇报(?!会)|道歉|回应|语音|[句段]话|话题|留言|评论|转发|分享|群里|微信里|聊天|推荐|建议|交代|嘱咐|叮嘱|转告|问起|(?:^|[^我])[让叫]我(?!们)|嘀咕|唠叨|叮咛|吩咐|炫耀|(?:数落|埋怨|责[怪备]|批评|表扬|称赞)(?=了|过|我|你|谁)|哭诉|诉苦|反映(?=过|了|什么|哪|的)|催(?:过|了|着)?(?=我|你|他|她|咱|谁)|透露|强调|承认|骂|托(?:我|你|他|她|人)|提醒(?:过|了)|[带捎传]的?(?:什么|啥)?[口个]?话|转达|嘱托|(?:跟|给|向)(?:我|你|他|她|咱)[^，。？?]{0,3}介绍|(?:电话|微信|短信|邮件|信)[里中上]?[^，。？?]{0,4}回的|怎么(?:回[复应答我他她]|答)"
    ),
    # Talk that is still to come is a plan: 明天要跟谁谈.
    "ask_to_talk": later(r"(?<!为什么)(?<!为何)(?<!为啥)(?:要|打算|准备|计划|想|得|该)[^，。？?说讲过了]{0,8}?(?:聊|谈|讨论|说|讲|告诉|问|通知|回复|分享)(?![过了])"),
    "ask_planned": later(
        rf"(?:[什啥]么?时候|哪天|何时|几[号点月])该|打算|计划|[定订开]在(?=哪|几|什么|啥|周|礼拜|星期|明|下)|还(?P<verb>[一-龥])不(?P=verb)|准备(?![了好])|预备|预定|预约|原本|本来|原定|(?<![大合条节契])约(?=[了好的在过没谁定]|[？?]|$)|有约|安排|日程|待办|接下来|即将|剩下的|还剩|{_NEXT}|还没(?:开|做|办|去|见|弄|写|看|处理|完成|安排)|有空|空着|有没有空|没空|手头|拖着没|"
        r"还有[^，。？?]{0,3}[会课班约局](?![员计])|还(?:有|剩)[^，。？?]{0,6}没(?:开|做|办|去|见|弄|写|看|处理|完成|安排)|想(?=去|做|要|学|买|看|换|吃|办|在|把|怎么|干|玩|见|读|完成|考|写|搞|弄|存|攒|赚|减|瘦)|(?<!签)订(?:了|好|的)(?!婚)|要(?:做|去|开|见|办|参加|干|出差|带|买|来|飞|上)|还要|得(?=去|做|开|赶|见|带|来)|该(?=去|做|见|带)|会有|排了|怎么过(?![的了])"
    ),
    # Names of what stands in a calendar: planned, unless the range is past.
    "ask_schedule": later(r"行程|航班|车票|机票|预订"),
    "ask_occurred": later(
        r"(?<![为除])了(?![解不结断])|(?<=[一-龥])(?<![不超难通经再么家哪里])过(?![年节期程于头敏来去]|生日|两[天个]|[几一][天会])|已经|曾|刚[刚才]?|发生|经历|(?<![没未])(?:完成|结束)(?=[了过的])|干嘛|那[次回场年]|几岁|来着|"
        r"过去的?这?(?:[几半一二两三四五六七八九十]|\d)|最近一次|最后一[次回]|第一次|头一[次回]|首次|上[次回]|前一次|多久没|没(?=[去来做吃见买看])|到现在|至今|为止|以来|完[^，。？?]{0,10}(?:什么时候|哪|几)|(?:上|下|出|进|回|过)去是|"
        r"(?:什么时候|啥时候|哪[天儿年]|几[点号时月]|[在去]哪[里儿]?|怎么|跟谁|和谁|谁)[^，。？?]{1,16}的(?=[？?啊呢]|$)|是(?!几[点号]的|哪[天个场]的)[^，。？?]{1,16}的(?=[？?啊呢]|$)|[睡吃过玩干做学考]得|[吃喝买看做玩穿住坐用]的(?:啥|什么|哪)|(?:谁|哪[里儿天年]?|怎么|几[点号月]|周几|星期几|[什啥]么?时候)[^，。？?]{1,3}的[一-龥]{1,2}(?=[？?]|$)"
    ),
    # A bare verb asked for its time is still to come: 什么时候去拔牙 (去了, 去的 are not).
    "ask_ahead": later(r"(?:什么时候|啥时候|几[点号]|哪[天日]|何时)(?![是的])[^，。？?了过的]{1,12}(?=[？?啊呢]|$)"),
}  # fmt: skip

# What is booked is still to come.
_BOOKED = r"(?<!没)(?:(?<![搞决肯确一])[订约定]好?了(?![^，。]*外卖)|(?:票|酒店|民宿|座位?|位子)[^，。]{0,4}[买订抢定](?:好|到)?了|[买抢](?:好|到)?了[^，。]{0,12}票)"
# What a source text tells of its event.
_FEW = r"[几两二三四五六七八九十]|\d{1,3}"
_TURN = r"(?:次|回|趟|条|封|篇|件事?|个(?!月|星期|礼拜|季度|小时|钟头|周))"
# A unit that lies to an event somehow, a part of its day, the words of an event, and what stands between these.
_BESIDE = r"(?:(?P<day>[天日])|(?P<night>夜|晚上?)|(?P<weekend>周末)|(?P<week>周|个?(?:星期|礼拜))|(?P<month>个?月))"
_PART = r"(?:的?(?:(?P<morning>早[上晨]|上午|清晨)|(?P<noon>[中下]午)|(?P<evening>傍晚|晚上?|夜里|半夜|深夜)))?"
_LIFE = r"(?P<anchor>[^，。？?！!,；;、\s]{1,24}?)(?:[了完]|结束)?的?"
_LATER = r"(?:[之以]后|(?<![前今明])后(?![天面悔来台备勤续果腿背半者座院排门]))"
_EARLIER = r"(?:[之以]前|(?<![从以目提])前(?![天面任台往途提景线锋后辈者妻夫女男排门]))"
# To bring to an end what has been brought to none: 我今晚把剩下的改完.
_TO_THE_END = r"^(?!.*(?:已|刚|终于|昨|前天|上周|才))[^，。]*把[^，。了]{1,10}完(?=[，。！!]|$)"
# What a plan was, and a time that may follow the word that changes it.
_WAS_TO_BE = r"(?:本来|原本|原[定来先](?!如此)|原计划|说好)[^。；，没]{1,20}"
# A noun that is told from others by what is done with it then: 上个月装的宽带昨天又断了.
_TOLD_BY = r"[^，。；！？、的\s]{1,8}(?<!是)的[^，。；！？、的\s]{1,6}"
_ON = r"(?=(?:这|下+)?个?(?:周|星期|礼拜)|[明后今]天|下个?月|\d|[一二三四五六七八九十]+[号月点])"
TELLS = {
    # Words of another, or no claim at all: "“…”", if, wishes, advice, opinions.
    "quoted": later(r"[“「『\"][^”」』\"]*[”」』\"]"),
    "unreal": later(
        r"要不是|若不是|要是|如果|(?<![说讲问我你他她们])的话(?=[，,一-龥])(?![题剧筒费语])|假如|假设|万一|除非|中了?[^，。]{0,4}[万奖]|下辈子|[你您他她]们?应该|应该是|要我说|我觉得|别跟我|可能是|胜过|宁愿|^[^，。]{0,4}死了$|太[^，。]{1,4}了$"
    ),
    "habit": later(
        r"一般|从来[不没都]|从不|通常|平时|每一?个?(?:[次天周月年回逢]|星期|礼拜|季度)|老(?=写|说|是|爱)|总[是爱]|往往|又犯|经常"
    ),
    "asks": later(
        r"[?？]|吗(?=[，。]|$)|呢$|什么|哪|谁|几[点号付]|怎么|为什么|为何|是否|多少|要不要|有没有|([一-龥])[不没]\1|[^，。还]没$|不$|没有$|来着"
    ),
    "asks_not": later(r"谁爱|还没[说定想]|不知道|不清楚|无论|不管|哪[儿里]?[都也]|[什谁]么?都|没什么|怎么也"),
    "cancelled": later(
        r"取消|没[一-龥]{1,2}成(?![功了])|黄了|泡汤|作罢|作废|算了|改天再|推掉|鸽子?了|放[^，。]{0,3}鸽子|退[订票]|(?:[票课团座号单]|酒店|民宿|订单|会员|保险)[^，。]{0,4}退[了掉]|退[了掉][^，。]{0,8}(?:[票课团座号单]|酒店|民宿|会员|保险)|叫停|搁置|爽约|散了|另议|不办(?!法)|决定不(?!了)(?=[一-龥])|"
        r"(?:(?<=我就)|(?<=们就)|(?<![来受忍看睡对差听吃做赶早就]))不(?![再了然是知多及见住起着行好如]|活|够)[一-龥]{1,5}了(?=[，。！!,吧啊]|$)|(?:本来|原本|原计划|本该|说好)[^。]{1,16}(?:结果|没去|没[来做办]|没[一-龥]{1,2}(?=[，。！!]|$)|怂|但|可是)|"
        r"(?:打算|准备|计划|想好|约好|原定|本来想|说要)[^。]{1,20}(?:后来|最后|最终|结果)[^。，]{0,8}(?:没|不|忘|散|躺|拖)|"
        r"(?<![暂不])停[办赛航课演运](?=了?(?:[，。！!]|$))|唔(?:嚟|去|得闲|返|做)[一-龥]{0,3}[喇啦]|[课班诊赛]都?停了|停[一两]?[次天周节回](?=[，。！!]|$)"
    ),
    # Called off by not being there: its time may be over.
    "missed": later(r"没[一-龥]{1,2}成|没[来去做办]|(?:本来|原本|本该|说好)[^。]{1,16}没[一-龥]{1,2}(?=[，。！!]|$)|怂|鸽"),
    "put_off": later(r"推迟|延[期后]|押后|暂停|改(?:期|时间)|换时间"),
    "moved": later(
        rf"{_WAS_TO_BE}(?:[，,][^。，；没]{{0,12}}){{0,2}}?[，,][^。，；]{{0,8}}?(?:现在|如今|后来|最后|结果)(?:[是约定]|改|变|成|换){{0,2}}[成到在至]?了?{_ON}|{_WAS_TO_BE}[^。；没]{{0,24}}?(?:[约定排拖推签移宽限延]{{1,2}}|重新[约定]的?)[到在至]?了?{_ON}|{_WAS_TO_BE}[^。；没]{{0,16}}?(?:提前|推迟|延后)了?[，,][^，。]{{0,3}}{_ON}|改时间|换时间|"
        rf"改[约签订]?[到成在至期签为]|重新约|另约|[，,](?:我们?|就)?只[能好]{_ON}|(?:最后|最终)[^，。]{{0,2}}[定约改选][了在到成]?{_ON}|改(?=周|星期|礼拜|[明后下上中早晚傍今\d]|[一二三四五六七八九十]+[号月点])|推迟|延[期后了到至]|提前(?=[了到至])|[挪换移调推][到至成为]|调整[到为成至]|往[后前][推延挪]|(?:延误|晚点)[到至]|顺延|放宽|不是[^，。]{{1,10}}，?(?:是|而是)|是[^，。是]{{1,8}}不是"
    ),
    "not_this": later(r"(?:不是|从|原定|原本|本来|由|原来说?|说好)$"),
    "done": later(
        r"已经?[于在][^，。]{1,14}?(?:完成|办理|办结|提交|缴清|付清|结清|签收|送达|过户|交付|寄出|发出|发货|领取)|[一-龥]完(?=[了啦的]|[，。！!]|$)|刚[刚才]?[^，。]{0,6}[一-龥]完|(?:做|办|弄|搞|开|发|填|交|寄|还|付|缴|改|写|修|洗|续|订|约|报|买|补|备|收拾|整理|打包)(?:好|妥|掉|清|齐|上)[^，。]{0,4}[了啦]|搞定|办妥|报销了|已完成|完成了|解决了|提交[了的过]|"
        r"(?:寄|发|交|转|还|送|递)给[^，。]{1,4}[了啦]|考过了|办下来了|(?<![忘社])(?:交|缴|还清|付)了(?=[一-龥])(?!朋友|个朋友)|(?<![要该得来])(?:交|寄|付|缴|办|签|报)的(?:[一-龥]{1,4})?$|(?:寄|发|交|转|还|送|递|传|买|取|搬|领|投|报|卖|租)(?:过|给[^，。]{1,3})?(?:出去|过去|回来|回去|上去|到位)[了啦]|把[^，。]{1,8}?(?:交|寄|发|还|付|缴|办|填|取|打|签|订|报|开|改|写|洗|修|转|退)[^，。]{0,3}[了啦]|"
        r"(?<![忘该得要])(?:交|寄|发|还|付|缴|办|填|取|打|签|订(?!婚)|报|修|洗|改|回|领|递|批|审|拿)过?[了啦](?=[，。！!,]|$)"
    ),
    # What was to be handed in and has been: 周五要交的报告我已经交了.
    "settled": later(
        r"(?:[要该得]|需要?|答应|说好|截止|到期|[之以]?前)[^，。？?]{0,8}?的[^，。？?没不要该得]{1,14}?(?:[交还发付缴写做寄填改弄搞送办看](?:了|[掉完清好齐]了|(?:过去|上去|出去|回去)了)|搞定了?|完成了?)(?=[，。！!]|$)"
    ),
    "attributive": later(_TOLD_BY),
    "done_not": later(
        rf"{_TO_THE_END}|(?:[之以]?前|[之以]?内|要|得|必须|记得)[^，。了]{{0,8}}完(?![了啦的])|没(?:有)?[^，。]{{0,4}}(?:完|好|交|做)|快[^，。]{{0,4}}完了|{_BOOKED}"
    ),
    "others": later(
        r"^[^，。]{0,4}(?:[他她您你]们?(?!也)|客户|房东|公司|学校|同事|我[妈爸哥姐弟妹])(?!.*[让要叫]我)|^[小老](?![板师])[一-龥](?!.*[让要叫]我)"
    ),
    "todo": later(
        r"记得|别忘|不要忘|提醒(?![：:])|闹钟[^，。]{0,4}(?:定|设|调)|(?:定|设)[一个]{1,2}[^，。]{0,8}闹钟|待办|todo|to-do|帮我记|记一下|叫我|(?<![重主需必不可能只])要(?:记得|交|买|还|付|写|做|准备|完成|提交|寄|取|回|整理|给|问|找|出(?!差|远门|国)|把|打(?!算)|约|洗|修|换|续|订|改|填|办|去(?:趟)?(?:取|拿|办|买|交|见|接|领|退|医院|银行|复查|找))|"
        r"(?<![觉懂显记值获取舍免难使懒晓认])得(?:抽|早|把|交|买|还|付|写|做|去|完成|给|开|赶|换|转|找|打|回|收|洗|修|订|问|准备|弄|改)|(?<!应)该(?:交|买|还|付|写|做|去|给|换|打|回|洗|修|剪|订|办|准备|收拾)|应该(?:抽|先|去|给|把|多|早)|需要(?!吗)|必须|务必"
    ),
    "due": later(r"截止|截稿|到期|过期|失效|逾期|为止|最[晚迟]|还款|限期|期限|deadline|ddl|交稿|就关了"),
    "owed": later(r"论文|初稿|作业|报告|稿子|开题|房租|[水电话]费|信用卡|贷款|账单|[缴付]|交(?![流通谈往际友])|还款|让我们?"),
    # What is handed over is due at its time; and an order without a subject is one's own.
    "hands_in": later(r"交(?![流通谈往际友])|缴|还[款钱贷书]"),
    "order": later(r"(?<!我)把|要[一-龥]|[前内](?:[回答]复|提交|完成|确认|[缴交还买订取寄办给发签报约])"),
    "done_for": later(r"(?!)"),
    "limit": later(r"^[^，。？?]{0,4}?(?:[之以]?前(?![台面往任排天])|[之以]?内(?!部|容))"),
    "commitment": later(
        r"包在我身上|交给我|(?<!能)保证(?!书|金)|我答应|(?:^|[，。]|[今昨前]天|[早晚]上|[上下]午|刚才?)答应[了过]?(?!我)[一-龥]|说到做到|承诺|我来(?=[一-龥])(?!了|过|自)|我去(?![了过年趟的世哪]|不)|我会(?![议员不])|我负责|我[^，。]{0,10}(?:一定|尽快|马上)(?:[给到还交去来发]|把|回)|"
        r"(?:给|陪|送|替|帮|还|告诉|发|教|请|带)(?:你|您|大家)"
    ),
    "commitment_not": later(
        r"^[^，。]{0,6}(?:你|他|她|老师|客户)[^，。]{0,6}(?:告诉|给|帮|请|发|还)|提醒我|谢谢|(?:告诉|给|帮|请|发|还)(?:你|您)[^，。]{0,8}[了过吗](?=[，。？?]|$)|^(?:请|麻烦)"
    ),
    "planned": later(
        rf"打算|计划|安排|准备|预定|预约|约[了好在]|[定排]在|排了(?!队)|想(?=去|把|学|买|换|做)|即将|定在|原定|{_BOOKED}|{_TO_THE_END}"
    ),
    "negated": later(
        r"没(?![事准了]|关系|问题|迟|[什啥]么?[大事]|大[碍事])|忘(?:了|记)?(?=[吃带交拿买关])|唔(?!该|好意思)|冇|(?<!要)(?<!不见)(?<![走抽离])不(?!变|受影响|见不散|过(?!敏)|[错然仅但管如断再久少]|同(?!意)|是|知道|好意思)|未(?=[完能到])|无法|从[不没]|别(?![忘人的墅])|不再"
    ),
    "reminded": later(r"记得|别忘|不要忘|提醒|帮我"),
    "plea": later(r"(?:千万|可)?别(?!(?:再|过)?[来去等约])|不要忘"),
    # An order not to do something tells of nothing that was done: 别再让我周末加班了.
    "forbids": later(r"^(?:求求?你们?|拜托|麻烦|你们?|千万|可)*(?:别|不要|不准|不许)(?![忘的人墅])"),
    # Whose time is that of the telling and not of what is told: 姐姐昨天说.
    "telling": later(
        r"^[^，。]{0,3}?(?:跟我|和我|告诉我|给我|对我|在群里|打电话|发消息|来电)?(?:说|讲|提|宣布|表示|通知|告诉我|告知|透露|答应)(?:了|到|过|起)?[，,：:\s]?(?![出好])"
    ),
    "report": later(
        rf"{_TOLD_NOT}{_PUT}(?<![为除罢算知道明白好行到累饿困对不])[了啦](?!解|不起)|(?<=[一-龥])(?<![不超难通经])过(?![年节期程于头敏来去]|一[遍下眼])|没[见去来做吃]|没[赶拍吃跟追]上|被(?![子迫窝单套])|刚[刚才]?(?=[下到回吃看见从出进去在被打接收])|刚才[^，。我你]{0, 4}来|[点半]才(?:起|到|睡|醒|下班|回|吃)|[点半刻分](?:才|就|钟)?(?:到|来|走|出门|起|睡|吃|回|下班|醒|进)的|的休$|以前|曾"
    ),
    # What takes a time back and puts another in its place (`planner._corrections`).
    "instead": later(
        r"[\s，,。、…—-]*(?:(?:[啊哦噢呃额嗯诶哎唉]+不是?|[呃额]++|[啊哦噢呃额嗯诶哎唉]*我?(?:不对|不(?=[\s，,])|[说记看打写搞弄]?错了|口误|(?:更正|纠正)(?:一下)?|我是(?:想)?说|我的意思是|应该(?:是|说)|准确[地的]?说|算了))[\s，,。、…—-]*)+(?:[是在][\s，,]*)?"
    ),
    "denied": later(r"(?:不是|不要|不看|不问)$"),
    "but": later(r"(?:的|[一-龥]{1,3})?[\s，,。]*(?:而?是|就是|应该是|要|看|问)?[\s，,]*"),
    "but_not": later(r"的?[\s，,]*而?不(?:是|要)(?:说)?"),
    "neighbour": later(
        r"的?[\s，,]*(?:而?是)?(?:那个)?(?:(?P<back>再?(?:上|前)一?个)|再?(?:下|后)一?个)(?![周星礼月年季工双])"
    ),
    "weighty": later(
        r"重要|紧急|决定|确定|敲定|签约|签了|合同|面试|考试|婚礼|结婚|离婚|生日|手术|住院|医院|体检|航班|机票|火车|高铁|发布|上线|验收|评审|入职|离职|辞职|搬家|毕业|答辩|offer|工资|房租|贷款|会议|开会|截止|里程碑|怀孕|出生|去世|获奖|晋升|裁员|出差"
    ),
    "ask_newest": later(
        rf"最新的?(?:(?P<count>{_FEW}){_TURN}?)?|最后(?P<last>{_FEW}|一)?{_TURN}|上一?[次回]|最近的?(?P<late>{_FEW}|一){_TURN}|从[晚新]到[早旧]|时间倒序"
    ),
    "ask_oldest": later(
        rf"先后(?:顺序)?|(?:按照?|依)(?:照)?时间(?:先后)?(?:顺序)?|时间线|依次|从[早旧]到[晚新]|什么顺序|最早的?(?:(?P<count>{_FEW}){_TURN}?)?|第一{_TURN}|头(?P<first>{_FEW})?{_TURN}|首次"
    ),
    "ask_soonest": later(_NEXT),
    "overdue": later(r"逾期|超期|已经?过期|过期了?(?:没有?|的)|(?:一直|还)拖着"),
    "meals": later(r"早[饭餐点]|[午中晚][饭餐]|夜宵|宵夜|下午茶|年夜饭"),
    "of_assistant": later(
        r"(?<![和跟向对给与同])你(?:曾经?|之前|上次)?(?:推荐|建议|告诉|教|介绍|回答|说过|讲过|提议|答应|承诺|保证|提醒)|你(?:曾经?|之前|上次)?[给教向对跟和为帮]过?我.{0,6}(?:推荐|分享|建议|告诉|介绍|教|说|提到)|你给[了过]我"
    ),
    "compared": later(r"哪[个件]|哪一[个件]|哪些事件|同一[天日周月年个]|最[早晚]|更[早晚]|分别|先后|顺序"),
    "which_first": later(r"同一[天日周月年个]|[最更][早晚]|先后|顺序|[哪谁][^，。？?]{0,12}[先早晚]|先[^，。？?]{1,10}还是"),
    "that_day": later(r"^(?P<anchor>.{3,}?)的?(?:当[天日]|那一?天|同一天(?=[，,]))"),
    # Events of the asker's life that tell a question's time (`planner.anchors`).
    "event_beside": later(
        rf"{_LIFE}(?:(?:(?:(?P<next>{_LATER})|(?P<back>{_EARLIER}))的?[那这头]?(?:第?(?P<count>{_FEW})|一)?|(?P<first>第一|头一?)个?|[那当](?:一?个?))(?<!之)(?<!以){_BESIDE}|(?P<morrow>第二天|次日|隔天)|(?P<eve>前[夜夕])){_PART}"
    ),
    "event_between": later(rf"{_LIFE}{_LATER}(?:到|[，,])?(?P<until>[^，。？?！!,；;、\s]{{1,24}}?){_EARLIER}"),
    "event_since": later(rf"(?:自从|自打|打从)(?P<anchor>[^，。？?！!,；;、\s]{{1,24}}?)(?:{_LATER}|以来|(?=[，,]))"),
    "event_after": later(rf"{_LIFE}(?:{_LATER}|以来)"),
    "event_before": later(rf"{_LIFE}{_EARLIER}"),
    "event_during": later(
        rf"{_LIFE}(?:时候|期间|[那这](?:段(?:时间|日子|时期)|些(?:天|日子)|几[天日]|阵子?|会儿)|途中|(?<![小同平及当准临随按有到何计钟暂时])时(?=[，,我谁吃喝买住见去玩做]))"
    ),
    # What the asked things are measured or compared by, and no time of what is asked: 婚礼之后多久搬的家.
    "event_not": later(
        r"多久|多长时间|多少(?:天|周|个?月|年)|(?<![那这前后])几(?:天|周|个月|年)|先后|顺序|[更最][早晚]|[哪谁]个?[^，。？?]{0,8}[先早]|什么时候|啥时候|何时|哪一?[天年月]|几[号月]"
    ),
    "event_of_others": later(r"[他她]"),
    "event_head": later(
        r"^.*(?:我们?|咱们?|自己)(?:当时|那时)?(?:正?在)?|^(?:请问|你?还?记得|帮忙?|查一?下|看看|找一?下|告诉|说说|自从|自打|打从|从|当|在|正在)+"
    ),
    "event_returns": later(r"回来|回国|回程|返[回程]|归来|回到|到家|离开"),
    # Says what kind of thing an event is, and not which one, where a name stands beside it.
    "event_kind": later(r"出差|旅[行游]|度假|游玩|[之这那]行"),
    "event_away": later(r"出差|旅[行游]|度假|住院|在|去|玩|游|探亲|回(?!来)|休|假|露营|实习|培训|集训|隔离|老家"),
    # What a text tells of where its teller is.
    "arrives": later(
        r"落地|抵达|到达|[飞开坐赶]到|(?:^|[，。！我们就才已经刚终于])到(?!家|现在|底|时|点|期)[一-龥]{0,6}[了啦]|入住|住进|住院了|出发去"
    ),
    "returns": later(r"回来|到家[了啦]|回(?!答|复|想|忆|头|应)[一-龥]{0,4}[了啦]|返[回程]|出院|飞回"),
    "stays_until": later(r"(?:[待住玩呆休请留歇]|一直|直|假)到$"),
    "stays_back": later(r"回|返"),
    "trivial": later(
        r"^(?:好的?|嗯+|哦+|哈+|行|可以|谢谢|不客气|再见|拜拜|你好|您好|早|晚安|早安|收到|知道了|ok|是的?|对的?|没事|没关系|加油)[。！!~～，, ]*$"
    ),
}
# A comma between clauses is one of ASCII where cues are looked for.
_COMMA = re.compile(r"\[[^\[\]]*\]|，")
TELLS = {
    cue: later(
        _COMMA.sub(lambda m: "[，,]" if m[0] == "，" else m[0] if "," in m[0] else m[0].replace("，", "，,"), source_of(told))
    )
    for cue, told in TELLS.items()
}
FRAME = later(
    r"(?:请|麻烦|帮我?|帮忙|给我|能不能|可以|可不可以|查一?下|看看|看一?下|找一?下|回忆一?下|想想|列出?一?下?|总结一?下?|告诉我|说说|列举|汇总|整理)|"
    r"我们?(?:俩|自己)?|咱们?|你(?!们|好)|有没有|有(?:什么|哪些|啥|几个|多少|哪几)|什么时候|什么(?:事情?|东西|内容|样)?|哪(?:些|个|里|儿|天|几个?|位)|谁|怎么样?|为什么|多少|几[个次点号]|啥|"
    r"(?:还|都|也|就|又|再|曾经?|已经|正在|到底|究竟|大概|一共|总共|一下|分别|具体|关于|有关|记不记得|还记得|记得|是不是|是否)|"
    r"(?:发生|提到|提及|说起|说到|说|聊到?|讲|谈到?|讨论|告诉|做|干|去|安排|计划|打算|准备|完成|需要|想要|要|(?<![一-龥])会|该|得|能|可能|应该|到期|截止|新建|创建|记录?|添加|保存|参加|经历|忙)(?=[了过的吗呢啊吧着到？?，。]|什么|哪|啥|$|\s)|"
    # What only asks for all that is still to be done.
    r"接下来|剩下的?|还剩|待办(?:事项|清单)?|日程(?:安排|表)?|手头上?的?|拖着(?=没)|快(?=要?到期|过期|截止|\s|$)|有?多久|多长时间|(?:还|都)?(?:没有?|未)(?:做|办|弄|搞|处理|完成|解决)[完好掉]?(?:的(?:事情?|任务|工作|活儿?)?)?|有没有空|有空|没空|别人|"
    r"叫(?:什么|啥)(?:名字?|来着)?|(?:^|(?<=\s))[的了过](?![士确解])|(?:有|是|在|的|了|过|吗|呢|啊|吧|着|嘛|呀|和|跟|与|被|把|让|对|从|到|(?<!公)里|上|内|中|那|这|个|些|事情|事儿|事|情况|东西|内容|时间|时候|期间|左右|之间|一些|一个|哪|几|没|没有)+(?![一-龥])|(?:的是|是)(?=谁|哪|什么|啥)|[？?。，,！!、：:；;“”\"'（）()《》…~]+"
)
STOPWORDS = frozenset(
    "的 了 是 在 我 我们 你 你们 他 她 它 他们 和 跟 与 就 都 也 还 又 很 有 没 没有 不 吗 呢 啊 吧 呀 嘛 着 过 把 被 让 给 对 从 到 里 上 下 中 内 这 那 这个 那个 这些 那些 个 些 "
    "什么 哪些 哪 哪个 哪里 哪儿 谁 怎么 怎样 怎么样 为什么 多少 几 啥 什么时候 时候 一个 一些 一下 一 会 要 想 能 可以 应该 需要 去 来 说 做 干 得 地 之 于 以 及 或 但 但是 而 而且 因为 所以 如果 "
    "曾经 已经 提到 提到过 提过 说过 告诉 聊 聊过 讲 谈 事 事情 事儿 重要 大事 要紧 内容 东西 情况 记得 还记得 请 请问 何时 何 如何 为何 是否 当时 哪位 哪几 几月 几号 名字 关于 向 由 将 并 等 年 月 日 号 时 后 前 天 曾 当天 当日 那天 这天 帮 帮我 发生 一起 自己 您 咱们 咱 其 该 哦 嗯 哈 哈哈 好 好的 吗".split()
)
BLAND = frozenset(
    "去 说 做 干 没 没有 不 想 好 来 聊 聊过 讲 谈 提到 提到过 提过 说过 事 事情 重要 大事 内容 东西 情况 因为 所以 发生 一起 自己 帮 应该 需要".split()
)
SYNONYMS = tuple(
    frozenset(group.split())
    for group in (
        "开会 会议 会 例会", "电影 片子 影片", "吃饭 聚餐 饭局 用餐", "看病 医院 就诊 看医生", "医生 大夫", "牙医 牙科 看牙", "飞机 航班 机票", "火车 高铁 动车", "旅游 旅行 出游 游玩",
        "买 购买 购物 下单 订购", "家 家里", "工作 上班", "老板 领导 上司", "妈妈 母亲 老妈 妈", "爸爸 父亲 老爸 爸", "手机 电话", "锻炼 健身 运动", "跑步 慢跑", "书 书籍", "音乐 歌曲 歌", "朋友 好友",
        "报告 汇报", "截止 到期 ddl", "生病 不舒服 感冒", "考试 测验 考", "孩子 小孩 宝宝", "搬家 搬迁", "面试 应聘", "辞职 离职", "推荐 介绍", "景色 风景", "喜欢 爱好 喜爱 兴趣", "交 缴 缴纳",
    )
)  # fmt: skip

FILLERS = frozenset(
    "帮忙 算了 打算 截止 截至 ddl 麻烦 提醒 拜托 劳驾 辛苦 必须 务必 不得不 一定 得 终于 已 刚 刚刚 刚才 才 再 先 真 真的 对了 听说 听 哎 诶 嘿 哟 咯 喽 哇 嘻嘻 呵呵 那么 然后 最后 取消 推迟 延期 改 改到 改成 改为 挪 挪到".split()
)
# Words of one sense, whatever is done with them.
ALIKE = tuple(
    frozenset(group.split())
    for group in (
        "取 拿 领", "外婆 姥姥", "外公 姥爷", "岳母 丈母娘", "岳父 老丈人", "老婆 媳妇 妻子 太太", "老公 丈夫", "哥哥 哥 老哥", "姐姐 姐 老姐", "弟弟 弟 老弟", "妹妹 妹 老妹", "女儿 闺女", "老师 教师",
        "卫生间 厕所 洗手间", "自行车 单车", "出租车 的士", "公交 公交车 巴士", "驾照 驾驶证", "快递 包裹", "房租 租金", "工资 薪水 薪资", "幼儿园 幼稚园", "西红柿 番茄", "土豆 马铃薯",
        "饭店 餐馆 餐厅 饭馆", "酒店 宾馆 旅馆", "理发 剪头发 剪发", "打针 注射", "预订 预定 订 订好", "维修 修理 修", "打扫 清扫 搞卫生", "讨论 商量 商讨", "见面 碰面 碰头 会面 碰",
        "做 作", "帐 账", "坐 座", "定 订", "记 计", "象 像", "份 分", "园 圆",  # mistaken for each other
        "回复 答复", "早饭 早餐", "午饭 午餐", "晚饭 晚餐", "夜宵 宵夜", "支付 付款 付", "遛弯 散步 溜达", "电脑 计算机", "作业 功课", "公里 千米 km kilometer kilometers kilometre kilometres",
        "公斤 千克 kg kilo kilos kilogram kilograms", "分钟 min mins minute minutes", "小时 钟头 hr hrs hour hours", "录取 考上 考取", "去世 过世 逝世 离世", "吵架 争吵 拌嘴", "丢 弄丢 丢失 遗失",
    )
)  # fmt: skip
OPENING = later(
    r"(?:(?:收到|好的?|好嘞|行|嗯+|没问题|知道了|好消息|顺便(?:说一下)?|跟你说|告诉你|话说|对了|听我说|说错了|记错了|看错了|搞错了|弄错了|更正(?:一下)?|纠正(?:一下)?|不对|气死我了|计划有变|(?:临时|突然)?有事|算了|天[哪啊]|我去|哎呀)[，,！!。：:~\s]+|"
    r"[\[【(（]?(?:会议)?(?:邀请|通知|提醒|日程|日历|待办|更新|转发|回复|答复|更正)[\]】)）]?[：:\]】]\s*|[\[【](?:预[约订定]|下单|支付|购票|出票)成功[\]】]|算了|"
    r"已?经?(?:为|帮|给)[你您](?:设置|设定|设|创建|添加|安排|定|记)(?:好|下)?了?)+"
)
ASIDE = later(r"改[约签订]?[到成在至期为]|推迟[到至]|延[期后][到至]|提前[到至]|顺延[到至]|推[到至]")
AMENDS = later(r"^[哦噢啊诶哎唉呃嗯，,\s]*(?:不对|不是|[说记看打写搞弄]错|更正|纠正|抱歉|不好意思)|^还是.*吧[。！!\s]*$")
# Endings of verbs and nouns, measure words and verbs that say little of what is done.
LIGHT = frozenset(
    "子 儿 掉 走 完 好 成 到 住 起 去 先 再 了 过 着 遍 趟 番 条 个 只 把 件 张 份 位 袋 盒 瓶 场 次 点 看 见 做 弄 搞 办 有 在 家 幕 那 这 约 多 半 早 给 第".split()
)
OPPOSITES = tuple(
    (frozenset(left.split()), frozenset(right.split()))
    for left, right in (
        ("来", "去 走"),
        ("去 前往 飞往", "回 回来 回去 返回 返程 回程"),
        ("上", "下"),
        ("到 到达 抵达", "离开 出发"),
        ("过 通过 及格", "挂 挂科"),
        ("早", "晚 迟"),
        ("多", "少"),
        ("给", "收 收到"),
        ("前 之前 以前", "后 之后 以后"),
        ("里 里面", "外 外面"),
        ("借 借了 借给 借走", "还 还了 还给 归还"),
    )
)
# --- names --------------------------------------------------------------------------------------------------------------

_NAMEABLE = (ex.Month, ex.Weekday, ex.Season, ex.Festival, ex.SolarTerm, ex.Lunar)
# Words about a time in marks or in figures that make it a part of a title, a score, a share or a reference number.
NAMING = {
    "medium": later(
        r"主题曲|插曲|片头|片尾|歌|曲|专辑|电影|片子|剧|小说|书|诗|杂志|唱|乐队|乐团|节目|漫画|动画|综艺|游戏|导演|主演"
    ),
    "asks_what": later(r"(?P<verb>[一-龥]{1,2}?)[了过]?些?(?:什么|啥)(?:东西)?(?=\W*$)"),
    "says": later(r"[说道问答写讲喊]\s*$"),
    "titled": later(r"(?:名叫|叫做?|题为|名为|推荐|[看听读]过?)\s*$"),
    # Papers and laws are of the year or the month in their title.
    "paper": later(
        r"\d{4} ?(?:年|[—–-] ?\d{4})|\d.*(?:报告|方案|公报|通知|目录|要点|意见|计划|规划|总结|纪要|记录|预算|决算|年鉴|清单|账单|说明|安排|办法|指南|规定|法案|周报|月报|日报|季报|年报|简报|建议|名单|表|版|法)"
    ),
    "label": later(
        r"(?:qq号?|微信号|编号|单号|号码|工号|学号|票号|座机|取件码|验证码|密码|口令|版本号?|型号|批号|序列号|流水号|货号|卡号|账号|合同号?|发票号?|固件|驱动|内核|分机|邮编|条码|热线|拨打)"
        r"\s?(?:是|为|[:：#]|is)?\s*(?:[a-z]{1,6}[-_]?)?$"
    ),
    "scored": later(
        r"比分|险胜|惜败|完胜|大胜|决胜|拿下|领先|赢下|输掉|第.[局盘节]|战平|扳平|战胜|击败|落后|比例|配比|稀释|兑|调配|冲泡|混合|长宽比|画幅|屏幕|赔率|经文|约翰福音|诗篇"
    ),
    "scores": later(r"(?:比分|比例|赔率)[是为：:]?$"),
    "share": later(r"(?:[率度比]|得分|页码?|占)[是为：:]?$"),
    "timed": later(r"于$"),
    # What is told of a time of its own, and what turns to now.
    "apart": later(r"[说讲提聊问约]|原[来定]|告诉|告知|答应|通知|发(?:消息|微信|邮件)"),
    "turns": later(r"今[天晚早年]|现在|目前|(?<![重主需])要(?!求)|将|打算|准备|计划|还得|再"),
    "parts": later(
        r"的(?:人|同[学事]|员工|用户|学生|家庭|企业|国家|概率|股份|面积|选票|时间|钱)|\s*(?:[分题杯勺匙碗斤磅页场层成强拍升两]|英寸|茶匙|汤匙|量杯|毫升|的?(?:节奏|节拍|拍子))"
    ),
}

_SURNAME = "王李张刘陈杨赵黄吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊陆郝孔崔康邱秦史顾侯邵孟万段钱汤尹黎易武乔贺赖龚庞樊殷施洪翟倪严牛温季俞章鲁葛毛岳齐沉"
_BEHIND_SURNAME = later(rf"(?:^|[^\w]|一下|[给找叫是和跟问让请把的约与陪帮向对由被同])[{_SURNAME}]$")
_GIVEN = later(
    r"[霖霏皓璐琦萌丰良才德义仁鸣福顺狗龙峰强华军杰伟娟芳凡凤山江波涛刚勇毅敏静丽燕玲霞梅兰英辉洋洁诺轩涵萱豪浩泽彤琪瑶怡婷欣妍雯倩蕾颖琳珊菲薇俊凯恒昊哲睿鹏斌彬楠帆航翔宇鑫磊森仙妹娃虎豹成贵财宝旺喜东升]"
    r"(?=$|[^\w]|[让说姓叫在是的和跟家打问发给又也就会要想有被认]|老师|先生|女士|师傅|教练|经理|同学|医生|老板)"
)
_ADDRESSED = later(rf"(?![{_SURNAME}男女大小老新])\w(?:先生|女士|小姐|老师|师傅|教练|医生|经理|教授|院士|律师|医师|主任)")
_CALLED = later(
    r"(?:名叫|[狗猫人妹姐哥弟女子儿事友生员它他她字号]叫|取名|起名|名字是|名为|外号|绰号|小名|乳名|艺名|笔名|网名|昵称|花名|姓名|叫做)[叫是为：:“\"]?$"
)
_IS_NAME = later(
    r"(?:就?是|乃)(?:个|一个|我|他|她|你|咱|谁|我们|他们|咱们)?(?:们)?(?:家|的|\w{1,3}的)?(?:\w{1,3})?(?:名字|小名|笔名|网名|昵称|花名|姓名|乳名|艺名|人名|地名|店名|书名|歌名|片名|品牌|牌子)"
    r"|(?:就?是|乃)(?:我|他|她|你|咱)?们?的?[^，。]{0,4}(?:室友|同学|同事|朋友|哥|弟|姐|妹|叔|舅|老师|邻居|发小|战友|儿子|女儿|孙子|徒弟|师傅|老板)(?=$|[，。！？,!?])"
    r"|(?:就?是|叫)(?:我|他|她|你|咱)们?家?的?[^\W\d_]{0,2}?(?:猫|狗|兔子?|仓鼠|乌龟|鹦鹉|宠物|宝宝|外?孙女?|外甥女?|侄[子女])(?=$|[，。！？,!?])|是[^，。？！]{0,8}的(?:仆人|主角|男主|女主|角色|搭档|跟班|坐骑|宠物)|(?:就?是|乃)(?:我|他|她|你|咱)们?家?(?:新?养|捡|领养|收养)的|这[个位名](?:演员|歌手|作家|明星|博主|主播|导演|角色|人物|同学|同事|孩子|姑娘|小伙|老师|医生|作者|网友|客户)|[这那](?:只|条)?(?:猫|狗|孩子|丫头|小子|家伙|姑娘|人)|姓\w"
)
# A person goes by the word: 白露老师, 夏天哥.
_TITLED = later(
    r"(?:老师|医生|教练|师傅|同学|阿姨|学姐|学长|姑娘|叔叔|伯伯|[哥姐](?=[结离怀请住长生])|[哥姐叔爷总](?=$|[^\w]|[说让问给的是在跟和昨今明最又也就会要有来去]))"
)
_BRAND = later(
    r"牌(?!照|子|匾|局|桌|友|坊)|乐队|乐团|组合(?!拳)|女鞋|男装|女装|家具|家居|家纺|珠宝|服饰|化妆品|护肤|眼镜|羽绒服"
)
# A street, a quarter, a school: right behind the word. What may make another word of the noun is excluded.
_STREET = later(
    r"(?:新|老|一|二|三|大|[东西南北中](?=[路街]))?(?:路(?![上演过人程线由边透堵况牌费途宽])|桥(?![段牌梁上头])|坡(?![道上])|广场(?![舞上里])|街(?![上头拍边访])|大道|巷(?!子)|胡同|弄堂|新村|小区|花园|公寓|大桥|立交|村(?![里民口])|镇(?![上里])|书屋|书局|茶馆|茶楼|茶室|酒馆|"
    r"客栈|民宿|花坊|(?:中学|小学|书店|酒吧|咖啡|花店|幼儿园)(?!开学|放假|活动|开业|考试|打折|关门|停业|装修|招生|聚|开门|休|报名)|酒家|饭庄|影业|传媒|文化传播|出版社|基金会|工作室|影城|文学奖|杂志社)"
)
# A work is asked about by its name: 春节序曲是谁写的.
_WORK = later(
    r"[^，。？！\s]{1,8}?(?:是谁(?:写|唱|作|画)的(?=$|[？?])|是谁的(?:小说|歌|诗|书|作品|专辑)|这首[诗歌]|这[部本](?:电影|小说|书|剧)|怎么唱|的?歌词|的?简谱|谁(?:唱|写|演|导)的(?=$|[？?])|是[一]?[部首](?:老|好)?(?:电影|歌|诗))"
)
# The word itself is spoken of: 上午这个词, 明天用英语怎么说, 中午和晌午是近义词吗.
_WORD_AHEAD = later(r"(?:(?:词语?|单词|字|短语|成语|翻译一?下?|拼写|造句)[：:“\"'‘「]|[反近同]义词是)$")
_WORD_BEHIND = later(
    r"[”\"'’」]?(?:(?:[和跟与或]|还是)[^，。？！\s]{1,4})?(?:(?:[这那]|的)?[个两俩]个?(?:时间)?(?:词|字|说法|成语|短语)(?![典条汇库幕数段母体])|的?(?:拼音|反义词|近义词|同义词|笔画|笔顺|部首|偏旁|繁体字)"
    r"|(?:用|的)?(?:英文|英语|日文|日语|韩语|法语|德语|粤语|西班牙语|俄语|文言文)(?:单词|里?(?:怎么|咋|如何)(?:说|写|念|读|拼|讲|表达)|翻译)|[^，。？！]{0,8}造句(?=$|[？?])|(?:怎么|咋|如何)(?:造句|拼写)|的?\w?(?:怎么|咋)?组词|是(?:方言|近义词|反义词|同义词|名词|动词|副词|形容词|叠词|什么词性|不是成语|成语))"
)
_WORD_ENDS = frozenset("是：“\"'‘「")
_WORD_GOES_ON = frozenset("还或”\"'’」和跟与这那的个两俩拼反近同笔部偏繁用英日韩法德粤西俄文怎咋如是词造")
# What only a work, a brand or a firm has, behind the rest of its name: 午后红茶含糖吗, 周末画报怎么订阅, 正午阳光拍过哪些剧.
_NAME_GOES_ON = (
    r"(?!的?(?:活动|电视|会议|聚会|展览|主题|新番|新片|新剧|新书|电影|比赛|节目|课程|项目|文章|歌曲|专辑|小说|作业|新款|新品|特价|促销))的?"
    r"[^\W\d_a-z去在到来回从把的了是和跟有没不要开进上下给我你他她们这那哪谁什怎见约找查看听读吃买逛送走住订过前后里带请被让由对每都也又还再很太想能会该将已做更改发写用装学推新初底末]{1,5}?的?"
)
_THING = (
    r"(?:作者(?:是|叫)|主演(?:是|有|都)|原唱|主唱|贝斯手|鼓手|简谱|吉他谱|钢琴谱|豆瓣|官网|创始人|旗舰店|配料表|含[糖酒]|填词|保质期(?:多|是|有)|公众号(?:叫|是|怎么)|(?:app|软件|小程序)(?:好用|怎么|是|靠谱|收费)"
    r"|加盟(?:费|店|条件)|乐队(?=$|的[歌主成新]|[是有叫])|怎么(?:注销|订阅|卸载|抽卡|加盟)|(?:拍|出|演)过(?:哪些?|什么|几)[部首张]?(?:剧|电影|戏|片子|作品|综艺|专辑)|是(?:什么|哪[部首本个家种]|啥)(?:意思|梗|牌子|品牌|\w?剧|书|小说|歌|电影|乐队|组合|公司|店|软件|游戏|菜)|是谁作的|剧情(?:介绍|是|讲|怎|$)|这(?:款|个牌子|个品牌)|结局(?:是|怎)|(?:一共|共)?有?几集|番外|(?:里|中)的?(?:角色|人物)(?:吗|$))"
)
_ASKED = later(rf"{_NAME_GOES_ON}{_THING}|的作者(?=是|叫|$|[？?])|集团的?(?:老板|股票|董事|总部|旗下|创始人|官网)")
_ASKED_MORE = later(
    rf"{_NAME_GOES_ON}(?:[^，。？！\s]{{0,5}}(?:靠谱吗|质量(?:怎|咋|如何|好|差|行)|正品|好用吗)|是[^，。？！\s]{{1,8}}(?:角色|人物|反派|小说|品牌|乐队)(?=吗|么|吧|$|[，。？?!])|(?:纸巾|湿巾|孕妇装|童装|窗帘|床垫|面膜|口红|香水|洗发水|沐浴露|耳机|拖鞋|内衣|瓜子|(?:[酸牛]奶|奶茶|啤酒|白酒|红酒|果汁|饼干|薯片)(?:好[喝吃]|保质|怎么样)))"
)
# A whole sentence is the name of a song that is asked for: 明天你是否依然爱我原唱是谁.
_OF_SONGS = tuple("原唱 原唱是谁 谁唱的 是谁的歌 歌词 歌词是什么 吉他谱 简谱 钢琴谱 是哪首歌 是哪首歌里的".split())
_SUNG = later(r"[^，。？！,?!]{2,14}[^，。？！,?!]{2,8}[？?]?")
_HEARD = later(r"首歌谁|[这那]首|哪首(?!歌)|[听放演]|晚会|节目|第.|ktv|合唱|开场|压轴")
_NIGHTS = frozenset("昨夜 今夜 明夜 今朝 今宵 昨晚 今晚".split())
_ASKABLE = (ex.This, ex.DayPart, ex.Weekend)
_KIN = later("的(?:[妈爸哥姐弟妹]|老[公婆]|女儿|儿子|[男女]朋友|电话|手机号|微信)")
# 白露酒, 秋分点, 小寒暄.
_TERM_GOES_ON = later(r"[酒茶点线草蛋木糕](?=$|[^\w]|[是的多怎好])|暄")
# Who goes by the word: one hands something to it, knows it, is told something by it.
_HANDED = later(r"(?:[转发交递寄借还打留传]给|认识|告诉|想念|拉黑|艾特|联系|联系上|叫上|喊上|约上|问问|转告|替|代替)$")
_WRITTEN_TO = later(r"(?:写|发|打|寄|回|拨)(?:封|条|个(?:电话|消息|信息|微信|红包)|邮件|短信|微信|信)")
_LET_IN = later(r"(?:拉进|拉黑|踢|加进|移出|请进|接回|叫来|送回家|扶)")
_MEETS = later(r"(?=$|[^\w]|[吗吧呢嘛么]|了(?:吗|没|$))")
_SPEAKS = later(r"(?:[说问嫌夸怪笑劝骂]|觉得|喜欢|讨厌)[她他我咱](?!们?(?:[要得]|就要|准备|打算))")
_ONE_OF = later(
    r"这个?名字?|[，,]?(?:她|他)(?:是|就是)(?:我|咱|你|他|她)们?的?[^，。]{0,3}(?:同桌|同学|同事|室友|朋友|邻居|女儿|儿子|老师|妹|姐|哥|弟|老婆|老公|对象)|[哥姐叔](?:人很|人挺|人不错|这人)|小姐(?![姐妹])|[^，。？！]{0,4}(?:双胞胎|姐妹|兄弟|俩人?)[^，。？！]{0,3}的(?:小名|名字)|人呢|在不在线|在群里|真(?:可爱|乖|调皮|懂事|聪明|漂亮|帅|黏人|粘人|皮)"
)
_THIS_NAME = later(r"\w{0,2}这个名字|[^\W早晚午夜班会课饭上下中后前]是(?:谁|哪位|何许人)[啊呀]?(?=$|[？?，])")
# A feast's own dish or paper, and how it is made.
_FEAST_THING = later(
    r"的?(?:粽子|月饼|汤圆|饺子|春联|对联|红包|贺卡|灯笼|窗花|年画|手抄报|黑板报|贺词|祝福语?|文案|彩蛋|南瓜灯|青团|香囊|香包|花灯|五彩绳|重阳糕|腊八粥|火鸡|姜饼)(?:怎么|咋|如何|的?(?:做法|写法|画法|包法|模板|配方|素材|图片|用什么))"
)
_AND_ONE = later(
    r"[和跟与][^，。？！\s]{1,3}(?:都)?是[^，。？！\s]{0,8}(?:名字|小名|姐妹|兄弟|同学|同事|朋友|龙凤胎|双胞胎|姐弟|兄妹|情侣|夫妻|闺蜜|母女|父子)"
)
_NAME_ASKED = later(
    r"的?(?=$|[^\w])|怎么样|好听|好不好|好吗|行不行|行吗|可以吗|如何|吧$|的(?:人|女|男|姑娘|小|同学|朋友|猫|狗|孩子|那)"
)
# The dumpling and not its feast.
_DUMPLING = later(r"[吃煮包炸做卖碗袋盒粒斤]$")
_OF_DUMPLING = later(r"[馅皮]|[^，。？]{0,5}(?:[甜咸糯]|好吃|热量)")
# The same with a word or two between that make it a name: 九月森林度假村, 六月雪小区.
_INFIX = later(
    r"(?!北京|上海|广州|深圳|杭州|南京|三亚|成都|重庆|武汉|西安|苏州|天津|香港|东京|大阪|公司|学校|医院|单位|家里|老家|份|底|初|中旬|上旬|下旬)"
    r"[^\W\d_去在到来回从把的了是和跟有没不要开进上下给我你他她们这那见约找查看吃买逛送走离住订去过前后里带陪请为被让由向对每都也又还就才再很太想能会可该将已正着]{1,4}?"
    r"(?:小区|公寓|度假村|工作室|书屋|茶馆|茶楼|客栈|民宿|酒吧|咖啡馆|咖啡店|咖啡厅|花店|花园|新村|传媒|科技|有限公司|集团|幼儿园|酒庄|书店|餐厅|饭店|餐馆|面馆|酒楼|影城|乐园|农庄|山庄|庄园|乐队|乐团|剧社|剧团|剧组|诗社|文化|画室|琴行|舞室|影楼|造型|蛋糕店|奶茶店?|服饰|家居|家纺|珠宝)"
)
_MONTH_GOES_ON = later(
    r"天(?![气空津冷热干儿还就都亮黑数])|[瓜菊](?=$|[^\w]|[是的])|围城|雪(?=小区|花|$|[是的])|革命|流火|飞霜|飞雪|飘雪|未央|长安|物语|桃花雪|不知肉味|是你的谎言|的高跟鞋|的狮子|与安生|照相馆|初五的月光|江声|惊雷"
)
# 第三天堂, 第10周目.
_ORDER_GOES_ON = later(r"(?<=天)堂(?![弟妹哥姐兄课])|(?<=周)[目年刊]")
# 2月亮面馆, 1月球车.
_OF_THE_MOON = later(r"亮(?!相|出|点)|球(?=车|基地|表面)|饼(?!干)|嫂|杂志社")
_WEEK_GOES_ON = later(r"庄(?![园家主稼])|口店|边(?!.*边|境|防|疆)|转[箱率金车]|长制|期(?![间末中初内])|刊|密|详")
# 5A景区
_LETTERED = later(r"\s?(?:级|景区|景点|写字楼|班(?!车|机)|座|栋|出口)")
# 前 and a place that begins with 天: 前天津队主教练.
_FORMER_PLACE = later(r"津(?![贴津])|[水门]市|台县")
_MOON_GOES_ON = later(r"台(?![账风湾])|亮|球|饼|光|嫂|牙|季花")
_INBORN = later(
    r"养成|形成|培养|习得|免疫|因素|失调|获得|性|塑造|造成的?|训练|环境|教育|条件|(?:近视|失聪|失明|残疾|肥胖)(?!手术|复|门诊)"
)


# Behind these a window or a part of the day belongs to an event, a day or a year that the text does not place: 考试前一天,
# 手术后三天, 那天晚上, 哪年夏天.
_EVENTS = r"(?:[考面]试|婚礼|婚宴|出[发差]|生日|[开放][学工业会假]|手术|比赛|演出|演唱会|音乐会|发布会|结婚|毕业|[入离]职|搬家|体检|会议|截止|到期|交稿|上[线市映课班]|下[班课]|发布|登机|起飞|预产期|[高中]考|答辩|[典仪]式|满月|退房|入住|回[国家]|到货|开庭|签约|交房|产检|旅行|聚会|[饭睡考])"
_EVENT = later(rf"{_EVENTS}(?:[之以]?后)?的?$")
_SUBJECT = later(r"(?:^|[^一-龥]|[我你他她它们咱家俩的了在就是都也又才还到从和跟而这那年月日号天周底初末往向]|最近)$")
# Ends an amount of time: behind it, 前天 is 前 and the beginning of what follows (三个月前天气怎么样).
_AMOUNT_ENDS = later(
    r"(?:[\d半数多两几一二三四五六七八九十百千](?:年|周|天|日|小时|分钟|星期|礼拜|季度)|个(?:月|星期|礼拜|小时|钟头|季度|世纪))半?$"
)
_DAYS_END = later(r"[\d半数多两几一二三四五六七八九十百千]$")  # 三天天气, 两周天气: a length and what follows
_UNPLACED_DAY = later(r"(?:[前后]一天|头一?天|[那当]天|那[日晚]|当日|那一天|[某有]一?天)的?$")
_UNPLACED_YEAR = later(r"(?:[那哪某同当]年|[那哪有某]一年)的?$")


def _of_event(value: ex.Expression, ahead: str) -> bool:
    if isinstance(value, ex.Within) and isinstance(value.outer, ex.Rolling):
        value = value.outer
    if isinstance(value, ex.Rolling):
        if not value.whole or value.base is not None:
            return False
        told = value.sign > 0 or value.amount.parts[0][0] == 1
        return _EVENT.search(ahead) is not None or (told and _SUBJECT.search(ahead) is None)
    if isinstance(value, ex.Nth) and value.what in (value.default, "week"):
        return _EVENT.search(ahead) is not None  # 开学第一周, 入职第三天
    if value.frame == "week":
        return ahead.endswith(("某", "某个", "有个", "有一个"))
    if value.frame == "day":
        return _UNPLACED_DAY.search(ahead) is not None
    return value.frame in ("year", "month") and _UNPLACED_YEAR.search(ahead) is not None


def _worded(start: int, end: int, folded: str) -> bool:
    """Whether the word itself is spoken of, not the time it tells."""
    if folded[end : end + 1] in _WORD_GOES_ON and _WORD_BEHIND.match(folded, end) is not None:
        return True
    return folded[start - 1 : start] in _WORD_ENDS and _WORD_AHEAD.search(folded[max(start - 12, 0) : start]) is not None


def _sung_of(end: int, folded: str) -> bool:
    """Whether the text is the name of a song that begins with the time, and a question for the song."""
    return (
        folded.rstrip("？?啊呀呢").endswith(_OF_SONGS)
        and _SUNG.fullmatch(folded, end) is not None
        and _HEARD.search(folded) is None
    )


def _goes_by_it(value: ex.Expression, ahead: str, end: int, folded: str) -> bool:
    """Whether a person is called by the season, the term or the feast that was read: 把文件转给谷雨, 夏天说她不喜欢吃辣."""
    if not isinstance(value, ex.Festival) and _TITLED.match(folded, end) is not None:
        return True
    if ahead and _HANDED.search(ahead) is not None and _MEETS.match(folded, end) is not None:
        return True
    if ahead[-1:] == "把" and _LET_IN.match(folded, end) is not None:
        return True
    if ahead[-1:] == "给" and _WRITTEN_TO.match(folded, end) is not None:
        return True
    return any(told.match(folded, end) is not None for told in (_SPEAKS, _ONE_OF, _AND_ONE))


def names(token: Token, text: str, folded: str) -> bool:
    """Whether it is a part of a Chinese name, title or saying, or of an event that the text does not place."""
    start, end, value = token.start, token.end, token.value
    if start and folded[start - 1] >= "\u2e80" and _of_event(value, folded[max(start - 7, 0) : start]):
        return True
    if folded[end - 1] == "后" and folded.startswith("端", end) and not folded.startswith("端午", end):  # 三天后端训练营
        return True
    if isinstance(value, ex.Month) and folded[end - 1] == "月" and _OF_THE_MOON.match(folded, end) is not None:
        return True
    if folded[start] < "\u2e80":
        return folded[end - 1] in "ap" and _LETTERED.match(folded, end) is not None
    if _worded(start, end, folded) or (start <= 3 and _sung_of(end, folded)):
        return True
    if isinstance(value, ex.DayPart) and folded.startswith(("模式", "行车灯"), end):
        return True
    if isinstance(value, ex.Nth | ex.WeekNumber) and _ORDER_GOES_ON.match(folded, end) is not None:
        return True
    if isinstance(value, ex.Clock) and folded.startswith(("乐队", "乐团"), end):
        return True
    if (
        isinstance(value, _ASKABLE) or (start == 0 and isinstance(value, ex.Within)) or folded[start:end] in _NIGHTS
    ) and _ASKED.match(folded, end) is not None:
        return True
    if isinstance(value, ex.This):
        if value.unit == "day":
            if folded.startswith("前天", start) and _FORMER_PLACE.match(folded, end) is not None:
                return True
            return folded.startswith("后天", start) and (
                _INBORN.match(folded, end) is not None
                or "先天" in folded[max(start - REACH, 0) : end + REACH]
                or folded.startswith(("的努力", "努力"), end)
            )
        if value.unit == "week":
            return _WEEK_GOES_ON.match(folded, end) is not None
        return value.unit == "month" and _MOON_GOES_ON.match(folded, end) is not None
    if not isinstance(value, _NAMEABLE):
        return False
    ahead = folded[max(start - 5, 0) : start]
    if folded[end - 1] == "的":
        return not folded[start].isdigit() and not isinstance(value, ex.Weekday) and _BEHIND_SURNAME.search(ahead) is not None
    ends = end == len(folded) or not folded[end].isalnum()
    if ahead and (_CALLED.search(ahead) is not None) and _NAME_ASKED.match(folded, end) is not None:
        return True
    if ahead and ends and ahead[-1] == "叫" and len(ahead) > 1 and not isinstance(value, ex.Weekday):
        return True
    if isinstance(value, ex.Weekday):
        if folded[start] == "周" and end - start == 2:
            if _GIVEN.match(folded, end) is not None or _ADDRESSED.match(folded, end) is not None:
                return True
            if ahead[-1:] == "给" and folded[end : end + 1].isalnum() and folded[end] not in "的上下早晚中开之前后到和":
                return True
        elif _STREET.match(folded, end) is not None or _BRAND.match(folded, end) is not None:
            return True
        return _IS_NAME.match(folded, end) is not None or _THIS_NAME.match(folded, end) is not None
    if folded[start].isdigit():
        return False
    if ahead and _BEHIND_SURNAME.search(ahead) is not None and not folded[end - 1 : end + 1].count("节"):
        return True
    if isinstance(value, ex.SolarTerm) and (_KIN.match(folded, end) or _TERM_GOES_ON.match(folded, end)) is not None:
        return True
    if isinstance(value, ex.SolarTerm | ex.Month) and _THIS_NAME.match(folded, end) is not None:
        return True
    if isinstance(value, ex.SolarTerm | ex.Season | ex.Festival) and _goes_by_it(value, ahead, end, folded):
        return True
    if isinstance(value, ex.Month):
        if folded[end - 1] != "月":
            return False
        if _MONTH_GOES_ON.match(folded, end) is not None or _ASKED_MORE.match(folded, end) is not None:
            return True
    if isinstance(value, ex.Festival) and folded.startswith(("快乐", "安康", "吉祥", "大吉"), end):  # a wish
        return True
    if isinstance(value, ex.Festival) and _FEAST_THING.match(folded, end) is not None:
        return True
    if folded.startswith("元宵", start) and end == start + 2 and _IS_NAME.match(folded, end) is None:
        return _DUMPLING.search(ahead) is not None or _OF_DUMPLING.match(folded, end) is not None
    return (
        _STREET.match(folded, end) is not None
        or _BRAND.match(folded, end) is not None
        or _WORK.match(folded, end) is not None
        or _IS_NAME.match(folded, end) is not None
        or _ASKED.match(folded, end) is not None
        or (not isinstance(value, ex.Festival) and _INFIX.match(folded, end) is not None)
    )


LANGUAGE = Language(
    code="zh",
    words=WORDS,
    pieces=PIECES,
    phrases=PHRASES,
    past=PAST,
    future=FUTURE,
    names=names,
    parted=dict.fromkeys("前天 前日 后天 后日 前儿 后儿".split(), _AMOUNT_ENDS) | dict.fromkeys(("天天", "周天"), _DAYS_END),
    fold={code: chr(to) if isinstance(to, int) else to for code, to in FOLD.items()},
    numerals=NUMERALS,
    numeral_starts="零〇○一壹二贰两俩三叁仨四肆五伍六陆七柒八捌九玖十拾百千万廿卅",
    read_numeral=read_numeral,
    bare_numerals=("十一",),
    common=frozenset("DE NOISE SHI CL LIST GUO LAI NEARLY".split()),
    cues=ASKS | TELLS | NAMING,
    frame=FRAME,
    weight=later(
        r"(?:最?(?:重[要大]|关键|特别)的?|大)?事[件项]|最?重[要大]的?(?:事情|事儿|事|内容|东西|安排)?|大事|要紧的?事?|关键的?事?|值得[^，。]{0,4}的事"
    ),
    stopwords=STOPWORDS,
    bland=BLAND,
    synonyms=SYNONYMS,
    affirms=later(
        r"别忘|不要忘|不得不|不能不|不可不|忍不住|不见不散|不管|不过(?!敏)|不但|不仅|不错|差不多|不好意思|不知不觉|没关系|没问题"
    ),
    nod=later(
        r"[，,\s](?:好吗|好吧|好不好|行吗|行不行|可以吗|对吧|对吗|是吧|没问题吧)[？?!！。\s]*$|了呢[。！!\s]*$|^(?=[^？?谁什哪几怎吗嘛]*[在正还着了][^？?谁什哪几怎吗嘛]*(?<!没)呢[。！!~\s]*$)"
    ),
    fillers=FILLERS,
    light=LIGHT,
    opposites=OPPOSITES,
    homing="回来 到家 回家 回到 返程 出院 回",
    opening=OPENING,
    aside=ASIDE,
    states=later(r"^[^？?谁什哪几怎吗嘛]*[在正还着了][^？?谁什哪几怎吗嘛]*(?<!没)呢[。！!~\s]*$"),
    owns=later(r"([我你他她]们?|咱们?|[小老阿][一-龥]|[一-龥]{1,2}(?:[哥姐弟妹总叔姨爸妈]|师傅|老师))的([一-龥]{2})"),
    hedges=later(r"忘了|忘记|差点|险些|本[来想]想?"),
    amends=AMENDS,
    anew=later(r"(?:改[约签订]?|换|挪|移|调)[到成在至为][^，。,！!]{1,10}"),
    alike=ALIKE,
    cases={"跟": "和", "与": "和", "同": "和"},
    heads={"不": 2, "没": 2, "未": 2, "去": 3},
    empty=frozenset("趟 遍 番 个 了 着 那 这 再 先 约".split()),
    ways=(("到", "从"), ("给", "从")),
    markers=frozenset("给 从 到 向".split()),
    persons=frozenset("我 你 您 他 她 它 我们 咱们 你们 他们 她们".split()),
    prefixes=frozenset("小 老 阿".split()),
    scales={"百": 1e2, "千": 1e3, "万": 1e4, "亿": 1e8, "w": 1e4},
    scaled_not="克米瓦卡赫字分科",
    telling=frozenset("年 月 日".split()),
    joins=frozenset("和 与 及 以及 或".split()),
    glue=frozenset({"DE", "COMMA", "SHI", "PAREN", "NEARLY"}),
    dated=frozenset({"MERIDIEM"}),
    event=later(rf"的?(?:[^\W\d_的]{{1,4}}?)?{_EVENTS}(?:[之以]?后)?的?"),
)

"""What names a thing and no time: titles, persons, streets, shops, scores and reference numbers that hold a time word.

Asked once for each time that was read, about the text around it. Capitals matter, so the text comes both as it was written
and folded.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from planner import expressions as ex
from planner._grammar import Language, Token
from planner._later import later

_NAMEABLE = (ex.Month, ex.Weekday, ex.Season, ex.Festival, ex.SolarTerm, ex.Lunar)

# --- any language: titles, figures, code ----------------------------------------------------------------------------------

_MEDIA = later(
    r"主题曲|插曲|片头|片尾|歌|曲|专辑|电影|片子|剧|小说|书|诗|杂志|唱|乐队|乐团|节目|漫画|动画|综艺|游戏|导演|主演"
    r"|\b(?:songs?|albums?|films?|movies?|novels?|books?|poems?|vinyl|karaoke|ukulele|guitar|piano|playlists?|tracks?|soundtrack|lyrics|chorus|remake|"
    r"sequel|trilogy|(?:hard|paper)back|starr?(?:s|ing)|directed|director|actor|actress|singer|band|bond|dialogue|solo|folklore|stuck in my head|"
    r"in the key of|nightmares|makes me (?:laugh|cry)|ma[kd]es? (?:me|us|him|her|you) (?:cry|laugh|sob)|paintings?|sculpture|opera|ballet|symphony|overrated|underrated|episodes?|cast|plot|bestseller|genre|sitcom|musical|podcast)\b"
)
_SAID = later(r"(?:[说道问答写讲喊：:,，]|\b(?:said|says|say|wrote|writes|asked|told me|replied|reads))\s*$")
_QUOTED = later(
    r"“[^”]{1,24}”|「[^」]{1,24}」|『[^』]{1,24}』|\"[^\"]{1,40}\"|(?<![A-Za-z0-9])'[^',.，。]{2,40}'(?![A-Za-z0-9])|‘[^’]{1,24}’"
)
_BOOK = later(r"[《〈][^》〉]*[》〉]")
# Papers and laws are of the year or the month in their title.
_PAPER = later(
    r"\d{4} ?(?:年|[—–-] ?\d{4})|\d.*(?:报告|方案|公报|通知|目录|要点|意见|计划|规划|总结|纪要|记录|预算|决算|年鉴|清单|账单|说明|安排|办法|指南|规定|法案|周报|月报|日报|季报|年报|简报|建议|名单|表|版|法)"
)

_BARE_FIGURES = later(r"[\d:/.,\-–—~]+(?:h\d)?")
_LABEL = later(
    r"(?:编号|单号|号码|工号|学号|票号|座机|取件码|验证码|密码|口令|版本号?|型号|批号|序列号|流水号|货号|卡号|账号|合同号?|发票号?|固件|驱动|内核|分机|邮编|条码|热线|拨打"
    r"|(?<![a-z])(?:invoice|ticket|serial|version|release|build|firmware|kernel|model|member|case|file|docket|batch|sku|ref|reference|pin|password|passcode|code|"
    r"account|policy|part|lot|tracking|order|id|no\.|number|num|nr|windows(?: \d+)?)"
    r"(?: (?:file|id|no\.?|number|num|code))?)\s?(?:是|为|[:：#]|is)?\s*(?:[a-z]{1,6}[-_]?)?$"
)
_SCORED = later(
    r"比分|险胜|惜败|完胜|大胜|决胜|拿下|领先|赢下|输掉|第.[局盘节]|战平|扳平|战胜|击败|落后|比例|配比|稀释|兑|调配|冲泡|混合|长宽比|画幅|屏幕|赔率|经文|约翰福音|诗篇"
    r"|\b(?:scores?|scored|decider|tie-?break|ratio|odds|split|aspect|mix|mixed|dilute|proportions?|final was|won|win|beat|lost|lead|led|trailing|verse|"
    r"psalms?|genesis|exodus|matthew|mark|luke|john|romans|corinthians|proverbs|isaiah|revelation|hebrews|scripture)\b"
)
_SCORES = later(r"\b(?:scores?|scored|ratio|odds|psalms?|verse)(?: (?:was|is|of))? $|(?:比分|比例|赔率)[是为：:]?$")
_SHARE = later(r"(?:[率度比]|得分|页码?|占)[是为：:]?$|\b(?:page|p\.|scored|got|rated|rating|fraction|blood pressure) $")
_PARTED = later(r"[，。,;；!！?？]")
_TIMED = later(r"\b(?:at|by|from|until|till|since|before|after)\s*$|于$")
_TEST = later(
    r"\s*(?:(?:on|in|for) (?:the|my|his|her|a|that|this) )?(?:quiz|tests?|exam|midterm|homework|assignment|correct|marks|points|stars|cups?|inch|inches|teaspoons?|tsp|tablespoons?|tbsp|miles?|pints?|pounds?|gallons?|majority|full|empty)\b|[分题杯勺匙碗斤磅页场层成强]|英寸"
)
_CODE = later(r"\[[\"']|==|=>|!=|\{|\}|\b(?:const|enum|def|import|typedef|elif|lambda)\b|\w\(|\w = \S")


def _quoted(start: int, end: int, text: str, folded: str) -> bool:
    """Whether it stands within quotation marks that hold a title, not what somebody said."""
    around = _around(_enclosed("quoted", text), start, end)
    if around is None:
        return False
    opens, closes = around
    before = folded[max(opens - _REACH, 0) : opens]
    return _SAID.search(before) is None and (
        _MEDIA.search(f"{before[-10:]}\n{folded[closes : closes + 16]}") is not None or _TITLED.search(before) is not None
    )


@lru_cache(maxsize=8)
def _enclosed(marks: str, text: str) -> list[tuple[int, int]]:
    """The places `[start, end)` that quotation or book marks enclose, found once a text and not once a time in it."""
    return [match.span() for match in (_BOOK if marks == "book" else _QUOTED).finditer(text)]


def _around(enclosed: list[tuple[int, int]], start: int, end: int) -> tuple[int, int] | None:
    at = bisect_left(enclosed, (start, 0)) - 1
    return enclosed[at] if at >= 0 and end < enclosed[at][1] else None


_TITLED = later(
    r"(?:名叫|叫做?|题为|名为|推荐|[看听读]过?|\b(?:play|called|titled|entitled|named|watch|watched|seen|read|reading|sing|sang|hum|played|heard|song|film|movie|album|novel))\s*$"
)


def _figures(token: Token, folded: str) -> bool:
    start, end, value = token.start, token.end, token.value
    said = folded[start:end]
    if ":" in said[:3] and _SCORES.search(folded[max(start - 16, 0) : start]) is not None:
        return True
    if _BARE_FIGURES.fullmatch(said) is None:
        return False
    if isinstance(value, ex.Clock):
        ahead = _PARTED.split(folded[max(start - 20, 0) : start])[-1]
        behind = _PARTED.split(folded[end : end + 20], maxsplit=1)[0]
        return _SCORED.search(f"{ahead}\n{behind}") is not None and _TIMED.search(ahead) is None
    if (
        isinstance(value, ex.Numeric)
        and "/" in said
        and (_TEST.match(folded, end) is not None or _SHARE.search(folded[max(start - 12, 0) : start]) is not None)
    ):
        return True
    return _LABEL.search(folded[max(start - 24, 0) : start]) is not None


# --- Chinese --------------------------------------------------------------------------------------------------------------

_SURNAME = "王李张刘陈杨赵黄吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊陆郝孔崔康邱秦史顾侯邵孟万段钱汤尹黎易武乔贺赖龚庞樊殷施洪翟倪严牛温季俞章鲁葛毛岳齐沉"
_BEHIND_SURNAME = later(rf"(?:^|[^\w]|一下|[给找叫是和跟问让请把的约与陪帮向对由被同])[{_SURNAME}]$")
_GIVEN = later(
    r"[丰良才德义仁鸣福顺狗龙峰强华军杰伟娟芳凡凤山江波涛刚勇毅敏静丽燕玲霞梅兰英辉洋洁诺轩涵萱豪浩泽彤琪瑶怡婷欣妍雯倩蕾颖琳珊菲薇俊凯恒昊哲睿鹏斌彬楠帆航翔宇鑫磊森仙妹娃虎豹成贵财宝旺喜]"
    r"(?=$|[^\w]|[让说姓叫在是的和跟家打问发给又也就]|老师|先生|女士|师傅|教练|经理|同学|医生|老板)"
)
_ADDRESSED = later(rf"(?![{_SURNAME}男女大小老新])\w(?:先生|女士|小姐|老师|师傅|教练|医生|经理)")
_CALLED = later(
    r"(?:名叫|[狗猫人妹姐哥弟女子儿事友生员它他她字号]叫|取名|起名|名字是|名为|外号|绰号|小名|乳名|艺名|笔名|网名|昵称|花名|姓名|叫做)[叫是为：:“\"]?$"
)
_IS_NAME = later(
    r"(?:就?是|乃)(?:个|一个|我|他|她|你|咱|我们|他们|咱们)?(?:们)?(?:家|的|\w{1,3}的)?(?:\w{1,3})?(?:名字|小名|笔名|网名|昵称|花名|姓名|乳名|艺名|人名|地名|店名|书名|歌名|片名|品牌|牌子)"
    r"|(?:就?是|乃)(?:我|他|她|你|咱)?们?的?[^，。]{0,4}(?:室友|同学|同事|朋友|哥|弟|姐|妹|叔|舅|老师|邻居|发小|战友|儿子|女儿|孙子|徒弟|师傅|老板)(?=$|[，。！？,!?])"
    r"|[这那](?:只|条)?(?:猫|狗|孩子|丫头|小子|家伙|姑娘|人)|姓\w"
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
    r"[^，。？！\s]{1,8}?(?:是谁(?:写|唱|作|画)的(?=$|[？?])|是谁的(?:小说|歌|诗|书|作品|专辑)|这首[诗歌]|这[部本](?:电影|小说|书|剧)|怎么唱|的歌词|是[一]?[部首](?:老|好)?(?:电影|歌|诗))"
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
    r"天(?![气空津冷热干儿还就都亮黑数])|围城|雪(?=小区|花|$|[是的])|革命|流火|飞霜|飞雪|飘雪|未央|长安|物语|桃花雪|不知肉味|是你的谎言|的高跟鞋|的狮子|与安生|照相馆|初五的月光|江声|惊雷"
)
_WEEK_GOES_ON = later(r"边(?!.*边|境|防|疆)|转[箱率金车]|长制|期(?![间末中初内])|刊|密|详")
_MOON_GOES_ON = later(r"台(?![账风湾])|亮|球|饼|光|嫂|牙|季花")
_INBORN = later(r"养成|形成|培养|习得|免疫|因素|失调|获得|性|塑造|造成的?|训练|环境|教育|条件")


# Behind these a window or a part of the day belongs to an event, a day or a year that the text does not place: 考试前一天,
# 手术后三天, 那天晚上, 哪年夏天.
_EVENT = later(
    r"(?:[考面]试|婚礼|出[发差]|生日|[开放][学工业会假]|手术|比赛|演出|结婚|毕业|[入离]职|搬家|体检|会议|截止|到期|交稿|上[线市映课班]|下[班课]|发布|登机|起飞|预产期|[高中]考|答辩|[典仪]式|满月|退房|入住|回[国家]|到货|开庭|签约|交房|产检|旅行|聚会|[饭睡考])$"
)
_SUBJECT = later(r"(?:^|[^一-龥]|[我你他她它们咱家俩的了在就是都也又才还到从和跟而这那年月日号天周底初末往向]|最近)$")
_UNPLACED_DAY = later(r"(?:[前后]一天|[那当]天|当日|那一天|[某有]一?天)的?$")
_UNPLACED_YEAR = later(r"(?:[那哪某同当]年|[那哪有某]一年)的?$")


def _of_event(value: ex.Expression, ahead: str) -> bool:
    if isinstance(value, ex.Rolling):
        if not value.whole or value.base is not None:
            return False
        told = value.sign > 0 or value.amount.parts[0][0] == 1
        return _EVENT.search(ahead) is not None or (told and _SUBJECT.search(ahead) is None)
    if value.frame == "day":
        return _UNPLACED_DAY.search(ahead) is not None
    return value.frame in ("year", "month") and _UNPLACED_YEAR.search(ahead) is not None


def chinese(token: Token, text: str, folded: str) -> bool:
    """Whether it is a part of a Chinese name, title or saying, or of an event that the text does not place."""
    start, end, value = token.start, token.end, token.value
    if start and folded[start - 1] >= "\u2e80" and _of_event(value, folded[max(start - 5, 0) : start]):
        return True
    if folded[start] < "\u2e80":
        return False
    if isinstance(value, ex.This):
        if value.unit == "day":
            return folded.startswith("后天", start) and (
                _INBORN.match(folded, end) is not None or "先天" in folded or folded.startswith(("的努力", "努力"), end)
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
    if (
        ahead
        and ends
        and (_CALLED.search(ahead) or (ahead[-1] == "叫" and len(ahead) > 1 and not isinstance(value, ex.Weekday)))
    ):
        return True
    if isinstance(value, ex.Weekday):
        if folded[start] == "周" and end - start == 2:
            if _GIVEN.match(folded, end) is not None or _ADDRESSED.match(folded, end) is not None:
                return True
            if ahead[-1:] == "给" and folded[end : end + 1].isalnum() and folded[end] not in "的上下早晚中开之前后到和":
                return True
        elif _STREET.match(folded, end) is not None or _BRAND.match(folded, end) is not None:
            return True
        return _IS_NAME.match(folded, end) is not None
    if folded[start].isdigit():
        return False
    if ahead and _BEHIND_SURNAME.search(ahead) is not None and not folded[end - 1 : end + 1].count("节"):
        return True
    if isinstance(value, ex.Month):
        if folded[end - 1] != "月":
            return False
        if _MONTH_GOES_ON.match(folded, end) is not None:
            return True
    if folded.startswith("元宵", start) and end == start + 2:
        return _DUMPLING.search(ahead) is not None or _OF_DUMPLING.match(folded, end) is not None
    return (
        _STREET.match(folded, end) is not None
        or _BRAND.match(folded, end) is not None
        or _WORK.match(folded, end) is not None
        or _IS_NAME.match(folded, end) is not None
        or (not isinstance(value, ex.Festival) and _INFIX.match(folded, end) is not None)
    )


# --- English --------------------------------------------------------------------------------------------------------------

_PLACE = later(
    r"(?:'s)? (?:[A-Z][a-z]+ )?(?:Street|St\b\.?|Road|Rd\b|Avenue|Ave\b|Lane|Ln\b|Court|Ct\b|Drive|Boulevard|Blvd\b|Terrace|Hill|Park|Place|Square|Crescent|Gardens|Highway|"
    r"Parkway|Alley|Bridge|Heights|Hotel|Inn\b|Cafe|Café|Bakery|Diner|Bistro|Tavern|Books|Bookshop|Records|Studios?|Labs?|Inc\b|Ltd\b|LLC\b|Corp\b|GmbH|Holdings|"
    r"Capital|Ventures|Partners|Publishing|Press|University|College|Academy|Magazine|Journal|Foundation|Cottage|Manor|Estate|Orchestra|Quartet|Trio)\b"
    r"|(?:'s) (?:restaurant|grill|diner|bar)\b|(?:'s)? (?:street|avenue|ave|road|boulevard|blvd|terrace)\b"
)
_HONOURED = later(
    r"\b(?:Mr|Mrs|Ms|Dr|Prof|Professor|Sir|Lady|Miss|Uncle|Aunt|Auntie|Captain|Detective|Officer|Judge|Sgt|Sheriff|Colonel|Major|General|Sergeant|Coach|Nurse|Rev|Pastor|Lord|King|Queen|President|Senator|Mayor|Inspector|Sister|Brother)\.? (?:Joe )?$"
)
_PETS = "cat|dog|pet|pony|horse|hamster|kitten|puppy|parrot|rabbit|goldfish|baby|turtle"
_KIN = "niece|nephew|sister|brother|aunt|uncle|cousin|friend|wife|husband|daughter|son|colleague|coworker|boss|mom|mum|mother|neighbou?r|roommate|flatmate|girlfriend|classmate|intern|assistant|teacher|tutor|nanny|tenant|client|grandma|granny"
_NAMED = later(
    rf"(?:\b(?:is|was|are|{_PETS}|girl|boy|character|guy|woman|man|someone|people|song|tune|film|movie|book|novel|album|band|show|game|app|company|brand|shop|cafe|restaurant|ship|boat|file|branch|server|project)|'s|he's|she's) (?:called|nicknamed) $|\bnamed $|\b(?:first |middle |last |nick|sur)?name (?:is|was) $|'s name is $"
)
_IS_ONE = later(
    rf"(?:'s)? (?:is|was) (?:(?:my|our|his|her|their|the|a|an|[\w]+'s)(?: \w+)? )(?:{_PETS}|{_KIN}|name|surname|nickname|actress|actor|singer|companion|character|author|rapper|drummer)\b"
    rf"| (?:is|was) [\w]+'s (?:{_PETS}|companion|name|sidekick)\b| the (?:{_PETS})\b| is (?:short for|a name|her name|his name)|'s owner\b"
)
_PERSON_DOES = later(
    r" (?:says|said|left|wants|wanted|told|asked|texted|emailed|likes|loves|hates|thinks|knows|lost|wrote|sent|adopted|bought|forgot|needs|lives|works|moved|studies|cooks|"
    r"teaches|bit|ate|laughed|smiled|sings|plays|hates|owes|snores|baked|borrowed|and (?:her|his|their|i)\b|from (?:accounting|sales|hr|marketing|legal|it|finance|payroll|"
    r"engineering|support|upstairs|downstairs|reception|work|next door)\b|in (?:payroll|accounting|hr|marketing|sales|finance|legal|engineering|reception)\b)\b"
    r"|,? (?:who|whose)\b|'s (?:mom|mum|dad|sister|brother|husband|wife|house|scarf|dog|cat|car|boyfriend|girlfriend|number|phone|email|kids?)\b"
)
_PERSON_GETS = later(
    rf"\b(?:tell|ask|invite|hug|thank|text|email|phone|hi|hey|hello|dear|marry|kiss|give (?:it|this|them|that) to|belongs to|(?:my|her|his|our|your|their|the) (?:{_PETS}|{_KIN}))[ ,]+$"
)
_TIED = later(
    r"\b(?:on|in|of|since|until|till|by|from|for|during|through|throughout|to|before|after|last|next|this|every|each|the|early|mid|late|and|or|between|around|past|coming|our|my|previous|at|over|it's|is|was|a)[ -]$"
)
_CAPITAL = later(r" (?:(?:de|van|von|del|da|di|la|le) )?([A-Z][a-zA-Z]*)(?:'s?)?(?![\w.])")
_TIMELY = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december "
    "i am pm utc gmt est pst cst edt pdt bst cet night morning evening afternoon day eve weekend week noon midnight lunch dinner breakfast brunch meeting party "
    "review call standup report team class mass conference summit sale sales release plan plans trip holiday holidays break festival school parade market "
    "bank budget invoice newsletter update sync demo workshop training webinar exam exams schedule calendar agenda minutes statement rent bill".split()
)
_TOWN = frozenset(
    "new san los bay santa las hong tel st mount north south east west london paris rome berlin tokyo boston chicago".split()
)
_IS_WORK = later(
    r" is (?:a|an|the|my favou?rite|her favou?rite|his favou?rite) (?:[\w-]+ )?(?:movie|film|song|tune|book|novel|band|album|painting|brand|restaurant|shop|store|company|startup|app|magazine|game|"
    r"sitcom|poem)\b(?! (?:night|day|club|marathon|date|fair|launch|release|signing))"
)
_PET_DOES = later(rf"\b(?:my|her|his|our|their) (?:{_PETS}) $")
_HABIT = later(r" (?!as\b|is\b|was\b|this\b)[a-z]{2,}s\b")
_BY_ARTIST = later(r"'?,? (?:by (?:the )?|starring |feat\.? |ft\.? )([A-Z]\w+)")
_PLAYED = later(
    r"\b(?:play|sing|hum|learn|covered|listen to|listening to|stream|streaming|watch|watching|watched|rewatch|rewatching|reading|read|seen)(?: the)? $"
)
_NO_NOUN = later(r" ?(?:$|[,.!?]|again|with|tonight|for|last|on|at)")
_TURNED = later(
    r"(?:\b(?:turn|left|right|corner)\b[\w ]*|\b(?:clinic|shop|store|bakery|cafe|restaurant|bar|office|building|apartment|flat|church|station|gym|salon|deli|pharmacy|library|studio|parking) )$"
)


# Things that bear the name of a day, and what is felt for it whenever it comes.
_ITS_THING = later(
    r"(?:'s?)? (?:tree|card|carol|light|turkey|roast|egg|resolution|decoration|pudding|stocking|jumper|sweater|wreath|costume|pumpkin|cracker|bonnet|bag|candy|chocolate|cookie|recipe|playlist|menu idea)s?\b"
)
_LIKED = later(r"\b(?:love|loves|loved|like|likes|hate|hates|hated|adore|adores|prefer|prefers|enjoy|enjoys) $")
_PAIRED = later(r"(?:^|[^.!?] )([A-Z][a-z]+) (?:and|&) $")
_BOTH_DO = later(r" (?:are|were|have|both|came|come|went|got|met|said|will|want|love|like|live|moved)\b")


def _bare_name(value: ex.Expression, start: int, end: int, folded: str) -> bool:
    """The name of a day or a season that stands for no one of them: "Christmas cards", "I love autumn"."""
    if not isinstance(value, ex.Season | ex.Festival | ex.Weekday | ex.Weekend):
        return False
    return _ITS_THING.match(folded, end) is not None or _LIKED.search(folded[max(start - 9, 0) : start]) is not None


def _english_small(value: ex.Expression, start: int, end: int, said: str, text: str, folded: str) -> bool:
    """The same for what is written without capitals."""
    if isinstance(value, ex.Season):
        if said.endswith("fall") and _FALLEN.match(folded, end) is not None:
            return True
        return _ONE_SUCH.search(folded[max(start - 4, 0) : start]) is not None
    if said in ("august", "mon"):
        return _SO.search(folded[max(start - 6, 0) : start]) is not None or folded.startswith((" ami", " dieu", " cher"), end)
    if isinstance(value, ex.Day) and said.startswith("on ") and "the" not in said:  # "the clinic on 24th"
        return _TURNED.search(folded[max(start - 40, 0) : start]) is not None
    return text[end : end + 2] in _BEFORE_STREET and _PLACE.match(text, end) is not None


_BEFORE_STREET = frozenset((" s", " a", " r", " b", " t", " S", " R", " A", " L", " C", " D"))
_FALLEN = later(r" of (?:the |an? )?(?!\d|'|last|this|next|same|year|following|that|my|our|nineteen|twenty|two)")
_ONE_SUCH = later(r"\ban? $")
_SO = later(r"\b(?:an|most|so|such) $")


# So many characters about a word tell whether it is a name.
_REACH = 60


def english(token: Token, text: str, folded: str) -> bool:
    """Whether it is a part of an English name, title or saying."""
    start, end, value = token.start, token.end, token.value
    if folded[start] >= "\u2e80" or not "a" <= folded[end - 1] <= "z":
        return False
    if folded.endswith("'s", start, end):
        end -= 2
    said, written = folded[start:end], text[start:end]
    if _bare_name(value, start, end, folded):
        return True
    if said == written:
        return _english_small(value, start, end, said, text, folded)
    low = max(start - _REACH, 0)
    head, ahead_of_it = text[low:start], folded[low:start]
    if isinstance(value, ex.Day) and said.startswith("on ") and text[start + 3].isupper():  # "turn left on Fifth"
        return True
    follows = text[end : end + 1]
    if follows in " '" and not said[-1].isdigit() and not said[-3:-2].isdigit() and _PLACE.match(text, end) is not None:
        return True
    if said.startswith("of ") and head.endswith("corner "):
        return True
    if _IS_WORK.match(folded, end) is not None and text[start].isupper():
        return True
    if text[start].isupper() and (artist := _BY_ARTIST.match(text, end)) is not None and artist[1].lower() not in _TIMELY:
        return True
    if not isinstance(value, _NAMEABLE):
        if said == "the night" or (
            isinstance(value, ex.Clock | ex.DayPart) and not said[0].isdigit() and text[start].isupper()
        ):
            after = _CAPITAL.match(text, end)  # Noon Khan, Midnight the pony, the Night Manager
            return (
                (
                    after is not None
                    and after[1].lower() not in _TIMELY
                    and (text[start].isupper() or text[start + 4 : start + 5] == "N")
                )
                or _IS_ONE.match(folded, end) is not None
                or (_MEDIA.search(folded, low, end + _REACH) is not None and not _TIED.search(ahead_of_it))
            )
        if " " in said:
            return _titled_words(text, start, end, folded)
        return text[start].isupper() and (
            _PLAYED.search(head) is not None
            or _in_title(text, start, end)
            or (head[-1:] == " " and head[-2:-1].isalpha() and _MEDIA.search(folded, low, end + _REACH) is not None)
        )
    if not text[start].isupper():
        return False
    if head and head[-1] in " .\"'" and (_HONOURED.search(head) is not None or _NAMED.search(ahead_of_it) is not None):
        return True
    if _IS_ONE.match(folded, end) is not None:
        return True
    if _HABIT.match(folded, end) is not None and _PET_DOES.search(ahead_of_it) is not None:
        return True
    tied = head != "" and _TIED.search(folded[max(start - 12, 0) : start]) is not None
    if isinstance(value, ex.Festival) and _PLAYED.search(head) is not None and _NO_NOUN.match(text, end) is not None:
        return True
    if isinstance(value, ex.Month | ex.Season):
        if (not tied or head.endswith(" to ")) and (
            _PERSON_GETS.search(ahead_of_it) is not None or _PLAYED.search(head) is not None
        ):
            return True
        if not tied and _PERSON_DOES.match(folded, end) is not None:
            return True
        pair = _PAIRED.search(head)  # "Julian and June are coming"
        if pair is not None and pair[1].lower() not in _TIMELY and _BOTH_DO.match(folded, end) is not None:
            return True
    after = _CAPITAL.match(text, end)
    other = after is not None and after[1].lower() not in _TIMELY and after[1].lower() not in _TOWN
    if other and after is not None and _BY_ARTIST.match(text, after.end()) is not None:
        return True
    if other and (not tied or head == "The ") and not isinstance(value, ex.Festival) and re.search(r"[a-z]", text[end:]):
        assert after is not None
        if isinstance(value, ex.Month | ex.Season) and not tied:
            return True
        further = _CAPITAL.match(text, after.end())
        if further is not None and further[1].lower() not in _TIMELY:
            return True
    if _in_title(text, start, end):
        return True
    if _MEDIA.search(folded, low, end + _REACH) is None or (
        tied and _HARD_TIED.search(folded[max(start - 12, 0) : start]) is not None
    ):
        return False
    before = re.search(r"([A-Z][a-z']+)(?: of| the| in| a)? $", head)
    if before is not None:
        word = before[1].lower()
        opens = before.start() == 0
        return word not in _OPENING and word not in _TIMELY and (opens or not isinstance(value, ex.Weekday))
    return other or ((head == "" and _OPUS_DOES.match(folded, end) is not None) and not tied)


def _titled_words(text: str, start: int, end: int, folded: str) -> bool:
    """Capitals where no time has them make a title: "28 Days Later gave me nightmares", "Saturday Night Fever has ..."."""
    words = text[start:end].split(" ")
    raised = [word for word in words[1:] if word[:1].isupper() and word.lower().strip(",.'") not in _ALWAYS_RAISED]
    if not raised or len(re.findall(r"\b[a-z]{2,}", text[max(start - _REACH, 0) : start] + text[end : end + _REACH])) < 2:
        return False
    after = _CAPITAL.match(text, end)
    if after is not None and after[1].lower() not in _TIMELY:
        return True
    return (
        len(raised) > 1
        or words[0][:1].isdigit()
        or (words[0][:1].isupper() and _MEDIA.search(folded, max(start - _REACH, 0), end + _REACH) is not None)
    )


def _in_title(text: str, start: int, end: int) -> bool:
    """Whether small words are written with capitals about it, as in "The Man Who Was Thursday", in a text that is not all so."""
    head = text[max(start - _REACH, 0) : start]
    ahead, behind = _RUN_AHEAD.search(head), _RUN_BEHIND.match(text, end, end + _REACH)
    raised = []
    if ahead is not None:
        words = ahead.group().split()
        raised += words if ahead.start() and head[: ahead.start()].rstrip()[-1:] not in ".!?:" else words[1:]
    if behind is not None:
        raised += behind.group().split()
    if not any(word in _SMALL for word in raised):
        return False
    if ahead is not None:
        head = head[: ahead.start()]
    last = end if behind is None else behind.end()
    return re.search(r"\b[a-z]{2,}", f"{head} {text[last : last + _REACH]}") is not None


_OPUS_DOES = later(
    r",| (?:of|is|was|makes|made|gave|gives|has|had|scared|stars|starring|soundtrack|lyrics|remake|sequel|with|on (?:vinyl|ukulele|guitar|piano)|at karaoke|in the key)\b"
)
_RUN_AHEAD = later(r"(?:[A-Z][a-z']*(?: (?:of|the|in|and|a|to|for|with|on|or))* )+$")
_RUN_BEHIND = later(r"(?:'s)?(?: (?:(?:of|the|in|and|a|to|for|with|on|or) )*[A-Z][a-z']*)+")
# Words that have a capital in the middle of a sentence only as a part of a title.
_SMALL = frozenset(
    "The A An Of And To Is Was Were Are Be Who When What That This Never Not No Any Every Your His Her Their Our Up Down Back Away Like Given From With Without About "
    "After Before Between Comes Ends Dies Dead Love Goes Gone Last Under Over Without Once Again Only".split()
)
_HARD_TIED = later(
    r"\b(?:on|since|until|till|by|from|for|during|to|before|after|last|next|this|every|each|between|around|at|early|late)[ -]$"
)
# Words that begin a sentence more often than a title.
_OPENING = frozenset(
    "what which who when where why how did do does is was are were will would can could should shall may might have has had i we he she they it you the a an my our this that "
    "watch watched movie film see saw seen play played read song book album listen listened go went meet met call let's lets on in at by since during before after last next "
    "every each and or but if then also maybe any some no yes not please remind schedule book buy bought finish finished start started tell told ask asked".split()
)
_ALWAYS_RAISED = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun am pm labor labour christmas xmas eve easter thanksgiving new year's boxing "
    "valentine's mother's father's independence memorial veterans halloween bank holiday".split()
)


_MARKS = re.compile("[《“\"'’‘「={([]")


@lru_cache(maxsize=8)
def _signs(text: str) -> frozenset[str]:
    """The marks of a text that matter here, looked for once a text."""
    return frozenset(_MARKS.findall(text))


def holds_no_time(token: Token, text: str, folded: str, languages: Sequence[Language]) -> bool:
    """Whether what was read as a time is a part of a name, a title, a score or a reference number."""
    first, signs = folded[token.start], _signs(text)
    if "《" in signs:
        title = _around(_enclosed("book", text), token.start, token.start)
        if title is not None:
            return _PAPER.search(text, *title) is None
    if first.isdigit() and _figures(token, folded):
        return True
    if not signs.isdisjoint("“\"'’‘「") and _quoted(token.start, token.end, text, folded):
        return True
    if (
        first < "\u2e80"
        and not signs.isdisjoint("={([")
        and token.end - token.start <= 9
        and _CODE.search(text, max(token.start - _REACH, 0), token.end + _REACH) is not None
    ):
        return isinstance(token.value, ex.Weekday | ex.Month) and (
            text[token.start : token.end].isupper() or not signs.isdisjoint("=[")
        )
    return any(language.names is not None and language.names(token, text, folded) for language in languages)

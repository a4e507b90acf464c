"""English of the US, the UK and the world: words, rules with their examples, tenses.

Categories that other languages share (NUM, INT, CLOCK, TO, AND ...) keep their names; those of English alone begin with E.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from planner import expressions as ex
from planner._composition import in_zone
from planner._figures import day as date_of
from planner._figures import two_digit_year, zone_offset
from planner._grammar import REACH, Found, Language, Made, Rule, Token, Weak, later
from planner._later import source_of
from planner.ranges import Grain


def _all(cat: str, table: dict[str, Any]) -> dict[str, tuple[str, Any]]:
    return {word.replace("_", " "): (cat, value) for words, value in table.items() for word in words.split()}


# --- numerals -------------------------------------------------------------------------------------------------------------

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = ("zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
             "sixteenth seventeenth eighteenth nineteenth").split()  # fmt: skip
NUMBERS: dict[str, tuple[str, Any]] = {word: ("NUM", n) for n, word in enumerate(_ONES)}
NUMBERS |= {word: ("NUM", 20 + 10 * n) for n, word in enumerate(_TENS)}
NUMBERS |= {f"{ten} {one}": ("NUM", 20 + 10 * t + n + 1) for t, ten in enumerate(_TENS) for n, one in enumerate(_ONES[1:10])}
NUMBERS |= {word: ("EORD", n) for n, word in enumerate(_ORDINALS) if n and word != "second"}
NUMBERS |= {"twentieth": ("EORD", 20), "thirtieth": ("EORD", 30), "thirty first": ("EORD", 31)}
NUMBERS |= {f"twenty {word}": ("EORD", 20 + n) for n, word in enumerate(_ORDINALS[1:10], 1)}
NUMBERS["five and twenty"] = ("NUM", 25)

# --- words ----------------------------------------------------------------------------------------------------------------

_MONTHS = "january february march april may june july august september october november december".split()
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
PARTS = {
    "dawn daybreak sunrise crack_of_dawn": ex.DayPart("small_hours", 4, 7), "morning mornin morn forenoon": ex.DayPart("morning", 6, 12),
    "small_hours early_hours wee_hours small_hours_of_the_morning early_hours_of_the_morning wee_hours_of_the_morning middle_of_the_night the_middle_of_the_night dead_of_night dead_of_the_night": ex.DayPart("small_hours", 0, 6),
    "first_thing first_thing_in_the_morning": ex.DayPart("morning", 6, 12), "last_thing last_thing_at_night": ex.DayPart("evening", 18, 24),
    "lunchtime lunch_time lunch": ex.DayPart("noon", 11, 13), "afternoon arvo afternoonish": ex.DayPart("afternoon", 12, 18),
    "dusk sunset": ex.DayPart("dusk", 17, 19), "evening eve": ex.DayPart("evening", 18, 24), "dinnertime dinner_time": ex.DayPart("evening", 18, 20),
    "night nite nighttime night_time": ex.DayPart("evening", 18, 24), "daytime": ex.DayPart("daytime", 6, 18),
}  # fmt: skip
_NIGHT = ex.DayPart("night", 18, 30)
_MERIDIEMS = {"a": ex.DayPart("morning", 6, 12), "p": ex.DayPart("afternoon", 12, 18)}
_EVENING, _LATE = ex.DayPart("evening", 18, 24), ex.DayPart("late_night", 22, 26)

FESTIVALS = {
    "christmas xmas christmas_day xmas_day": "christmas", "christmas_eve xmas_eve": "christmas_eve", "boxing_day": "boxing",
    "new_year's_day new_years_day new_year's new_year new_years": "new_year", "new_year's_eve new_years_eve nye": "new_year_eve",
    "valentine's_day valentines_day valentine_day valentines valentine's": "valentine", "easter easter_sunday": "easter",
    "good_friday": "good_friday", "easter_monday": "easter_monday", "palm_sunday": "palm_sunday", "ash_wednesday": "ash_wednesday",
    "maundy_thursday": "maundy_thursday", "shrove_tuesday mardi_gras pancake_day": "shrove_tuesday", "pentecost whit_sunday": "pentecost",
    "whit_monday": "whit_monday", "ascension_day": "ascension", "trinity_sunday": "trinity_sunday", "corpus_christi": "corpus_christi",
    "orthodox_easter": "orthodox_easter", "clean_monday green_monday orthodox_shrove_monday": "clean_monday", "lazarus_saturday": "lazarus_saturday",
    "boss's_day boss_day bosses_day": "boss", "siblings_day sibling_day": "siblings", "grandparents_day national_grandparents_day": "grandparents",
    "loyalty_day lei_day": "labour", "lincoln's_birthday lincolns_birthday lincoln_birthday": "lincoln", "king's_day kings_day koningsdag": "kings",
    "administrative_professionals_day administrative_professional_day administrative_professional's_day secretaries_day": "administrative",
    "daylight_saving_start daylight_savings_start daylight_saving_time_start": "us_dst_start", "daylight_saving_end daylight_savings_end daylight_saving_time_end": "us_dst_end", "orthodox_good_friday": "orthodox_good_friday", "halloween hallowe'en": "halloween",
    "thanksgiving thanksgiving_day thanks_giving thanks_giving_day": "thanksgiving", "black_friday": "black_friday", "cyber_monday": "cyber_monday",
    "giving_tuesday": "giving_tuesday", "mother's_day mothers_day mother_day mothers'_day": "mothers", "father's_day fathers_day father_day fathers'_day": "fathers",
    "independence_day july_4th fourth_of_july 4th_of_july": "independence", "labor_day": "us_labor", "labour_day may_day international_workers'_day": "labour",
    "memorial_day": "memorial", "veterans_day veteran's_day veteran_day armistice_day remembrance_day": "veterans", "columbus_day indigenous_peoples'_day": "columbus",
    "mlk_day civil_rights_day martin_luther_king_day martin_luther_king's_day martin_luther_king_jr_day": "mlk",
    "presidents'_day presidents_day president's_day washington's_birthday": "presidents", "juneteenth freedom_day": "juneteenth",
    "groundhog_day": "groundhog", "st_patrick's_day st._patrick's_day saint_patrick's_day st_patricks_day saint_patricks_day saint_patrick st_paddy's_day": "st_patrick",
    "april_fools'_day april_fools april_fool's_day april_fools_day": "april_fools", "earth_day": "earth", "pi_day": "pi", "cinco_de_mayo": "cinco_de_mayo",
    "women's_day international_women's_day": "women", "children's_day": "children", "bastille_day": "bastille", "canada_day": "canada",
    "anzac_day": "anzac", "guy_fawkes_day guy_fawkes_night bonfire_night": "guy_fawkes", "all_saints'_day all_saints_day": "all_saints",
    "all_souls'_day all_souls_day": "all_souls", "epiphany": "epiphany", "star_wars_day": "star_wars", "canadian_thanksgiving": "canadian_thanksgiving",
    "chinese_new_year lunar_new_year lunar_new_year's_day chinese_lunar_new_year chinese_lunar_new_year's_day spring_festival chinese_new_year's_day chinese_new_years": "spring_festival", "chinese_new_year's_eve": "spring_festival_eve",
    "lantern_festival": "lantern", "qingming qingming_festival tomb_sweeping_day tomb-sweeping_day": "tomb_sweeping", "dragon_boat_festival": "dragon_boat",
    "mid-autumn_festival mid_autumn_festival mid-autumn moon_festival mooncake_festival": "mid_autumn", "double_ninth_festival": "double_ninth",
    "rosh_hashanah rosh_hashana rosh_hashannah rosha_hashana jewish_new_year": "rosh_hashanah", "yom_kippur day_of_atonement": "yom_kippur", "sukkot sukkos succot feast_of_tabernacles": "sukkot",
    "shemini_atzeret": "shemini_atzeret", "simchat_torah": "simchat_torah", "hanukkah chanukah chanukkah hanukah hannukah hannukkah": "hanukkah", "tu_bishvat tu_b'shvat": "tu_bishvat", "purim": "purim",
    "passover pesach": "passover", "yom_haatzmaut yom_ha'atzmaut": "yom_haatzmaut", "lag_baomer lag_b'omer": "lag_baomer", "shavuot shavuos feast_of_weeks": "shavuot", "tisha_b'av tisha_bav": "tisha_bav",
    "islamic_new_year hijri_new_year arabic_new_year muslim_new_year": "islamic_new_year", "ashura day_of_ashura": "ashura", "mawlid milad milad-un-nabi milad_un_nabi eid-e-milad eid_milad_un_nabi prophet's_birthday": "mawlid",
    "isra_and_mi'raj isra_and_miraj isra'_and_mi'raj prophet's_ascension the_prophet's_ascension night_journey the_night_journey": "isra_miraj", "ramadan ramadhan ramzan": "ramadan",
    "laylat_al-qadr laylat_al_qadr night_of_power": "laylat_al_qadr", "eid_al-fitr eid_al_fitr eid-al-fitr eid_ul-fitr eid_ul_fitr id-ul-fitr id_ul-fitr eid-ul-fitr": "eid_al_fitr", "jumu'atul-wida jumu'atul_wida jamat_ul-vida jamat_ul_vida jumuatul_wida": "jumuatul_wida",
    "eid_al-adha eid_al_adha eid-al-adha eid_ul-adha eid_ul_adha id_ul-adha id-ul-adha bakr_id bakr-id bakrid bakra_eid sacrifice_feast feast_of_sacrifice": "eid_al_adha", "arafah day_of_arafah arafat_day": "arafah",
    "diwali deepavali divali lakshmi_puja laxmi_puja": "diwali", "choti_diwali chhoti_diwali naraka_chaturdashi naraka_chaturdasi kali_chaudas": "naraka_chaturdashi", "dhanteras dhanatrayodashi": "dhanteras", "govardhan_puja": "govardhan_puja",
    "bhai_dooj bhai_duj bhaiya_dooj bhau_beej": "bhai_dooj", "chhath chhath_puja chhath_parv dala_puja surya_shashthi": "chhath", "navaratri navratri durga_puja durgotsava": "navaratri", "dussehra dasara dashain vijayadashami vijaya_dashami": "dussehra",
    "holi dhulandi dhulivandan phagwah": "holi", "holika_dahan chhoti_holi choti_holi": "holika_dahan", "raksha_bandhan rakhi rakshabandhan": "raksha_bandhan", "vasant_panchami basant_panchami saraswati_puja": "vasant_panchami",
    "maha_shivaratri mahashivratri maha_shivratri shivaratri": "maha_shivaratri", "ugadi yugadi gudi_padwa samvatsaradi chaitra_sukladi chaitra_sukhladi cheti_chand": "ugadi", "mahavir_jayanti mahaveer_jayanti mahaveer_janma_kalyanak mahavir_janma_kalyanak": "mahavir_jayanti",
    "guru_ravidas_jayanti guru_ravidass_jayanti ravidas_jayanti": "ravidas_jayanti", "guru_purnima": "guru_purnima", "rath_yatra ratha_yatra": "rath_yatra", "janmashtami krishna_janmashtami gokulashtami krishna_jayanti": "janmashtami",
    "ganesh_chaturthi vinayaka_chaturthi ganesha_chaturthi": "ganesh_chaturthi", "valmiki_jayanti maharishi_valmiki_jayanti maharshi_valmiki_jayanti pargat_diwas": "valmiki_jayanti", "karva_chauth karwa_chauth": "karva_chauth",
    "guru_nanak_jayanti guru_nanak_gurpurab gurpurab": "guru_nanak_jayanti", "rabindra_jayanti rabindranath_jayanti": "rabindra_jayanti", "gandhi_jayanti": "gandhi", "lohri": "lohri",
    "pongal thai_pongal makar_sankranti makara_sankranti uttarayan surya_pongal perum_pongal": "pongal", "mattu_pongal maattu_pongal": "mattu_pongal", "kanum_pongal kaanum_pongal kanni_pongal": "kanum_pongal", "vaisakhi vaishakhi baisakhi vaisakhadi": "vaisakhi",
    "indian_independence_day independence_day_of_india": "india_independence", "republic_day": "india_republic", "vesak vesak_day vaisakha buddha_purnima buddha_day buddha's_birthday": "vesak", "songkran": "songkran", "nowruz norouz persian_new_year": "nowruz",
    "lent": "lent", "holy_saturday": "holy_saturday", "divine_mercy_sunday": "divine_mercy", "assumption_day feast_of_the_assumption": "assumption", "immaculate_conception": "immaculate", "candlemas": "candlemas",
    "feast_of_the_annunciation annunciation_day": "annunciation", "orthodox_christmas": "orthodox_christmas", "orthodox_easter_monday": "orthodox_easter_monday", "orthodox_holy_saturday": "orthodox_holy_saturday", "orthodox_palm_sunday": "orthodox_palm_sunday",
    "orthodox_clean_monday": "orthodox_clean_monday", "orthodox_ascension": "orthodox_ascension", "orthodox_pentecost": "orthodox_pentecost", "sacred_heart": "sacred_heart",
    "spring_equinox vernal_equinox march_equinox": "spring_equinox", "summer_solstice june_solstice": "summer_solstice", "autumn_equinox autumnal_equinox fall_equinox": "autumn_equinox", "winter_solstice december_solstice": "winter_solstice",
    "election_day": "us_election", "super_tuesday": "super_tuesday", "tax_day": "tax", "emancipation_day": "emancipation", "flag_day": "flag", "kwanzaa": "kwanzaa",
    "burns_night": "burns", "st_david's_day st_davids_day saint_david's_day": "st_david", "st_george's_day st_georges_day saint_george's_day": "st_george", "st_andrew's_day st_andrews_day saint_andrew's_day": "st_andrew", "hogmanay": "hogmanay",
    "waitangi_day": "waitangi", "australia_day": "australia", "victoria_day": "victoria", "mothering_sunday": "mothering_sunday", "remembrance_sunday": "remembrance_sunday", "early_may_bank_holiday may_bank_holiday": "early_may_holiday",
    "spring_bank_holiday": "spring_holiday", "august_bank_holiday summer_bank_holiday": "august_holiday", "white_day": "white_valentine", "world_aids_day": "aids", "world_environment_day": "environment", "world_book_day": "book", "world_water_day": "water", "world_health_day": "health", "world_food_day": "food",
    "qixi qixi_festival": "qixi", "national_day": "national", "golden_week": "national", "singles'_day singles_day": "singles", "teachers'_day teachers_day": "teachers",
}  # fmt: skip

# Minutes east of UTC, or an IANA name where summer time is kept; an abbreviation that several zones share is the American one.
ZONES: dict[str, int | str] = {
    "gmt utc zulu_time gmt_time utc_time": 0, "bst": 60, "cet": 60, "cest eet sast": 120, "msk eest": 180, "ist": 330, "sgt hkt awst": 480, "jst kst": 540, "aest": 600,
    "aedt": 660, "nzst": 720, "nzdt": 780, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
    "akst": -540, "hst": -600, "brt": -180,
    "et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver", "pt": "America/Los_Angeles",
}  # fmt: skip
# What is said before "time".
_ZONE_TIMES = {
    "eastern eastern_standard eastern_daylight us_eastern east_coast new_york ny nyc boston toronto miami atlanta washington": "America/New_York",
    "central central_standard central_daylight us_central chicago texas dallas houston austin": "America/Chicago",
    "mountain mountain_standard mountain_daylight us_mountain denver": "America/Denver",
    "pacific pacific_standard pacific_daylight us_pacific west_coast la los_angeles sf san_francisco seattle vancouver california": "America/Los_Angeles",
    "london uk british british_summer english": "Europe/London", "dublin irish": "Europe/Dublin", "lisbon": "Europe/Lisbon",
    "paris french": "Europe/Paris", "berlin german central_european": "Europe/Berlin", "madrid": "Europe/Madrid", "rome": "Europe/Rome", "amsterdam": "Europe/Amsterdam",
    "zurich": "Europe/Zurich", "moscow": "Europe/Moscow", "dubai": "Asia/Dubai", "india indian indian_standard mumbai delhi bangalore": "Asia/Kolkata",
    "beijing china shanghai shenzhen chinese": "Asia/Shanghai", "hong_kong hk": "Asia/Hong_Kong", "taipei taiwan": "Asia/Taipei", "singapore sg": "Asia/Singapore",
    "tokyo japan": "Asia/Tokyo", "seoul korea korean": "Asia/Seoul", "bangkok": "Asia/Bangkok", "sydney melbourne aussie": "Australia/Sydney", "brisbane": "Australia/Brisbane",
    "perth": "Australia/Perth", "auckland nz": "Pacific/Auckland",
}  # fmt: skip
ZONES |= {f"{place}_time": zone for places, zone in _ZONE_TIMES.items() for place in places.split()}

WORDS: dict[str, tuple[str, Any]] = {
    **NUMBERS,
    **_all("EDAY", {"today today's 2day": 0, "tomorrow tomorrow's tomorrows tmr tmrw tmw tommorow tomorow tommorrow 2moro 2morrow 2mrw tomoz 2mora": 1, "yesterday yesterday's yest yday yesterdy ystrday ystday ystd yesty": -1, "day_before_yesterday": -2, "day_after_tomorrow": 2,
                    "the_day_before_yesterday": -2, "the_day_after_tomorrow": 2, "overmorrow": 2}),
    **_all("EXPR", {
        "tonight tonite 2nite 2night": ex.Within(ex.This("day"), _EVENING), "last_night last_nite lst_night lst_nite": ex.Within(ex.This("day", -1), _NIGHT),
        "night_before_last the_night_before_last": ex.Within(ex.This("day", -2), _NIGHT),
        "the_evening_before_last evening_before_last": ex.Within(ex.This("day", -2), _EVENING), "the_other_night the_other_evening the_other_morning the_other_afternoon": ex.Vague(-1, 7), "the_other_week": ex.Vague(-1, 28), "the_other_month": ex.Vague(-1, 120),
        **{rel + unit: ex.This(unit, n) for rel, n in (("last", -1), ("this", 0), ("next", 1)) for unit in ("week", "weekend", "month", "year")},
        "last_weeknd": ex.This("weekend", -1), "this_weeknd": ex.This("weekend"), "next_weeknd": ex.This("weekend", 1),
        "now right_now just_now at_the_moment at_this_moment currently at_present presently at_the_present_time at_this_time asap as_soon_as_possible": ex.Now(),
        "recently lately of_late in_recent_days in_recent_weeks recent_days recent_weeks these_days": ex.Vague(-1),
        "in_recent_months recent_months": ex.Vague(-1, 90), "in_recent_years recent_years": ex.Vague(-1, 1095),
        "the_other_day a_few_days_back": ex.Vague(-1, 7), "soon in_the_coming_days in_the_next_few_days": ex.Vague(1, 7),
        **{f"{word}ish": ex.Clock(n + 12 if n <= 5 else n, twelve=True) for n, word in enumerate(_ONES[1:13], 1)},
        "noon twelve_noon midday mid_day noonish": ex.Clock(12), "midnight mid_night": ex.Clock(0),
        "ytd year_to_date": ex.Rest(ex.This("year"), -1), "mtd month_to_date": ex.Rest(ex.This("month"), -1), "qtd quarter_to_date": ex.Rest(ex.This("quarter"), -1),
        "eow": ex.Within(ex.This("week"), ex.Slice("late")), "eom": ex.Within(ex.This("month"), ex.Slice("late")),
        "eoy": ex.Within(ex.This("year"), ex.Slice("late")),
    }),
    **_all("ELAST", {"last latest lst": -1, "last_to_last": -2}), **_all("EPREV", {"previous prior preceding": -1}), **_all("EPAST", {"past this_past": -1}),
    **_all("ETHIS", {"this current present the_current the_present my this_very": 0}), **_all("ENEXT", {"next nxt": 1, "next_to_next": 2}),
    **_all("ECOMING", {"coming upcoming following forthcoming subsequent this_coming this_upcoming": 1}),
    **_all("EUNIT", {
        "minute minutes min mins": "minute", "hour hours hr hrs": "hour", "day days": "day", "week weeks wk wks week's weeks' calendar_week calendar_weeks": "week",
        "weekend weekends wkend long_weekend": "weekend", "month months mo mos month's mth mths calendar_month calendar_months": "month", "quarter quarters qtr qtrs qtr.": "quarter", "year years yr yrs year's years' calendar_year calendar_years": "year",
        "decade decades": "decade", "century centuries": "century", "fortnight fortnights fortnight's": "fortnight", "seconds sec secs": "second",
        "business_day business_days working_day working_days work_day work_days workday workdays weekday trading_day trading_days": "workday", "quarter_hour quarter_of_an_hour quarters_of_an_hour": "quarter_hour",
    }),
    **_all("ESECOND", {"second": 2}),
    **{day: ("EWD", n) for n, day in enumerate(_DAYS)}, **{day + "s": ("EWDS", n) for n, day in enumerate(_DAYS)},
    **_all("EWD", {"mon. mon": 0, "tue tues tue. tues.": 1, "wed. weds": 2, "thu thur thurs thu. thur. thurs.": 3, "fri fri.": 4, "sat.": 5, "sun.": 6}),
    **_all("EWDWEAK", {"wed": 2, "sat": 5, "sun": 6}),
    **{month: ("EMON", n) for n, month in enumerate(_MONTHS, 1) if month not in ("may", "march")},
    **_all("EMON", {"jan jan.": 1, "feb feb.": 2, "mar.": 3, "apr apr.": 4, "jun jun.": 6, "jul jul.": 7, "aug aug.": 8, "sep sept sep. sept.": 9, "oct oct.": 10,
                    "nov nov.": 11, "dec dec.": 12}),
    **_all("EMONWEAK", {"may": 5, "march mar": 3}),
    **_all("EPART", PARTS),
    **_all("ESEASON", {"summer summertime": 1, "autumn": 2, "winter wintertime": 3, "springtime": 0}), **_all("ESEASONWEAK", {"spring": 0, "fall": 2}),
    **_all("EFEST", FESTIVALS),
    **_all("EDATES", {"springs": ex.Season(0), "summers": ex.Season(1), "autumns falls": ex.Season(2), "winters": ex.Season(3),
                     "christmases": ex.Festival("christmas"), "easters": ex.Festival("easter"), "thanksgivings": ex.Festival("thanksgiving"), "halloweens": ex.Festival("halloween")}),
    **_all("EDATE", {"date": None}), **_all("EWEEKDAY", {"weekdays": None}), **_all("EOVERNIGHT", {"overnight": None}), **_all("EHALFTH", {"latter_half later_half back_half": 2, "former_half front_half": 1}), **_all("EWORKWEEK", {"working_week work_week workweek business_week": None}), **_all("ECLOSE", {"eod end_of_day end_of_the_day close_of_business close_of_play end_of_play cob cop": None}), **_all("ESHORT", {"d": "day", "y": "year", "m": "minute"}), **_all("EALL", {"all": None}), **_all("EERA", {"ad ce": "ad", "bc bce": "bc"}), **_all("ENIGHTS", {"nights": None}), **_all("ESOFAR", {"so_far": None}), **_all("EISH", {"ish": None}), **_all("EZONE", ZONES), **_all("ECOAST", {"eastern": "America/New_York", "pacific": "America/Los_Angeles", "central": "America/Chicago"}),
    **_all("EHUNDRED", {"hundred": 100}), **_all("ETHOUSAND", {"thousand": 1000}),
    **_all("EFEW", {"a_few few several a_few_of some": 3, "a_couple_of couple_of a_couple couple a_pair_of": 2, "many": 5}),
    **_all("EAN", {"a an": 1}), **_all("ETHE", {"the": None}), **_all("EHALF", {"half": None}), **_all("EAGO", {"ago back before_now earlier": None}),
    **_all("ELATER", {"later hence from_now from_today after_now after_today time": None}), **_all("EIN", {"in within_the_span_of": None}), **_all("EON", {"on": None}),
    **_all("EAT", {"at @ at_like": None}), **_all("EOF", {"of": None}), **_all("EFOR", {"for": None}), **_all("EDURING", {"during throughout over": None}),
    **_all("EWITHIN", {"within in_less_than inside_of": None}), **_all("FROM", {"from starting_from starting starting_on commencing commencing_on beginning beginning_on as_of as_from effective with_effect_from": None}),
    **_all("TO", {"to until untill till through thru til up_to up_till up_until up_to_and_including until_and_including": None}), **_all("AND", {"and or as_well_as": None}), **_all("EBETWEEN", {"between": None}),
    **_all("ESINCE", {"since ever_since": None}), **_all("ENOTBEFORE", {"no_earlier_than not_earlier_than not_before not_until not_till": None}), **_all("EBEFORE", {"before prior_to earlier_than ahead_of": None}),
    **_all("EAFTER", {"after following_on later_than": None}), **_all("EBUT", {"but": None}), **_all("EENDING", {"ending": None}), **_all("EBY", {"by no_later_than not_later_than due_by": None}),
    **_all("EABOUT", {"about around approximately circa roughly nearly almost approx": None}), **_all("EONWARD", {"on onward onwards forward": None}),
    **_all("EEVERY", {"every each every_other": None}), **_all("EOFTEN", {"daily weekly monthly yearly annually hourly quarterly biweekly fortnightly nightly everyday mornings afternoons evenings": None}),
    **_all("EEARLY", {"early": "early", "mid middle": "mid", "late": "late"}),
    **_all("EEDGE", {"beginning start the_beginning the_start": "early", "the_middle middle": "mid", "end the_end": "late"}),
    **_all("ENEAREST", {"closest nearest": None}), **_all("EGONE", {"just_gone just_past just_passed just_ended just_finished that_just_went that_just_ended that's_just_gone that_has_just_gone": None}),
    **_all("EPENULT", {"penultimate second_last last_but_one": 2}), **_all("EMEAL", {"breakfast": ex.DayPart("breakfast", 7, 9), "dinner supper": ex.DayPart("evening", 18, 20)}),
    **_all("EREST", {"earlier": -1, "later": 1, "rest remainder remaining the_rest the_remainder": 1}), **_all("EOCLOCK", {"o'clock oclock o'clocks": None}),
    **_all("ETIME", {"time this_time same_time the_same_time": None}), **_all("ESAME", {"same the_same": None}), **_all("EOH", {"oh": None}), **_all("EQ", {"q": None}), **_all("EH", {"h": None}), **_all("EW", {"w cw kw": None}), **_all("EWEEKOF", {"w/c w/b w/e": None}), **_all("EYEAR", {"year": None}),
    **_all("EFISCAL", {"fy cy fiscal_year financial_year fiscal financial": None}), **_all("EMINUTES", {"minutes minute mins": None}),
    **_all("ETENS", {"nineties": 90, "eighties": 80, "seventies": 70, "sixties": 60, "fifties": 50, "forties": 40, "thirties": 30, "twenties": 20, "tens": 10, "noughties": 0}),
    **_all("ENOISE", {
        "run_up summer_palace twelfth_night easter_island easter_islands easter_road "
        "second_hand second_version second_thought second_thoughts second_opinion second_language second_time second_place second_floor second_half_of_the_game "
        "spring_boot spring_roll spring_rolls spring_onion spring_cleaning hot_spring hot_springs spring_framework box_spring fall_asleep fall_apart fall_in_love fall_back fall_down fall_off fall_behind fall_for "
        "sunday_times black_friday_the weekend_warrior weekend_warriors may_be may_have may_not may_well may_also march_on march_against marching day_to_day day_by_day day_after_day "
        "week_after_week year_after_year month_after_month one_day_soon someday day_job day_one every_now_and_then now_and_then now_that "
        "time_to_time at_times sometimes in_time on_time for_now until_now friday_the_thirteenth good_morning good_afternoon good_evening good_night "
        "thank_god_it's_friday thirty_seconds_to_mars twenty_one_pilots nine_inch_nails last_name last_names next_to next_door next_step next_steps last_resort last_but_not_least last_time next_level "
        "year_old years_old year_olds at_last at_least at_first at_all at_once at_home at_work at_school second_to_none night_shift night_owl night_light night_mode night_sky morning_person night_person evening_person morning_people morning_sickness evening_gown evening_dress day_care "
        "half_life better_half half_brother half_sister quarter_back quarterback quarter_pounder quarter_final quarter_finals minute_hand minutes_of_the_meeting meeting_minutes "
        "month_old months_old weeks_old days_old week_old day_old lunch_box lunch_money early_bird early_access "
        "manic_monday blue_monday stormy_monday black_monday happy_mondays ruby_tuesday freaky_friday bloody_sunday sunday_bloody_sunday sunday_riley saturday_night_fever saturday_night_live "
        "friday_night_lights friday_i'm_in_love november_rain september_ends by_september_ends april_o'neil april_ludgate june_carter june_cleaver theresa_may brian_may maggie_may aunt_may "
        "august_wilson august_rush march_hare jo_march amy_march donna_summer summer_of_'69 summer_of_69 i_know_what_you_did_last_summer winter_soldier winter's_tale winter's_bone winter_olympics "
        "summer_olympics winter_wonderland winter_palace winter_melon summer_squash winter_coat winter_coats winter_jacket winter_boots winter_tires winter_tyres winter_sports summer_dress summer_dresses "
        "wednesday_addams joe_friday man_friday girl_friday tgi_friday tgi_fridays tgi_friday's any_given_sunday taking_back_sunday sunday_best sunday_driver sunday_drivers sunday_school summer_school summer_camp at_one_with month_of_sundays good_friday_agreement "
        "case_of_the_mondays monday_morning_quarterback tomorrow_never_dies tomorrow_never_knows tomorrow_is_another_day edge_of_tomorrow yesterday_once_more yesterday's_news born_yesterday "
        "like_there's_no_tomorrow no_tomorrow here_today usa_today psychology_today the_today_show today_show midnight_in_paris midnight_cowboy midnight_express midnight_oil midnight_train midnight_blue "
        "midnight's_children high_noon darkness_at_noon the_man_who_was_thursday the_night_manager hard_day's_night seven_days_in_may born_on_the_fourth_of_july first_of_may_by built_in_a_day built_in_one_day "
        "make_a_summer christmas_with_the_kranks nightmare_before_christmas independence_day_resurgence now_or_never now_and_again dawn_till_dusk dawn_to_dusk morning_after_pill apocalypse_now now_you_see_me one_of_these_days plead_the_fifth take_the_fifth "
        "hunt_for_red_october red_october october_sky guns_of_august september_11_attacks may_the_force may_the_fourth mon_ami mon_dieu april_fool bitter_end dead_end weekend_at_bernie's week_end "
        "tonight_show late_late_show saturday_evening_post friday_night_funkin tuesdays_with_morrie drive-in_saturday saturday_night_takeaway friday_night_dinner "
        "black_friday_agreement long_good_friday his_girl_friday rainy_days_and_mondays i_don't_like_mondays monday_monday "
        "friday_on_my_mind sunday_morning_coming_down sunday_in_the_park_with_george march_of_the_penguins march_on_washington march_to_the_sea march_madness july_monarchy july_plot june_rebellion "
        "october_revolution february_revolution november_revolution september_massacres may_fourth_movement prague_spring arab_spring silent_spring rite_of_spring spring_awakening spring_breakers winter_war "
        "easter_rising endless_summer cruel_summer 500_days_of_summer boys_of_summer long_hot_summer summertime_sadness midsummer_night's_dream a_midsummer_night's_dream suddenly_last_summer "
        "autumn_leaves autumn_in_new_york autumn_sonata winter_garden_theatre nuclear_winter lion_in_winter spring_awakening wake_me_up_when_september_ends decemberists "
        "august_osage_county august_burns_red april_showers_bring april_wine september_song remains_of_the_day day_of_the_jackal day_of_the_tentacle "
        "days_of_thunder days_of_heaven days_of_our_lives training_day a_day_in_the_life day_tripper dog_day_afternoon midnight_rider midnight_special midnight_commander "
        "midnight_snack breaking_dawn dawn_of_the_dead red_dawn delta_dawn dawn_chorus noon_wine dusk_till_dawn dusk_to_dawn "
        "world_of_tomorrow tomorrow_and_tomorrow eight_days_a_week 24_hour_party_people midnight_memories quarter_horse quarter_note quarter_notes quarter_turn "
        "5_seconds_of_summer seconds_of_summer twelve_o'clock_high monday_club "
        "in_no_time big_time part_time full_time first_time next_time every_time all_time real_time long_time this_is my_god": None}),
}  # fmt: skip
WORDS |= {
    "earlier": ("EREST", -1),
    "later": ("EREST", 1),
    "middle": ("EEARLY", "mid"),
    "on": ("EON", None),
    "beginning": ("EEDGE", "early"),
    "time": ("ETIME", None),
}
WORDS |= {
    "minute": ("EUNIT", "minute"),
    "minutes": ("EUNIT", "minute"),
    "mins": ("EUNIT", "minute"),
    "year": ("EUNIT", "year"),
    "quarter": ("EUNIT", "quarter"),
}


def _misspelt(word: str) -> Iterator[str]:
    """The word as it is mistyped: behind its second letter and before its last, one left out, doubled, or swapped with the next.

    Of slips at its second letter only the common ones are known: each begins a text that is to be looked at as other words do.
    """
    for at in range(2, len(word) - 1):
        head, letter, rest = word[:at], word[at], word[at + 1 :]
        yield head + rest
        yield head + letter + letter + rest
        yield head + rest[0] + letter + rest[1:]
        if letter in "aeiou" and len(word) > 6:
            yield from (head + vowel + rest for vowel in "aeiou")
    yield word + word[-1]


_SLIPS = {
    "wensday wendsday wednessday wendesday": "wednesday", "teusday tusday tuseday": "tuesday", "thurdsay thrusday thurday thirsday": "thursday", "fryday": "friday", "satday sarurday": "saturday",
    "febuary feburary febrary": "february", "janurary janaury": "january", "septemeber septembre": "september", "decemeber": "december",
    "novemeber": "november", "tomorrrow tommorow tommorrow tomarrow tomoro tomorro": "tomorrow", "yeterday yesteday yesturday": "yesterday", "wknd wkd wkends": "weekend",
}  # fmt: skip
# The likeliest of them are other words: a singer, places, names.
_NO_SLIPS = frozenset("weeknd aril sunda munday mourning moring apil".split())
for _right in [
    *_DAYS,
    *(month for month in _MONTHS if len(month) > 4 and month != "march"),
    *"yesterday tomorrow tonight morning afternoon evening weekend".split(),
]:
    for _wrong in _misspelt(_right):
        if _wrong not in _NO_SLIPS:
            WORDS.setdefault(_wrong, WORDS[_right])
for _all_wrong, _right in _SLIPS.items():
    for _wrong in _all_wrong.split():
        WORDS.setdefault(_wrong, WORDS[_right])

# --- rules ----------------------------------------------------------------------------------------------------------------

_REL = "(ELAST|EPREV|EPAST|ETHIS|ENEXT|ECOMING)"
_N = "(NUM|INT|DEC)"
_U = "(EUNIT|ESECOND|EH)"
_ONE = f"({_N} (EHUNDRED|ETHOUSAND)? (AND EAN? EHALF)?|EAN (EHUNDRED|ETHOUSAND)|EAN|EFEW|EAN EHALF|EHALF EAN?)"
_AMOUNT = f"{_ONE} {_U} (AND EAN? EHALF)? ((AND|COMMA)? {_N} {_U}){{0,3}}"
_MON = "(EMON|EMONWEAK)"
_WD = "(EWD|EWDWEAK)"
_SEP = "(DASH|SLASH)"
_ORD = "(ORDINAL|EORD|ESECOND)"
_SAID_YEAR = "(NUM NUM|NUM EHUNDRED (AND? NUM)?|NUM ETHOUSAND (NUM EHUNDRED)? (AND? NUM)?)"
_YEAR = f"(INT|{_SAID_YEAR})"
_PREP = "(EIN|EON|EAT|EDURING|EFOR|EOF)"


def _unit(name: str) -> tuple[float, str]:
    return {"fortnight": (2.0, "week"), "quarter_hour": (15.0, "minute")}.get(name, (1.0, name))


def _amount(m: Found) -> ex.Amount | None:
    """The length the matched tokens say: "an hour and a half", "two weeks and 3 days", "half a year"."""
    parts: list[tuple[float, str]] = []
    number: float | None = None
    after_unit = False
    for token in m.tokens:
        cat = token.cat
        if cat in ("NUM", "INT", "DEC", "EFEW"):
            number, after_unit = float(token.value), False
        elif cat in ("EHUNDRED", "ETHOUSAND"):
            number = (number or 1.0) * token.value
        elif cat == "EAN":
            if number is None and not after_unit:
                number = 1.0
        elif cat == "EHALF":
            if after_unit and parts:
                parts[-1] = (parts[-1][0] + 0.5, parts[-1][1])
            else:
                number = 0.5 if number in (None, 1.0) and not any(t.cat == "AND" for t in m.tokens) else (number or 0.0) + 0.5
        elif cat in ("EUNIT", "ESECOND", "EH"):
            size, unit = _unit({"ESECOND": "second", "EH": "hour"}.get(cat, token.value))
            if number is None:
                number = 1.0
            parts.append((number * size, unit))
            number, after_unit = None, True
    return ex.Amount(tuple(parts)) if parts else None


def _length(m: Found) -> Made:
    amount = _amount(m)
    if amount is not None and amount.finest == "weekend" and amount.parts[0][0] > 1000:
        return None  # "2023 weekend"
    if amount is None or (m.tokens[-1].cat == "ESECOND" and m.tokens[0].cat in ("EAN",)):
        return None
    return ex.Length(amount)


_YEARS = {"decade": 10, "century": 100}


def _ago(sign: int) -> Any:
    def make(m: Found) -> Made:
        amount = _amount(m)
        if amount is not None and amount.finest in _YEARS:  # a decade ago: that year, not its whole decade
            amount = ex.Amount(tuple((n * _YEARS.get(unit, 1), "year" if unit in _YEARS else unit) for n, unit in amount.parts))
        return None if amount is None else ex.Ago(amount, sign, to_the_day=amount.finest in ("week", "month"))

    return make


def _between(low: float, high: float, unit: str, sign: int) -> Made:
    """Between `low` and `high` units away."""
    if not 0 < low < high <= 120 or unit == "weekend":
        return None
    far, near = (
        ex.Ago(ex.Amount(((n * size, name),)), sign, to_the_day=True) for n in (high, low) for size, name in (_unit(unit),)
    )
    return ex.FromTo(far, near) if sign < 0 else ex.FromTo(near, far)


def _ago_between(m: Found) -> Made:
    low, high = m.all("NUM", "INT")
    unit = {"ESECOND": "second", "EH": "hour"}.get(m.tokens[-1].cat) or m.get("EUNIT")
    return None if unit is None else _between(low, high, unit, -1 if m.has("EAGO") else 1)


def _one_or_two(m: Found) -> Made:
    joint = next(n for n, token in enumerate(m.tokens) if token.cat == "AND")
    if m.word(joint) != "or" or not m.has("EUNIT"):
        return None
    return _between(1, m.get("NUM", "INT"), m["EUNIT"], -1 if m.has("EAGO") else 1)


def _rel(m: Found) -> tuple[str, int]:
    for token in m.tokens:
        if token.cat in ("ELAST", "EPREV", "EPAST", "ETHIS", "ENEXT", "ECOMING"):
            return token.cat, token.value
    raise KeyError("no relative word")


_ROLLED = ("week", "month", "quarter", "year")
# Days of a vague "few".
_SOME = {"day": 7, "week": 28, "month": 120, "year": 1461}


_OF_WHAT = later(r"(?:'s| (?:is|was|will|of|at|to|for|before|with|here|there))\b")
_WHOSE = later(r"(?:\b(?:my|our|your|his|her|its|their|whose)|'s) (?:very )?$")


def _rel_unit(m: Found) -> Made:
    cat, step = _rel(m)
    size, unit = _unit(m["EUNIT"])
    if unit in ("minute", "second") or (unit == "hour" and cat == "ETHIS" and m.text.startswith("my", m.tokens[0].start)):
        return None
    if cat == "ETHIS" and m.word(0) == "my" and unit != "weekend":
        return None
    if unit == "workday" and cat == "ETHIS":
        return None
    if unit == "day" and cat == "ELAST" and (_OF_WHAT.match(m.behind) or _WHOSE.search(m.ahead)):  # "my last day is the 30th"
        return None
    if m.word(-1) in ("days", "weeks", "months", "years"):  # "in the coming weeks"
        return ex.Vague(step, _SOME[unit]) if step else None
    if unit == "weekend" and cat in ("EPAST", "ECOMING"):  # one weekend, and not what rolls by
        return ex.Relative(ex.Weekend(), 1) if step > 0 else ex.This("weekend", -1)
    if cat == "EPAST" or size != 1 or (unit == "hour" and step and m.has("ETHE")):  # "in the next hour"
        return ex.Rolling(ex.Amount(((size, unit),)), step or 1)
    if cat in ("ELAST", "ENEXT") and m.has("ETHE") and unit in _ROLLED and step in (1, -1) and _led(m, "in|over|within"):
        return ex.Rolling(ex.Amount(((size, unit),)), step)  # "in the last week" ends now, and "last week" on Sunday
    return ex.This(unit, step)


def _rel_pair(m: Found) -> Made:
    """this week and next, last month and this: the unit is said once."""
    steps = m.all("ELAST", "ETHIS", "ENEXT")
    if not _ends(m) or steps[0] == steps[1] or m.word(0) == "my":
        return None
    if m.has("EWD"):
        return ex.Union(tuple(ex.Within(ex.This("week", step), ex.Weekday(m["EWD"])) for step in steps))
    unit = m["EUNIT"]
    return (
        ex.Union(tuple(ex.This(unit, step) for step in steps))
        if unit in ("week", "weekend", "month", "quarter", "year")
        else None
    )


def _rel_counted(m: Found) -> Made:
    cat, step = _rel(m)
    if cat == "ELAST" and _led(m, "will|would|should|shouldn't|not|won't|can|to|may|might|must|could|does|doesn't"):
        return None  # "it should last two hours"
    if m.tokens[-2].cat == cat != "ECOMING" and m.word(-1) in ex.GRAIN and m.get("NUM", "INT", "EFEW") != 1:
        return None  # "we will be only 3 next week", "she turned 90 last month"
    amount = _amount(m.only([t for t in m.tokens if t.cat in ("NUM", "INT", "DEC", "EFEW", "EHALF", "EUNIT", "ESECOND")]))
    if amount is None or cat == "ETHIS":
        return None
    if m.has("EFEW") and m["EFEW"] == 3 and not amount.elapsed and amount.finest != "day":
        return ex.Vague(step, _SOME.get(amount.finest, 30))
    return ex.Rolling(amount, step, amount.finest in ("weekend", "quarter", "decade"))


def _rel_weekday(m: Found) -> Made:
    cat, step = _rel(m)
    day = ex.Weekday(m.get("EWD", "EWDWEAK"))
    if cat == "ETHIS":
        return ex.Current(day) if m.word(0) != "my" else None
    if cat == "EPREV":
        return ex.Within(ex.This("week", -1), day)
    if step < 0 or cat == "ECOMING":
        return ex.Relative(day, step)
    return ex.Within(ex.This("week", step), day)


def _short_weekdays(m: Found) -> Made:
    """Sat & Sun, Mon/Wed/Fri: days of which one alone might be another word, or that strokes part."""
    told = m.has("SLASH") or (m.has("EWDWEAK") and (m.word(0) not in ("sat", "wed") or not _led(m, _WHO)))
    return ex.Union(tuple(ex.Weekday(day) for day in m.all("EWD", "EWDWEAK"))) if told else None


_WHO = "i|he|she|we|they|you|it|who|that|the|and|to"


def _weekday_part(m: Found) -> Made:
    """sat night, wed arvo: short for the day, unless somebody sat or wed."""
    made = ex.Within(ex.Weekday(m["EWDWEAK"]), m["EPART"])
    return Weak(made) if _led(m, _WHO) else made


def _weekday_week(m: Found) -> Made:
    """Friday week, Monday fortnight, tomorrow week: so long after the coming one."""
    weeks = {"week": 1, "fortnight": 2}.get(m["EUNIT"])
    if weeks is None or m.word(-1).endswith("s") or _then(m, r"\d+|days?|nights?|of|ago|before|earlier"):
        return None
    if m.has("EDAY"):
        return ex.Shift(ex.This("day", m["EDAY"]), ex.Amount(((weeks, "week"),)), 1) if m["EDAY"] >= 0 else None
    return ex.Relative(ex.Weekday(m.get("EWD", "EWDWEAK")), 1 + weeks)


def _weeks_before_last(m: Found) -> Made:
    """A week last Tuesday: a week before it, as the British say."""
    amount = _amount(m)
    if (
        amount is None
        or len(amount.parts) != 1
        or amount.finest != "week"
        or amount.parts[0][0] % 1
        or _led(m, "for|took|lasted")
    ):
        return None
    return ex.Relative(ex.Weekday(m.get("EWD", "EWDWEAK")), -1 - int(amount.parts[0][0]))


def _weeks_on(m: Found) -> Made:
    """A week on Tuesday, two weeks tomorrow, a fortnight today."""
    amount = _amount(m)
    if amount is None or len(amount.parts) != 1 or amount.finest != "week" or amount.parts[0][0] % 1:
        return None
    if m.tokens[0].cat == "EUNIT" and m.word(0) != "fortnight":
        return None
    if m.has("EDAY"):
        told = _led(m, "been|for|is|was|it's|of|every|last|past|took") or _then(m, "since|that|now")
        return None if told or m["EDAY"] < 0 else ex.Shift(ex.This("day", m["EDAY"]), amount, 1)
    return ex.Relative(ex.Weekday(m.get("EWD", "EWDWEAK")), 1 + int(amount.parts[0][0]))


def _weekday_day(m: Found) -> Made:
    number = _day_number(m)
    if m.has("INT") and _then(m, r"(?:to|till?|until|-|–) ?\d\w*"):
        return None  # "Thursday 2 to 4pm"
    if m.word(-1) == "one":  # "Thursday, the one at the clinic"
        return None
    if number is None or ((m.has("INT") or m.has("NUM")) and not _ends(m)) or _then(m, "(?:last|next)? ?(?:week|month|day)s?"):
        return None
    return ex.OnWeekday(m.get("EWD", "EWDWEAK"), ex.Day(number))


def _rel_bare(what: ex.Expression, m: Found) -> Made:
    cat, step = _rel(m)
    if m.word(0) == "my":
        return what
    if m.word(0) == "this" and m.word(-1) == "may" and (not _ends(m) or _then(m, "or")):
        return None  # "this may take longer"
    return ex.Within(ex.This("year"), what) if cat == "ETHIS" else ex.Relative(what, step)


def _month_number(m: Found) -> int:
    number: int = m.get("EMON", "EMONWEAK")
    return number


def _day_number(m: Found) -> int | None:
    number = m.get("ORDINAL", "EORD", "INT", "ESECOND", "NUM")
    return number if isinstance(number, int) and 1 <= number <= 31 else None


def _month_day(m: Found) -> Made:
    number = _day_number(m)
    if m.tokens[-1].cat == "INT" and m.tokens[-1].end - m.tokens[-1].start > 2:  # MAY-0031
        return None
    if m.tokens[-1].cat == "INT" and m.text[m.tokens[-1].start - 1] == "'":  # Sept '25
        return None
    if (m.has("DASH") or m.has("SLASH")) and " " in m.text[m.tokens[0].start : m.tokens[-1].end]:
        return None  # "January - 5 days later"
    return None if number is None else ex.Within(ex.Month(_month_number(m)), ex.Day(number))


def _month_days(m: Found) -> Made:
    """Sept 4, 5 and 6."""
    days = m.all("ORDINAL", "EORD", "ESECOND", "INT")
    if sorted(set(days)) != days or not days[0] >= 1 or days[-1] > 31 or not (m.has("AND") or m.has("LIST")) or not _ends(m):
        return None
    return ex.Union(tuple(ex.Within(ex.Month(_month_number(m)), ex.Day(day)) for day in days))


# What follows is a side of a range, and no list.
_RANGED = later(r"(?:[-–—]|\b(?:between|from|to|until|till|through|pages?|chapters?)) ?(?:the )?$")


def _days_month(m: Found) -> Made:
    """The 4th, 5th and 6th of September."""
    days = m.all("ORDINAL", "EORD", "ESECOND", "INT")
    if sorted(set(days)) != days or not days[0] >= 1 or days[-1] > 31 or _RANGED.search(m.ahead):
        return None
    if m.has("INT") and not m.has("EMON"):
        return None  # "4 and 5 may"
    return ex.Union(tuple(ex.Within(ex.Month(_month_number(m)), ex.Day(day)) for day in days))


def _on_days(m: Found) -> Made:
    """On the 5th, 6th and 8th."""
    days = m.all("ORDINAL", "EORD", "ESECOND")
    if sorted(set(days)) != days or not days[0] >= 1 or days[-1] > 31 or not _ends(m):
        return None
    return ex.Union(tuple(ex.Day(day) for day in days))


def _months_year(m: Found) -> Made:
    """March and April 2025."""
    year, months = _year_number(m.tokens), m.all("EMON", "EMONWEAK")
    if year is None or sorted(set(months)) != months or _RANGED.search(m.ahead):
        return None
    return ex.Union(tuple(ex.Within(ex.Year(year), ex.Month(month)) for month in months))


def _year_number(tokens: list[Token]) -> int | None:
    """The year that the last tokens spell: 2019, "nineteen eighty six", "two thousand and ten", "seventeen hundred thirty three"."""
    tail = [token for token in tokens if token.cat in ("INT", "NUM", "EHUNDRED", "ETHOUSAND")]
    if tail and tail[-1].cat == "INT":
        return tail[-1].value if tail[-1].end - tail[-1].start == 4 and 1000 <= tail[-1].value <= 2999 else None
    values = [token.value for token in tail]
    if {"EHUNDRED", "ETHOUSAND"}.isdisjoint(token.cat for token in tail):  # nineteen eighty six
        return values[0] * 100 + values[1] if len(values) == 2 and 13 <= values[0] <= 29 and 10 <= values[1] <= 99 else None
    total = number = 0
    for token in tail:
        if token.cat in ("EHUNDRED", "ETHOUSAND"):
            total, number = total + number * token.value, 0
        else:
            number = token.value
    return total + number if 1000 <= total + number <= 2999 else None


def _month_day_year(m: Found) -> Made:
    numbers = m.all("ORDINAL", "EORD", "INT", "ESECOND") if m.tokens[0].cat != "NUM" else m.all("NUM", "INT")
    if not numbers or not 1 <= numbers[0] <= 31:
        return None
    first = next(n for n, token in enumerate(m.tokens) if token.cat in ("EMON", "EMONWEAK"))
    said = [token for token in m.tokens[first:] if token.cat in ("NUM", "EHUNDRED", "ETHOUSAND")]
    if said:
        written = _year_number(said)
        return None if written is None else date_of(written, _month_number(m), numbers[0])
    if len(numbers) < 2:
        return None
    year = m.tokens[-1]
    digits = year.end - year.start
    dashed = m.tokens[0].cat == "INT" and len([t for t in m.tokens if t.cat in ("DASH", "SLASH")]) == 2  # 3-Sep-26
    if digits == 2 and (
        dashed
        or year.value > 31
        or m.text[year.start - 1] == "'"
        or (m.tokens[0].cat != "EMON" and m.has("ORDINAL") and _ends(m))
    ):
        return date_of(two_digit_year(year.value), _month_number(m), numbers[0])
    return date_of(year.value, _month_number(m), numbers[0]) if digits == 4 and 1000 <= year.value <= 2999 else None


def _month_year(m: Found) -> Made:
    if m.has("NUM"):
        written = _year_number(m.tokens)
        return None if written is None else ex.Within(ex.Year(written), ex.Month(_month_number(m)))
    token = m.tokens[-1] if m.tokens[-1].cat == "INT" else m.tokens[0]
    digits = token.end - token.start
    if digits == 4 and 1000 <= token.value <= 2999:
        return ex.Within(ex.Year(token.value), ex.Month(_month_number(m)))
    if digits == 2 and token.start and (m.text[token.start - 1] == "'" or (m.has("EOF") and token.value > 31)):
        return ex.Within(ex.Year(two_digit_year(token.value)), ex.Month(_month_number(m)))
    return None


def _year(m: Found) -> Made:
    number, led = _year_number(m.tokens), _led(m, "in|during|of|since|throughout|(?:back|dates?|dating) to")
    last = m.tokens[-1]
    if number is None and last.end - last.start == 2 and m.text[last.start - 1 : last.start] == "'":  # summer of '99
        return None if m.whole else Weak(ex.Year(two_digit_year(last.value)))
    if m.has("EFISCAL") and number is None and m.tokens[-1].end - m.tokens[-1].start == 2:
        number = two_digit_year(m["INT"])
    if number is None or (m.has("EUNIT") and m["EUNIT"] != "year"):
        return None
    if (len(m.tokens) > 1 and not m.has("NUM")) or led:
        return ex.Year(number) if 1500 <= number <= 2200 else None
    return Weak(ex.Year(number))


def _years(m: Found) -> Made:
    """in 2023 and 2024"""
    years = m.all("INT")
    written = all(token.end - token.start == 4 for token in m.tokens if token.cat == "INT")
    told = written and sorted(set(years)) == years and years[0] >= 1900 and years[-1] <= 2100 and _ends(m)
    return ex.Union(tuple(ex.Year(year) for year in years)) if told else None


def _era(m: Found) -> Made:
    """AD 79, 476 CE; a year before our era is none that a calendar here can hold."""
    return ex.Year(m["INT"]) if m["EERA"] == "ad" and 1 <= m["INT"] <= 9998 and _ends(m) else None


def _weak_month(m: Found) -> Made:
    month = ex.Month(m["EMONWEAK"])
    if m.word(0) == "mar" and m.whole:
        return None
    return month if len(m.tokens) > 1 else Weak(month)


def _spaced_month(m: Found) -> Made:
    """2016 / 11, 11/ 2016: a month and its year, parted by more than the stroke."""
    year, month = (m.tokens[0], m.tokens[-1]) if m.tokens[0].value > 12 else (m.tokens[-1], m.tokens[0])
    stated = year.end - year.start == 4 and 1900 <= year.value <= 2100 and 1 <= month.value <= 12
    return ex.Within(ex.Year(year.value), ex.Month(month.value)) if stated else None


def _then(m: Found, words: str) -> bool:
    """Whether one of these words stands behind the match."""
    return re.match(rf"[\s,]*(?:{words})\b", m.behind) is not None


def _led(m: Found, words: str) -> bool:
    """Whether one of these words stands ahead of the match."""
    return re.search(rf"\b(?:{words})[\s,]*$", m.text[max(m.tokens[0].start - 24, 0) : m.tokens[0].start]) is not None


_WEDS = rf"{_WHO}|newly|were|was|be|been|being|get|got|getting|just|legally|happily|couple|pair|will|would|not|never|finally|both|are|is"


def _weak_weekday(m: Found) -> Made:
    """A name that is another word too: a day where it heads a note or ends a clause that weds nobody, else only beside other times."""
    day = ex.Weekday(m["EWDWEAK"])
    if (
        m.word(0) == "wed"
        and m.before[-1:] == " "
        and not _led(m, _WEDS)
        and re.match(r"\s*(?:$|[,.;!?)\n]|and\b|or\b|then\b)", m.behind)
    ):
        return day
    heads = m.after[:1] == ":" and re.search(r"(?:^|[\n.;,•*-]) ?$", m.before) and not re.match(r": ?\d{3}", m.behind)
    return day if heads else Weak(day)


def _ends(m: Found) -> bool:
    """Whether the clause ends behind the match, or goes on with a small word that cannot be counted."""
    return (
        re.match(
            r"\s*(?:$|[^\w\s](?!\d)|(?:and|or|on|in|at|around|from|to|until|till|for|with|not|the|this|tomorrow|today|tonight|sharp|please|if|so|but|then|"
            r"i|we|you|he|she|they|it|was|were|is|are|did|will|where|what|who|when|how|why|which|that|because|about)\b)",
            m.behind,
        )
        is not None
    )


def _spoken(hour: int, minute: int = 0) -> ex.Clock:
    """A time of day as said aloud: of an hour from one to five that of the afternoon, where nothing tells its half of the day."""
    return ex.Clock(hour + 12 if 1 <= hour <= 5 else hour, minute, 0, 1 <= hour <= 12)


_COUNTED = r"(?:and a half |hundred |thousand )?(?:business |working |more |odd )?(?:second|minute|min|hour|hr|day|week|wk|weekend|fortnight|month|mth|quarter|year|yr|decade|night|centur)[a-z]*"


def _at_number(m: Found) -> Made:
    if m.has("EABOUT") and _then(m, _COUNTED):
        return None  # "about three days ago"
    if m.has("DEC"):
        return _dotted(m)
    number = m.get("NUM", "INT")
    if number > 1899 and not m.has("EAT"):
        return None  # "about 2019"
    if not 0 <= number <= 24:
        return (
            Weak(ex.Clock(number // 100, number % 100, 0, 1 <= number // 100 <= 12))
            if 100 <= number <= 2359 and number % 100 < 60 and m.has("INT")
            else None
        )
    made = _spoken(number)
    return made if _ends(m) else Weak(made)


_DONE_BY = "home|back|there|here|ready|done|finished|out|bed|asleep|up|arrive|leave|over|dinner|office|work|in"


def _military(m: Found) -> Made:
    """0550, at 1400 hours, 1730hrs: four digits on a clock of 24 hours."""
    word = m.word(-2 if m.has("EUNIT") else -1)
    hour, minute = divmod(m["INT"], 100)
    if len(word) != 4 or m.before.endswith("-") or hour > 24 or minute > 59 or (m.has("EUNIT") and m["EUNIT"] != "hour"):
        return None
    led = m.has("EAT") or _led(m, "by|from|between|until|till|to|before|after|and")
    if not m.has("EUNIT") and word[0] != "0":
        return None
    return ex.Clock(hour, minute) if led and (word[0] == "0" or m.has("EUNIT")) else Weak(ex.Clock(hour, minute))


def _military_range(m: Found) -> Made:
    first, last = (token for token in m.tokens if token.cat == "INT")
    sides = [divmod(token.value, 100) for token in (first, last) if token.end - token.start == 4]
    if len(sides) < 2 or m.text[first.start] != "0" or any(hour > 24 or minute > 59 for hour, minute in sides):
        return None
    return ex.FromTo(*(ex.Clock(hour, minute) for hour, minute in sides))


def _half_hour(m: Found) -> Made:
    """half seven, as the British say for half past seven."""
    hour = m.get("NUM", "INT")
    if not 1 <= hour <= 12 or not (_ends(m) or _then(m, rf"next|last|yesterday|{'|'.join(_DAYS)}")):
        return None
    made = _spoken(hour, 30)
    firm = m.has("EAT") or m.has("EABOUT") or _led(m, "by|until|till|before|after|from|since")
    return made if firm or m.whole else Weak(made)


def _dotted(m: Found) -> Made:
    said = re.fullmatch(r"(\d|1\d|2[0-3])\.([0-5]\d)", m.word(-1))
    at = (
        m.has("EAT")
        and not _then(m, r"percent|per|times|each|an?|x|[kc]?m|[km]?g|lbs?|pounds?|dollars?|euros?|quid")
        and m.after[:1] != "%"
    )
    return Weak(_spoken(int(said[1]), int(said[2]))) if said and (at or _ends(m)) else None


def _dotted_range(m: Found) -> Made:
    """8.30-9.15am: points for the marks of clock times on one side, or beside a day on both."""
    first, *last = (
        re.fullmatch(r"(\d|1\d|2[0-3])\.([0-5]\d)", m.word(n)) for n, token in enumerate(m.tokens) if token.cat == "DEC"
    )
    if first is None or None in last or (m.has("AND") and not m.has("EBETWEEN")):
        return None
    clocks = [ex.Clock(int(said[1]), int(said[2]), 0, 1 <= int(said[1]) <= 12) for said in (first, *last) if said is not None]
    if not last:
        return ex.FromTo(clocks[0], m["CLOCK"]) if isinstance(m["CLOCK"], ex.Clock) else None
    return Weak(ex.FromTo(*clocks)) if _ends(m) else None


def _fraction(m: Found) -> Made:
    """in 3/4 hour, 1/2 an hour ago"""
    part = {"1/2": 0.5, "1/4": 0.25, "3/4": 0.75}.get(m.word(1 if m.has("EIN") else 0))
    if part is None or m.get("EUNIT") not in (None, "hour"):
        return None
    amount = ex.Amount(((part, "hour"),))
    return ex.Ago(amount, -1 if m.has("EAGO") else 1) if m.has("EIN") or m.has("EAGO") else ex.Length(amount)


def _short_amount(m: Found) -> Made:
    """3d ago, 2h30m ago, in 5m, -3y, +2 months: letters for units, which touch their number."""
    signed = m.tokens[0].cat in ("DASH", "PLUS")
    if signed and ((m.tokens[0].cat == "DASH" and m.before.strip()) or not _ends(m)):
        return None
    parts = []
    for number, unit in zip(m.tokens, m.tokens[1:], strict=False):
        if number.cat != "INT":
            continue
        if unit.start != number.end and (unit.cat != "EUNIT" or not signed):
            return None
        size, name = _unit({"EH": "hour", "EW": "week"}.get(unit.cat, unit.value))
        parts.append((number.value * size, name))
    amount = ex.Amount(tuple(parts))
    sign = -1 if m.has("EAGO") or m.tokens[0].cat == "DASH" else 1
    return ex.Ago(amount, sign, to_the_day=signed or amount.finest in ("week", "month"))


def _hour_of(number: int, minute: int, meridiem: str) -> ex.Clock | None:
    if not 1 <= number <= 12:
        return ex.Clock(number, minute) if 13 <= number <= 23 and meridiem == "p" else None
    return ex.Clock(number % 12 + (12 if meridiem == "p" else 0), minute)


def _hour_minute(m: Found) -> tuple[int, int] | None:
    """The time of day that one or two numbers, or a clock time without its half of the day, say."""
    clock = m.get("CLOCK")
    if clock is not None:
        return (clock.hour, clock.minute) if clock.twelve else None
    numbers = m.all("NUM", "INT")
    if len(numbers) == 2 and not 10 <= numbers[1] <= 59:
        return None
    return (numbers[0], numbers[1] if len(numbers) == 2 else 0) if numbers[0] <= 24 else None


def _spelled_meridiem(m: Found) -> Made:
    said = _hour_minute(m)
    return None if said is None else _hour_of(*said, m["MERIDIEM"])


def _number_in_part(m: Found) -> Made:
    """6 in the afternoon, half past nine at night: the part of the day gives the half of it."""
    said, part = _hour_minute(m), m["EPART"]
    if (
        said is None
        or (m.has("EAT") and m.tokens[-2].cat == "EAT" and part.name != "evening")
        or (m.tokens[-2].cat == "ETHE" and not m.has("EIN"))
    ):
        return None
    late = part.name in ("afternoon", "dusk") or (part.name == "evening" and 5 <= said[0] < 12)
    return _hour_of(*said, "p" if late or (part.name == "noon" and said[0] < 10) else "a") or ex.Clock(*said)


def _zoned(m: Found) -> Made:
    clock = m.get("CLOCK")
    if m.has("ECOAST") and (clock is None or not _ends(m)):
        return None
    if clock is not None:
        made: ex.Clock = replace(clock, zone=m.get("EZONE", "ECOAST"))
        return made
    number = m.get("INT", "NUM")
    if number > 24 or not (m.has("EAT") or m.has("EH")):
        return None
    return ex.Clock(number, zone=m["EZONE"])


def _by_clocks_of(m: Found) -> Made:
    """Noon London time, 9 tomorrow morning (Pacific time), UTC 14:00."""
    if m.tokens[0].cat == "EZONE" and not (m.word(0).endswith("time") or m["EZONE"] == 0):
        return None  # PT is more than a zone
    offset = zone_offset(m.text, m.tokens[-1].end) if m["EZONE"] == 0 else None
    return in_zone(m["X"], m["EZONE"] if offset is None else offset)


def _just_gone(m: Found) -> Made:
    """Sunday just gone, the week just gone."""
    if m.has("EWD"):
        return ex.Relative(ex.Weekday(m["EWD"]), -1) if not _then(m, "to|for|out|home|back|off") else ex.Weekday(m["EWD"])
    return ex.This(m["EUNIT"], -1) if m["EUNIT"] in ("week", "weekend", "month", "quarter", "year") else None


def _said_clock(m: Found) -> Made:
    """half past nine, quarter to ten, ten to three, twenty past four."""
    joint = m.tokens[-3 if m.has("MERIDIEM") else -2]
    if joint.cat == "EOF":  # quarter of eight, as Americans say for a quarter to it
        hour = m.get("NUM", "INT")
        return (
            Weak(replace(_spoken(hour - 1 or 12), minute=45))
            if m.get("EUNIT") == "quarter" and 1 <= (hour or 0) <= 12
            else None
        )
    if m.text[joint.start : joint.end] not in ("to", "past", "before", "after", "till"):
        return None
    numbers = m.all("NUM", "INT")
    minutes = 30 if m.has("EHALF") else 15 if m.get("EUNIT") == "quarter" else numbers[0]
    target = m.get("CLOCK")
    if target is None and m.tokens[-1].cat == "EXPR":
        target = m["EXPR"]
    if m.has("CLOCK") and m.has("TO") and not m.has("EUNIT"):
        return None  # "10 to 11am" is a range
    if m.has("EXPR") and m.has("TO") and not m.has("EUNIT") and (minutes not in (5, 10, 20, 25) or _led(m, "from|between")):
        return None  # and so is "eight to noon"
    if target is None:
        if (
            m.has("TO")
            and not m.has("EUNIT")
            and (
                (m.has("INT") and not m.has("EAT") and minutes not in (20, 25))
                or minutes not in (5, 10, 20, 25)
                or _led(m, "from|between")
            )
        ):
            return None  # "9 to 11" and "nine to five" are ranges, "20 to 8" is none
        if not 1 <= numbers[-1] <= 12:
            return None
        target = _hour_of(numbers[-1], 0, m["MERIDIEM"]) if m.has("MERIDIEM") else _spoken(numbers[-1])
    if not isinstance(target, ex.Clock) or target.minute or not 0 < minutes < 60:
        return None
    if m.has("TO") or m.has("EBEFORE"):
        if target.hour in (0, 1):
            return replace(target, hour=12 if target.hour and target.twelve else (target.hour - 1) % 24, minute=60 - minutes)
        made = replace(target, hour=target.hour - 1, minute=60 - minutes)
        scored = m.has("INT") and m.has("TO") and not (m.has("EAT") or m.has("EUNIT") or m.has("MERIDIEM") or m.whole)
        return Weak(made) if scored else made  # "won 25 to 3"
    return replace(target, minute=minutes)


def _word_clock(m: Found) -> Made:
    hour, minute = m.all("NUM", "INT")[:2]
    if not (1 <= hour <= 12 and 10 <= minute < 60) or (m.has("INT") and (m.has("NUM") or not _ends(m))):
        return None
    made = _spoken(hour, minute)
    return made if m.has("EAT") else Weak(made)


def _oh_clock(m: Found) -> Made:
    """eleven oh five, as it is said aloud."""
    hour, minute = m.all("NUM")
    if m.tokens[m.has("EAT")].cat == "EOH":  # oh nine thirty, on a clock of 24 hours
        return ex.Clock(hour, minute) if m.has("EAT") and 1 <= hour <= 9 and 10 <= minute < 60 else None
    if not (1 <= hour <= 12 and 1 <= minute <= 9):
        return None
    if m.has("MERIDIEM"):
        return _hour_of(hour, minute, m["MERIDIEM"])
    return _spoken(hour, minute) if m.has("EAT") or m.whole else Weak(_spoken(hour, minute))


# What is said of a date and not of a place in a row: "the 15th no longer works", "is the 12th ok".
_OF_A_DATE = "works?|worked|no longer|doesn't|isn't|won't|can't|would|will|could|might|suits?|instead|ok|okay|free|too|also|despite|unless|sounds|looks|onwards?"


def _on_day(m: Found) -> Made:
    number = _day_number(m)
    if number is None or (len(m.tokens) < 3 and _led(m, "around|about|roughly")):
        return None
    if _then(m, "floor|page|try|attempt|place|time|row|anniversary|birthday|edition|chapter|grade|street|avenue|round"):
        return None
    if m.has("INT"):
        return ex.Day(number) if m.has("EON") and _ends(m) else None
    told = m.has("ETHE") and (_ends(m) or _then(m, f"arvo|afternoon|morning|evening|night|{_OF_A_DATE}"))
    return ex.Day(number) if m.has("EON") or told else Weak(ex.Day(number))


def _part(m: Found) -> Made:
    if m.has("ETHE") and m.word(-1).endswith("thing"):
        return None  # "the first thing I saw"
    if m.has("ETHIS"):
        return ex.Within(ex.This("day"), m["EPART"])
    unplaced = m.has("ETHE") and _then(m, "of|before|after|i|we|he|she|they|you|it|that|when")  # the night of the party
    return Weak(m["EPART"]) if unplaced or (len(m.tokens) == 1 and not m.whole) else m["EPART"]


_TIME_AHEAD = (
    r"(?:the |this |last |next |my |early |late |mid[- ]?|q)?(?:\d\w*|week|month|quarter|year|decade|century|spring|summer|autumn|fall|winter|may|lent|ramadan|"
    rf"{'|'.join(_MONTHS)}|{'|'.join(month[:3] for month in _MONTHS)}|sept|first|second|third|fourth)"
)


_OF_NOW = later(r"[\s,]*(the|this|my) (week|month|quarter|year)\b")


def _nth(m: Found) -> Made:
    number = m.get("ORDINAL", "EORD", "ESECOND", "EPENULT")
    n = -1 if number is None else -number if m.has("ELAST") or m.has("EPENULT") else number
    unit = m.get("EUNIT")
    if m.tokens[-1].cat == "EIN" and number is None and not _then(m, _TIME_AHEAD):
        return None  # "last weekend in Bath"
    of_now = m.tokens[-1].cat in ("EOF", "EIN") and _OF_NOW.match(m.behind) is not None
    if unit is not None:
        if unit == "quarter":
            quarter = ex.Quarter(n) if 1 <= n <= 4 else ex.Nth(n, "quarter", "year")
            return Weak(quarter) if m.tokens[-1].cat == "EOF" and not of_now else quarter  # of a match
        if unit in ("minute", "second", "hour", "century", "decade") or unit not in ex.GRAIN:
            return None
        made: ex.Expression = ex.Nth(n, unit, "year" if unit == "month" else "month")
    else:
        made = ex.Nth(n, ex.Weekday(m.get("EWD", "EWDWEAK")))
    whole = _OF_NOW.match(m.behind) if of_now else None
    if whole is not None and whole[1] != "this" and made.grain < ex.GRAIN[whole[2]]:
        return ex.Within(ex.This(whole[2]), made)
    return made if of_now else Weak(made)


def _run(m: Found) -> Made:
    count, unit = m.get("NUM", "INT"), m["EUNIT"]
    sign = -1 if m.has("ELAST") else 1
    return ex.Run(sign * count, unit) if unit in ex.GRAIN and count else None


def _counted_weekday(m: Found) -> Made:
    sign = -1 if m.has("EAGO") or m.word(-1) == "earlier" else 1
    return (
        ex.Relative(ex.Weekday(m.get("EWD", "EWDS")), sign * m.get("NUM", "INT", "EFEW"))
        if m.get("NUM", "INT", "EFEW") < 200
        else None
    )


def _before_last(m: Found) -> Made:
    sign = -1 if m.has("EBEFORE") else 1
    unit = m.get("EUNIT")
    if unit is not None:
        return ex.This(unit, 2 * sign) if unit not in ("minute", "second", "hour", "fortnight") else None
    season, month = m.get("ESEASON"), m.get("EMON")
    bare = ex.Season(season) if season is not None else ex.Month(month) if month else ex.Weekday(m.get("EWD", "EWDWEAK"))
    return ex.Relative(bare, 2 * sign)


def _same_time(m: Found) -> Made:
    if not m.has("EUNIT"):  # this time tomorrow; of "London time tomorrow" the time is the day's
        if m.word(0) == "time":
            return None
        return ex.Shift(ex.Now(), ex.Amount(((abs(m["EDAY"]), "day"),)), 1 if m["EDAY"] > 0 else -1)
    said = m.all("EUNIT")[0]
    if (
        len(m.all("EUNIT")) > 1 and not m.has("ETIME") and said in ("week", "weekend", "month", "quarter")
    ):  # the same month last year
        _, step = [(t.cat, t.value) for t in m.tokens if t.cat in ("ELAST", "EPREV", "ENEXT", "ECOMING")][-1]
        size, unit = _unit(m.all("EUNIT")[-1])
        amount = ex.Amount(((size, unit),))
        if ex.GRAIN[unit] <= ex.GRAIN[said]:
            return None
        if said in ("week", "weekend"):  # of the day so long ago, for no week begins on the same date
            week = ex.WeekOf(ex.Shift(ex.This("day"), amount, step))
            return week if said == "week" else ex.Within(week, ex.Weekend())
        return ex.Shift(ex.This(said), amount, step)
    base: ex.Expression = ex.This("day") if m.has("EDAY") or (m["EUNIT"] == "day" and not m.has("ETIME")) else ex.Now()
    units = m.all("EUNIT")
    _, step = [(t.cat, t.value) for t in m.tokens if t.cat in ("ELAST", "EPREV", "ENEXT", "ECOMING")][-1]
    size, unit = _unit(units[-1])
    return None if unit in ex.ELAPSED else ex.Shift(base, ex.Amount(((size, unit),)), step)


def _slice_of_unit(m: Found) -> Made:
    size, unit = _unit(m["EUNIT"])
    name = m.get("EEDGE", "EEARLY")
    if size != 1 or unit in ("minute", "second", "hour", "weekend", "day", "workday"):
        return None
    return ex.Within(ex.This(unit), ex.Slice(name))


def _rest_of_unit(m: Found) -> Made:
    size, unit = _unit(m["EUNIT"])
    if (
        size != 1
        or unit in ex.ELAPSED
        or (m.has("ETHIS") and m.get("ETHIS") == 0 and m.word(-2) not in ("my", "this", "the current", "current"))
    ):
        return None
    return ex.Rest(ex.This(unit), m["EREST"])


def _the_unit(m: Found) -> Made:
    """The current one, where nothing goes on to say which."""
    size, unit = _unit(m["EUNIT"])
    if size != 1 or unit in ex.ELAPSED or unit in ("weekend", "workday") or (unit == "day" and not m.has("EFOR")) or m.whole:
        return None
    return ex.This(unit) if _ends(m) and not _then(m, "of|from|before|after|to|that|in|on|with|until") else None


# Feasts of several days, all of which their name means.
_LONG = frozenset({"rosh_hashanah", "sukkot", "hanukkah", "passover", "ramadan", "lent", "navaratri", "songkran", "kwanzaa"})


def _festival(m: Found) -> Made:
    if m["EFEST"] == "lent" and not _led(m, "for|during|in|of|until|before|after|since|over|by|through"):
        return None  # "she lent me a book"
    day: ex.Expression = ex.Festival(m["EFEST"], m["EFEST"] in _LONG)
    unit, year = m.get("EUNIT"), m.get("INT")
    if year is not None:
        return ex.WeekendBy(ex.Within(ex.Year(year), day)) if unit == "weekend" and 1500 <= year <= 2200 else None
    if unit == "week":  # Christmas week
        return ex.WeekOf(day) if m.word(-1) == "week" else None
    return day if unit in (None, "day") else ex.WeekendBy(day) if unit == "weekend" else None


_ANY_ONE = later(r"\b(?:an?|another|any|one|no) (?:[a-z\d]+[- ]){1,2}$")


def _half(m: Found) -> Made:
    number = m.get("ORDINAL", "EORD", "ESECOND", "INT", "EHALFTH")
    if number in (1, 2) and m.get("EUNIT") in ("month", "week", "quarter"):
        return ex.Within(ex.This(m["EUNIT"]), ex.Slice("first_half" if number == 1 else "second_half"))
    if number not in (1, 2) or m.get("EUNIT") not in (None, "year") or (m.has("EH") and "a" <= m.after[:1] <= "z"):
        return None
    if not m.has("EH") and not m.has("EUNIT"):
        return None if m.whole else Weak(ex.Half(number))
    return ex.Half(number)


def _quarter(m: Found) -> Made:
    return ex.Quarter(m["INT"]) if m["INT"] in (1, 2, 3, 4) and m.word(-1) == str(m["INT"]) else None


def _year_quarter(m: Found) -> Made:
    first, last = m.all("INT")
    year, number = (first, last) if m.tokens[0].cat == "INT" else (last, first)
    token = m.tokens[0] if m.tokens[0].cat == "INT" else m.tokens[-1]
    if len(m.word(0)) == 1:  # 1Q26, 2H 2025
        year, number, token = last, first, m.tokens[-1]
        if last < 1000 and (m.has("EH") or last >= 50):
            return None  # two hours and some; a novel
    if token.end - token.start not in (2, 4) or not 1 <= number <= (4 if m.has("EQ") else 2):
        return None
    year = year if year >= 1000 else two_digit_year(year)
    return ex.Within(ex.Year(year), ex.Quarter(number) if m.has("EQ") else ex.Half(number))


def _decade(m: Found) -> Made:
    value = m.get("TENS", "ETENS")
    if value >= 1000:
        return ex.Fixed(
            dt.datetime(value, 1, 1),
            dt.datetime(value + (100 if value % 100 == 0 and value < 2000 else 10), 1, 1),
            ex.GRAIN["decade"],
        )
    if m.has("NUM"):
        century = m["NUM"] * (1000 if m.has("ETHOUSAND") else 100)
        return (
            ex.Fixed(dt.datetime(century + value, 1, 1), dt.datetime(century + value + 10, 1, 1), Grain.DECADE)
            if 1000 <= century <= 2900
            else None
        )
    return (
        ex.Decade(value)
        if m.has("ETHE") or m.before.endswith("'") or (m.has("ETENS") and m.has("EIN"))
        else Weak(ex.Decade(value))
    )


def _century(m: Found) -> Made:
    number = m.get("ORDINAL", "EORD")
    if m["EUNIT"] != "century" or number is None or not 1 <= number <= 30:
        return None
    return ex.Fixed(dt.datetime(max((number - 1) * 100, 1), 1, 1), dt.datetime(number * 100, 1, 1), ex.GRAIN["century"])


def _iso_week(m: Found) -> Made:
    """2026-W36, and with the number of a day in it."""
    year, week, *day = m.all("INT")
    if not day and week > 99:  # 2026W365
        week, number = divmod(week, 10)
        day = [number]
    if not 1000 <= year <= 2999 or not 1 <= week <= 53:
        return None
    made = ex.Within(ex.Year(year), ex.WeekNumber(week))
    if not day:
        return made
    return ex.Within(made, ex.Weekday(day[0] - 1)) if 1 <= day[0] <= 7 else None


PIECES = (
    Rule("en.day_word", "EDAY", lambda m: ex.This("day", m["EDAY"]), {
        "what did I do yesterday": "2026-09-02/2026-09-03", "the day after tomorrow": "2026-09-05/2026-09-06"}),
    Rule("en.word", "EXPR", lambda m: m["EXPR"], {
        "last night": "2026-09-02T18:00/2026-09-03T06:00", "tonight": "2026-09-03T18:00/2026-09-04", "recently": "2026-08-21/2026-09-03T22:00"}),
    Rule("en.overnight", f"EOVERNIGHT (EON? {_WD}|EDAY)|({_WD}|EDAY) EOVERNIGHT|EOVERNIGHT", lambda m: ex.Within(ex.Weekday(day) if (day := m.get("EWD", "EWDWEAK")) is not None else ex.This("day", m.get("EDAY") if m.has("EDAY") else -1), _NIGHT), {
        "it rained overnight": "2026-09-02T18:00/2026-09-03T06:00", "we drive overnight on Friday": "2026-09-04T18:00/2026-09-05T06:00"}),
    Rule("en.rel_unit", f"ETHE? {_REL} EUNIT", _rel_unit, {
        "what do I have this week": "2026-08-31/2026-09-07", "last month": "2026-08-01/2026-09-01", "next quarter": "2026-10-01/2027-01-01",
        "this weekend": "2026-09-05/2026-09-07", "the past week": "2026-08-27/2026-09-04", "this past weekend": "2026-08-29/2026-08-31", "the coming weekend": "2026-09-05/2026-09-07"}),
    Rule("en.rel_pair", "ETHE? (ELAST|ETHIS|ENEXT) (EUNIT|EWD) AND ETHE? (ELAST|ETHIS|ENEXT)", _rel_pair, {
        "this week and next steps": "2026-08-31/2026-09-07"}),
    Rule("en.rel_counted", f"ETHE? {_REL} ((NUM|INT) (TO|DASH|AND))? ({_N}|EFEW) {_U}|ETHE? {_N} {_REL} {_U}|ETHE? {_REL} EHALF EAN? {_U}", _rel_counted, {"in the next half hour": "2026-09-03T22:00/2026-09-03T22:30","the next 2-3 weeks": "2026-09-03/2026-09-24",
        "in the last 3 days": "2026-09-01/2026-09-04", "past two weeks": "2026-08-20/2026-09-04", "last 3 weekends": "2026-08-15/2026-08-31",
        "next 7 days": "2026-09-03/2026-09-10", "it should last two hours": "-", "the last two hours": "2026-09-03T20:00/2026-09-03T22:00"}),
    Rule("en.weekday", "(EWD|EON EWDWEAK)", lambda m: ex.Weekday(m.get("EWD", "EWDWEAK")), {
        "where did I go on Friday": "2026-08-28/2026-08-29", "Monday's meeting": "2026-08-31/2026-09-01", "what will I do on Friday": "2026-09-04/2026-09-05"}),
    Rule("en.weak_weekday", "EWDWEAK", _weak_weekday, {"the cat sat on the mat": "", "Wed: parents evening": "2026-09-02/2026-09-03", "SAT: 1500": "", "flew out Wed, glad to be home": "2026-09-02/2026-09-03", "and so they wed": ""}),
    Rule("en.short_weekdays", f"{_WD} ((AND|LIST|SLASH|COMMA|COMMA AND) {_WD}){{1,5}}", _short_weekdays, {
        "we sat and sun came up": ""}),
    Rule("en.weekday_part", "EWDWEAK EPART", _weekday_part, {"wed arvo ok?": "2026-09-02T12:00/2026-09-02T18:00", "we sat mornings on end": "-", "he sat evening prayers": ""}),
    Rule("en.rel_weekday", f"(EON|ETHE)? {_REL} {_WD}", _rel_weekday, {
        "last Friday": "2026-08-28/2026-08-29", "next Friday": "2026-09-11/2026-09-12", "this Friday": "2026-09-04/2026-09-05", "the previous Tuesday": "2026-08-25/2026-08-26"}),
    Rule("en.weekday_day", f"EON? {_WD} COMMA? (ETHE? (ORDINAL|EORD)|ETHE? INT|ETHE NUM)", _weekday_day, {
        "Sat 5th": "2026-09-05/2026-09-06", "Wed 14th": "2026-10-14/2026-10-15", "Friday the eleven": "2026-09-11/2026-09-12", "Friday, the one at the clinic": "2026-09-04/2026-09-05", "Friday 3 people will come": "2026-09-04/2026-09-05"}),
    Rule("en.weekday_date", f"(EON|ETHIS)? {_WD} DASH {_MON} {_SEP}? ({_ORD}|INT)", lambda m: ex.OnWeekday(m.get("EWD", "EWDWEAK"), day) if isinstance(day := _month_day(m.only([t for t in m.tokens if t.cat not in ("EON", "ETHIS", "EWD", "EWDWEAK", "DASH")])), ex.Expression) else None, {
        "Fri-Sep-11": "2026-09-11/2026-09-12"}),
    Rule("en.weekday_week", f"(EON|ETHE)? ({_WD}|EDAY) EUNIT", _weekday_week, {"she is off Friday week": "2026-09-11/2026-09-12", "Monday fortnight": "2026-09-21/2026-09-22", "today week": "2026-09-10/2026-09-11"}),
    Rule("en.weeks_before_last", f"{_AMOUNT} EAGO? ELAST {_WD}", _weeks_before_last, {"it broke a week last Tuesday": "2026-08-25/2026-08-26"}),
    Rule("en.weeks_on", f"({_AMOUNT} (EON {_WD}|EON? EDAY)|EUNIT EON {_WD})", _weeks_on, {"see you fortnight on Saturday": "2026-09-19/2026-09-20","due a week on Tuesday": "2026-09-15/2026-09-16", "two weeks tomorrow": "2026-09-18/2026-09-19"}),
    Rule("en.work_week", f"ETHE? ({_REL}|ETHE) EWORKWEEK", lambda m: ex.FromTo(*(ex.Within(ex.This("week", m.get("ELAST", "EPREV", "ENEXT", "ECOMING") or 0), ex.Weekday(n)) for n in (0, 4))), {
        "next working week": "2026-09-07/2026-09-12", "this work week": "2026-08-31/2026-09-05"}),
    Rule("en.all_unit", "EALL EUNIT", lambda m: ex.This(m["EUNIT"]) if m["EUNIT"] in ("week", "weekend", "month", "quarter", "year") and m.word(-1) == m["EUNIT"] and m.after[:1] != "-" and not _then(m, "round|around|long") else None, {
        "it rained all week": "2026-08-31/2026-09-07", "open all year round": ""}),
    Rule("en.weekend", "(ETHE|EON|EAT|EDURING)? EUNIT", lambda m: ex.Weekend() if m["EUNIT"] == "weekend" and not m.word(-1).endswith("s") and not (len(m.tokens) == 1 and _ANY_ONE.search(m.ahead)) else None, {"a 3-day weekend": "", "after the long weekend": "2026-09-07/",
        "over the weekend": "2026-09-05/2026-09-07"}),
    Rule("en.month", "EMON", lambda m: ex.Month(m["EMON"]), {"in October": "2026-10-01/2026-11-01"}),
    Rule("en.weak_month", "(EIN|EDURING|EOF)? EMONWEAK", _weak_month, {
        "in May": "2026-05-01/2026-06-01", "May Chen may march": ""}),
    Rule("en.rel_month", f"{_REL} {_MON}", lambda m: _rel_bare(ex.Month(_month_number(m)), m), {"last March": "2026-03-01/2026-04-01", "this may take longer": ""}),
    Rule("en.month_days", f"{_MON} ETHE? ({_ORD}|INT) ((COMMA|AND|LIST|COMMA AND) ETHE? ({_ORD}|INT)){{1,6}}", _month_days, {
        "Sept 9 and 10 people": "2026-09-09/2026-09-10", "Sept 9, 2026": "2026-09-09/2026-09-10"}),
    Rule("en.days_month", f"ETHE? (({_ORD}|INT) COMMA){{0,5}} ({_ORD}|INT) (AND|LIST|COMMA AND) ETHE? ({_ORD}|INT) EOF? {_MON}", _days_month, {
        "5 and 4 September": "2026-09-04/2026-09-05"}),
    Rule("en.months_year", f"({_MON} COMMA){{0,5}} {_MON} (AND|LIST|COMMA AND) {_MON} (EOF|COMMA)? {_YEAR}", _months_year, {
        "between March and April 2025": "2025-03-01/2025-05-01"}),
    Rule("en.month_day", f"{_MON} (ETHE|{_SEP})? ({_ORD}|INT|NUM)", _month_day, {
        "August 15th": "2026-08-15/2026-08-16", "sept 3": "2026-09-03/2026-09-04", "Jan-1": "2026-01-01/2026-01-02"}),
    Rule("en.day_month", f"ETHE? (({_ORD}|INT) (EOF|{_SEP})? {_MON}|NUM EOF? EMON)", _month_day, {"fifteen August": "2026-08-15/2026-08-16", "the 3rd of May": "2026-05-03/2026-05-04", "12 Sept": "2026-09-12/2026-09-13"}),
    Rule("en.month_day_year", f"({_MON} (ETHE|{_SEP})? ({_ORD}|INT) (COMMA|{_SEP})? {_YEAR}|({_ORD}|INT) (EOF|{_SEP})? {_MON} (COMMA|{_SEP}|EOF)? {_YEAR}|NUM EOF? EMON COMMA? {_YEAR})", _month_day_year, {
        "May 5th, 2017": "2017-05-05/2017-05-06", "9 Aug 96": "1996-08-09/1996-08-10", "6 April seventeen hundred thirty three": "1733-04-06/1733-04-07",
        "14th April 15": "2015-04-14/2015-04-15", "twenty five January nineteen eighty six": "1986-01-25/1986-01-26", "8/Oct/2012": "2012-10-08/2012-10-09", "August-10, 2012": "2012-08-10/2012-08-11", "Sep-08-2026": "2026-09-08/2026-09-09"}),
    Rule("en.year_month_day", f"INT {_SEP}? {_MON} {_SEP}? ({_ORD}|INT)", lambda m: date_of(m["INT"], _month_number(m), m.tokens[-1].value) if _year_number(m.tokens[:1]) else None, {
        "2018 March 18": "2018-03-18/2018-03-19", "2019/aug/01": "2019-08-01/2019-08-02"}),
    Rule("en.month_year", f"({_MON} (EOF|COMMA|DASH)? {_YEAR}|INT DASH? {_MON})", _month_year, {
        "October 2014": "2014-10-01/2014-11-01", "June of nineteen ninety nine": "1999-06-01/1999-07-01", "April of 87": "1987-04-01/1987-05-01"}),
    Rule("en.year", f"(EIN|EDURING|EOF|EFISCAL|ETHE? EUNIT)? {_YEAR}", _year, {
        "in 2019 where did I live": "2019-01-01/2020-01-01", "why did port 2019 fail": "", "twenty eighteen": "2018-01-01/2019-01-01",
        "in two thousand and ten": "2010-01-01/2011-01-01", "since the year 2011": "2011-01-01/"}),
    Rule("en.rel_fiscal_quarter", f"ETHE? {_REL} EFISCAL EUNIT", lambda m: ex.This("quarter", _rel(m)[1]) if m["EUNIT"] == "quarter" and m.word(-2) in ("fiscal", "financial") else None, {
        "last fiscal quarter": "2026-04-01/2026-07-01"}),
    Rule("en.rel_fiscal", f"ETHE? {_REL} EFISCAL", lambda m: ex.This("year", _rel(m)[1]) if m.word(-1).endswith("year") else None, {
        "this fiscal year": "2026-01-01/2027-01-01", "last financial year": "2025-01-01/2026-01-01"}),
    Rule("en.years", "(EIN|EDURING) INT ((COMMA|AND|LIST|COMMA AND) INT){1,4}", _years, {"in 2024 and 3 people": "2024-01-01/2025-01-01"}),
    Rule("en.era", "(EIN|EOF)? (INT EERA|EERA INT)", _era, {"August 10, 1008 CE": "1008-08-10/1008-08-11", "5 ad campaigns": ""}),
    Rule("en.spaced_date", "EON? INT INT INT", lambda m: date_of(*n) if (n := m.all("INT"))[0] in range(1900, 2101) and m.word(-2).isdigit() else None, {"on 2016 10 16": "2016-10-16/2016-10-17"}),
    Rule("en.spaced_month", "INT SLASH INT", _spaced_month, {"2016 / 11": "2016-11-01/2016-12-01"}),
    Rule("en.clock", "(EAT|EFOR)? EABOUT? CLOCK (EISH|EOCLOCK)?", lambda m: m["CLOCK"], {
        "yesterday at 3pm": "2026-09-02T15:00/2026-09-02T15:00", "Saturday for 9am": "2026-09-05T09:00/2026-09-05T09:00"}),
    Rule("en.clock_hours", "EAT? CLOCK (EUNIT|EH)", lambda m: m["CLOCK"] if m.get("EUNIT") in (None, "hour") else None, {"15:00hrs Wednesday": "2026-09-02T15:00/2026-09-02T15:00"}),
    Rule("en.at_number", "(EAT|EABOUT|EAT EABOUT) (NUM|INT|DEC)", _at_number, {"Monday at 2.30": "2026-08-31T14:30/2026-08-31T14:30", "Monday @ 2.30 works": "2026-08-31T14:30/2026-08-31T14:30",
        "tomorrow at 9": "2026-09-04T09:00/2026-09-04T09:00", "tonight around 7": "2026-09-03T19:00/2026-09-03T19:00", "about three days ago": "2026-08-31/2026-09-01", "around 30 people": ""}),
    Rule("en.by_hour", "EBY EABOUT? (NUM|INT)", lambda m: ex.Until(_spoken(n)) if 1 <= (n := m.get("NUM", "INT")) <= 12 and _ends(m) and _led(m, _DONE_BY) else None, {
        "home by 7": "/2026-09-03T07:00", "costs rose by 7": ""}),
    Rule("en.since_hour", "ESINCE EABOUT? (NUM|INT)", lambda m: ex.Since(ex.Clock(n) if _led(m, "up|awake") else _spoken(n)) if 1 <= (n := m.get("NUM", "INT")) <= 12 and _ends(m) and _led(m, "up|awake|been|here|there|working|waiting|open|out|in|at it") else None, {
        "been up since 5": "2026-09-03T05:00/", "waiting here since 2": "2026-09-03T14:00/", "all of them since 7 of us left": ""}),
    Rule("en.from_hour", "FROM EABOUT? (NUM|INT) EONWARD", lambda m: Weak(ex.Since(_spoken(n))) if 1 <= (n := m.get("NUM", "INT")) <= 12 and m.word(-1).startswith("onward") else None, {
        "free from 3 onwards tomorrow": "2026-09-04T15:00/", "pages from 3 onwards": ""}),
    Rule("en.twelve", "EAT? INT EXPR", lambda m: m["EXPR"] if m["INT"] == 12 and isinstance(m["EXPR"], ex.Clock) else None, {"no later than 12 noon on 9 Sept": "/2026-09-09T12:00"}),
    Rule("en.military", "EAT? INT EUNIT?", _military, {"at 1400 hours": "2026-09-03T14:00/2026-09-03T14:00", "flight 0550": "", "call 555-0903": ""}),
    Rule("en.military_range", "(FROM|EBETWEEN)? INT (TO|DASH|AND) INT", _military_range, {"between 0730-0930": "2026-09-03T07:30/2026-09-03T09:30", "on call from 0800 to 1600": "2026-09-03T08:00/2026-09-03T16:00"}),
    Rule("en.half_hour", "EAT? EABOUT? EHALF (NUM|INT)", _half_hour, {"home at half seven": "2026-09-03T07:30/2026-09-03T07:30", "half 7 tonight": "2026-09-03T19:30/2026-09-03T19:30", "half 5 of them left": "", "dentist at half three next Wednesday": "2026-09-09T15:30/2026-09-09T15:30"}),
    Rule("en.dotted", "DEC", _dotted, {"lunch thurs 12.30": "2026-09-03T12:30/2026-09-03T12:30", "it cost 12.30": ""}),
    Rule("en.dotted_range", "(FROM|EBETWEEN)? DEC (TO|DASH|AND) (CLOCK|DEC)", _dotted_range, {
        "tomorrow 8.30-9.15am": "2026-09-04T08:30/2026-09-04T09:15", "Monday 9.30 to 10.30": "2026-08-31T09:30/2026-08-31T10:30", "from 8.30 to 9.45 percent": ""}),
    Rule("en.oclock", "EAT? EABOUT? (NUM|INT) (EOCLOCK|EISH)", lambda m: _spoken(n) if 1 <= (n := m.get("NUM", "INT")) <= 12 and not _then(m, "position|direction|news|shadow") else None, {
        "an enemy at your 10 o'clock position": "", "seven o'clock": "2026-09-03T07:00/2026-09-03T07:00", "be back 11ish": "2026-09-03T11:00/2026-09-03T11:00"}),
    Rule("en.spelled_meridiem", "EAT? EABOUT? ((NUM (NUM|INT)?|(INT|NUM) (EOCLOCK|EISH)|CLOCK EOCLOCK?) (EIN? ETHE)?|INT EIN ETHE) MERIDIEM", _spelled_meridiem, {
        "ten thirty am": "2026-09-03T10:30/2026-09-03T10:30", "3 oclock pm": "2026-09-03T15:00/2026-09-03T15:00", "six p.m.": "2026-09-03T18:00/2026-09-03T18:00"}),
    Rule("en.number_in_part", "EAT? EABOUT? (NUM (NUM|INT)?|INT|CLOCK) EOCLOCK? (EIN ETHE|EAT|ETHE) EPART", _number_in_part, {
        "6 in the afternoon": "2026-09-03T18:00/2026-09-03T18:00", "at 3 in the morning": "2026-09-03T03:00/2026-09-03T03:00", "11 at night": "2026-09-03T23:00/2026-09-03T23:00"}),
    Rule("en.hour_mark", "EAT? INT EH", lambda m: Weak(ex.Clock(m["INT"])) if 6 <= m["INT"] <= 24 and not _led(m, "in|for|after|last|past|next|within|of") else None, {
        "Friday 19h": "2026-09-04T19:00/2026-09-04T19:00"}),
    Rule("en.zone", "EAT? EABOUT? (CLOCK|(INT|NUM) EH?) PAREN? (EZONE|ECOAST) PAREN?", _zoned, {"4pm Eastern tomorrow": "2026-09-05T04:00/2026-09-05T04:00", "meet 4pm Central Station": "2026-09-04T16:00/2026-09-04T16:00",
        "9:30 am EST": "2026-09-03T22:30/2026-09-03T22:30", "Thursday 8h00 PST": "2026-09-04/2026-09-04", "tomorrow at 8 gmt": "2026-09-04T16:00/2026-09-04T16:00"}),
    Rule("en.said_clock", "EAT? EABOUT? (EHALF (EPAST)|(EAN? EUNIT|(NUM|INT) EUNIT?) (EPAST|TO|EBEFORE|EAFTER|EOF)) ((NUM|INT) MERIDIEM?|CLOCK|EXPR)", lambda m: _said_clock(m) if m.get("EUNIT") in (None, "quarter", "minute") else None, {
        "half past nine": "2026-09-03T09:30/2026-09-03T09:30", "quarter to ten": "2026-09-03T09:45/2026-09-03T09:45", "quarter of eight tonight": "2026-09-03T19:45/2026-09-03T19:45", "a quarter of eight people": "", "half past 3 pm": "2026-09-03T15:30/2026-09-03T15:30", "half past three pm": "2026-09-03T15:30/2026-09-03T15:30",
        "15 minutes past noon": "2026-09-03T12:15/2026-09-03T12:15"}),
    Rule("en.word_clock", "EAT? NUM (NUM|INT)|EAT INT INT", _word_clock, {"at 12 15": "2026-09-03T12:15/2026-09-03T12:15", "at seven thirty": "2026-09-03T07:30/2026-09-03T07:30"}),
    Rule("en.oh_clock", "EAT? (NUM EOH NUM|EOH NUM NUM) MERIDIEM?", lambda m: _oh_clock(m), {
        "the bus is at oh nine thirty": "2026-09-03T09:30/2026-09-03T09:30",
        "lunch on Friday at one oh five": "2026-09-04T13:05/2026-09-04T13:05", "seven oh nine pm": "2026-09-03T19:09/2026-09-03T19:09", "one oh fifty": ""}),
    Rule("en.on_day", "(EON? ETHE? (ORDINAL|EORD)|EON INT)", _on_day, {"on the 15th": "2026-09-15/2026-09-16", "in the first place": "", "the third option": ""}),
    Rule("en.on_days", f"EON ETHE ({_ORD} COMMA ETHE?){{0,5}} {_ORD} COMMA? AND ETHE? {_ORD}", _on_days, {
        "on the 28th and 32nd": "2026-09-28/2026-09-29"}),
    Rule("en.part", "(EREST? (EIN|EDURING))? ETHE? EPART|EREST ETHIS EPART", _part, {
        "yesterday afternoon": "2026-09-02T12:00/2026-09-02T18:00", "the night of the party": "", "the evening of 21 August": "2026-08-21T18:00/2026-08-22"}),
    Rule("en.rel_part", f"{_REL} EPART", lambda m: ex.Within(ex.This("day", _rel(m)[1]), m["EPART"]), {"this morning": "2026-09-03T06:00/2026-09-03T12:00"}),
    Rule("en.close", "ETHE? ECLOSE", lambda m: ex.DayPart("evening", 17, 24), {"by Friday COB": "/2026-09-05", "EOD": "2026-09-03T17:00/2026-09-04"}),
    Rule("en.ago_day", f"{_AMOUNT} EAGO EON? EDAY", lambda m: ex.Shift(ex.This("day", m["EDAY"]), a, -1) if (a := _amount(m)) and not a.elapsed else None, {
        "a year ago today": "2025-09-03/2025-09-04", "a week ago yesterday": "2026-08-26/2026-08-27"}),
    Rule("en.short_amount", "(INT (ESHORT|EH|EW|EUNIT)){1,3} EAGO|EIN INT (ESHORT|EW)|(DASH|PLUS) INT (ESHORT|EH|EW|EUNIT) (COMMA? INT (ESHORT|EH|EW|EUNIT)){0,2}", _short_amount, {"3d ago": "2026-08-31/2026-09-01", "2h30m ago": "2026-09-03T19:30/2026-09-03T19:30", "back in 5m": "2026-09-03T22:05/2026-09-03T22:05", "+2 weeks": "2026-09-17/2026-09-18", "-5d": "2026-08-29/2026-08-30"}),
    Rule("en.fraction", "EIN? X (EOF? EAN)? (EUNIT|EH) EAGO?", _fraction, {"in 1/2 hour": "2026-09-03T22:30/2026-09-03T22:30", "3/4 of an hour ago": "2026-09-03T21:15/2026-09-03T21:15"}),
    Rule("en.ago", f"{_AMOUNT} (EAGO|EREST)", lambda m: None if m.has("EREST") and _then(m, "this|in|on|today|tonight|next|that") else _ago(-1)(m) if m.word(-1) != "later" else _ago(1)(m), {
        "3 days ago": "2026-08-31/2026-09-01", "half an hour ago": "2026-09-03T21:30/2026-09-03T21:30", "two weeks later": "2026-09-17/2026-09-18", "a month ago": "2026-08-03/2026-08-04", "two years ago": "2024-01-01/2025-01-01", "a hundred days ago": "2026-05-26/2026-05-27"}),
    Rule("en.ago_between", f"(NUM|INT) (TO|DASH|AND) (NUM|INT) {_U} (EAGO|ELATER)|EIN EABOUT? (NUM|INT) (TO|DASH|AND) (NUM|INT) {_U} ETIME?", _ago_between, {
        "two or three days ago": "2026-08-31/2026-09-02", "in five to ten minutes": "2026-09-03T22:05/2026-09-03T22:10"}),
    Rule("en.one_or_two", f"EAN {_U} AND (NUM|INT) (EAGO|ELATER)|EIN EAN {_U} AND (NUM|INT)", _one_or_two, {"a day or two ago": "2026-09-01/2026-09-03", "back in a week or two": "2026-09-10/2026-09-18"}),
    Rule("en.in_short_month", "EIN (NUM|INT) (EWD|EUNIT)", lambda m: ex.Ago(ex.Amount(((m.get("NUM", "INT"), "month"),)), 1, True) if m.word(-1) == "mon" else None, {
        "in 1 mon": "2026-10-03/2026-10-04"}),
    Rule("en.just_gone", "ETHE? (EWD|EUNIT) EGONE", _just_gone, {
        "Sunday just gone": "2026-08-30/2026-08-31", "the weekend just gone": "2026-08-29/2026-08-31", "on Sunday just gone to bed": "2026-09-06/2026-09-07"}),
    Rule("en.by_meal", "(EBEFORE|EAFTER) EMEAL", lambda m: Weak((ex.Until if m.has("EBEFORE") else ex.Since)(m["EMEAL"], m.has("EAFTER"))), {
        "before dinner tomorrow": "/2026-09-04T18:00", "after breakfast on Friday": "2026-09-04T09:00/", "after dinner we talked": ""}),
    Rule("en.counted_weekday", "(NUM|INT|EFEW) (EWD|EWDS) (EAGO|ELATER|EREST)", _counted_weekday, {
        "two Fridays from now": "2026-09-11/2026-09-12", "2 thursdays ago": "2026-08-20/2026-08-21"}),
    Rule("en.counted_dates", "(NUM|INT|EFEW) EDATES (EAGO|EREST)", lambda m: ex.Relative(m["EDATES"], n if m.get("EREST") == 1 else -n) if (n := m.get("NUM", "INT", "EFEW")) < 60 else None, {
        "two Christmases ago": "2024-12-25/2024-12-26", "three winters ago": "2023-12-01/2024-03-01"}),
    Rule("en.in_weekdays", "EIN (NUM|INT|EFEW) EWDS", lambda m: ex.Relative(ex.Weekday(m["EWDS"]), n) if 1 < (n := m.get("NUM", "INT", "EFEW")) < 60 else None, {
        "in two Mondays": "2026-09-14/2026-09-15"}),
    Rule("en.last_weekdays", "ETHE? (ELAST|EPAST|ENEXT|ECOMING) (NUM|INT|EFEW) EWDS", lambda m: ex.FromTo(*(ex.Relative(ex.Weekday(m["EWDS"]), k) for k in ((-n, -1) if _rel(m)[1] < 0 else (1, n)))) if 1 < (n := m.get("NUM", "INT", "EFEW")) < 60 else None, {
        "the last three Fridays": "2026-08-14/2026-08-29", "the next two Mondays": "2026-09-07/2026-09-15"}),
    Rule("en.counted_night", "(NUM|INT|EFEW) ENIGHTS (EAGO|ELATER|EREST)", lambda m: ex.Within(ex.This("day", n if m.get("EREST") == 1 or m.has("ELATER") else -n), _NIGHT) if (n := m.get("NUM", "INT", "EFEW")) < 1000 else None, {
        "two nights ago": "2026-09-01T18:00/2026-09-02T06:00"}),
    Rule("en.counted_day", "(NUM|INT) EDAY", lambda m: ex.This("day", m["EDAY"] + (n if m["EDAY"] > 0 else -n)) if abs(m["EDAY"]) == 2 and (n := m.get("NUM", "INT") - 1) < 1000 and m.word(1)[0] == "d" else None, {
        "2 day before yesterday": "2026-08-31/2026-09-01", "three days after tomorrow": "2026-09-07/2026-09-08"}),
    Rule("en.in_amount", f"EIN EABOUT? {_AMOUNT} ETIME?", _ago(1), {"in 2 hours": "2026-09-04/2026-09-04", "in 1h": "2026-09-03T23:00/2026-09-03T23:00", "in three days": "2026-09-06/2026-09-07"}),
    Rule("en.from_now", f"{_AMOUNT} ELATER", _ago(1), {"10 days from now": "2026-09-13/2026-09-14"}),
    Rule("en.from_now_on", "ELATER (EON|EONWARD)", lambda m: ex.Since(ex.Now() if "now" in m.word(0) else ex.This("day")) if m.word(0).startswith("from") else None, {"from now on": "2026-09-03T22:00/"}),
    Rule("en.within", f"EWITHIN (ETHE? {_REL})? {_AMOUNT}", lambda m: ex.Rolling(a, -1 if m.has("ELAST") or m.has("EPAST") else 1) if (a := _amount(m)) else None, {
        "within 2 days": "2026-09-03/2026-09-05"}),
    Rule("en.length", _AMOUNT, _length, {"for three hours": "-"}),
    Rule("en.nth", f"EON? ETHE? ({_ORD}|{_ORD} (TO|FROM)? ELAST|ELAST|EPENULT) (EUNIT|{_WD}) (EOF|EIN)?", lambda m: None if m.tokens[-1].cat not in ("EOF", "EIN") and m.has("ELAST") else _nth(m), {
        "the last Friday of last month": "2026-08-28/2026-08-29", "last friday in october": "2026-10-30/2026-10-31", "5th to last day of May": "2026-05-27/2026-05-28", "third from last day of August": "2026-08-29/2026-08-30", "the penultimate Friday of October": "2026-10-23/2026-10-24", "first week of August": "2026-08-03/2026-08-10", "on the twenty third day of September": "2026-09-23/2026-09-24"}),
    Rule("en.run", "ETHE? (EORD|ORDINAL|ELAST) (NUM|INT) EUNIT (EOF|EIN)", lambda m: _run(m) if m.get("EORD", "ORDINAL") in (None, 1) else None, {
        "first 2 weeks of 2021": "2021-01-04/2021-01-18"}),
    Rule("en.before_last", f"ETHE? (EUNIT|{_WD}|ESEASON|EMON) (EBEFORE ETHE? ELAST|EAFTER ETHE? ENEXT)", _before_last, {"the week before last": "2026-08-17/2026-08-24", "the month after the next": "2026-11-01/2026-12-01", "the summer before last": "2025-06-01/2025-09-01"}),
    Rule("en.last_but_one", f"ETHE? ELAST {_WD} EBUT (NUM|INT)", lambda m: ex.Relative(ex.Weekday(m.get("EWD", "EWDWEAK")), -1 - n) if 1 <= (n := m.get("NUM", "INT")) <= 4 else None, {"last Tuesday but one": "2026-08-25/2026-08-26"}),
    Rule("en.same_time", "(ETHIS? ETIME|(ETHIS|ESAME) EUNIT|EDAY) (ELAST|EPREV|ENEXT|ECOMING) EUNIT|ETHIS? ETIME EDAY", _same_time, {
        "the same day last week": "2026-08-27/2026-08-28", "the same month last year": "2025-09-01/2025-10-01", "same time yesterday": "2026-09-02T22:00/2026-09-02T22:00",
        "this day last year": "2025-09-03/2025-09-04", "this time last week": "2026-08-27T22:00/2026-08-27T22:00"}),
    Rule("en.slice_of_unit", "(EEDGE|EEARLY) (EOF|DASH)? (ETHE|ETHIS)? EUNIT", _slice_of_unit, {"end of the month": "2026-09-21/2026-10-01", "by mid-month": "/2026-09-21"}),
    Rule("en.rest_of_unit", "EREST (EOF|EIN)? (ETHE|ETHIS) EUNIT", _rest_of_unit, {
        "the rest of the week": "2026-09-03T22:00/2026-09-07", "earlier in the month": "2026-09-01/2026-09-03T22:00", "rest of my day": "2026-09-03T22:00/2026-09-04"}),
    Rule("en.to_date", "EUNIT TO EDATE", lambda m: ex.Rest(ex.This(m["EUNIT"]), -1) if m["EUNIT"] in ("year", "month", "quarter", "week") else None, {"the year to date": "2026-01-01/2026-09-03T22:00"}),
    Rule("en.the_unit", "(EIN|EDURING|EFOR) ETHE EUNIT", _the_unit, {"sales in the week": "2026-08-31/2026-09-07", "blocked for the day": "2026-09-03/2026-09-04"}),
    Rule("en.before_out", "(EBEFORE|EBY) ETHE EUNIT", lambda m: ex.Until(ex.This(m["EUNIT"]), through=True) if m["EUNIT"] in ("week", "weekend", "month", "quarter", "year", "day") and _then(m, r"(?:is )?(?:out|over|up)(?= *(?:$|[,.!?;]))") else None, {
        "done before the week is out": "/2026-09-07", "I'll pay before the month's out.": "/2026-10-01", "before the year out west": ""}),
    Rule("en.half", f"ETHE? ({_ORD} EHALF|EHALFTH) (EOF ETHE? EUNIT)?|EH INT", _half, {"the first half of 2026": "2026-01-01/2026-07-01", "in the second half of the year": "2026-07-01/2027-01-01",
        "they scored in the second half": ""}),
    Rule("en.quarter", "EQ INT", _quarter, {"Q2 2026": "2026-04-01/2026-07-01"}),
    Rule("en.year_quarter", "INT DASH? (EQ|EH) INT", _year_quarter, {"2019-Q1": "2019-01-01/2019-04-01", "18q4": "2018-10-01/2019-01-01", "1Q26": "2026-01-01/2026-04-01", "2H 2025": "2025-07-01/2026-01-01"}),
    Rule("en.season", "ESEASON", lambda m: ex.Season(m["ESEASON"]), {"in summer": "2026-06-01/2026-09-01"}),
    Rule("en.weak_season", "ESEASONWEAK", lambda m: Weak(ex.Season(m["ESEASONWEAK"])), {"spring boot": ""}),
    Rule("en.rel_season", f"ETHE? {_REL} (ESEASON|ESEASONWEAK)", lambda m: _rel_bare(ex.Season(m.get("ESEASON", "ESEASONWEAK")), m), {"last winter": "2025-12-01/2026-03-01"}),
    Rule("en.in_season", "(EIN|EDURING|ESINCE) ETHE? ESEASONWEAK", lambda m: ex.Season(m["ESEASONWEAK"]), {"in the spring": "2026-03-01/2026-06-01"}),
    Rule("en.festival", "ETHE? EFEST (INT? EUNIT)?", _festival, {"Thanksgiving": "2026-11-26/2026-11-27", "labor day weekend": "2026-09-05/2026-09-08",
        "thanksgiving 2023 weekend": "2023-11-23/2023-11-27"}),
    Rule("en.rel_festival", f"ETHE? {_REL} EFEST", lambda m: _rel_bare(ex.Festival(m["EFEST"], m["EFEST"] in _LONG), m), {"last Christmas": "2025-12-25/2025-12-26", "Diwali two years ago": "2024-11-01/2024-11-02"}),
    Rule("en.decade", "EIN? ETHE? (TENS|(NUM (ETHOUSAND AND?)?)? ETENS)", _decade, {"in the '40s": "1940-01-01/1950-01-01",
        "the nineteen eighties": "1980-01-01/1990-01-01", "the two thousand and tens": "2010-01-01/2020-01-01","in the 90s": "1990-01-01/2000-01-01", "the 1980s": "1980-01-01/1990-01-01"}),
    Rule("en.century", "ETHE? (ORDINAL|EORD) EUNIT", _century, {"the 19th century": "1800-01-01/1900-01-01"}),
    Rule("en.week_number", "(EW INT|EUNIT INT)", lambda m: ex.WeekNumber(m["INT"]) if m.get("EUNIT") in (None, "week") and 1 <= m["INT"] <= 53 else None, {"week 36": "2026-08-31/2026-09-07"}),
    Rule("en.iso_week", "INT DASH? EW INT (DASH INT)?", _iso_week, {
        "2026-W36": "2026-08-31/2026-09-07", "2026-W36-5": "2026-09-04/2026-09-05", "2026W365": "2026-09-04/2026-09-05"}),
    Rule("en.every", f"(EEVERY ({_N}|{_ORD})? (EUNIT|{_WD}|EPART|{_MON}|EWEEKDAY)|EOFTEN|EWDS|EWEEKDAY)", lambda m: ex.Recurring(), {"weekdays at 9:15": "-","every Friday": "-", "on Mondays": "-", "at 3pm every weekday": "-"}),
)  # fmt: skip


def _counts(m: Found) -> bool:
    """Whether a bare number that could be a year counts what stands behind it: "after 2000 iterations"."""
    return m.tokens[-1].weak and isinstance(m.tokens[-1].value, ex.Year) and not _ends(m)


def _at_noon(e: ex.Expression) -> ex.Expression:
    if isinstance(e, ex.Within):
        return replace(e, inner=_at_noon(e.inner))
    return replace(e, hour=12) if isinstance(e, ex.Clock) and e.hour == 0 else e


_DAY_FIRST = later("|".join(rf"{word}\b" for word, (cat, _) in WORDS.items() if cat == "EDAY") + "|(?:on|this|next|last|the) ")


def _from_to(m: Found) -> Made:
    first, last = m.all("X")
    if isinstance(first, ex.Clock) and 6 <= first.hour < 12 and not first.twelve and re.match(r"12 ?a", m.word(-1)):
        last = _at_noon(last)  # "10am-12am"
    if isinstance(last, ex.Recurring) and isinstance(first, ex.Clock | ex.DayPart | ex.Weekday):
        return last  # "9am till noon on Saturdays"
    if (
        isinstance(first, ex.Clock)
        and isinstance(last, ex.Within)
        and isinstance(last.outer, ex.This)
        and _DAY_FIRST.match(m.word(-1)) is not None
    ):
        first = ex.Within(ex.This("day"), first)  # "from 2pm till tomorrow 4:30pm" begins today
    if (
        isinstance(first, ex.Clock)
        and isinstance(last, ex.Within)
        and isinstance(last.inner, ex.Clock)
        and last.outer.grain is Grain.DAY
        and not isinstance(last.outer, ex.This)
        and not (first.twelve or last.inner.twelve)
        and first.hour > last.inner.hour
    ):
        return ex.Within(last.outer, ex.FromTo(first, last.inner))  # "11pm to 1am on Saturday" begins on Saturday
    barred = (ex.Since, ex.Until, ex.Recurring, ex.FromTo, ex.Length)
    if isinstance(first, barred) or isinstance(last, barred) or _counts(m):
        return None
    return ex.FromTo(first, last)


def _like(number: int, other: ex.Expression) -> ex.Expression | None:
    """A bare number read as what stands on the other side of "to", in the same month if that is a day of one."""
    if isinstance(other, ex.Within):
        inner = _like(number, other.inner)
        return (
            ex.Within(other.outer, inner)
            if inner is not None and isinstance(other.outer, ex.Month | ex.Within) and isinstance(inner, ex.Day | ex.Within)
            else inner
        )
    if isinstance(other, ex.Clock):
        if number == 12 and not other.twelve and other.hour < 12:
            return ex.Clock(0)  # 12-3am
        return ex.Clock(number, 0, 0, 1 <= number <= 12) if 0 <= number <= 24 else None
    if isinstance(other, ex.Day):
        return ex.Day(number) if 1 <= number <= 31 else None
    if isinstance(other, ex.Year):
        return ex.Year(number) if 1000 <= number <= 2999 else None
    if isinstance(other, ex.Fixed) and other.grain is ex.GRAIN["day"]:
        return ex.Day(number) if 1 <= number <= 31 else None
    return None


def _number_to(m: Found) -> Made:
    last = m["X"]
    number = m.get("INT", "NUM", "ORDINAL", "EORD")
    if isinstance(last, ex.Within) and isinstance(last.inner, ex.Clock) and isinstance(last.outer, ex.Within):
        date = last.outer  # 22-23 Feb at 7pm: the number is a day if a day is what stands beside it
        if isinstance(date.inner, ex.Day) and number < date.inner.day and m.word(-1).startswith(str(date.inner.day)):
            return ex.FromTo(ex.Within(ex.Within(date.outer, ex.Day(number)), last.inner), last)
    first = _like(number, last)
    return None if first is None else ex.FromTo(first, last)


def _to_number(m: Found) -> Made:
    first = m["X"]
    last = _like(m.get("INT", "NUM", "ORDINAL", "EORD"), first)
    return None if last is None or isinstance(first, ex.Since | ex.Until | ex.FromTo) else ex.FromTo(first, last)


def _to_number_in(m: Found) -> Made:
    """11pm last night until 3 this morning: the hour it ends at is of the part of the day that is said behind it."""
    first, part = m.all("X")
    number = m.get("INT", "NUM")
    if part.grain is not Grain.DAY_PART or not isinstance(part, ex.Within) or not 1 <= number <= 12 or m.has("AND"):
        return None
    if not isinstance(first, ex.Clock | ex.Within) or first.grain > Grain.HOUR:
        return None
    return ex.FromTo(first, ex.Within(part, _spoken(number)))


def _numbers_in(m: Found) -> Made:
    """4-23 in next month; 3 to 5 May: two days of the month that stands behind or before them."""
    first, last = m.all("INT", "NUM", "ORDINAL", "EORD")[:2]
    month = m["X"]
    if isinstance(month, ex.FromTo) and month.grain is Grain.DAY and 1 <= first <= 12 and 1 <= last <= 12:  # Mon-Fri 9-5
        last += 12 if last <= first else 0
        return ex.FromTo(ex.Within(month.first, ex.Clock(first)), ex.Within(month.last, ex.Clock(last)))
    if month.grain is ex.GRAIN["month"] and 1 <= first < last <= 31:
        return ex.FromTo(ex.Within(month, ex.Day(first)), ex.Within(month, ex.Day(last)))
    if (
        month.grain <= ex.GRAIN["day"]
        and (last > first or first > 6)
        and not _led(m, "scored?|scores|won|win|lost|beat|drew|tied")
        and 0 <= first <= 24
        and 0 < last <= 24
        and not isinstance(month, ex.Clock)
    ):
        outer = month
        return ex.FromTo(ex.Within(outer, _spoken(first)), _spoken(last)) if outer.frame != "day" else None
    return None


def _number_at(m: Found) -> Made:
    """8 yesterday morning, 9 tomorrow: an hour of the day behind it, where nothing counts it."""
    number, day = m.get("INT", "NUM"), m["X"]
    if (
        not 1 <= number <= 12
        or isinstance(day, ex.Clock | ex.Length | ex.Since | ex.Until | ex.Lasting)
        or day.frame is not None
    ):
        return None
    if not (day.grain is Grain.DAY_PART or (day.grain is Grain.DAY and isinstance(day, ex.This))):
        return None
    head = m.ahead.rstrip(" ,")
    if (
        not m.has("EAT")
        and head
        and not m.has("COMMA")
        and not _led(
            m,
            "since|by|before|after|until|till|til|from|at|back|leave|leaving|meet|meeting|come|coming|go|going|home|call|dinner|lunch|starts?|see you|around|about",
        )
    ):
        return None
    return ex.Within(day, _spoken(number))


def _and_day(m: Found) -> Made:
    """Nov 3-7 and 10: one more day of the month behind a stretch of its days."""
    days, number = m["X"], m.get("INT", "ORDINAL", "EORD")
    if not isinstance(days, ex.FromTo) or not isinstance(days.first, ex.Within) or not _ends(m):
        return None
    last = days.last.inner if isinstance(days.last, ex.Within) else days.last
    if not isinstance(days.first.inner, ex.Day) or not isinstance(last, ex.Day) or not last.day < number <= 31:
        return None
    return ex.Union((days, ex.Within(days.first.outer, ex.Day(number))))


def _days_and(m: Found) -> Made:
    """3-5 and 8 September: a stretch of days ahead of one more, which names the month of all."""
    first, last = m.all("INT", "ORDINAL", "EORD")[:2]
    day = m["X"]
    if not isinstance(day, ex.Within) or not isinstance(day.inner, ex.Day) or not 1 <= first < last < day.inner.day:
        return None
    return ex.Union((ex.FromTo(ex.Within(day.outer, ex.Day(first)), ex.Within(day.outer, ex.Day(last))), day))


def _lasting_of(base: ex.Expression, length: ex.Expression) -> Made:
    if not isinstance(length, ex.Length) or isinstance(
        base, ex.Length | ex.Since | ex.Until | ex.Recurring | ex.Rolling | ex.Vague | ex.FromTo
    ):
        return None
    return ex.Lasting(base, length.amount)


def _lasting(m: Found) -> Made:
    return _lasting_of(*m.all("X"))


def _week_of(m: Found) -> Made:
    first, day = m.tokens[0].value if m.tokens[0].cat != "ETHE" else m.tokens[1].value, m.tokens[-1].value
    if isinstance(day, ex.Length | ex.Since | ex.Until | ex.Recurring | ex.FromTo | ex.Clock) or (
        m.has("FROM") and m.word(-2) == "from"
    ):
        return None
    if m.has("EWEEKOF"):
        return ex.WeekOf(day)
    if first == "week":
        return ex.WeekOf(day)
    if not m.has("EOF") or not (first == "weekend" or isinstance(first, ex.Weekend)):
        return None
    return ex.Within(day, ex.Weekend()) if day.grain is Grain.WEEK else ex.WeekendBy(day) if day.grain <= Grain.DAY else None


def _nth_beside(nth: ex.Nth, base: ex.Expression, sign: int) -> Made:
    """The third Tuesday after Christmas."""
    if nth.n < 0 or isinstance(nth.what, str) or isinstance(base, ex.Length | ex.Since | ex.Until | ex.Recurring | ex.Clock):
        return None
    return ex.Within(ex.Rolling(ex.Amount(((nth.n * 7, "day"),)), sign, base=base), ex.Nth(sign * nth.n, nth.what))


def _after_before(m: Found) -> Made:
    """After Monday and before Thursday: both sides are open, and both are out of it."""
    first, last = m.all("X")
    barred = (ex.Since, ex.Until, ex.Recurring, ex.Length, ex.Rolling, ex.Vague)
    if isinstance(first, barred) or isinstance(last, barred):
        return None
    if first.frame == "day" and isinstance(last, ex.Within) and last.frame != "day":
        first = ex.Within(last.outer, first)
    since = ex.Since(first, after=m.tokens[0].cat == "EAFTER" and not _of_clock(first))
    return ex.Both(since, ex.Until(last))


def _of_clock(e: ex.Expression) -> bool:
    while isinstance(e, ex.Within):
        e = e.inner
    return isinstance(e, ex.Clock)


def _rel_date(m: Found) -> Made:
    """next 6th of April, last 3rd of May"""
    date, (cat, step) = m["X"], _rel(m)
    if not isinstance(date, ex.Within) or not isinstance(date.outer, ex.Month) or not isinstance(date.inner, ex.Day):
        return None
    return ex.Relative(date, step) if step and cat != "EPAST" else None


def _half_of(m: Found) -> Made:
    half, outer = m.all("X")
    if (
        not isinstance(half, ex.Half)
        or outer.grain < Grain.WEEK
        or isinstance(outer, ex.Since | ex.Until | ex.Rolling | ex.Length)
    ):
        return None
    return ex.Within(outer, ex.Slice("first_half" if half.half == 1 else "second_half"))


def _open(kind: str) -> Any:
    def make(m: Found) -> Made:
        base = m["X"]
        if (
            kind == "through"
            and m.word(0).startswith("up ")
            and _led(m, "been|be|gets?|got|getting|run|lead|leading|am i|are you|was i|were you|were we")
        ):
            return None  # "what have I been up to so far"
        if kind == "after" and isinstance(base, ex.Length):
            return ex.Since(ex.Ago(base.amount, 1, to_the_day=True))
        if isinstance(base, ex.Since | ex.Until | ex.Recurring | ex.Length | ex.Rolling | ex.Vague):
            return None
        if kind == "since":
            return ex.Since(base)
        if _counts(m):
            return None
        if (
            kind == "before"
            and isinstance(base, ex.Within)
            and isinstance(base.inner, ex.Slice)
            and re.match(r"(?:the )?end\b", m.word(-1))
        ):
            return ex.Until(base, through=True)  # before the end of it
        if kind == "after":
            return ex.Since(base, after=not isinstance(base, ex.Clock))
        return ex.Until(base, through=kind == "through")

    return make


def _since(m: Found) -> Made:
    """From a time on; but "the photos from last month" are of that month."""
    base = m["X"]
    if m.word(0) == "from" and _then(m, "to|until|till|through|thru"):
        return None  # its other side is still to be read
    of_it = m.word(0) in ("from", "as of") and m.tokens[-1].cat == "X" and (_past(base) or _led(m, _FROM_IT))
    if of_it or isinstance(base, ex.Since | ex.Until | ex.Recurring | ex.Length | ex.Rolling | ex.Vague) or _counts(m):
        return base if of_it else None
    return ex.Since(base, back=m.has("ESINCE"))


# What is "from June" is of June, and what starts from June starts in it.
_FROM_IT = (
    "photos?|pictures?|pics?|images?|videos?|clips?|recordings?|screenshots?|emails?|mails?|messages?|texts?|chats?|calls?|letters?|notes?|posts?|entries|entry|receipts?|invoices?|"
    "bills?|files?|documents?|docs|records?|logs?|minutes|memories|stuff|things|items?|everything|anything|something|conversations?|articles?|links?|starts?|begins?|started|began"
)


def _past(e: ex.Expression) -> bool:
    """Whether it names a stretch before now, or the present unit and a part of it."""
    while isinstance(e, ex.Within):
        if isinstance(e.inner, ex.Nth | ex.Run | ex.Slice):
            return True
        e = e.outer
    if isinstance(e, ex.This):
        return e.offset < 0 or (e.offset == 0 and e.grain >= Grain.WEEK)
    return (isinstance(e, ex.Ago | ex.Rolling) and e.sign < 0) or (isinstance(e, ex.Relative) and e.n < 0)


def _open_hour(m: Found) -> Made:
    number, day = m.get("INT", "NUM"), m["X"]
    if (
        not 1 <= number <= 12
        or day.grain not in (Grain.DAY, Grain.DAY_PART)
        or isinstance(day, ex.Since | ex.Until | ex.Recurring | ex.Length)
        or not _ends(m)
    ):
        return None
    hour = ex.Within(day, _spoken(number))
    return ex.Since(hour) if m.has("EAFTER") else ex.Until(hour)


def _event_offset(m: Found) -> Made:
    length, base = m.all("X")
    if m.has("FROM") and not any(m.word(n) == "from" for n in (1, 2)) and not isinstance(base, ex.Now):
        return _lasting_of(base, length)
    sign = -1 if m.has("EBEFORE") else 1
    if (
        isinstance(length, ex.Weekday | ex.Weekend)
        and not m.has("FROM")
        and base.grain is Grain.DAY
        and (m.tokens[0].cat == "ETHE" or m.word(0).startswith("the ") or _led(m, "the"))
    ):
        return _nth_beside(ex.Nth(1, length), base, sign)
    if isinstance(length, ex.Nth) and not m.has("FROM"):
        return _nth_beside(length, base, sign)
    if not isinstance(length, ex.Length) or isinstance(base, ex.Length | ex.Since | ex.Until | ex.Recurring):
        return None
    if isinstance(base, ex.Now) or (length.amount.elapsed and base.grain > ex.GRAIN["hour"]):
        return ex.Ago(length.amount, sign) if isinstance(base, ex.Now) else None
    if isinstance(base, ex.Weekday) and m.has("FROM"):  # "a week from Tuesday" counts from the coming one
        base = ex.Relative(base, 1)
    return ex.Shift(base, length.amount, sign)


def _part_beside(m: Found) -> Made:
    """The night before Christmas, the morning after the 15th: of the day beside the one that is said."""
    part, day = m.all("X")
    if (
        not isinstance(part, ex.DayPart)
        or day.grain is not Grain.DAY
        or isinstance(day, ex.Since | ex.Until | ex.Recurring | ex.Length | ex.FromTo)
    ):
        return None
    if not (m.has("ETHE") and m.tokens[0].cat == "ETHE") and not re.match("(?:the )", m.word(0)):
        return None
    beside = ex.Shift(day, ex.Amount(((1, "day"),)), -1 if m.has("EBEFORE") else 1)
    return ex.Within(beside, _NIGHT if re.search("night|nite", m.word(m.tokens[0].cat == "ETHE")) else part)


_COUNT = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "ten": 10,
    "a couple of": 2,
}
_OF_EVENT = later(
    rf"\b(?:(?P<n>{'|'.join(_COUNT)}|\d{{1,2}}) (?P<units>days?|weeks?|months?)|the (?P<one>day|week|month|weekend|night|evening|morning|afternoon)) "
    r"(?P<side>before|after|prior to|following) (?:the|my|our|your|his|her|their|[a-z]+'s) (?:(?!on\b)[a-z'-]+ ){1,3}?(?:on )?(?:the )?$"
)


def _of_event(text: str, start: int, day: ex.Expression) -> tuple[int, ex.Expression] | None:
    """Two days before the exam on Monday, the weekend after the launch on the 8th: counted from the day told behind the event."""
    ahead = text[max(start - REACH, 0) : start]
    if "before" not in ahead and "after" not in ahead and "prior to" not in ahead and "following" not in ahead:
        return None
    told = _OF_EVENT.search(ahead)
    if told is None or not (ahead.endswith(("on ", "on the ")) or text.startswith("on ", start)):
        return None
    sign = -1 if told["side"] in ("before", "prior to") else 1
    begins = start - len(ahead) + told.start()
    if told["units"] is not None:
        n = _COUNT.get(told["n"]) or int(told["n"])
        return begins, ex.Shift(day, ex.Amount(((n, told["units"].removesuffix("s")),)), sign)
    one = told["one"]
    if one == "weekend":
        beside = _nth_beside(ex.Nth(1, ex.Weekend()), day, sign)
        return None if not isinstance(beside, ex.Expression) else (begins, beside)
    if one in ("week", "month"):
        return begins, ex.Rolling(ex.Amount(((1, one),)), sign, base=day)
    near = ex.Shift(day, ex.Amount(((1, "day"),)), sign)
    if one == "day":
        return begins, near
    return begins, ex.Within(
        near, _NIGHT if one == "night" else next(part for words, part in PARTS.items() if one in words.split())
    )


def _unit_offset(m: Found) -> Made:
    size, unit = _unit(m["EUNIT"])
    base = m["X"]
    if unit in ex.ELAPSED or isinstance(base, ex.Length | ex.Since | ex.Until | ex.Recurring | ex.Clock):
        return None
    sign = -1 if m.has("EBEFORE") else 1
    if unit == "weekend":
        return _nth_beside(ex.Nth(1, ex.Weekend()), base, sign)
    if isinstance(base, ex.Within) and isinstance(base.outer, ex.This) and unit == "day":  # "day after tmrw 11 am"
        return ex.Within(ex.Shift(base.outer, ex.Amount(((1, "day"),)), sign), base.inner)
    if unit != "day":
        return ex.Rolling(ex.Amount(((size, unit),)), sign, base=base)
    return ex.Shift(base, ex.Amount(((size, unit),)), sign)


_BE_LATE = "minutes?|mins?|hours?|hrs?|days?|weeks?|months?|was|were|be|been|is|are|am|i'm|too|so|very|bit|running|run|ran|home|in|arrived|work|works|worked|working|stay|stayed|staying|sleep|slept|up"


def _slice(m: Found) -> Made:
    outer = m["X"]
    name = m.get("EEARLY", "EEDGE")
    if isinstance(
        outer, ex.Since | ex.Until | ex.Recurring | ex.Length | ex.Clock | ex.Rolling | ex.Now | ex.Vague | ex.FromTo
    ):
        return None
    if m.has("EEDGE") and m.tokens[-2].cat == "EEDGE" and (outer.grain <= Grain.DAY or m.word(-1).startswith(("in ", "from "))):
        return None  # "it will end two months after Friday", "start tomorrow"
    if isinstance(outer, ex.Decade) and outer.tens < 60 and m.tokens[-1].weak and not m.has("ETHE"):
        return Weak(ex.Within(outer, ex.Slice(name)))  # of an age: "in her late twenties"
    today = isinstance(outer, ex.Within) and isinstance(outer.outer, ex.This) and outer.inner == _EVENING
    if name in ("late", "early") and len(m.tokens) == 2 and (today or isinstance(outer, ex.This)) and _led(m, _BE_LATE):
        return None  # "I was twenty minutes late today"
    if name == "late" and isinstance(outer, ex.Within) and outer.inner == _NIGHT:  # late last night
        return replace(outer, inner=_LATE)
    return ex.Within(outer, ex.Slice(name))


def _nearest(m: Found) -> Made:
    *counted, what, base = m.all("X")
    n = m.get("ORDINAL", "EORD", "ESECOND") or (counted[0].day if counted and isinstance(counted[0], ex.Day) else 1)
    nameable = isinstance(what, ex.Weekday | ex.Festival | ex.Day) and base.grain is ex.GRAIN["day"]
    return ex.Nearest(what, base, n) if nameable and 1 <= n <= 9 else None


# So long it is to what follows: that itself is asked about.
_HOW_LONG = later(r"\b(?:how long|(?:many|more|few|\d+) (?:days|weeks|months|sleeps|hours))(?: is it| left| to go)? $")


def _rest(m: Found) -> Made:
    base = m["X"]
    return ex.Rest(base, m["EREST"]) if isinstance(base, ex.This | ex.Within) and base.frame is None else None


PHRASES = (
    Rule("en.from_to", "FROM? X (TO|DASH) ETHE? X", _from_to, {
        "from 2007 to the start of 2008": "2007-01-01/2008-05-01",
        "from Monday to Friday next week": "2026-09-07/2026-09-12", "3:30 to 6 PM": "2026-09-03T15:30/2026-09-03T18:00",
        "9:30 - 11:00 GMT": "2026-09-03T17:30/2026-09-03T19:00", "10am to 12pm Monday morning": "2026-08-31T10:00/2026-08-31T12:00",
        "10 August - 12 September 2013": "2013-08-10/2013-09-13"}),
    Rule("en.from_now_to", "ELATER (TO|DASH) ETHE? X", lambda m: ex.FromTo(ex.Now() if "now" in m.word(0) else ex.This("day"), m["X"]) if m.word(0).startswith("from") else None, {
        "from now until Friday": "2026-09-03T22:00/2026-09-05"}),
    Rule("en.after_before", "(EAFTER|ESINCE) ETHE? X (AND|COMMA|EBUT)? EBEFORE ETHE? X", _after_before, {
        "after Monday and before Thursday": "2026-09-01/2026-09-03", "later than 9:30 but before 11:00 on Friday": "2026-09-04T09:30/2026-09-04T11:00"}),
    Rule("en.rel_date", f"ETHE? {_REL} ETHE? X", _rel_date, {"next 6th of April": "2027-04-06/2027-04-07", "last 3rd of May": "2026-05-03/2026-05-04"}),
    Rule("en.half_of", "X EOF ETHE? X", _half_of, {"the second half of September": "2026-09-16/2026-10-01"}),
    Rule("en.between", "EBETWEEN X (AND|TO|DASH) ETHE? X", _from_to, {"between Aug 1 and Aug 5": "2026-08-01/2026-08-06"}),
    Rule("en.in_zone", "X COMMA? PAREN? EIN? EZONE PAREN?|EZONE COMMA? EON? X", _by_clocks_of, {
        "noon on Monday, London time": "2026-08-31T19:00/2026-08-31T19:00", "UTC 14:00 tomorrow": "2026-09-04T22:00/2026-09-04T22:00", "tomorrow morning, Berlin time": "2026-09-04T12:00/2026-09-04T18:00"}),
    Rule("en.number_to", "(FROM|EBETWEEN)? ETHE? (INT|NUM|ORDINAL|EORD) (TO|DASH|AND) X", lambda m: None if m.has("AND") and not m.has("EBETWEEN") else _number_to(m), {
        "2 - 4pm": "2026-09-03T14:00/2026-09-03T16:00", "from 12-3am": "2026-09-03/2026-09-03T03:00", "3 until 12 of Sept": "2026-09-03/2026-09-13"}),
    Rule("en.to_number", "(FROM|EBETWEEN)? X (TO|DASH|AND) ETHE? (INT|NUM|ORDINAL|EORD)", lambda m: None if m.has("AND") and not m.has("EBETWEEN") else _to_number(m), {
        "November 19 to 20": "2026-11-19/2026-11-21", "15h30-18": "2026-09-03T15:30/2026-09-03T18:00"}),
    Rule("en.to_number_in", "(FROM|EBETWEEN)? X (TO|DASH|AND) (INT|NUM) (EIN ETHE)? X", _to_number_in, {
        "11pm last night until 3 this morning": "2026-09-02T23:00/2026-09-03T03:00", "9pm tomorrow to 3 in the morning": "2026-09-04T21:00/2026-09-05T03:00"}),
    Rule("en.and_day", "X (AND|LIST|COMMA AND) ETHE? (INT|ORDINAL|EORD)", _and_day, {"Nov 3-7 and 10 people": "2026-11-03/2026-11-08"}),
    Rule("en.days_and", "FROM? ETHE? (INT|ORDINAL|EORD) (TO|DASH) ETHE? (INT|ORDINAL|EORD) (AND|LIST|COMMA AND) ETHE? X", _days_and, {
        "9-11 and 5 September": "2026-09-05/2026-09-06"}),
    Rule("en.numbers_in", "(FROM|EBETWEEN)? ETHE? (INT|NUM|ORDINAL|EORD) (TO|DASH|AND) ETHE? (INT|NUM|ORDINAL|EORD) (EIN|EOF|EON)? X", _numbers_in, {
        "from 4-23 in next month": "2026-10-04/2026-10-24"}),
    Rule("en.numbers_after", "X COMMA? ((FROM|EBETWEEN) (INT|NUM) (TO|DASH|AND)|EAT? (INT|NUM) (TO|DASH)) (INT|NUM)", _numbers_in, {
        "tomorrow from 9 to 11": "2026-09-04T09:00/2026-09-04T11:00", "Friday nine to five": "2026-09-04T09:00/2026-09-04T17:00", "next Monday 6-8": "2026-09-07T06:00/2026-09-07T08:00"}),
    Rule("en.number_at", "EAT? (INT|NUM) COMMA? EON? X", _number_at, {"at 8 yesterday morning": "2026-09-02T08:00/2026-09-02T08:00", "since 9 this morning": "2026-09-03T09:00/", "see you at 9 tomorrow": "2026-09-04T09:00/2026-09-04T09:00",
        "we met 5 yesterday": "2026-09-02/2026-09-03"}),
    Rule("en.lasting", "FROM? X EFOR X", _lasting, {"tomorrow from 9am for 7 hours": "2026-09-04T09:00/2026-09-04T16:00", "4pm for 30 mins": "2026-09-03T16:00/2026-09-03T16:30"}),
    Rule("en.day_lasting_from", "X EFOR X FROM X", lambda m: _lasting_of(ex.Within(x[0], x[2]), x[1]) if (x := m.all("X"))[0].grain is Grain.DAY and x[2].frame == "day" else None, {
        "14th Feb for 7 hours from 9:30am": "2026-02-14T09:30/2026-02-14T16:30"}),
    Rule("en.day_half", "X MERIDIEM", lambda m: ex.Within(m["X"], _MERIDIEMS[m["MERIDIEM"]]) if m["X"].grain is Grain.DAY else None, {"tomorrow PM": "2026-09-04T12:00/2026-09-04T18:00"}),
    Rule("en.lasting_from", "EFOR X COMMA? FROM X", lambda m: _lasting_of(m.all("X")[1], m.all("X")[0]), {
        "for 7 hours from 9:30am tomorrow": "2026-09-04T09:30/2026-09-04T16:30"}),
    Rule("en.event_offset", "ETHE? X (EAFTER|EBEFORE|FROM) ETHE? X", _event_offset, {
        "two days after Christmas": "2026-12-27/2026-12-28", "the third Tuesday after Christmas": "2027-01-12/2027-01-13", "the Monday after Thanksgiving": "2026-11-30/2026-12-01", "3 days starting from next Monday": "2026-09-07/2026-09-10", "two weeks from tomorrow": "2026-09-18/2026-09-19"}),
    Rule("en.part_beside", "ETHE? X (EBEFORE|EAFTER) ETHE? X", _part_beside, {
        "the night before the 15th": "2026-09-14T18:00/2026-09-15T06:00", "the morning after Christmas": "2026-12-26T06:00/2026-12-26T12:00", "tomorrow morning before 10am": "/2026-09-04T10:00"}),
    Rule("en.unit_offset", "(ETHE|EAN)? EUNIT (EAFTER|EBEFORE) ETHE? X", lambda m: _unit_offset(m) if m.tokens[0].cat != "EUNIT" or isinstance(m["X"], ex.This) or isinstance(getattr(m["X"], "outer", None), ex.This) else None, {
        "the day after Christmas": "2026-12-26/2026-12-27", "day after tmrw": "2026-09-05/2026-09-06"}),
    Rule("en.week_of", "ETHE? (EUNIT|X) (EOF|FROM|EEDGE|EENDING) EON? ETHE? X|EWEEKOF ETHE? X", _week_of, {
        "w/c 14 Sept": "2026-09-14/2026-09-21", "week ending 11 Sept": "2026-09-07/2026-09-14",
        "the week of Aug 10": "2026-08-10/2026-08-17", "the week of the 18th": "2026-09-14/2026-09-21", "week commencing 4 May": "2026-05-04/2026-05-11",
        "the weekend of halloween": "2026-10-31/2026-11-02"}),
    Rule("en.day_of", "ETHE? (INT|NUM) EOF X", lambda m: ex.Within(m["X"], ex.Day(m.get("INT", "NUM"))) if m["X"].grain is Grain.MONTH and 1 <= m.get("INT", "NUM") <= 31 else None, {
        "20 of next month": "2026-10-20/2026-10-21"}),
    Rule("en.slice", "ETHE? (EEARLY (EIN|EOF|EON|DASH)?|EEDGE (EOF|DASH)?) ETHE? X", _slice, {"late January": "2026-01-21/2026-02-01", "early next week": "2026-09-07/2026-09-10",
        "she is in her late twenties": "", "late last night": "2026-09-02T22:00/2026-09-03T02:00", "mid-2015": "2015-05-01/2015-09-01", "the end of 2000": "2000-09-01/2001-01-01", "it will end in 2150": "2150-01-01/2151-01-01"}),
    Rule("en.slices", "ETHE? EEARLY (TO|DASH) EEARLY (EIN|EOF)? ETHE? X", lambda m: ex.FromTo(*(ex.Within(m["X"], ex.Slice(name)) for name in m.all("EEARLY"))) if m["X"].grain >= Grain.WEEK and not isinstance(m["X"], ex.Since | ex.Until | ex.Recurring | ex.Length | ex.FromTo | ex.Rolling | ex.Vague) else None, {
        "mid to late July": "2026-07-11/2026-08-01", "early-mid next month": "2026-10-01/2026-10-21"}),
    Rule("en.rest", "EREST (EOF|EON|EIN)? ETHE? X", _rest, {"earlier this week": "2026-08-31/2026-09-03T22:00", "later today": "2026-09-03T22:00/2026-09-04"}),
    Rule("en.so_far", "ESOFAR X|X ESOFAR", lambda m: ex.Rest(m["X"], -1) if isinstance(m["X"], ex.This) else None, {
        "so far this month": "2026-09-01/2026-09-03T22:00", "this year so far": "2026-01-01/2026-09-03T22:00"}),
    Rule("en.since", "ESINCE ETHE? X|FROM (EON|EAT)? ETHE? X (EON|EONWARD)?", _since, {
        "photos from summer 2019": "2019-06-01/2019-09-01", "the lease starts from October": "2026-10-01/2026-11-01", "starting on 1 October": "2026-10-01/",
        "since Monday": "2026-08-31/", "since Friday": "2026-08-28/", "from tomorrow on": "2026-09-04/", "photos from last month": "2026-08-01/2026-09-01"}),
    Rule("en.nearest", f"(ETHE? {_ORD}?|X) ENEAREST X TO ETHE? X|X ENEAREST TO ETHE? X", _nearest, {
        "the Friday closest to Christmas": "2026-12-25/2026-12-26", "the second closest Monday to Oct 5th": "2026-09-28/2026-09-29",
        "the 3rd closest Christmas to today": "2027-12-25/2027-12-26", "the closest Christmas to today": "2026-12-25/2026-12-26", "the nearest exit to Oct 5th": "2026-10-05/2026-10-06"}),
    Rule("en.or_later", "X (AND|COMMA) (EREST|EAFTER|EONWARD|EBEFORE)", lambda m: None if not m.has("EREST") and not _ends(m) else ex.Until(m["X"], through=True) if m.has("EBEFORE") or m.get("EREST") == -1 else _open("since")(m), {
        "1/1/2016 and later": "2016-01-01/", "3 pm or later": "2026-09-03T15:00/"}),
    Rule("en.not_before", "ENOTBEFORE EON? ETHE? X", _open("since"), {"no earlier than the 10th": "2026-09-10/", "not until next week": "2026-09-07/"}),
    Rule("en.before", "EBEFORE ETHE? X", _open("before"), {"before Friday": "/2026-09-04", "before the end of this year": "/2027-01-01", "before 2000 people saw it": ""}),
    Rule("en.after", "EAFTER ETHE? X", _open("after"), {"after 5 days": "2026-09-08/", "after 2 pm": "2026-09-03T14:00/", "after August 1": "2026-08-02/"}),
    Rule("en.hour_limit", "(EBY|EBEFORE) EABOUT? (INT|NUM) EON? X", lambda m: ex.Until(ex.Within(m["X"], _spoken(n))) if 1 <= (n := m.get("INT", "NUM")) <= 12 and m["X"].grain in (Grain.DAY, Grain.DAY_PART) and not isinstance(m["X"], ex.Since | ex.Until | ex.FromTo) else None, {
        "before 4 on Saturday": "/2026-09-05T16:00", "by 10 on Monday morning": "/2026-09-07T10:00"}),
    Rule("en.hour_booked", "EFOR (INT|NUM) EON? X", lambda m: ex.Within(m["X"], _spoken(n)) if 1 <= (n := m.get("INT", "NUM")) <= 12 and m["X"].grain is Grain.DAY and _led(m, "booked|booked in|scheduled|arranged|slated|set") and not re.search(r"\b(?:table|tickets?|seats?|room|dinner|restaurant|places?)\b", m.ahead) else None, {
        "sweep booked for 9 on the 16th": "2026-09-16T09:00/2026-09-16T09:00", "table booked for 4 on the 16th": "2026-09-16/2026-09-17"}),
    Rule("en.hour_open", "EAFTER (INT|NUM) EON X|ENOTBEFORE (INT|NUM) EON? X", lambda m: ex.Since(ex.Within(m["X"], _spoken(n))) if 1 <= (n := m.get("INT", "NUM")) <= 12 and m["X"].grain is Grain.DAY and not isinstance(m["X"], ex.Since | ex.Until | ex.FromTo) else None, {
        "any time after 4 on Friday": "2026-09-04T16:00/", "no earlier than 8 tomorrow": "2026-09-04T08:00/"}),
    Rule("en.open_hour", "X (EAFTER|EBEFORE|EBY) (INT|NUM)", _open_hour, {"Friday evening after 8": "2026-09-04T20:00/"}),
    Rule("en.until", "(TO|EBY) ETHE? X", lambda m: (m["X"] if _HOW_LONG.search(m.ahead) and m.has("TO") else _open("through")(m)) if m.word(0) not in ("to", "through", "thru") else None, {
        "how long until Thanksgiving": "2026-11-26/2026-11-27",
        "until July 10th": "/2026-07-11", "by Friday": "/2026-09-05"}),
)  # fmt: skip

# --- tense ----------------------------------------------------------------------------------------------------------------


_TYPED = re.compile(
    r"\(\?<[=!][^()]*\)|\\w\+n't|n't|\bi'm|\bi've|\b(?:she|he|who|what|when|where|how|there)'s|\b(?:they|you)'(?:re|ve)"
)


def _typed(source: str) -> str:
    """The pattern for words that are typed without their apostrophes too: "didnt", "im", "whats"; what looks back is as it was."""

    def loose(match: re.Match[str]) -> str:
        said = match.group()
        if said.startswith("("):
            return said
        if said.startswith("\\"):
            return r"(?:\w+n't|(?:ca|wo|do|did|does|is|are|was|were|has|have|had|would|could|should|must|need)nt)"
        return said.replace("'", "'?")

    return _TYPED.sub(loose, source)


def _begun(source: str) -> str:
    """The same alternatives sorted by their first letters, so that few are tried at a time."""
    branches, depth = [""], 0
    for char in re.findall(r"\\.|.", _typed(source)):
        depth += (char == "(") - (char == ")")
        if char == "|" and not depth:
            branches.append("")
        else:
            branches[-1] += char
    by_letter: dict[str, list[str]] = {}
    for branch in branches:
        plain = branch[0].isalpha() and branch[1:2] not in ("?", "*", "+", "{")
        by_letter.setdefault(branch[0] if plain else branch, []).append(branch[1:] if plain else "")
    return "|".join(f"{letter}(?:{'|'.join(rests)})" if rests != [""] else letter for letter, rests in by_letter.items())


_WENT = (
    "went|said|saw|met|ate|bought|told|wrote|spoke|made|took|came|gave|found|left|lost|kept|knew|felt|heard|thought|brought|built|caught|drove|rode|flew|swam|sang|taught|sold|"
    "stood|slept|overslept|woke|became|began|ran|drank|fell|broke|chose|wore|grew|drew|threw|held|paid|fought|forgot|stole|shook|tore|spent|sent|blew|bent|clung|crept|dealt|dreamt|dug|"
    "fled|froze|hid|hung|knelt|leapt|learnt|overheard|rang|sank|shone|shrank|slid|snuck|spilt|spun|sprang|stank|stung|strode|struck|swept|swore|swung|understood|withdrew|wept|burnt|"
    "repaid|retold|rewrote|mistook|overcame|overtook|undid|misread"
)
# Pasts that look like the present, or like another word, where they stand alone.
_DID_SO = (
    r"(?=(?:i|we|he|she|they|you|it|who|someone|somebody|dog|cat|mum|mom|dad) )(?<!\bdo )(?<!\bcan )(?<!should )(?<!could )(?<!would )(?<!\bwill )(?<!shall )(?<!must )[a-z]+ "
    r"(?:(?:also|just|only|then|already|finally|never|both|all) )?(?:put|set|let|cut|hit|quit|shut|hurt|bet|beat|cost|split|burst|sat|led|lit|laid|bit|lent|fed|shot|rose|stuck|spread)"
)
_LENT = r" (?=(?:my|the|an?|her|him|them|his|our|it|me|us|some)\b)"
# How one is and not what one did.
_STATES = "excited|worried|stressed|tired|bored|pleased|delighted|thrilled|invited|interested|scared|terrified|prepared|knackered|limited|engaged|required|closed|concerned|annoyed|confused|committed|blocked|wanted|needed|psyched|pumped|fully booked"
_IS_SO = rf"(?!(?:(?<![a-z] )|(?<=so )|(?<=very )|(?<=really )|(?<=still ))(?:{_STATES})\b)(?!(?<='s )(?:closed|packed|booked|needed|delayed)\b)"
_DID_FIRST = (
    r"lent (?<!\w lent )(?!starts?\b|begins?\b|is\b|ends\b|this\b|term\b|week\b|last\b|next\b|\d)|burst(?! of)|"
    + "".join(f"{whose} [a-z]+ (?:hit|quit|shut|hurt|bit|beat)|" for whose in "the my our his her".split())
    + "|".join(verb + _LENT for verb in "lent fed lit laid shot led".split())
)
_KEPT = r"(?:photos?|pictures?|pics?|videos?|recordings?|notes?|messages?|emails?|receipts?|leftovers|highlights|results?|screenshots?)"
# Each of the two is one group behind one boundary, so that a text is tried where its words begin and nowhere else.
PAST = later(
    r"\b(?:(?:"
    + _begun(
        rf"did(?:n't)?|was(?:n't)?|were(?:n't)?|had(?:n't)?|couldn't|{_WENT}|{_DID_FIRST}|won(?!'t)|"
        r"(?<!have i )(?<!have you )(?<!have we )(?<!i've )(?<!we've )(?<!'s )got|been|done|ago|last(?! (?:\w+ ){1,2}(?:of|in)\b| thing\b)|yesterday|earlier(?! than)|previously|read|used to|"
        + "|".join(
            f"{worn} from"
            for worn in "sore tired wrecked hungover aching exhausted knackered recovering stiff bruised sunburnt".split()
        )
    )
    + r"|(?=[a-z]{5,}+(?<=[^e]ed)\b)"
    + _IS_SO
    + r"(?<!'m )(?<!'re )(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bget )(?<!\bgets )(?<!getting )[a-z]+)\b"
    r"(?<!need)(?<!indeed)(?<!hundred)(?<!scheduled)(?<!planned)(?<!booked)(?<!supposed)(?<!arranged)(?<!slated)(?<!booking confirmed)(?<!reservation confirmed)|'d already\b"
    rf"|(?:{_DID_SO}|{_KEPT} from|(?:may|might|must|could|should|would|i'd|we'd)(?:'ve| have)|thank(?:s| you)(?: so much| again)? for|sorry (?:about|for))\b)"
)
_DAY_SAID = r"(?:mon|tues?|wed|weds|wednes|thu|thur|thurs|fri|satur|sun)(?:day)?\b"
_THEY = "it's|he's|she's|who's|what's|where's|how's|mum's|mom's|dad's"
_MET = "party|meeting|call|game|match|exam|test|appointment|wedding|flight|dinner|lunch|concert|show|gig|interview|class|lesson|session|event|launch|birthday|that|which"
_DATED = rf"(?:the )?\d\d?(?:st|nd|rd|th)?(?: of)? (?:{'|'.join(_MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b"
# What is going on is going to be, where a day is named; and so is what is on one.
_GOING_ON = r" (?:not )?(?:(?:i|we|you|they|he|she|it|[a-z]+(?: [a-z]+)?) )?(?:not )?(?!morning\b|evening\b|(?:any|some|no|every)?thing\b|missing\b|during\b)[a-z]{2,}ing"
_IS_ON = rf" (?:on(?= (?:for |the |at |in |{_DAY_SAID}))|off|around|not around|away|back|{_DAY_SAID}|happening|in(?= (?:the (?:spring|summer|autumn|fall|winter)\b|(?:{'|'.join(_MONTHS)})\b)))"
FUTURE = later(
    r"\b(?:(?:"
    + _begun(
        r"will|shall|going to|gonna|'ll|tomorrow|upcoming|lets (?:meet|go|do|have)|plan(?:s|ned|ning)? (?:to|for|on)?|schedul\w+|due|deadline|need to|have to|should(?! have\b|'ve)|must(?! have\b|'ve)|"
        r"remind(?! (?:me|us) (?:what|who|where|which|how|why) )|next|coming|let's|want to|would like|intend|expect|appointment|book(?= (?:an?|the|us|me|my)\b)|free|available|by (?:(?!by\b)[\w:.']+ ){0,4}?(?:mon|tues|wednes|thurs|fri|satur|sun)day|starts|begins|opens|closes|leaves|departs|arrives|comes|lands|ends|expires|kicks off|runs (?:from|to|until|till|through)|takes place|resumes|suits|see you|catch you|"
        r"have (?:i|we) got (?:on|anything|something|planned|a (?:meeting|call|class|lesson|shift)|any (?:plans|meetings|calls|appointments|classes|events|lessons))|"
        rf"do(?:es)? (?:i|we|you|they|he|she|it|the \w+|my \w+|[a-z]+) (?:have(?! (?:any |the |some |my )?{_KEPT})|need|work|go|start|begin|get|leave|open|close|fly|arrive|land|meet|play|finish|end|come|run|teach|sing|perform|move|return|travel|fancy|want|feel like)|"
        + "".join(f"{they}{_GOING_ON}|" for they in f"'re|'m|im|theyre|youre|am|are|is|{_THEY}".split("|"))
        + "".join(f"{they}{_IS_ON}|" for they in f"'m|im|is|am|are|{_THEY}".split("|"))
        + "".join(rf"{be} (?:on )?(?:\d\d?/\d\d?|{_DATED})|" for be in ("is", "are"))
        + "".join(f"{met}'s{_IS_ON}|" for met in _MET.split("|"))
        + "".join(rf"{the} (?<!at {the} )(?<!to {the} )(?<!from {the} )[a-z]+'s{_IS_ON}|" for the in ("the", "my", "our"))
        + r"when's|when (?:is|are)|what time(?:'s| is| are)|where's|where (?:is|are)|can (?:i|we)|could (?:i|we)|could you (?:do|make|come)|can't (?:make|come|do|go|be|attend)|cannot (?:make|come|do|go|be|attend)|won't|"
        r"maybe|perhaps|hope|hoping|hopefully|how about|thinking of|booked for|ready for|tickets? for|reserved for|all set for|good for|works? (?:for|best|better)|is (?:fine|ok|okay|good|best|better|perfect)|are (?:fine|ok|okay|good|best|better|perfect)|"
        r"(?=(?:i|we|she|he|they|it) )[a-z]+ (?:may|might)(?! have\b|'ve)|"
        r"(?=(?:i|we|they) )(?<!did )(?<!\bdo )(?<!where )(?<!when )(?<!what )[a-z]+ (?:start|leave|fly|move|finish|arrive|land|head|travel|begin|open|close|need)"
    )
    + r")\b|^(?:(?:is|are|am|does) |(?:please |pls |kindly |don't forget to )?(?:call|ring|phone|text|meet|wake|pick up|drop|bring|collect|pay|submit|join|come)\b(?! logs?\b)))"
)

# --- cues -----------------------------------------------------------------------------------------------------------------

# What a question asks for; `planner.modes` weighs them in its own order.
_RECORD = r"(?:notes?|tasks?|docs?|documents?|reminders?|files?|memos?|to-?dos?|lists?|spreadsheets?|drafts?|bookmarks?|entry|entries|records?|memory|memories|folders?|alarms?|journal|diary|notebook|items?|cards?|checklists?)"
_MAKE = r"(?:made?|make|t(?:ake|ook)|set|add(?:ed)?|put|open(?:ed|(?= (?:an?|the|this|that|new)\b))|start(?:ed)?|filed?|enter(?:ed)?|wr[io]te|written|beg[au]n|keyed)"
_MUST = r"(?:have to|has to|had to|need(?:s|ed)? to|must|should|supposed to|meant to|ought to|fail(?:ed)? to|forgotten to|forget to|left to|still to|due to(?! (?:being|having|an?|the|my|your|his|her|its|our|their)\b))"
_OWED = r"(?:hand(?:ed)? in|submit(?:ted)?|turn(?:ed)? in|return(?:ed)?|pay|paid|filed?|deliver(?:ed)?|finish(?:ed)?|completed?|send|sent|settled?|renew(?:ed)?)"
ASKS = {
    "records": later(rf"\b{_RECORD}\b"),
    "record_todo": later(r"\b(?:tasks?|to-?dos?|reminders?|checklists?)\b"),
    "record_note": later(r"\b(?:notes?|memos?|journal|diary|notebook)\b"),
    "ask_created": later(
        r"\b(?:created?|creating|open(?:ed)? (?:this|that|the|an?) (?:support )?(?:ticket|issue|case|thread|account|notebook)|(?:goals?|ideas?|thoughts?|points?|resolutions?|rules) (?:that )?(?:i|we) (?:set|put|wrote|laid) (?:down|out)|added?|sav(?:e|ed|ing)(?! (?:up|money|for|time)\b)(?! on (?!\w+day\b|the \d))|jot(?:ted)?|wr[io]te(?: \w+)? down|written down|not(?:e|ed) (?:\w+ )?down|bookmarked|recorded|logged|newly|on file|upload(?:ed)?|did (?:i|we) (?:add|bookmark|log|record|upload|jot|clip|pin|archive)|"
        rf"new {_RECORD}|{_RECORD}\W+(?:\w+\W+){{0,4}}?{_MAKE}|{_MAKE} (?:\w+\W+){{0,5}}?{_RECORD}|"
        rf"(?<![\w' ])(?:(?:show|list|find|get|give|see|any|all|my|the|me|new) ){{0,4}}{_RECORD} (?:from|since|this|last|yesterday|today))\b"
    ),
    "ask_due": later(
        r"\b(?:due(?! to\b)|deadlines?|expir(?:e|es|ed|ing|y|ation)|overdue|past due|behind on|payable|(?:books?|dvds?|rentals?|loans?|tools?|forms?|returns?) (?:go(?:es)?|must go|ha(?:s|ve) to go|needs? to go) back|outstanding (?:bills?|invoices?|payments?|fees?|fines?|balance)|cut-?off|(?:assignments?|applications?|submissions?|entries|registrations?|nominations?|polls) (?:closes?|ends?)|runs? out|laps(?:e|es|ing)|owed?|owing|final date|closing date|last (?:day|date|chance) (?:to|for|(?:i|we) can)|up for renewal|latest (?:date|day|time|i|we)|by (?:when|what|which)|no later than|needs? (?:paying|returning|renewing|submitting|filing|sending|settling|handing in|turning in)|(?:lease|contract|warranty|membership|subscription|trial|visa|permit|policy|licen[cs]e) ends?|"
        r"does (?:the|my|our|this) (?:\w+ )?(?:offer|sale|lease|contract|warranty|membership|subscription|trial|visa|permit|policy|licen[cs]e|discount|promotion|registration|voting) (?:end|close|finish)|"
        r"(?:subscription|membership|polic(?:y|ie)|licen[cs]e|insurance|plan)s? (?:renew|expire|lapse)s?|how long (?:do|have) (?:i|we) (?:have|got) (?:left )?(?:to|until|till|before)|(?:when's|when is|when does) [^?]*(?:lease|contract|warranty|membership|subscription|trial|visa|permit|insurance|polic(?:y|ie)|licen[cs]e|passport|tax|mot) (?:up|over)|"
        r"needs?(?= \w+ing\b[^.?!]{0,30}?\b(?:by|before)\b)|"
        rf"(?:haven't|have (?:i|we) (?:still )?not|hasn't|yet to)\b[^.?!]{{0,20}} {_OWED}|{_MUST} (?:\w+ )?{_OWED}|(?:books|bills|papers|forms|things|anything|something|stuff|items|essays?|homework|what|payments?) to {_OWED}|(?:tasks?|to-?dos?|things|chores|anything|something|work|jobs?) to (?:finish|complete|get done|do|submit|wrap up) (?:by|before)|{_MUST}\b[^.?!]{{1,40}}\b(?:by|before|until))\b"
    ),
    "ask_was_due": later(r"\b(?:was|were|did|fell|missed|ran out|expired|lapsed)\b"),
    # Talk that is measured is itself what happened: "how long did I talk to Anna".
    "ask_measured": later(
        r"\bhow (?:long|often|many (?:times|minutes|hours))\b[^?]*?\b(?:talk(?:ed|ing)?|sp[eo]ak(?:ing)?|spoken?|chat(?:ted|ting)?|convers(?:e|ed|ation)|argu(?:e|ed)|discuss(?:ed|ing)?)\b"
    ),
    "ask_mentioned": later(
        r"\b(?:mention(?:ed|s|ing)?|said|(?<!shall we )(?<!let's )say|says|saying|talk(?:ed|ing|s)?|told|tell(?! me\b)|telling|did (?:\w+ ){1,4}tell|(?:was|were) (?:i|we|he|she|they) (?:texting|messaging|emailing|dming|writing to)|advi[cs]ed?|discuss(?:ed|ing|ion|ions)?|chat(?:s|ted|ting)?|ask(?:ed|ing)?|messages?|messaged|text(?:ed|s)?|wr[io]te(?! (?:\w+ )?down)|written|typed?|"
        r"(?:tips?|advice|warnings?|recommendations?|address|(?:phone )?number|recipe|password|code|details|directions|link|quote|price|estimate|suggestions?|excuses?|compliments?|opinions?|reasons?|explanations?|replies|news)(?= (?:that )?(?:(?:did|has|have|had) )?(?:\w+ )?\w+ (?:gave|give|given|offered|offer|made|make|shared|share)\b)|(?:e-?mail|dm|whatsapp|ping|phone)(?:ed|ged|d)?(?=(?: \w+)? about\b)|(?:arguments?|rows?|debates?|quarrels?|disagreements?|phone calls?) (?:with|between) [^?.!]{1,30} about|complain(?:ed|ing)?|repl(?:y|ied|ies)|(?:moan|grumbl|whin|nagg?|vent|rav|argu|bicker|boast|bragg?|lectur|gush)(?:e|ed|ing)?(?: (?:to|at|with))?(?: \w+){0,2} (?:about|over)|answer(?:ed)?(?! the (?:door|phone|call|bell))|explain(?:ed)?|announce(?:d|ments?)?|respond(?:ed)?|warn(?:ed)?|confess(?:ed)?|reveal(?:ed)?|point(?:ed)? out|emphasi[sz]ed?|insist(?:ed)?|stress(?:ed)? (?:at|in|that|to)|apologi[sz]ed?|instructions?|exact words|urged?|posted (?:in|on)|voice ?(?:notes?|messages?|mails?)|feedback|gist of|(?<='s )(?:explanation|excuse|answer|reply|response|opinion|take on|verdict|reaction)|(?<!\bi )(?<!\bwe )think (?:of|about)|br(?:ing|ought) up|sp[eo]ak(?:ing)?|spoken?|conversations?|rant(?:ed|ing)?|describ(?:e|ed|ing)|(?:get|got|getting) back to (?:me|us|you|him|her|them)|(?:was|were|go(?:es|ing)?|went|banging|bang(?:s|ed)?) on about|recommend(?:ed)?|suggest(?:ed)?|came up|shared?|quoted?|refer(?:red)? to|gossip(?:ed)?|admit(?:ted)?|promised?|claim(?:ed)?|joked?)\b"
    ),
    # Talk that is still to come is a plan: "who am I going to tell".
    "ask_to_talk": later(
        r"\b(?:going to|gonna|will i|will we|shall i|plan(?:ning)? to|need to|have to|want to|supposed to|meant to|intend to|am i|are we) (?:\w+ )?(?:talk(?:ing)?|discuss(?:ing)?|tell(?:ing)?|ask(?:ing)?|say|speak(?:ing)?|message|text|write|share|chat(?:ting)?)\b"
    ),
    "ask_planned": later(
        r"\b(?:plan(?:s|ned|ning)?|schedul(?:e|ed|es|ing)|agenda|calendar|going to|gonna|will|shall|upcoming|coming up|intend(?:ed|ing)?|intentions?|booked|reserved|supposed to|meant to|look(?:ing)? forward|arranged?|arrangements?|lined up|"
        r"am i (?:free|busy|available|\w+ing|due|off)|(?:are|is) (?!the|a|an|my|your|this|that|it)\w+(?: and \w+)? (?:free|busy|available|off (?:to|on)|(?!\w*(?:thing|morning|evening)\b)\w+ing)|who's \w+ing|what's on\b|in (?:my|the|our) (?:diary|planner)|on my plate|left to (?:do|finish|get done|complete|handle|sort out)|what(?:'s| is) next|next up|do next|(?:open|pending) (?:tasks?|to-?dos?|items?|things)|tasks? (?:are |is )?pending|still on (?:for|tomorrow|tonight|this)|(?<!did i )(?<!did we )have on|want to|need to|have to|must|my next|later (?:today|tonight|on|this)|left (?:tonight|today|this|for (?:today|tomorrow|this))|remaining|do (?:i|we) have (?:on|anything|something|any|a|an)|have (?:i|we) got (?:on|planned|coming|lined|booked|going on|anything|something|tomorrow|tonight|next|later|to do))\b"
    ),
    # Names of what stands in a calendar: planned, unless the range or the tense is past.
    "ask_schedule": later(r"\b(?:appointments?|to-?dos?|reservations?|bookings?)\b"),
    "ask_occurred": later(
        r"\b(?:did|was|were|had|happened|have (?:i|we|you|they)|has|ever|so far|since|ago|my last|last time|been|came|went|drove|got|took|saw|met|made|bought|ate|wrote|gave|left|"
        r"(?!hundred|indeed|exceed|proceed|succeed)[a-z]{3,}[^e\W]ed)\b"
    ),
    # The present asked for its time is still to come: "when is my flight".
    "ask_ahead": later(r"\b(?:when|what time|what day|which day) (?:is|are|do|does|can|should)\b|\bwhen's\b"),
}

# What a source text tells of its event.
_FEW = r"\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|dozen|few"
_CALENDAR = (
    r"minute|hour|day|night|week|weekend|month|quarter|year|decade|morning|evening|summer|winter|spring|autumn|fall|season"
)
# A unit or a part of the day that lies to an event somehow, and where the words of an event end.
_BESIDE = r"(?:(?P<weekend>weekend)|(?P<week>week)|(?P<month>month)|(?P<day>day)|(?P<night>night)|(?P<evening>evening)|(?P<morning>morning)|(?P<noon>afternoon))"
_EVENT_ENDS = r"(?=\s*(?:[,?!;.]|$)|\s(?:what|who|whom|where|which|how|why|did (?:i|we)|have (?:i|we)|do (?:i|we)|(?:and |but )?(?:before|after|until|since))\b)"
_TASKED = r"(?:paid|fixed|finished|submitted|handed|renewed|filed|filled|returned|completed|sorted|settled|posted|mailed|delivered|repaired|cleaned|shipped|issued|uploaded|signed|booked|repaid|mended|mowed|hoovered|vacuumed|ironed|collected|assembled|watered|emptied)"
_HAVE = r"(?:(?:i|we|they|you)'?ve|(?:i|we|they|you) have|(?:he|she|[a-z]+) has|(?:he|she)'s)"
# What was meant to be, and what came of it instead. "was" is spelt so that texts are told by the rarer words (`planner._literals`).
_MEANT = r"(?:w(?:as|ere) (?:supposed to|meant to|hoping to|planning to|about to|gonna|going to)|(?:planned|meant|wanted|intended|hoped) to)"
_FAILED = r"(?:(?:i|we|then|just|totally|completely) )*(?:overslept|forgot|fell asleep|dozed off|ran out|didn't|couldn't|never|chickened|bottled|missed|stayed|gave up|got (?:stuck|held|sick|lost|caught|ill|called|distracted|lazy|cold))\b"
TELLS = {
    # Words of another, or no claim at all: quotes, if, wishes, advice, opinions.
    "quoted": later(r"\"[^\"]*\"|“[^”]*”"),
    # What is done in the place of what is off.
    "rather": later(r"\binstead\b(?! of)"),
    # Why it is so, which is not what is told.
    "cause": later(r"(?<=[^.,;!?\n] )(?:because|cos|cuz|coz|'cause)\b[^.;!?\n]*"),
    "unreal": later(
        r"^if\b|^(?:i )?wish (?:i|we|he|she|they|you|it)\b|\bif i (?:were|was|had)\b|\bi'd (?:say|love|rather|sue)\b|\bi could (?:murder|eat|kill|use)\b|^you should\b|\b(?:i|we|he|she|they|you)(?:'d| would)(?: have|'ve) (?:\w+ )?\w+\b[^.?!]* if\b|\bif (?:i|we|he|she|they|you)(?:'d| had) (?:only )?(?:known|been|had|told|\w+ed)\b|^tell me\b|\bwhoever\b|\b(?:that|it|he|she) should be\b|\bi'll have the (?!.*\b(?:to you|by|ready|done|back)\b)|\bbelieve it when\b|\bmakes? me\b|\bi prefer\b|\b(?:can't|cannot|don't|not) (?:remember|sure|know) (?:if|whether|when|what|who|where|how|which)\b|\b(?:no idea|wonder(?:ing)?|unsure) (?:if|whether|when|what|who|where|how|which)\b|\bi think\b(?! (?:that )?(?:[a-z]+|the [a-z]+|my [a-z]+)(?:'re|'m|'ll|'s| was| were| is| are| will| had| went| left| met| saw| did)\b)"
    ),
    "habit": later(
        r"\b(?:usually|every|always|on weekends|generally|often|serves?|(?:mon|tues|wednes|thurs|fri|satur|sun)days(?!'))\b"
    ),
    "asks": later(
        r"\?|^(?:so |and |hey |btw )?(?:(?:(?:what|where|who|how)s?|why|which|whose|whom|whens)\b|when (?:is|are|do|does|did|will|can|was|were|should)\b|"
        r"(?:do|does|did|is|are|was|were|will|can|could|would|should|have|has|am|shall) (?:i|you|we|they|he|she|it|there|any|the|my|your|anyone|anybody|someone|somebody|everyone|everybody|one of)\b|any(?:one|body)\b|fancy\b|(?:u|you|ya|you guys|y'all) (?:free|around|busy|up for|coming|joining|ready|alright|awake|able)\b(?! to (?:love|hate|regret|need)\b)|still (?:on|up|good|ok|okay) for\b)"
    ),
    "asks_not": later(r"^(?:what|how) an?\b|^whoever\b"),
    "cancelled": later(
        r"\b(?:(?<!not )(?<!n't )(?<!never )cancel(?:l?ed|s|ling)|a no[- ]go|(?:had|going|decided) to cancel|call(?:ed)? off|no longer|scrap(?:ped)?(?! that)|scratch(?! that)|axed|(?:rain|snow|wash)ed (?:off|out)|is off|are off|(?<!\bhe)(?<!\bshe)(?<!\bwho)(?<!\bit)(?<!\bthat)'s off(?! (?:to|work|sick|school|on (?:holiday|leave|vacation)|for|now)\b)|fell through|fallen through|bail(?:ed)? on|back(?:ed)? out|pull(?:ed)? out|chickened out|(?:isn't|not|won't be) happening|"
        r"no (?:\w+ ){1,4}after all|can't do (?:\w+ ){1,3}(?:anymore|any more|after all)|(?:not|\w+n't) (?:going|coming|meeting|happening|doing|having|joining|making|taking|seeing|flying|playing)\b[^.?!]{0,40}?\b(?:anymore|any more|any longer)|never (?:made it|happened)|(?:can't|cannot|couldn't|(?:won't|not) be able to) (?:make|attend|come(?= (?:on|tomorrow|tonight|this|next|after all|anymore|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b))|won't (?:make (?:it|(?:the|your|our|this|tomorrow|tonight|to|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b(?! (?:same|mistake)))|be (?:coming|there|joining|attending))|decided (?:not to|against)|(?<!don't )(?<!dont )(?<!not )(?<!\bme )forget the|drop(?:ped)? (?:the (?!(?:\w+ ){1,3}(?:at|off|back|round|over|by|in|into|from|to|with|on)\b)|out)|returned the order|off the table|didn't (?:go ahead|happen|make it)|flaked|not \w+ing any ?more|not (?:going|coming|doing)\b[^.]* any ?more|not \w+ing\b[^.]* after all|(?:was meant to|was supposed to|(?:was|were) going to) .* but(?! (?:now|it's|is|it is) (?:now |been )?(?:on|in|at|moved|tomorrow|next)\b)|was supposed to .* (?:never did|didn't))\b|"
        rf"(?:^|\b(?:i|we|i'd|we'd|he|she|they) ){_MEANT} [^.?!]*?(?: but\b(?! (?:also|now|it's|i'm|we're|i'll|we'll|then we|then i)\b)|(?: and|,|-) {_FAILED})"
    ),
    # Called off by not being there: its time may be over.
    "missed": later(
        r"\b(?:never made|never did|(?:rain|snow|wash)ed (?:off|out)|fell through|bailed|flaked|backed out|pulled out|chickened out|didn't|couldn't|(?:was|were) going to .* but it \w+ed|(?:cancel(?:l?ed|s)|called off)[^.?!]{0,24}? so (?:i|we|he|she|they) (?:just |all )?(?:went|did|stayed|had|spent|ended|got|came|watched)|never (?:showed|turned up|came|arrived|happened))\b|"
        rf"\b{_MEANT} [^.?!]*?(?:(?:,|-)? but|(?: and|,|-)) {_FAILED}"
    ),
    "put_off": later(r"\b(?:postponed?|delayed|put off|on hold|pushed back)\b"),
    "moved": later(
        r"\b(?:was|were|had been|used to be) (?:(?:going|supposed|meant|due|set) to|set for|scheduled|booked|planned|originally|on)\b[^.;?]{1,60}?(?:\bnow (?:it'?s|it is|on|at|in)\b|\bit'?s (?:\w+ ){1,3}now\b|[,;] now\b|\binstead\b)|"
        r"\b(?:(?<!i )(?<!we )mov(?:ed|ing) (?:it |the \w+ )?(?:to|from|up|back|forward)|mov(?:e|ing) (?:[\w':]+ ){0,3}?(?:from|to) (?:the )?(?:\d|mon|tue|wed|thu|fri|sat|sun|next|tomorrow)\w*|reschedul\w+|rebook\w*|postpon\w+|(?:push|bump)(?:ed|ing)? (?:(?:the )?\w+ )?(?:to|back)|delayed|brought forward|switched|extended|shifted|slid|slipped|instead of|changed? to|changed (?:my|the|our|his|her) \w+ (?:from|to)|put off|"
        r"is now|(?<!it)(?<!he)(?<!she)(?<!that)'s now (?:at|on)|it's the \w+ now|now on|make that|(?:was|were) (?:meant to|supposed to|going to) be [^.?!]* (?:but|now) (?:now |it's |is )|originally|misread|got (?:the )?(?:date|day|time) wrong)\b|^not \w+, |\b(?:and )?not the \w+$|,? not (?:at )?\d[\d:.]*(?: ?[ap]m)?$|,? not (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day$"
    ),
    "stands": later(r"(?:\b(?:is|are|be|due|starts?|begins?|leaves?|opens?|closes?|ends?|comes?|goes|for)|'s|'re)$"),
    "not_this": later(r"(?:\bnot|\bnot the|\bfrom|\binstead of|\boriginally|\bwas)(?: on)?(?: the)?\s*$"),
    "done": later(
        rf"\b(?<!\bget )(?<!\bbe )(?<!\bgetting )(?<!\bhaving )(?<!\bto ){_TASKED} (?:off |up |back |in |out )?(?:it|that|the|my|our|his|her|their|your|all|both|everything|everyone)\b|"
        rf"\b(?:finally|already|just) {_TASKED}\b|\b{_HAVE} (?:emailed|messaged|texted|phoned|rung|ordered|washed|fed|packed|updated|replied|answered|chased|printed|scanned|drafted|uploaded|applied|registered)\b|\b{_HAVE} (?:already |(?=[^.,;!?]* already\b))(?:{_TASKED}|put|made|told|called|rung|phoned|texted|messaged|asked|written|replied|answered|bought|got|taken|washed|fed|packed|cooked|walked|ordered)\b|"
        r"^(?:finally |just |already |all )*(?:turned in|handed|paid|finished|submitted|booked|sent|renewed|filed|filled|replied|issued|wrapped|settled|fixed|sorted|completed|returned|dropped|ticked|picked|signed|posted|mailed|delivered|shipped|uploaded|cleaned|emailed|ordered|cleared|crossed|sealed|repaired|done)\b|"
        r"\b(?:i|we|he|she|they|has|have|i've|we've|he's|she's|they've|\w+ has)(?: already| just| finally)* (?:handed in|turned in|paid|finished|submitted|booked|sent|renewed|filed|filled in|replied|issued|wrapped up|settled|fixed|sorted|completed|returned|picked up|signed|posted|mailed|delivered|shipped|uploaded)\b|"
        r"\b(?:is|are|was|were|it's|all|got|deck's|\w+'s) (?:\w+ ){0,3}?(?:done|finished|completed|sorted|fixed|settled|paid|submitted)\b|\b(?:sorted|bought|fixed|paid|sent|posted|renewed|booked|submitted)(?=[!,.;]|$)|^(?:[a-z'-]+ ){1,4}(?:completed|submitted|signed|approved|delivered|granted|issued|received) (?:on|at|in|this|last|yesterday|today|earlier)\b|\b(?:invoices?|letters?|forms?|applications?|cheques?|payments?|orders?|e-?mails?|newsletters?|proposals?|cards?|quotes?|contracts?|invit(?:e|ation)s?|parcels?|bins?|deposit|rent) (?:all |finally |already |just )?(?:went|ha(?:s|ve) gone|gone) (?:out|off|in)\b|\bwent out in\b|\bdone and dusted\b|\bgot (?:a?round to|on with) \w+ing\b|\bsigned off on\b|\bmanaged to (?:get|finish|fix|book|pay|send|submit|renew|file|sort)\b|\b(?:has|have|'ve|'s) (?:all |finally |already |now |just )?(?:been )?(?:paid|fixed|finished|submitted|handed in|renewed|filed|filled in|returned|completed|sorted|settled|posted|mailed|delivered|repaired|cleaned|uploaded|signed|collected|picked up|emptied|mended|approved|shipped)\b(?! (?:on|by|at|from|daily|in) )|\b(?:already got|got|bought|snagged|grabbed|nabbed|scored|secured|bagged) (?:\w+ ){0,2}(?:tickets?|seats?|table)\b"
    ),
    "done_not": later(
        r"\b(?:not|n't|never|to be|must be|be|once|consider it|her \w+|his \w+) (?:yet )?(?:they're )?(?:done|finished|paid|completed|sent|edited|submitted|sorted)\b|\bhaven't\b|\bnearly\b|\balmost\b"
    ),
    "others": later(
        r"^(?!(?:it|this|that|everything|something|someone|car|bike|van|dog|cat|rent|passport|form|report|who|what)\b)[a-z]+ (?:has to|needs to) (?!be\b)|\b(?:he|she|they|you) (?:has|have|should|must|needs?|ought|gotta)\b|\b(?:who|mum|mom|dad|nan|gran|grandma|grandpa|(?:my|her|his|our|the) (?:mum|mom|dad|wife|husband|partner|boss|sister|brother|son|daughter|aunt|uncle|cousin|kids|boys|girls|neighbours?|neighbors?|landlord|landlady|manager|doctor|dentist|vet|plumber|builders?|guests?|parents|teacher|team|client)) (?:also |still |only |really )?(?:has to|have to|needs? to|ought to|should|must|gotta)\b|\bclient\b|^please\b"
    ),
    "todo": later(
        r"\b(?:remember (?:to|my|the)|don'?t forget|do not forget|don't let me forget|remind me|to-?do\b|to do(?=:)|(?<!no )(?<!n't )(?<!nt )(?<!not )needs? (?:to|\w+ing)|(?<!don't )(?<!dont )have to|(?<!n't )has to|must(?! (?:dash|run|say|admit|confess|be off|be joking|have|'ve)\b)|gotta|got to(?! (?:the|an?|my|our|his|her|their|work|school|bed|sleep|town|[a-z]+ (?:at|around|about|by|before|after|late|early)\b)\b)|ought to|should (?:really|probably)|i should|(?:i'm|we're|i am|we are|also|still) supposed to|reminder:|wake me|ping me|nudge me|note to self|on (?:my|the) list|set an? (?:reminder|alarm|timer)|"
        r"high time|better (?:get|go|call|do)|(?:i|we)(?:'ve| have)? (?:only )?(?:got|have) (?:until|till|til))\b|^reminder\b|^(?:we |still |also )?need (?:some |more |new )?(?!to\b|some\b|more\b|new\b|help|sleep|coffee|a\b|you|it\b|that|this|\w+ing\b)[a-z]+|^supposed to (?!(?:rain|snow|hail|be|get|clear|arrive|start|come|last|have been)\b)|^should (?!(?:i|you|we|they|he|she|it|be|have|arrive|get)\b)\w+"
    ),
    "due": later(
        r"\b(?:due(?! to\b)|deadlines?|expires?|runs? out|laps(?:es|ing)|clos(?:e|es) (?:on|at|by|today|tonight|tomorrow|next|this|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d+|\d+|the \d+|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?:offer|sale|trial|discount|registration|voting)s? ends?|shuts|shut(?= (?:on|at|by)\b)(?![^.?!]* (?:so|missed|late|early)\b)|closing date|at the latest|last day (?:to|for)|no later than|cut-?off|(?:lease|contract|membership|subscription|trial|visa|permit|insurance|policy|licen[cs]e|passport|mot)(?: is|'s) up)\b"
    ),
    # What is done is done for a time to come.
    "done_for": later(
        rf"\b(?:booked|reserved|ordered|arranged|(?:fixed|got|made|agreed|set up|sorted) (?:up )?(?:an?|the|our|my) (?:slot|time|date|meeting|appointment|call|visit|viewing)|signed up|registered|tickets?|appointment|got (?:a|the|us|me)\b.*) .*\bfor\b|\b(?:booked|reserved|bought|got) [^,:.!?]{{1,40}}[,:!–—-]+ (?:for |on |from )?(?:the )?(?:\d[\d–-]*(?:st|nd|rd|th)?(?: (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?= ?[,.]|$))|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d|{_DAY_SAID})"
    ),
    "unreal_past": later(
        r"(?:'d|\b(?:would|could|should))(?: have|'ve)\b|\b(?:if|wish) (?:i|we|he|she|they|you|it)(?:'d| had)\b"
    ),
    "was_due": later(r"\b(?:was|were) (?:\w+ )?due\b(?! to\b)"),
    "owed": later(
        r"(?<!baby's )(?<!baby is )(?<!she's )(?<!i'm )\bdue(?! to\b)\b|\bi owe\b|\bdeadline\b|\bgo back\b|\bto pay\b|\bbill\b|\brent\b|\b(?:i|we)(?:'ve| have)? (?:only )?(?:got|have) (?:until|till|til)\b"
    ),
    "hands_in": later(r"\b(?:pay|submit|hand in|turn in)\b"),
    "order": later(
        r"(?:^|: |- |\* |\] )(?:please |pls )?(?:submit|send|pay|return|finish|complete|renew|register|sign|apply|book|order|reply|respond|get|buy|pick up|drop|clean|fix|file|post|mail|upload|update|review|approve|hand|turn|confirm|cancel|write|email)\b"
    ),
    "limit": later(r"(?!)"),
    # Behind the name of a month: what is made out for a time that is over.
    "of_period": later(
        r"(?:'s|s')? (?:invoices?|expenses?|reports?|bills?|payslips?|rent|statements?|numbers|figures|accounts|timesheets?|minutes|newsletter|payroll|returns?|claims?)\b"
    ),
    # How long something goes on is no limit for it.
    "lasts": later(r"(?:until|till|til|up to|up until)\b"),
    "commitment": later(
        r"\b(?:(?:i|we)'ll(?! believe| (?:both |all |probably |prob |be (?!there\b|back\b|with you|ready|sure|on time|round|over\b)|have been|have to))|ill (?=(?:do|be|send|call|get|bring|take|come|pay|go|make|see|meet|finish|book|try|check|let)\b)|(?:i|we) will|i promise|promise$|i swear|cross my heart|you have my word|count on me|leave it (?:to|with) me|consider it done|^said i'?d|i (?:said |told (?:\w+ ){1,3})i'?d|i(?:'ve)? (?:promised|did promise) (?:\w+ ){0,3}(?:to|i'?d|we'?d)|^(?:i(?:'ve)? )?promised (?!me\b|us\b)(?:my|our|him|her|them|the) |i'm on it|let me (?:handle|take care|do|get|sort)|happy to|i can (?:cover|take|do|help|drive|bring|pick|lend)|i won't(?! be| make)|on me,|"
        r"(?:i'm|i am|we're) going to (?:send|bring|give|help|get|call|pay|fix)|you'll have|that's on me)\b|^will (?!it|you|he|she|they|i|we|there|the|miss\b|probably|never|not\b|need\b)\w+"
    ),
    "planned": later(
        rf"\b(?!(?:i|we|he|she|they|you|who|just|already|finally|and|has|have|had|was|were|it) )[a-z]+ (?:booked|expected|scheduled|planned|arranged|confirmed|pencill?ed in)(?=:?,? (?:for |on |at |in )?(?:the )?(?:\d|tomorrow|tonight|next|this|{_DAY_SAID}))|"
        r"\b(?:(?:i'm|we're|i am|we are|is|are|\w+'s|they're) (?:having|getting) (?:(?!(?:and|or|but|to)\b)[\w']+ ){1,4}?(?!need|\bbed\b|indeed|hundred)(?:[a-z]{2,}ed|done|cut|put|taken|out|seen|redone|built)\b|plan(?:s|ned|ning)?|scheduled|going to|gonna|thinking of|hoping to|off to|get(?:s|ting)? married|want to|wants|(?<!i )(?<!we )(?<!he )(?<!she )(?<!they )(?<!ve )booked(?=[:,]| in\b| for\b)|(?:will|to|shall) be (?:held|done|made|sent|[a-z]+(?:ed|en))|(?:(?:'m|'re|'s|am|are|is) not|(?:is|are)n't) (?:coming|going|joining)|(?:is|are|'s|'re) being|(?<=[,.;] )not (?:coming|going|joining|making|working)|(?:will|'ll) have (?:been|done|gone|\w+ed)|hopefully|expect(?:ed|ing)? to|(?:arranged|scheduled|slated|pencill?ed in) for|(?:booking|reservation|appointment) (?:is )?confirmed|(?:have|has|got|'ve) [^.]{1,30} (?:lined up|booked|scheduled|planned|coming up|pencill?ed in)|said (?:he|she|they|it|we)(?:'d| would| will|'ll)|"
        r"(?:is|are|'s|'re|been) (?:all |now )?(?:booked|scheduled|confirmed|arranged|set|pencill?ed in|lined up) (?:in |up )?(?:for|on))\b|'s (?:all |now )?(?:booked|confirmed|arranged|set) (?:in )?(?:for|on)\b"
    ),
    "negated": later(
        r"\b(?:not|no|never|none|nobody|nothing (?:on|planned|happening|doing)|\w+n't|cannot|without|skipp?(?:ed|ing|s)?|yet to)\b"
    ),
    "reminded": later(r"\b(?:remember to|do(?:n'?t| not) forget|remind(?: me)?)\b"),
    # An order not to do something tells of nothing that was done.
    "forbids": later(r"^(?:please |pls )?(?:don'?t|do not|stop|quit|never)\b(?! (?:forget|let me forget))"),
    # Ahead of a time that is that of the telling and not of what is told: "she said yesterday".
    "told_at": later(
        r"\b(?:said|told \w+|mentioned|announced|texted(?: me| us)?|emailed(?: me| us)?|messaged(?: me| us)?|confirmed|let (?:me|us) know|wrote)(?: (?:on|back|that|in|at))* $"
    ),
    "plea": later(
        r"\bdo(?:n'?t| not) (?:let me )?(?:forget|worry)\b|\bno later\b|\bcan't (?:wait|believe)\b|(?:\bnot|n't|\bnever) cancel"
    ),
    "report": later(
        r"'d already\b|\b(?:(?:did|was|were|had)(?:n't)?|used to|(?:have|has|\w+'ve|haven't|hasn't|never) been|(?:^|still |have |has |'ve |am |i'm )yet to|(?<!'ve )(?<!have )(?<!has )(?<!'s )got|sat (?:through|in|on the|with|next|down|around|there|by)|cut|quit|won(?!'t)|hit|"
        rf"{_WENT}|{_DID_SO}|{_DID_FIRST}|"
        r"ago|(?=[a-z]{4,}+(?<=[^e]ed)\b)(?<!'m )(?<!'re )(?<!so )(?<!is )(?<!are )(?<!very )"
        + _IS_SO
        + r"(?!need|speed|indeed|hundred|married)[a-z]{2,}[^e\W]ed)\b"
    ),
    # What takes a time back and puts another in its place (`planner._corrections`).
    "instead": later(
        r"(?:'s)?(?:(?: \w+){1,2}\s*[,;…—–])?[\s,.;…—–-]*(?:(?:(?:oh|ah|well|hm+)[\s,]+)?(?:no,? wait|wait,? no|no|nope|wait|sorry|actually|rather|or rather|er+m?|uh+m?|um+|oops|i mean|i meant|scratch that|make that|correction|my (?:bad|mistake)|strike that|hang on|hold on|i should say|that is)[\s,.;…—–-]+)+"
        r"(?:(?:on|at|in|for|it's|it was|that's|rather|the|from)\s+)*"
    ),
    "denied": later(
        r"\bnot (?:(?:on|in|at|for|from|the|of) )*$|\b(?:thought|assumed|figured|could have sworn|could've sworn) (?:that )?(?:[\w']+ ){1,4}(?:was|were) (?:(?:on|in|at|for|from|the|of) )*$"
    ),
    "but": later(r"[\s,]*(?:(?:but|rather|it's|i mean|i meant|the one)[\s,]+)*(?:(?:on|in|at|for|from|the) )*"),
    "but_not": later(r"[\s,]*(?:and|but|no)?\s*not (?:(?:on|in|at|for|from|the) )*"),
    "neighbour": later(
        r"[\s,]*(?:(?:but|rather)[\s,]+)*(?:the (?:next|following)(?: one)?|the (?:one|week|weekend|month|year) after(?: that)?(?! (?:the )?next)|(?P<back>the (?:one|week|weekend|month|year) before(?: that)?(?! last)|the (?:previous|last) one))\b"
    ),
    "weighty": later(
        r"\b(?:important|urgent|decid(?:e|ed)|decision|contract|sign(?:ed)?|interview|exam|wedding|married|marry|divorce|birthday|surgery|hospital|doctor|dentist|flight|launch|release|review|deadline|promotion|fired|hired|graduat\w+|moved? (?:to|house)|pregnan\w+|born|died|funeral|award|offer|rent|mortgage|meeting|milestone|trip)\b"
    ),
    "ask_newest": later(
        rf"\b(?:the |my )?(?:latest|newest|most recent)\b(?: (?P<count>{_FEW})\b)?"
        rf"|\bmy last (?!(?:name|{_CALENDAR}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|few|{_FEW}|time|one|thing)s?\b)(?=[a-z])"
        rf"|\b(?:the |my )?last (?:(?P<more>{_FEW}) (?!(?:{_CALENDAR})s?\b)(?=[a-z])|(?:time|one|thing)\b)"
    ),
    "ask_oldest": later(
        rf"\b(?:in )?(?:what|which|chronological|time|date) order\b|\bchronologically\b|\b(?:the )?(?:earliest|oldest)\b(?: (?P<count>{_FEW})\b)?"
        rf"|\b(?:the |my )?first (?:(?P<more>{_FEW}) (?!(?:{_CALENDAR})s?\b)(?=[a-z])|(?:time|one)\b)|\b(?:came|comes|happened|did|do) first\b"
    ),
    "ask_soonest": later(
        rf"\b(?:my|the|our|his|her|their) next (?:time\b|(?!(?:{_CALENDAR}|few|{_FEW}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b)(?=[a-z]))"
    ),
    "overdue": later(r"\b(?:overdue|past due|behind on)\b"),
    "meals": later(r"\b(?:breakfast|brunch|lunch|dinner|supper)s?\b"),
    "of_assistant": later(
        r"\b(?:did|have|had|what|which|how) (?:\w+ ){0,3}you (?:\w+ ){0,2}(?:recommend\w*|suggest\w*|promis\w+|offer\w*|remind\w*|t[eo]ll|advis\w+|answer\w*|say|said|mention\w*|propos\w+)\b"
    ),
    "trivial": later(
        r"^(?:ok(?:ay)?|yes|yeah|yep|no|nope|sure|thanks?(?: you)?|thx|hi|hey|hello|bye|lol|haha+|cool|great|nice|good (?:morning|night)|see you|got it|you're welcome)[\s.!~,]*$"
    ),
    "compared": later(r"\b(?:earlier|first|later|same (?:day|week|month|year)|which (?:of|came|happened))\b"),
    "which_first": later(
        r"\bwhich\b[^?]*\b(?:first|earlier|earliest|later|latest|last)\b|\b(?:first|earlier|later)\b[^?]*\bor\b|\bbefore or after\b|\bsame (?:day|week|month|year)\b"
    ),
    "that_day": later(r"\bthe (?:same )?day (?:that |when |as |of )?(?P<anchor>.{6,}?)(?:,|\?|$)"),
    # Events of the asker's life that tell a question's time (`planner.anchors`).
    "event_beside": later(
        rf"\b(?:(?:on|in|for|over|during) )?(?:(?:the|my|our) )?(?:(?P<first>first|early) (?:few |couple of )?|(?P<count>{_FEW}|couple of|few) )?{_BESIDE}s? "
        rf"(?:(?:right )?(?:(?P<next>after|following)|(?P<back>before|prior to|leading up to)) |(?:of|in|at|that|when) |(?=(?:i|we|my|our) ))(?P<anchor>\S.{{0,80}}?){_EVENT_ENDS}"
    ),
    "event_between": later(rf"\bbetween (?P<anchor>\S.{{0,80}}?) and (?P<until>\S.{{0,80}}?){_EVENT_ENDS}"),
    "event_since": later(rf"\b(?:ever )?since (?P<anchor>\S.{{0,80}}?){_EVENT_ENDS}"),
    "event_after": later(rf"\b(?:(?:right |shortly |soon )?after|once) (?P<anchor>\S.{{0,80}}?){_EVENT_ENDS}"),
    "event_before": later(
        rf"\b(?:right |shortly )?(?:before|prior to|ahead of|leading up to) (?P<anchor>\S.{{0,80}}?){_EVENT_ENDS}"
    ),
    "event_during": later(
        rf"\b(?:while|whilst|throughout|during|when(?= (?:\S+ ){{1,4}}?(?:was|were|stayed|lived|visited|went|travell?ed)\b)|on(?= (?:my|our) (?:\S+ ){{0,2}}?(?:trip|visit|vacation|holiday|honeymoon|retreat|tour|cruise|leave)\b)) "
        rf"(?P<anchor>\S.{{0,80}}?){_EVENT_ENDS}"
    ),
    # What the asked things are measured or compared by, and no time of what is asked: "how long after the wedding did we move".
    "event_not": later(
        r"\b(?:when|(?:what|which) (?:day|date|month|year)) (?:did|do|does|was|were|is|are|have|has|had|will)\b|"
        r"\bhow (?:long|many (?:days|weeks|months|years)|much (?:time|longer|later))\b|\bbefore or after\b|\b(?:came|comes|happened|happens|was|were|is|are|did|do|it) (?:first|earlier|later)\b"
    ),
    "event_of_others": later(r"\b(?:his|her|their|he|she)\b"),
    "event_head": later(r"^(?:(?:i|we|my|our|the|that|was|were|am|had|have|just|first|a|an) )+"),
    "event_returns": later(
        r"\b(?:(?:came|come|coming|got|get|getting|flew|been|was|were|am|arrived) (?:back|home)|back (?:home|from)|home from|return(?:ed|ing)?|left)\b"
    ),
    # Says what kind of thing an event is, and not which one, where a name stands beside it.
    "event_kind": later(
        r"\b(?:business trip|trip|visit(?:ed|ing)?|stay(?:ed|ing)?|vacation|holiday|travell?(?:ed|ing)|went to|go to|fly(?:ing)? to|flew to)\b"
    ),
    "event_away": later(
        r"\b(?:trip|visit\w*|stay\w*|away|abroad|vacation|holiday|honeymoon|conference|retreat|camp\w*|hospital|leave|sick|in [a-z]+|went to|go to|fly|flew|flying|travel\w*)\b"
    ),
    # What a text tells of where its teller is.
    "arrives": later(
        r"\b(?:landed|arrived|touched down|checked in(?:to)?|made it to|(?:got|here|finally) (?:to|in)|reached|picked up my)\b"
    ),
    "returns": later(
        r"\b(?:back (?:home|from|in town|at (?:work|the office))|(?:got|came|come|flew|drove|getting|made it) (?:back|home)|home (?:from|again|at last|sweet)|returned|discharged|left this morning)\b|^(?:finally |and )?(?:i'm |am )?(?:back|home)\b"
    ),
    "stays_until": later(r"\b(?:until|till|til|through|thru) (?:the )?$"),
    "stays_back": later(r"\b(?:back|returning|return|home)\b"),
}
FRAME = later(
    r"\b(?:still|yet|(?:my|the|our) (?:schedule|agenda|to-?dos?|todo list|to-do list)|tasks? (?:are )?pending|(?:open|pending|outstanding|remaining) (?:tasks?|to-?dos?|items?|things)|outstanding(?=[?.!]|$)|pending(?=[?.!]|$)|next(?=[?.!]|$)|(?<=have )left|(?<=what's )left|(?<=what is )left|left to (?:do|finish|get done|complete|handle|sort out)|(?:on )?my plate|next up|remaining|what(?:['’ ]?s| is) next|(?:am i|are we) (?:free|busy|available)|"
    r"can you|could you|would you|please|(?:in|on) (?:my|the|our) (?:calendar|agenda|diary|schedule|planner)|(?<=did i )last|(?<=did we )last|ever|whatd|whats?|whos|wheres|whens|hows|didnt|tell me|show me|list|find|remind me|do you (?:remember|recall|know)|what'?s?|whats|which|my (?:day|week|weekend|month|year)|who'?s?|whom|whose|where|when|why|how (?:many|much|long|often)?|"
    r"did|do|does|done|is|are|was|were|am|be|been|being|has|have|had|having|will|would|shall|should|can|could|may|might|must|i|i'm|i've|me|my|mine|we|we're|our|ours|us|you|your|it|its|the|a|an|of|in|on|at|to|for|from|by|with|about|"
    r"and|or|that|this|these|those|there|any|some|anything|everything|something|things?|stuff|happen(?:ed|ing|s)?|going|planned|scheduled|due|mention(?:ed)?|said|say|talk(?:ed)?|discuss(?:ed)?|up|get|got|go|going on|plans?|"
    r"most|all|else|so far|around|roughly|coming|summar(?:y|i[sz]e)|recap|rundown|overview|during|between|since|until|before|after|have to|need to|supposed to)\b|[?.,!:;\"“”()]+"
)
STOPWORDS = frozenset(
    "we've they've you've we'll he's she's they're you're a an the and or but if of in on at to for from by with about as into over after before between during since until i i'm i've i'd i'll me my mine myself we we're our ours us you your yours he him his she her hers it its they them their "
    "what which who whom whose where when why how is am are was were be been being do does did done have has had having will would shall should can could may might must this that these those there here not no nor so too very just than then "
    "also any some all most more other such only own same s t don now up down out off again once each few both because while through against what's who's it's that's there's let's didn't doesn't don't isn't wasn't weren't "
    "thing things stuff anything everything something important happen happened happening go going get got went said say says tell told mention mentioned talk talked many much".split()
)
BLAND = frozenset(
    "go going went get got going say said tell told mention mentioned talk talked happen happened happening thing things stuff important over up out off down into "
    "while through other own only more most same few each once again before after between against because many much any some all such".split()
)
SYNONYMS = tuple(
    frozenset(group.split())
    for group in (
        "meeting meet call sync", "movie film", "doctor physician", "buy bought purchase purchased", "kid kids child children", "trip travel vacation holiday journey", "job work career", "boss manager",
        "mom mother mum", "dad father", "photo picture photos pictures", "song music", "car vehicle", "home house", "due deadline", "begin start started began", "book novel", "sick ill", "paint painting painted", "friend friends buddy",
    )
)  # fmt: skip

_IRREGULAR = (
    "go went gone goes|buy bought|take took taken|make made|get got gotten|give gave given|see saw seen|know knew known|think thought|find found|"
    "tell told|feel felt|leave left|meet met|begin began begun|write wrote written|run ran|eat ate eaten|drink drank drunk|drive drove driven|"
    "ride rode ridden|fly flew flown|swim swam swum|sing sang sung|win won|lose lost|teach taught|catch caught|bring brought|build built|send sent|"
    "spend spent|speak spoke spoken|break broke broken|choose chose chosen|wear wore worn|grow grew grown|draw drew drawn|throw threw thrown|"
    "fall fell fallen|hear heard|hold held|keep kept|sell sold|stand stood|understand understood|sleep slept|wake woke woken|become became|come came|"
    "say said|pay paid|sit sat|lead led|lend lent|fight fought|forget forgot forgotten|hide hid hidden|shake shook shaken|steal stole stolen|"
    "child children|man men|woman women|person people|foot feet|tooth teeth|mouse mice|wife wives|life lives|knife knives|shoot shot|bear bore born|"
    "blow blew blown|bite bit bitten|dig dug|feed fed|forgive forgave forgiven|freeze froze frozen|hang hung|lay laid|light lit|mean meant|"
    "ring rang rung|rise rose risen|seek sought|show shown|stick stuck|strike struck|swear swore sworn|tear tore torn|weave wove woven|deal dealt|"
    "dream dreamt|learn learnt|burn burnt|kneel knelt|sweep swept|bend bent|sew sewn"
)
LEMMAS = {form: group.split()[0] for group in _IRREGULAR.split("|") for form in group.split()[1:]}

FILLERS = frozenset(
    "vs please sure ok okay yeah yes yep haha lol hey hi oh btw well sorry really actually finally already remind remember need could any anymore "
    "cancelled canceled cancel postponed moved rescheduled reminder note gonna gotta wanna lemme omg wow yay ugh oops damn hmm aww phew lmao fyi pls plz thx thanks cheers kindly user due deadline instead teh hte adn taht".split()
)
# Words of one sense, whatever is done with them: abbreviations, and what Britons and Americans call the same.
ALIKE = tuple(
    frozenset(group.split())
    for group in (
        "call ring phone telephone", "meeting meet mtg", "appointment appt", "book reserve", "fix repair mend", "collect pick fetch", "finish complete done", "reject decline refuse", "tv telly television", "fridge refrigerator",
        "flat apartment", "lift elevator", "parcel package", "pharmacy chemist drugstore", "sofa couch", "truck lorry", "cab taxi", "bike bicycle", "plane airplane aeroplane", "maths math", "nappy diaper",
        "pram stroller", "rubbish trash garbage", "gift present", "dinner supper", "birthday bday", "university uni", "document doc", "information info", "grandma granny gran nan grandmother", "grandpa granddad grandad grandfather",
        "mom mum mother mummy", "dad father daddy", "lawyer attorney solicitor", "dentist dental", "doctor physician dr", "vet veterinarian", "colleague coworker", "professor prof", "boyfriend bf", "girlfriend gf",
        "surgery operation", "shop store", "cinema theater", "vegetable veg veggie", "homework hw", "department dept", "vacuum hoover", "exam examination", "photo picture pic", "film movie",
    )
)  # fmt: skip
OPENING = later(
    r"(?:(?:re|fwd?|aw|(?:updated )?invitation|accepted|confirmed|reminder|fyi|heads[- ]up|quick (?:note|reminder|update|question)|just so you know|guess what|(?:good|great) news) ?[:,!-]\s*|"
    r"(?:sounds? (?:good|great|like a plan)|(?:i )?changed my mind|change of plans?|plans? changed|something came up|never mind|got it|will do|noted|of course|no problem|all right|perfect|great|sure(?: thing)?|okay?|by the way|guess what)\b[,.!:]*\s*|(?:could|can|would|will) you (?:please )?(?=remind\b)|"
    r"i(?:'ve| have|'ll)? (?:set(?: up)?|added|created|put|scheduled|saved) (?:you )?(?:an?|the|your) (?:reminder|alarm|event|task|entry)(?: to| for| that)?\b|(?:reminder|alarm|event|task) (?:set|added|created|saved)(?: to| for)?\b|"
    r"(?:(?:i|we) )?(?:can't|cannot|couldn't|won't) make (?:it|that)\b)+"
)
AMENDS = later(
    r", (?:and )?not(?: on| at| in)?\s*[.!]*\s*$|\binstead\s*[.!]*\s*$|^\W*(?:(?:oh|no|wait|ah|hm+|hey|so|well|sorry|oops)\W+)*(?:actually|sorry|correction|scratch that|my (?:mistake|bad)|i (?:meant|mean|misread|misremembered|was wrong|got (?:it|that) wrong))\b"
)
LIGHT = frozenset("come play see saw seeing appointment visit session attend make take get meeting event twice new".split())
OPPOSITES = tuple(
    (frozenset(left.split()), frozenset(right.split()))
    for left, right in (
        ("in into", "out"), ("well good great fine smoothly", "bad badly poorly terrible terribly awful awfully"), ("on", "off"), ("up", "down"), ("before", "after"), ("over", "under"), ("with", "without"), ("all both every", "none neither no"),
        ("more", "less fewer"), ("most", "least"), ("mr", "mrs ms miss"),
    )
)  # fmt: skip
# British spellings to American ones; what a rule makes of other words does no harm, since both texts go through it.
SPELLINGS = (
    (later(r"^(check|pick|drop|sign|set|clean|follow|meet|warm|catch|take|hand|kick|mix|wrap)(?:up|off|over)$"), r"\1"),
    (later(r"(?<=[a-z]{2})our"), "or"),
    (later(r"(?<=[a-z]{2})tre(?=s?$)"), "ter"),
    (later(r"(?<=[a-z]{3})is(?=(?:e[ds]?|ing|ation)$)"), "iz"),
)

# --- names --------------------------------------------------------------------------------------------------------------

_NAMEABLE = (ex.Month, ex.Weekday, ex.Season, ex.Festival, ex.SolarTerm, ex.Lunar)
_MEDIUM = later(
    r"\b(?:songs?|albums?|films?|movies?|novels?|books?|poems?|vinyl|karaoke|ukulele|guitar|piano|playlists?|tracks?|soundtrack|lyrics|chorus|remake|"
    r"sequel|trilogy|(?:hard|paper)back|starr?(?:s|ing)|directed|director|actor|actress|singer|band|bond|dialogue|solo|folklore|stuck in my head|"
    r"in the key of|nightmares|makes me (?:laugh|cry)|ma[kd]es? (?:me|us|him|her|you) (?:cry|laugh|sob)|paintings?|sculpture|opera|ballet|symphony|overrated|underrated|episodes?|cast|plot|bestseller|genre|sitcom|musical|podcast)\b"
)
# Words about a time in marks or in figures that make it a part of a title, a score, a share or a reference number.
# What is on in the evening.
_EVENINGS = r"(?:dinner|supper|drinks|gig|concert|date night|cocktails|movie night|games? night|film night|quiz night|pub quiz|party|fireworks|cinema|theatre|movie|film|nightcap|beers)"
NAMING = {
    "medium": _MEDIUM,
    # What is done, where a question asks what it was done to: who tells of it may name only that ("what did I read": a book).
    "asks_what": later(r"\bwhat (?:else )?(?:did|do|have|had) (?:i|we|you|he|she|they) (?P<verb>[a-z]+)"),
    "says": later(r"\b(?:said|says|say|wrote|writes|asked|told me|replied|reads)\s*$"),
    "titled": later(
        r"\b(?:play|called|titled|entitled|named|watch|watched|seen|read|reading|sing|sang|hum|played|heard|song|film|movie|album|novel)\s*$"
    ),
    "label": later(
        r"(?<![a-z])(?:invoice|ticket|serial|version|release|build|firmware|kernel|model|member|case|file|docket|batch|sku|ref|reference|pin|password|passcode|code|"
        r"account|policy|part|lot|tracking|order|seat|gate|row|platform|apartment|apt|unit|flat|exit|room|id|no\.|number|num|nr|windows(?: \d+)?)"
        r"(?: (?:file|id|no\.?|number|num|code))?\s?(?:是|为|[:：#]|is)?\s*(?:[a-z]{1,6}[-_]?)?$"
    ),
    "scored": later(
        r"\b(?:scores?|scored|decider|tie-?break|ratio|odds|split|aspect|mix|mixed|dilute|proportions?|final was|won|win|beat|lost|lead|led|trailing|verse|"
        r"psalms?|genesis|exodus|matthew|mark|luke|john|romans|corinthians|proverbs|isaiah|revelation|hebrews|scripture)\b"
        r"|\bin (?:just |under |about |exactly )?\n|\n ?(?:miles?|marathon|half marathon|5k|10k|pace|lap|pb)\b"
    ),
    # Marks out of ten, and a day that gave its date to what happened on it.
    "rates": later(
        r"(?:(?<=\ba )|(?<=\bit )|(?<=\bthem )|(?<=\bsolid )|(?<=\bstrong )|(?<=\beasy )|(?<=\bperfect )|(?<=\bdeserves ))\d\d?/(?:5|10)(?!/)|\d\d?/(?:5|10) (?:would|film|movie|rating|experience|performance|score)\b"
        r"|9/11 (?:conspirac|attack|memorial|museum|commission|truther|hijack|victim|survivor|documentar|responder|terror)"
    ),
    "scores": later(r"\b(?:scores?|scored|scale|ratio|odds|psalms?|verse)(?: (?:was|is|of))? $"),
    "share": later(
        r"(?:\b(?:odds|odds of|sizes?|page|p\.|scored|got|rated|rating|fractions?|blood pressure|simplify|reduce|multiply|divide|plus|minus|divided by|equals|decimal of|percentage of|(?:play|played|count|counted|written|composed|drumming|strum|jam)(?: (?:it|this|that|them))? in)|(?:bet|priced|favou?rites?|backed|tipped|punt)(?: [\w ]{1,16})? at|\d\s*[+*=×÷]|\btime (?:or|and)) $"
    ),
    "timed": later(r"\b(?:at|by|from|until|till|since|before|after)\s*$"),
    "apart": later(
        r"\b(?:sa(?:id|ys)|told|tells|heard|asked|asks|mention\w*|promised|agreed|remind\w*|announced|booked|scheduled|invited|planned|texted|emailed)\b"
    ),
    "evening": later(rf"\b{_EVENINGS}\b"),
    "early": later(
        r"\b(?:wake|woke|woken|waking|alarms?|awake|got up|get up|gets up|getting up|sunrise)\b|(?:^|\b(?:be|been|was|were|am)\b |'[mr]e? )up\b"
    ),
    "by_day": later(
        r"\b(?:meet(?:ing)?s?|calls?|lunch|class|lessons?|appointment|appt|dentist|doctor|doctor's|gp|physio|school|pick(?:ed|ing)? (?:\w+ )?up|drop(?:ped|ping)? (?:\w+ )?off|interview|lecture|"
        r"seminar|workshop|stand-?up|sync|catch-?up|1:1|one-to-one|review|haircut|massage|viewing|tea|coffee|kick-?off|match|game|practice|rehearsal|webinar|demo|hearing|funeral|wedding|ceremony)\b"
    ),
    "evening_behind": later(rf"[^\w.,;!?]{{1,2}}(?:for (?:an? |the |some )?|at (?:the|an?) |)(?:\w+ )?{_EVENINGS}\b"),
    "turns": later(r"\b(?:today|tonight|now|again|will|going to|gonna|have to|has to|need to|must)\b|'ll\b"),
    "parts": later(
        r"\s*of (?:the|them|us|you|my|your|our|it|all|an?|these|those|people)\b|\s*(?:(?:on|in|for) (?:the|my|his|her|a|that|this) )?(?:quiz|tests?|exam|midterm|homework|assignment|correct|marks|points|stars|cups?|inch|inches|teaspoons?|tsp|tablespoons?|tbsp|miles?|pints?|pounds?|gallons?|oz|ounces?|lbs?|litres?|liters?|ml|chance|probability|sleeves?|court|drill|wrench|spanner|socket|screws?|bolts?|plywood|split|holes?|thread|gauge|nuts?|ball|length|majority|full|empty|outsiders?|favou?rites?|shots?|each way(?! of))\b"
        r"|(?:,? (?:or|and|to) \d+/\d+)*(?: (?:time(?= signature| *(?:$|[,.?!]))|beat|meter|metre|groove|time signature|rhythm)\b|\s*[+*=×÷]\s*\d| (?:plus|minus|times|divided by|multiplied by|as an? (?:decimal|percentage|percent))\b)"
    ),
}

_PLACE = later(
    r"(?:'s)? (?:[A-Z][a-z]+ )?(?:Street|St\b\.?|Road|Rd\b|Avenue|Ave\b|Lane|Ln\b|Court|Ct\b|Drive|Boulevard|Blvd\b|Terrace|Close\b|Grove\b|Mews\b|Hill|Park|Place|Square|Crescent|Gardens|Highway|"
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
    rf"| (?:is|was) [\w]+'s (?:{_PETS}|companion|name|sidekick)\b| the (?:(?:rescue|therapy|service|guide|talking|magic|tabby|ginger) )?(?:{_PETS})\b| is (?:short for|a name|her name|his name)|'s owner\b"
    rf"|,? (?:and )?(?:she|he|it|who)(?:'s| is| was) (?:my|our|her|his|their|a|the)(?: \w+)? (?:{_PETS}|{_KIN})\b"
    r"|(?: (?:is|was|as|for))? (?:an?|your|my|her|his|the)(?: [\w']+){0,2} (?:first |last |middle |nick|sur|fore)?name\b(?! (?:day|tag|change))"
)
# The word itself is spoken of: "the plural of day", "is 'yesterday' an adverb", "how do you say tomorrow in French".
_WORD_AHEAD = later(
    r"(?:\b(?:plural|past tense|definition|meaning|etymology|translation|synonyms?|antonyms?|spelling|pronunciation|opposite|rhymes?) (?:of|for|with) (?:the (?:word|phrase) )?"
    r"|\b(?:spell|pronounce|define|how (?:do|would|can) (?:you|i|we) (?:say|write)|the (?:words?|phrase|term|adverb|noun)) )[\"'“‘]?$"
)
_WORD_BEHIND = later(
    r"[\"'”’]? (?:(?:is )?an? (?:(?:proper|real|common) )?(?:adverb|noun|verb|adjective|word|preposition|conjunction)\b|(?:translates?|rhymes?|stands? for|means?(?! for| to| that| we| i\b| a)|spelled|spelt|pronounced)\b|in an? (?:sentence|phrase)\b|(?:meaning|definition|synonyms?|etymology|pronunciation)(?= *(?:$|[.?!]))|(?:in|to|into) (?:french|spanish|german|chinese|mandarin|japanese|italian|korean|russian|latin|portuguese|arabic|hindi|dutch|polish)(?= *(?:$|[.?!])))"
)
_WORD_ALONE = later(r"[\"'”’]?(?= *(?:$|[.?!,)]| (?:in|and|or|as|is)\b))(?!'s)")
_WORD_ENDS = frozenset("of for with spell pronounce define say write word words phrase term adverb noun".split())
_BASES = "binary|hex|hexadecimal|decimal|ascii|bin|octal|base"
_TO_BASE = later(rf" (?:to|into|and|or) (?:{_BASES})\b")
_FROM_BASE = later(rf"\b(?:{_BASES}|base \d+) (?:to|into|and|or) $")
# One asks who it is, whether it does what persons do, or speaks to it.
_ASKS_WHO = later(r"\b(?:wh(?:o|at|ere)(?: is| are| was|'s|s)|how (?:old|tall|rich|famous) (?:is|was)) (?:the )?$")
_ASKS_IS = later(r"(?:^|[.!?] )[Ii]s $")
# A question of how many of a unit another holds: "how many seconds in an hour".
_UNITS_HELD = later(r"\b(?:seconds|minutes|hours|days|weeks|months|quarters|years|decades) (?:are )?(?:there )?$")
_UNITS_IN = later(r"(?:^|how many |number of )(?:seconds|minutes|hours|days|weeks|months|years) (?:are )?(?:there )?$")
_ALL_NIGHT = later(
    r"\b(?:marinat|soak|chill|refrigerat|proof|ferment|steep|thaw|freez|brin|dry|charg|ris)(?:e|es|ed|ing)?(?: (?:it|them|the \w+))? $"
)
_BY_NIGHT = later(r" (?:oats|success|shipping|delivery|parking|bag|trains?|bus(?:es)?|celebrity|guests?|courier)\b")
_ASKS_AGE = later(
    r"\b(?:how (?:old|tall|rich|famous) (?:is|was)|who (?:raised|married|killed|dated|is dating|voice[sd]|play(?:s|ed)|is playing)) $"
)
_APPOSED = later(
    rf",? (?:my|our|his|her|their|the) (?:\w+ ){{0,2}}(?:{_PETS}|niece|nephew|sister|brother|cousin|daughter|son|roommate|flatmate)(?=[,.!?]|$)"
)
_LIFE = later(r" (?:buried|born|married|single|pregnant|adopted|divorced|related to|allergic to)\b")
_ASKS_IF = later(r"\b(?:does|did|can|could|should|would|will) $")
_PERSONAL = later(
    r" (?:still |really |even |ever |also )?(?:join|come|help|bring|stay|drive|handle|cover|borrow|see|wait|swim|babysit|attend|visit|pick|get|take|apply|sign|wear|like|want|know|live|love|speak|eat|play|drive|own|need|think|remember|call|text|email|reply|say|drink|smoke|sing|dance|cook|hate|believe|understand)\b(?! like\b)"
)
_SOMEONE = r" an? (?:[a-z]+ )?(?:sweetheart|angel|darling|jerk|idiot|genius|liar|vegan|vegetarian|doctor|nurse|lawyer|teacher|dancer|student|engineer|artist|gamer|saint|legend|snob|twin|girl|boy|man|woman|person|kid|toddler|teenager|redhead|blonde|brunette|introvert|extrovert)\b"
_IS_SOMEONE = later(rf" (?:is|was)(?: such| quite| always| really)?{_SOMEONE}")
_ASKED_SOMEONE = later(_SOMEONE)
_SPOKEN_TO = later(
    r", (?:(?:can|could|would|will|are) you|please|thanks|thank you|sorry|come here|sit|stop|i love you|i miss you)\b"
)
_ONE_SAYS = later(r"(?: [a-z]+){1,3},? (?:or|and|when|if|because|but) (?:(?:is|was|does|did|will|has) )?(?:she|he)\b")
_ORDERED = later(r"\b(?:tell|beg|order) $")
_TO_DO = later(r" to [a-z]+\b")
_PERSON_DOES = later(
    r" (?:says|said|left|wants|wanted|told|asked|texted|emailed|likes|loves|hates|thinks|knows|lost|wrote|sent|adopted|bought|forgot|needs|lives|works|moved|studies|cooks|"
    r"teaches|bit|ate|laughed|smiled|sings|plays|hates|owes|snores|baked|borrowed|and (?:her|his|their|i)\b|from (?:accounting|sales|hr|marketing|legal|it|finance|payroll|"
    r"engineering|support|upstairs|downstairs|reception|work|next door)\b|in (?:payroll|accounting|hr|marketing|sales|finance|legal|engineering|reception)\b)\b"
    r"|,? (?:who|whose)\b|'s (?:(?:twin|older|younger|little|big|baby|best|ex) )?(?:mom|mum|dad|sister|brother|husband|wife|house|scarf|dog|cat|car|boyfriend|girlfriend|number|phone|email|kids?)\b"
)
_PERSON_GETS = later(
    rf"\b(?:tell|ask|invite|hug|thank|text|email|phone|hi|hey|hello|dear|marry|kiss|give (?:it|this|them|that) to|belongs to|(?:give|gave|send|sent|hand|handed|return|returned|lend|lent|pass|passed|show|sold|introduced?) (?:\w+ ){{1,4}}to|(?:my|her|his|our|your|their|the) (?:{_PETS}|{_KIN}))[ ,]+$"
)
_TIED = later(
    r"\b(?:on|in|of|since|until|till|by|from|for|during|through|throughout|to|before|after|last|next|this|every|each|the|early|mid|late|and|or|between|around|past|coming|our|my|previous|at|over|it's|is|was|a)[ -]$"
)
_FORENAMES = ("jan", "april", "may", "june", "august")
_BESIDE_PERSONS = (
    "from ",
    "with ",
    "and ",
    "by ",
    "to ",
    "ask for ",
    "asked for ",
    "asking for ",
    "looking for ",
    "waiting for ",
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
_WORK_BEHIND = later(
    r" (?:the (?:film|movie|album|musical|novel|series)|lyrics|soundtrack|box ?set|season \d+|episode \d+|the (?:band|rapper|singer|actress|comic|brand|app)|(?:[a-z]+ )?(?:filmography|discography|biography|net worth|band members|tracklist|box office|merch|fandom|chords|tabs)|(?:film|movie) (?:review|cast|ending|trailer|poster|soundtrack))\b| (?:movie|film)$"
)
_PET_DOES = later(rf"\b(?:my|her|his|our|their) (?:{_PETS}) $")
_HABIT = later(r" (?:(?!as\b|is\b|was\b|this\b)[a-z]{2,}s|ate|bit|ran|got|slept|threw|broke|[a-z]{3,}ed)\b")
_BY_ARTIST = later(r"'?,? (?:by (?:the )?|starring |feat\.? |ft\.? )([A-Z]\w+)")
_PLAYED = later(
    r"\b(?:who (?:sings|sang|wrote|recorded|covered)|play|sing|hum|learn|covered|listen to|listening to|stream|streaming|watch|watching|watched|rewatch|rewatching|reading|read|seen)(?: the)? $"
)
_NO_NOUN = later(r" ?(?:$|[,.!?]|again|with|tonight|for|last|on|at)")
_TURNED = later(
    r"(?:\b(?:turn|left|right|corner)\b[\w ]*|\b(?:clinic|shop|store|bakery|cafe|restaurant|bar|office|building|apartment|flat|church|station|gym|salon|deli|pharmacy|library|studio|parking) )$"
)


# Things that bear the name of a day, and what is felt for it whenever it comes.
_ITS_THING = later(
    r"(?:'s?)? (?:tree|card|carol|light|turkey|roast|egg|resolution|decoration|pudding|stocking|jumper|sweater|wreath|costume|pumpkin|cracker|bonnet|bag|candy|chocolate|cookie|blue|(?:\w+ )?recipe|playlist|menu idea|sparkler|bunny|bunnie|firework|rate|surcharge|tariff)s?\b"
)
_GREETED = later(r"\b(?:happy|merry|blessed) $")
_OF_ONE = later(r" of [A-Z][a-z]+")
_LIKED = later(r"\b(?:love|loves|loved|like|likes|hate|hates|hated|adore|adores|prefer|prefers|enjoy|enjoys) $")
_PAIRED = later(r"(?:^|[^.!?] )([A-Z][a-z]+) (?:and|&) $")
_SOME_ONE = later(r"\b(?:some|that) $")
_PAIR_BEHIND = later(r" (?:and|&) ([A-Z][a-z]+)")
_BOTH_DO = later(
    r" (?:are|were|have|had|both|broke|fell|fought|argued|eloped|hate|share|look|left|study|work|stayed|visited|called|started|married|came|come|went|got|met|said|will|want|love|like|live|moved)\b"
)


def _bare_name(value: ex.Expression, start: int, end: int, folded: str) -> bool:
    """The name of a day or a season that stands for no one of them: "Christmas cards", "I love autumn"."""
    if not isinstance(value, ex.Season | ex.Festival | ex.Weekday | ex.Weekend):
        return False
    if not isinstance(value, ex.Festival) and _SOME_ONE.search(folded[max(start - 6, 0) : start]) is not None:
        return not isinstance(value, ex.Weekday) or not folded.endswith("that ", 0, start)
    if isinstance(value, ex.Festival) and _GREETED.search(folded[max(start - 8, 0) : start]) is not None:
        return True
    return _ITS_THING.match(folded, end) is not None or _LIKED.search(folded[max(start - 9, 0) : start]) is not None


_SMALL_NAMES = frozenset({"april", "june", "august", "summer", "autumn", "jan"})
# A name typed without its capital: one speaks to a person, and a person says and wants.
_SMALL_TOLD = later(r"\b(?:tell|ask|invite|hug|thank|text|email|phone|kiss|marry|told|asked|texted|emailed|invited|thanked) $")
_SMALL_SAYS = later(
    r" (?:says|said|texted|emailed|told (?:me|us|him|her|them)|asked (?:me|us|him|her|them|if|for)|wants|thinks|knows|forgot|owes|likes|loves|hates)\b"
)


def _english_small(value: ex.Expression, start: int, end: int, said: str, text: str, folded: str) -> bool:
    """The same for what is written without capitals."""
    if (
        isinstance(value, ex.Month | ex.Season)
        and said in _SMALL_NAMES
        and (_SMALL_TOLD.search(folded[max(start - 10, 0) : start]) is not None or _SMALL_SAYS.match(folded, end) is not None)
    ):
        return True
    if isinstance(value, ex.Season):
        if said.endswith("fall") and _FALLEN.match(folded, end) is not None:
            return True
        return _ONE_SUCH.search(folded[max(start - 4, 0) : start]) is not None
    if said in ("dec", "oct"):
        return _TO_BASE.match(folded, end) is not None or _FROM_BASE.search(folded[max(start - 20, 0) : start]) is not None
    if said in ("august", "mon"):
        return _SO.search(folded[max(start - 6, 0) : start]) is not None or folded.startswith((" ami", " dieu", " cher"), end)
    if isinstance(value, ex.Day) and said.startswith("on ") and "the" not in said:  # "the clinic on 24th"
        return _TURNED.search(folded[max(start - 40, 0) : start]) is not None
    return text[end : end + 2] in _BEFORE_STREET and _PLACE.match(text, end) is not None


_BEFORE_STREET = frozenset((" s", " a", " r", " b", " t", " S", " R", " A", " L", " C", " D"))
_FALLEN = later(r" of (?:the |an? )?(?!\d|'|last|this|next|same|year|following|that|my|our|nineteen|twenty|two)")
_ONE_SUCH = later(r"\ban? $")
_SO = later(r"\b(?:an|most|so|such) $")


def _worded(start: int, end: int, folded: str) -> bool:
    """Whether the word itself is spoken of, not the time it tells."""
    if _WORD_BEHIND.match(folded, end) is not None:
        return True
    if folded.startswith("of ", start):
        start += 3
    ahead = folded[max(start - 36, 0) : start]
    return (
        ahead.rstrip(" \"'“‘").rpartition(" ")[2] in _WORD_ENDS
        and _WORD_AHEAD.search(ahead) is not None
        and _WORD_ALONE.match(folded, end) is not None
    )


def _timeless(start: int, end: int, said: str, folded: str) -> bool:
    """Whether it tells what a unit holds or how long a dish rests, and no time of its own."""
    if said == "overnight":
        ahead = folded[max(start - 30, 0) : start]
        return _BY_NIGHT.match(folded, end) is not None or _ALL_NIGHT.search(ahead) is not None
    if said.startswith("in ") and said[3].isdigit():
        return _UNITS_IN.search(folded[max(start - 36, 0) : start]) is not None
    return said.startswith(("in a ", "in an ")) and _UNITS_HELD.search(folded[max(start - 24, 0) : start]) is not None


def _personal(value: ex.Expression, start: int, end: int, text: str, folded: str, head: str) -> bool:
    """Whether it is asked about or spoken to as a person is: "who is June Hale", "does Summer like tea", "tell Friday to sit"."""
    before = folded[max(start - 12, 0) : start]
    if _ORDERED.search(before) is not None:
        return _TO_DO.match(folded, end) is not None
    if _ASKS_WHO.search(before) is not None:
        after = _CAPITAL.match(text, end)
        if after is not None and after[1].lower() not in _TIMELY:
            return True
    if _APPOSED.match(folded, end) is not None:
        return head != "" and not _TIED.search(before)
    if not isinstance(value, ex.Month | ex.Season):
        return False
    if not _TIED.search(before) and _IS_SOMEONE.match(folded, end) is not None:
        return True
    if _ASKS_AGE.search(folded[max(start - 20, 0) : start]) is not None:
        return True
    if before.endswith(("is ", "was ")) and (
        _LIFE.match(folded, end) is not None or _ASKED_SOMEONE.match(folded, end) is not None
    ):
        return True
    if head == "" or head.endswith((". ", "! ", "? ")):
        return _SPOKEN_TO.match(folded, end) is not None
    if _ASKS_IF.search(before) is not None:
        return _PERSONAL.match(folded, end) is not None
    return before.endswith(("is ", "was ")) and _ONE_SAYS.match(text, end) is not None


def names(token: Token, text: str, folded: str) -> bool:
    """Whether it is a part of an English name, title or saying."""
    start, end, value = token.start, token.end, token.value
    if folded[start] >= "\u2e80" or not "a" <= folded[end - 1] <= "z":
        return False
    if folded.endswith("'s", start, end):
        end -= 2
    if isinstance(value, ex.Month) and folded.startswith("from ", start):
        start += 5
    said, written = folded[start:end], text[start:end]
    if said.endswith("the sun") or (written[-1] == "D" and written[-2:-1].isdigit()):  # Third Rock from the Sun, in 3D
        return True
    if _bare_name(value, start, end, folded) or _worded(start, end, folded) or _timeless(start, end, said, folded):
        return True
    if said == written:
        return _english_small(value, start, end, said, text, folded)
    low = max(start - REACH, 0)
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
    if text[start].isupper() and _WORK_BEHIND.match(folded, end) is not None:
        return True
    if text[start].isupper() and (artist := _BY_ARTIST.match(text, end)) is not None and artist[1].lower() not in _TIMELY:
        return True
    if isinstance(value, ex.Season) and text[start].isupper() and (of_one := _OF_ONE.match(text, end)) is not None:
        return of_one.group()[4:].lower() not in _TIMELY
    if isinstance(value, ex.Weekday | ex.Month | ex.Season) and head.endswith(("the ", "The ")) and _CLUB.match(text, end):
        return True
    if isinstance(value, ex.Weekend) and text[start].isupper() and follows:
        capital = _CAPITAL_AHEAD.search(head)
        if capital is not None and capital[1].lower() not in _TIMELY and capital[1].lower() not in _OPENING:
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
                or (head != "" and _APPOSED.match(folded, end) is not None and not _TIED.search(ahead_of_it))
                or (_MEDIUM.search(folded, low, end + REACH) is not None and not _TIED.search(ahead_of_it))
            )
        if " " in said:
            return _titled_words(text, start, end, folded)
        return text[start].isupper() and (
            _PLAYED.search(head) is not None
            or _in_title(text, start, end)
            or (head[-1:] == " " and head[-2:-1].isalpha() and _MEDIUM.search(folded, low, end + REACH) is not None)
        )
    if not text[start].isupper():
        return False
    if head and head[-1] in " .\"'" and (_HONOURED.search(head) is not None or _NAMED.search(ahead_of_it) is not None):
        return True
    if _IS_ONE.match(folded, end) is not None:
        return True
    if _personal(value, start, end, text, folded, head):
        return True
    if _HABIT.match(folded, end) is not None and _PET_DOES.search(ahead_of_it) is not None:
        return True
    tied = head != "" and _ASKS_IS.search(head) is None and _TIED.search(folded[max(start - 12, 0) : start]) is not None
    if isinstance(value, ex.Festival) and _PLAYED.search(head) is not None and _NO_NOUN.match(text, end) is not None:
        return True
    if isinstance(value, ex.Month | ex.Season):
        if (not tied or head.endswith(" to ")) and (
            _PERSON_GETS.search(ahead_of_it) is not None or _PLAYED.search(head) is not None
        ):
            return True
        if not tied and _PERSON_DOES.match(folded, end) is not None:
            return True
        pair = _PAIR_BEHIND.match(text, end)  # "Autumn and Will got engaged"
        if not tied and pair is not None and pair[1].lower() not in _TIMELY and _BOTH_DO.match(folded, pair.end()) is not None:
            return True
        pair = _PAIRED.search(head)  # "Julian and June are coming"
        if pair is not None and pair[1].lower() not in _TIMELY and _BOTH_DO.match(folded, end) is not None:
            return True
    after = _CAPITAL.match(text, end)
    other = after is not None and after[1].lower() not in _TIMELY and after[1].lower() not in _TOWN
    if other and after is not None and _BY_ARTIST.match(text, after.end()) is not None:
        return True
    if (
        other and isinstance(value, ex.Month) and said in _FORENAMES and head.endswith(_BESIDE_PERSONS)
    ):  # an email from Jan Novak
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
    if _MEDIUM.search(folded, low, end + REACH) is None or (
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
    if not raised or len(re.findall(r"\b[a-z]{2,}", text[max(start - REACH, 0) : start] + text[end : end + REACH])) < (
        1 if len(raised) > 1 else 2
    ):
        return False
    after = _CAPITAL.match(text, end)
    if after is not None and after[1].lower() not in _TIMELY:
        return True
    return (
        len(raised) > 1
        or words[0][:1].isdigit()
        or (words[0][:1].isupper() and _MEDIUM.search(folded, max(start - REACH, 0), end + REACH) is not None)
    )


def _in_title(text: str, start: int, end: int) -> bool:
    """Whether small words are written with capitals about it, as in "The Man Who Was Thursday", in a text that is not all so."""
    head = text[max(start - REACH, 0) : start]
    ahead, behind = _RUN_AHEAD.search(head), _RUN_BEHIND.match(text, end, end + REACH)
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
    return re.search(r"\b[a-z]{2,}", f"{head} {text[last : last + REACH]}") is not None


_CLUB = later(
    r"(?: [A-Z][a-z]+){0,2} (?:Club|Band|Society|Collective|Choir|Gang|Show|League|Podcast|Boys|Girls|Singers|Players|Project|Group|Market|Post|Herald|Gazette|Review)\b"
)
_CAPITAL_AHEAD = later(r"(?:^|[^.!?:,] )([A-Z][a-z']+) $")
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


LANGUAGE = Language(
    code="en",
    latin=True,
    common=frozenset("EAN ETHE EOF ETHIS EFOR EIN EON TO AND DASH".split()),
    words=WORDS,
    pieces=PIECES,
    phrases=PHRASES,
    past=later(_typed(source_of(PAST))),
    future=later(_typed(source_of(FUTURE))),
    names=names,
    cues={name: later(_typed(source_of(cue))) for name, cue in (ASKS | TELLS).items()} | NAMING,
    frame=FRAME,
    weight=later(
        r"\b(?:most )?(?:important|significant|notable|major)(?: (?:things?|stuff|events?|items?))?\b|"
        r"\bkey (?:things?|events?|items?)\b|"
        r"(?:(?<=what )|(?<=which )|(?<=any )|(?<=all )|(?<=my ))events?\b"
    ),
    stopwords=STOPWORDS,
    bland=BLAND,
    synonyms=SYNONYMS,
    affirms=later(
        r"\b(?:don'?t (?:let me )?(?:forget|worry)|do not forget|no later|can'?t wait|not only|no problem|no worries|why not|if not)\b"
    ),
    nod=later(
        r", ?(?:ok|okay|right|yeah|yes|all right|alright|deal|isn't it|aren't (?:we|you|they)|don't (?:we|you)|won't (?:i|we|you))\s*\?*\s*$"
    ),
    fillers=FILLERS,
    light=LIGHT,
    opposites=OPPOSITES,
    opening=OPENING,
    states=later(r"^(?:could|can|would|will) you (?:please )?remind\b"),
    header=later(r"\nfrom: "),
    hedges=later(
        r"\b(?:nearly|almost|hardly|barely|forg[eo]t(?:ten|ting)?|failed to|refused to|rejected|turned down|declined|tr(?:y|ied|ying) to|meant to|should(?:'ve| have)|could(?:'ve| have)|would(?:'ve| have)|wish)\b"
    ),
    owns=later(r"\b(my|[a-z]{2,}(?='s ))(?:'s)?(?= ([a-z]+))"),
    amends=AMENDS,
    anew=later(r"\b(?:moved|changed|switched|shifted|relocated) to (?:the )?[\w' ]+$"),
    alike=ALIKE,
    labels=frozenset({"a", "i"}),
    labelled=frozenset(
        "group team plan gate type section vitamin part room class building block option exit hall platform terminal zone row phase grade".split()
    ),
    measures=frozenset("km kg cm mm ml mb gb tb lb lbs oz hr hrs min mins mph kcal".split()),
    relations=frozenset("of at in on for with from is was".split()),
    cases={
        form: group.split()[0]
        for group in (
            "i me i'm i'll i've i'd",
            "he him he'll he'd",
            "she she'll she'd",
            "we us we're we'll we've we'd",
            "they them they're they'll they've",
        )
        for form in group.split()
    },
    ways=(("to", "from"),),
    markers=frozenset("to from by".split()),
    persons=frozenset("i me you he him her us them".split()),
    scales={"thousand": 1e3, "grand": 1e3, "million": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9},
    joins=frozenset({"and", "or"}),
    determiners=frozenset("a an the my our your his her their its this that these those some".split()),
    spellings=SPELLINGS,
    attribute=(
        later(r"\b(?:the|my|our|his|her|their|your|an?|that|this) $"),
        later(
            r" (?:(?!(?:and|or|but|so|then|that|which|when|who|if|is|was|are|were|to|till|until|from|since|before|after|by)\b)[a-z']+ ){1,3}"
        ),
        later(r" (?:[a-z']+ ){1,6}?on "),
    ),
    of_event=_of_event,
    dated=frozenset({"EMON", "EMONWEAK", "CLOCK", "ORDINAL", "EEARLY", "EEDGE"}),
    lemmas=LEMMAS,
    homing="back home returned discharged",
    glue=frozenset({"EOF", "EON", "EAT", "ETHE", "EIN", "EDURING", "COMMA", "EABOUT", "EAN"}),
)

"""Find when a temporary state that a text mentions will be over: "I'm in Bath till Sunday", 这周我在出差."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

from memories.text.dates.chinese import CHINESE_RULES
from memories.text.dates.english import ENGLISH_RULES
from memories.text.dates.english import LONE_RULES as _LONE_ENGLISH
from memories.text.dates.mentions import Lean, Moment, find_time_mentions
from memories.text.dates.names import NUMBER_WORDS, WEEKDAY_NAMES, match_any, parse_chinese_number
from memories.text.dates.spans import Span, Unit, shift_months

#: Characters. A longer text is no statement of one state.
LONGEST: Final = 300
#: The beginning of a state of a person. An event ("I'm getting married this week") is no state.
_STATE: Final = re.compile(
    r"(?:\b(?:i|we)(?:'m|’m|'re|’re| am| are)|\bthe user(?:'s team)? is) (?!(?:going|getting|starting"
    r"|moving|leaving|flying"
    r"|seeing|meeting|having|celebrating|launching|planning|due|about|finishing|ending|returning|coming"
    r"|arriving)\b)"
    r"|(?:\b(?:i|we)(?:'ve|’ve| have)|\bthe user(?:'s team)? has) (?:got |only got )?(?!to\b|been\b)"
    r"|\b(?:i|we|the user) (?:use|uses|sleep|sleeps|work|works|live|lives|stay|stays|wear|wears|take"
    r"|takes|drive|drives)\b"
    r"|^(?:staying|off|away|working|visiting|living|sleeping|stuck|on) ",
    re.IGNORECASE,
)
_STATE_ZH: Final = re.compile(
    r"(?:我|用户|我们|咱)?[^，。]{0,12}(?:在(?!想)|住|坐|骑|用(?!户)|借|休|请假|出差|值班|带|不能|不在|待在"
    r"|拄|戴着?|打着?石膏|隔离|卧床|养[病伤]|放假|上[早中晚夜]班|培训|停[工课水电]|吃着?药)"
)
_UNTIL: Final = re.compile(r"\b(?:un)?till?\s+(?:the\s+)?(?:end of\s+)?$|\bthrough\s+$", re.IGNORECASE)
#: What stands between "until" and the name of a time, where the mention of the time begins with it.
_LEAD: Final = re.compile(r"(?:(?:un)?till?|through|of)\s+(?:the\s+end\s+of\s+)?", re.IGNORECASE)
_END: Final = re.compile(r"\b(?:un)?till? (?:the )?end of (?:the|this) (?P<this>week|month)\b", re.IGNORECASE)
_THIS: Final = re.compile(
    r"(?<!\bof )(?<!\bfrom )(?<!\bsince )\b(?:for (?:just )?)?(?P<this>this (?:whole |entire )?(?:week"
    r"|weekend|month|morning|afternoon|evening)"
    r"|all (?:week|weekend|month|day))\b(?! and every)",
    re.IGNORECASE,
)
_FOR: Final = re.compile(
    r"\bfor (?:about |just |only )?(?:(?:the )?(?:next|coming)|another)? ?(?P<count>\d{1,2}|an?|the|two"
    r"|three|four|five|six|seven|eight|nine"
    r"|ten|a couple of|a few|couple of|few)? ?(?P<unit>day|night|week|fortnight|month)s?\b",
    re.IGNORECASE,
)
_AHEAD: Final = re.compile(
    r"\b(?:next|coming|another|rest of)\b|\b(?:i|we)(?:'m|’m|'re|’re| am| are)\b|\bis\b", re.IGNORECASE
)
_FOR_ZH: Final = re.compile(
    r"(?:接下来|未来|今后|往后|还要|还得)(?:的)?(?P<count>[\d一二两三四五六七八九十半几]{1,3})个?(?P<unit>天|周|星期|礼拜|月)"
)
_THIS_ZH: Final = re.compile(
    r"(?P<this>这(?:个)?(?:周末|周|星期|礼拜|月)|本周|本月|这[\d几两二三四五六七八九十]{1,2}天|最近[几两]天)(?!就?要|的)"
)
_BEFORE_ZH: Final = re.compile(r"^(?:底|末|初)?(?:为止|之?前|以前)")
_TO_ZH: Final = re.compile(r"(?:到|至|直到)$")
#: Ailments that pass, and in how many days at most.
_AILING: Final = re.compile(
    r"\b(?:i|we|the user)(?:'ve|’ve|'m|’m| have| has| am| is)? ?(?:got |down with |in bed with "
    r"|off with |caught |come down with |laid up with )?"
    r"(?:a |an |the )?(?:bad |nasty |stinking |bit of a |slight |horrible )*(?:cold|flu|fever|cough"
    r"|sore throat|stomach bug|tummy bug|migraine|hangover"
    r"|jet ?lag(?:ged)?|hungover|food poisoning|temperature)\b"
    r"|(?:我|用户)[^，。]{0,6}(?:感冒|发烧|咳嗽|流感|嗓子(?:疼|哑)|拉肚子|中暑|落枕|闹肚子|头疼得|扁桃体发炎)",
    re.IGNORECASE,
)
_USUAL: Final = re.compile(
    r"\b(?:always|often|usually|every|each|whenever|never|easily|if|chronic|hay|prone|last|had|was|were"
    r"|used to|yesterday)\b"
    r"|经常|总是?|容易|每|老是|一.{1,4}就|常|从来|过敏|上次|以前|去年|昨天|要是|如果",
    re.IGNORECASE,
)
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_CLAUSES: Final = re.compile(r"[,.;!?，。；！？\n]+(?=\s|$)|[，。；！？]")
_WEEKDAY: Final = re.compile(
    rf"\b(?:un)?till? (?:this |next )?(?P<day>{match_any(WEEKDAY_NAMES)})\b", re.IGNORECASE
)
#: Words of plans, wishes and duties, which are no temporary states.
_PLAN: Final = re.compile(r"想|打算|准备|计划|争取|希望|目标|必须|第一次|得(?!了)|要(?!是)")
_AILS: Final = timedelta(days=14)
_SOON: Final = timedelta(days=7)
_UNITS: Final = {"day": 1, "night": 1, "week": 7, "fortnight": 14, "天": 1, "周": 7, "星期": 7, "礼拜": 7}
_COUNTS: Final = {"a": 1, "an": 1, "the": 1, "": 1, "a couple of": 2, "couple of": 2, "a few": 4, "few": 4}
#: Every text that expires has one of the first words, or one of each of the two later groups.
_WORD: Final = re.compile(r"[a-z]+")
_NAMING: Final = frozenset(
    re.findall(
        r"\w+",
        "till til until through this all cold flu fever cough sore bug migraine hangover hungover jet jetlag"
        " lag poisoning temperature jetlagged",
    )
)
_SPANS: Final = frozenset(re.findall(r"\w+", "day days night nights week weeks fortnight month months"))
_PERSONS: Final = frozenset(
    re.findall(r"\w+", "i we user im staying off away working visiting living sleeping stuck on")
)
_MAY_EXPIRE_ZH: Final = re.compile(
    r"(?=[这本接未往还到至前直最感发咳流嗓拉中落闹头扁今后])(?:这|本[周月]|接下来|未来|往后|今后|还[要得]|[到至]|之?前|为止|最近|感冒|发烧|咳嗽|流感|嗓子|拉肚子|中暑"
    r"|落枕|闹肚子|头疼|扁桃)"
)


def _may_expire(text: str) -> bool:
    if not text.isascii() and _MAY_EXPIRE_ZH.search(text):
        return True
    words = frozenset(_WORD.findall(text.lower()))
    return not words.isdisjoint(_PERSONS) and not (words.isdisjoint(_NAMING) and words.isdisjoint(_SPANS))


def find_expiry(text: str, at: datetime) -> datetime | None:
    """Return when the state that a text mentions is over, or None if its words do not say so.

    Args:
        text: One statement in the first person, or about the user.
        at: When it was made.
    """
    if len(text) > LONGEST or not _may_expire(text) or _USUAL.search(text):
        return None
    if _AILING.search(text):
        return at + _AILS
    try:
        ends = [
            _chinese(part, at) if _HAN.search(part) else _english(part, at) for part in _CLAUSES.split(text)
        ]
    except (ValueError, OverflowError):  # no such day, or after the last year of the calendar
        return None
    return next((end for end in ends if end is not None), None)


def _english(text: str, at: datetime) -> datetime | None:
    if _STATE.search(text) is None:
        return None
    for mention in find_time_mentions(text, Moment(at, Lean.AHEAD), (*ENGLISH_RULES, *_LONE_ENGLISH)):
        lead = _LEAD.match(text, mention.start, mention.end)
        start = lead.end() if lead else mention.start
        until = _UNTIL.search(text[:start])
        if until and _end_of(mention.span) > at:
            whole = mention.span.unit is not Unit.MONTH or re.search("end|through", until.group().lower())
            return _end_of(mention.span) if whole else max(mention.span.start, at)
    weekday = _WEEKDAY.search(text)
    if weekday:
        day = WEEKDAY_NAMES.index(weekday.group("day").lower())
        return at.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(
            days=(day - at.weekday() - 1) % 7 + 2
        )
    counted = _FOR.search(text)
    if (
        counted
        and (counted.group("count") or "next" in counted.group() or "coming" in counted.group())
        and _AHEAD.search(text)
    ):
        return _after(at, counted.group("count") or "", counted.group("unit").lower())
    named = _END.search(text) or _THIS.search(text)
    return _this_english(named.group("this").lower(), at) if named else None


def _this_english(named: str, at: datetime) -> datetime:
    day = at.replace(hour=0, minute=0, second=0, microsecond=0)
    if named.endswith("month"):
        return shift_months(day.replace(day=1), 1)
    if "week" in named:
        return day + timedelta(days=7 - at.weekday())
    return day + timedelta(days=1)


def _chinese(text: str, at: datetime) -> datetime | None:
    if _STATE_ZH.search(text) is None or _PLAN.search(text):
        return None
    counted = _FOR_ZH.search(text)
    if counted:
        return _after(at, counted.group("count"), counted.group("unit"))
    for mention in find_time_mentions(text, Moment(at, Lean.AHEAD), CHINESE_RULES):
        bounded = _TO_ZH.search(text[: mention.start]) or _BEFORE_ZH.match(text[mention.end :])
        if bounded and mention.span.start >= at.replace(day=1, hour=0) - timedelta(days=1):
            return _end_of(mention.span)
    named = _THIS_ZH.search(text)
    return _this_chinese(named.group("this"), at) if named else None


def _this_chinese(named: str, at: datetime) -> datetime:
    day = at.replace(hour=0, minute=0, second=0, microsecond=0)
    if named.endswith("月"):
        return shift_months(day.replace(day=1), 1)
    days = re.search(r"[\d三四五六七八九十]+(?=天)", named)
    if days:
        return _after(day, days.group(), "天")
    return day + (_SOON if named.endswith("天") else timedelta(days=7 - at.weekday()))


def _after(at: datetime, count: str, unit: str) -> datetime:
    lower = count.lower()
    if unit.isascii():
        number = _COUNTS.get(lower) or NUMBER_WORDS.get(lower) or int(lower)
    else:
        few = {"几": 4, "半": 1}
        number = few.get(count) or (int(count) if count.isdigit() else parse_chinese_number(count))
    return shift_months(at, number) if unit in {"month", "月"} else at + timedelta(days=number * _UNITS[unit])


def _end_of(span: Span) -> datetime:
    months = {Unit.YEAR: 12, Unit.SEASON: 3, Unit.MONTH: 1}.get(span.unit)
    if months is not None:
        return shift_months(span.start, months)
    return span.start + timedelta(days={Unit.WEEK: 7, Unit.WEEKEND: 2}.get(span.unit, 1))

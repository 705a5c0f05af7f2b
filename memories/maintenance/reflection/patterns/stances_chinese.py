"""Stances in Chinese: "用户喜欢用制表符缩进，而不是空格", "从不加班", "每周一跑步"."""

from __future__ import annotations

import re
from typing import Final

from memories.maintenance.reflection.patterns.stance import Manner, Stance
from memories.text import STOP_CHARACTERS, unify

_VERBS: Final[dict[Manner, str]] = {
    "prefer": r"(?:更|比较|最)?(?:偏好|偏爱|偏向|倾向于?|更喜欢)(?:使用|用)?",
    "like": r"(?:喜欢|喜爱|热爱|爱)(?:使用|用)?",
    "use": r"(?:使用|常用|采用|习惯(?:使用|用)|用)",
    "want": r"(?:希望|要求|想要|期望)(?:得到|使用|用)?",
}
_MANNERS: Final[tuple[Manner, ...]] = ("prefer", "like", "use", "want")
_AGAINST: Final = r"(?:讨厌|反感|厌恶|避免|拒绝|不爱|受不了)(?:使用|用)?"
_OFTEN: Final = r"总是|一直|一般|通常|经常|习惯(?:性地)?|往往|常常|每次都?|都会|都"
_EVEN: Final = r"很|非常|特别|更|最|比较|也|还|现在|真的"
_NOT: Final = r"从来不|从不|不再|不太|不会|不|没有|很少|别"
_SENTENCE: Final = re.compile(
    r"^(?:(?P<subject>用户|我们?|本人|他们?|她们?|[A-Za-z][\w ]*?"
    r"|[\u4e00-\u9fff]{2,3}(?=总是|从不|喜欢|偏好|讨厌))\s?)?"
    r"(?:(?:在|做|写)?[^，。,；]{1,12}?(?:的时候|时|中|里)[，,]?\s?)?"
    rf"(?P<lead>(?:{_OFTEN}|{_EVEN}|{_NOT})*)"
    rf"(?:(?P<prefer>{_VERBS['prefer']})|(?P<like>{_VERBS['like']})|(?P<use>{_VERBS['use']})"
    rf"|(?P<want>{_VERBS['want']})|(?P<against>{_AGAINST})|(?P<do>))"
    r"\s?(?P<rest>\S.*?)[。！!.]*$"
)
_SELF: Final = frozenset({"", "用户", "我", "我们", "本人"})
_HABIT: Final = re.compile(_OFTEN)
_NEGATED: Final = re.compile(_NOT)
#: "First this, then that": a way of working.
_ORDER: Final = re.compile(r"先.{1,20}(?:再|然后|才)")
_WHEN: Final = re.compile(
    r"[，,]?\s?(?:在|到了)?每(?:个|逢)?(?P<unit>(?:(?:周|星期|礼拜)[一二三四五六日天末]|周末|天|日|周|星期|月|年|季度|工作日)"
    r"(?:早上|上午|中午|下午|晚上|晚|早)?|早上|早晨|晚上|晚)(?:都会|都)?"
)
_END: Final = re.compile(
    r"\s?(?:[，,；;（(：:]|而不是|而非|不是|胜过|多过|因为|所以|但是?|来(?=\S)|作为|当作).*$"
)
_REJECTED: Final = re.compile(r"(?:而不是|而非|不是|不用|胜过)(?P<other>[^，,。；;]+)")
_LIST: Final = re.compile(r"\s?(?:和|与|、|及|以及)\s?")
_UNSURE: Final = re.compile(r"[？?吗呢]|可能|也许|如果|假如|要是|或许|大概")
_WORD: Final = re.compile(r"[a-z0-9+#.]+|[\u3400-\u9fff]")
_GOING: Final = re.compile(r"^(?:去|要|会|得)(?=..)")
_NAME_FIRST: Final = re.compile(r"(?P<name>[A-Z][A-Za-z0-9+#.]*)\s?(?=[\u3400-\u9fff])")
_DAYS: Final = {"星期": "周", "礼拜": "周", "周天": "周日"}
_LONGEST: Final = 16  # characters or words of a key


def read_stances(sentence: str, names: frozenset[str]) -> list[Stance]:
    """Return the stances of one sentence; see `stances.find_stances`."""
    text = unify(sentence).strip()
    if _UNSURE.search(text):
        return []
    when = _WHEN.search(text)
    match = _SENTENCE.match(_WHEN.sub("", text).strip() if when else text)
    if match is None or not _of_owner(match.group("subject") or "", names):
        return []
    lead = match.group("lead")
    positive = match.group("against") is None and not _NEGATED.search(lead)
    manner = _manner(match)
    rest = match.group("rest")
    if when is not None:
        return _kept([_at_a_time(match, rest, when.group("unit"), positive=positive)])
    if manner == "do":
        habitual = _HABIT.search(lead) or not positive or _ORDER.match(rest)
        return _kept([_stance(_END.sub("", rest), manner, positive=positive)]) if habitual else []
    rejected = _REJECTED.search(rest)
    found = [_stance(part, manner, positive=positive) for part in _LIST.split(_END.sub("", rest))]
    if rejected and positive:
        found += [_stance(part, manner, positive=False) for part in _LIST.split(rejected.group("other"))]
    return _kept(found)


def _manner(match: re.Match[str]) -> Manner:
    found = next((manner for manner in _MANNERS if match.group(manner)), None)
    return found or ("do" if match.group("against") is None else "like")


def _of_owner(subject: str, names: frozenset[str]) -> bool:
    return subject in _SELF or subject.lower().strip() in names


def _stance(part: str, manner: Manner, *, positive: bool) -> Stance:
    wording = _GOING.sub("", part.strip(" 的。."))
    named = _NAME_FIRST.match(wording)
    general = named.group("name") if named else ""
    return Stance(
        key=_key(wording),
        wording=wording,
        manner=manner,
        positive=positive,
        general=_key(general),
        general_wording=general,
        chinese=True,
    )


def _at_a_time(match: re.Match[str], rest: str, unit: str, *, positive: bool) -> Stance:
    verb = next((match.group(n) for n in ("prefer", "like", "use", "want", "against") if match.group(n)), "")
    wording = _GOING.sub("", _END.sub("", f"{verb}{rest}").strip(" 的。."))
    for other, usual in _DAYS.items():
        unit = unit.replace(other, usual)
    return Stance(
        key=_key(wording), wording=wording, manner="do", positive=positive, when=f"每{unit}", chinese=True
    )


def _key(wording: str) -> tuple[str, ...]:
    """Return words and characters, sorted: 简短的回答 equals 回答简短."""
    return tuple(sorted(word for word in _WORD.findall(wording.lower()) if word not in STOP_CHARACTERS))


def _kept(found: list[Stance]) -> list[Stance]:
    return [stance for stance in found if 0 < len(stance.key) <= _LONGEST]

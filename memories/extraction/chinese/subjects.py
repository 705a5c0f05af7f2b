"""The subject of a Chinese clause: its own, or the one inherited from the clause before."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memories.extraction.chinese import lexicon
from memories.extraction.chinese.rendering import swap
from memories.extraction.prose import USER

# Text that may precede 我: adverbs, adverbials of time, place and comparison, or the topic of a taste.
_ADVERBIALS = re.compile(rf"(?:{lexicon.ADVERBS}[，,]?){{1,6}}+$")
_OPENS_ADVERBIAL = re.compile(
    r"(?:在|对|比起|相比|相较于?|相对于|作为|除了|关于|对于|说到|自从|从|当|为了|跟|和|与其|每|去|今|前|上"
    r"|这|那|\d"
    r"|[一二三四五六七八九十]|小|大|读|周|工作|下班|睡前|晚上|早上|夏天|冬天|春天|秋天|写|开|吃|出|做|旅"
    r"|开发|部署|[^，,]{1,20}(?:的时候|时)[，,]?$)"
)
_TOPIC = re.compile(
    r"(?!.*(?:说|觉得|如果|知道|他|她|你|吗|让|叫|给|问|以为|的话|像|是"
    r"|因为))[A-Za-z\u4e00-\u9fff ]{2,12}[，,]?$"
)
_TASTE = re.compile(
    r"我(?:们)?(?:更|比较|最|还是|一般|通常|都|只|个人|一直|平时){0,4}(?:喜欢|习惯|用|爱|偏好|讨厌|不喜欢"
    r"|不吃|不喝|不用|不能吃|不能喝|吃不了|喝不了)"
)
_FIRST_PERSON = re.compile(r"我|咱|本人")
_LONGEST_PREFIX = 40
_SUBJECT = re.compile(
    rf"(?P<organisation>{lexicon.ORGANISATION})|(?P<group>{lexicon.GROUP})"
    rf"|(?P<self>{lexicon.SELF})"
)
_PERSON = re.compile(
    r"(?:我|我们|咱们?)家?的?(?P<kin>(?:最好的|一个|那个|大|小|亲|双胞胎|大学|高中|初中|以前的?"
    rf"|前)?(?:{lexicon.KIN}|{lexicon.PETS}))"
    r"(?P<name>[A-Z][A-Za-z]{1,15}"
    r"|(?![今明下去昨前在是有会住现也都很最特喜不对做当姓比从上刚已属开养爱学读教一平毕来患过快马目讨更非])["
    r"\u4e00-\u9fff]{1,4}?)??(?=(?:叫|是|在|有|会|住|今年|现在|也|都|很|最|特别|喜欢|不|对|做|当|姓|比|从"
    r"|去年|上|下|明|昨|前年|刚|已经|今年|属|开|养|爱|学|读|教|一直|平时|毕业|来自|患|过敏|快|马上|目前"
    r"|讨厌|更|非常|从小|怀孕|结婚|离婚|退休|去世|生病|住院|得了"
    r"|，|\d|[的]?(?:名字|生日)))"
)
#: A relative without 我, in a clause that is no saying about relatives in general.
UNOWNED = re.compile(
    rf"(?P<kin>{lexicon.OWN_KIN})(?=(?:也|都|就|现在|目前|今年|去年|已经|刚|又){{0,2}}"
    r"(?:在[^，]{1,14}?(?:读|上(?:大学|学|班)|工作|住|当|开店|生活|念|实习|留学)|去[^，]{0,8}(?:当兵|读|留学|工作|上大学|实习)"
    r"|是(?!.{0,3}(?:父母|爸|妈|天使|宝|世界|我))|住(?!院)|叫(?!我)|今年|对(?!我|你|他|她)|有(?!点|事|空)|会(?!来|去)"
    r"|上(?=[一二三四五六初高大小幼])|读|学(?!校)|教(?!我)|考|当|开(?=.{0,6}[店馆厂厅公])|退休|结婚|怀孕|毕业|生日|属|喜欢|不吃|不喝|患|得了))"
    r"(?!.*(?:应该|应当|往往|总归|一般来说|世界上|世上|天下|永远|不该|都是为|你))"
)
HABIT = re.compile(
    r"每天|每周|每个?月|每年|每晚|每次|平时|通常|总是|习惯|经常|常常|从不|从来不|一直|周末"
    r"|天天|向来|往往|一般|每隔|每到|每逢|每[一二两三四五六半几\d]{1,2}个?(?:周|天|月|年|小时|星期)|睡前"
    r"|下班后|早上|晚上都"
)


@dataclass(frozen=True, slots=True)
class SubjectParts:
    """A parsed clause.

    Attributes:
        owner: Subject of the triple.
        predicate_text: The clause in the third person.
        rest: The clause without its subject, as matched by the rules.
        name: Name of the person, if it is given.
        group: Whether the subject is a group of the user.
        person: Whether the subject is a relative or another person of the user.
        alone: Whether no subject is given at all.
    """

    owner: str
    predicate_text: str
    rest: str
    name: str = ""
    group: bool = False
    person: bool = False
    alone: bool = False


def _prefix(text: str) -> str:
    """Return the adverbial before the first person, or an empty string if there is none."""
    own = _FIRST_PERSON.search(text, 0, _LONGEST_PREFIX)
    before = text[: own.start()] if own else ""
    if not own or not before or "，" in before[:-1]:
        return ""
    adverbial = _ADVERBIALS.match(before) or _OPENS_ADVERBIAL.match(before)
    topical = _TOPIC.match(before) and _TASTE.match(text, own.start())
    return before if adverbial or topical else ""


def split_subject(text: str, subject: str) -> SubjectParts | None:
    """Parse a clause.

    Args:
        text: The clause.
        subject: Inherited subject.

    Returns:
        None if the clause is not about the user.
    """
    before = _prefix(text)
    body = text[len(before) :]
    if not before and UNOWNED.match(body):
        body = f"我{body}"
    person = _PERSON.match(body)
    if person:
        name = person.group("name") or ""
        owner = f"{USER}的{person.group('kin')}{name}".replace(USER, "用户")
        rendered = before + "用户的" + person.group("kin") + name
        return SubjectParts(
            owner, rendered + swap(body[person.end() :]), body[person.end() :], name, person=True
        )
    own = _SUBJECT.match(body)
    if own:
        rest = body[own.end() :].lstrip()
        rendered = swap(before) + _own_name(own, rest) + swap(rest)
        return SubjectParts(
            USER,
            rendered,
            before + rest if before and HABIT.search(before) else rest,
            group=bool(own.group("group")),
        )
    if subject == "-" or text.startswith(("他", "她", "它", "你", "您", "这", "那")):
        return None
    if subject in {"", "我", "我们"}:
        return SubjectParts(USER, f"用户{swap(text)}", text, alone=not subject)
    if re.fullmatch(lexicon.ORGANISATION, subject):
        organisation = re.sub(r"^(?:我们|咱们|我|咱|敝)的?\s?", "用户的", subject)
        return SubjectParts(USER, f"{organisation}{swap(text)}", text, group=True)
    kin = re.sub(r"^我(?:家|们)?的?", "", subject)
    return SubjectParts(f"用户的{kin}", f"用户的{kin}{swap(text)}", text, person=True)


def _own_name(own: re.Match[str], rest: str) -> str:
    if own.group("organisation"):
        return "用户的" + re.sub(r"^(?:我们|咱们|我|咱|敝)的?\s?", "", own.group())
    household = re.match(
        rf"(?:{lexicon.ADVERBS}){{0,4}}+(?:住|有|养|搬|结婚|离婚|领养|生|喜欢|爱|不|讨厌|打算|计划|想"
        r"|去)",
        rest,
    )
    if own.group().endswith(("家", "家人", "家里")):
        return "用户家"
    if own.group("group") and not household:
        return "用户的团队"
    return "用户"

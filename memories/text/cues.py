"""Cues of a text that need no analysis: whether it asks a question, names a time, or names things."""

from __future__ import annotations

import re
from enum import IntFlag
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.text.dates import MONTH_NAMES, WEEKDAY_NAMES


class Cue(IntFlag):
    """Bits stored with each memory, in a small integer column."""

    IS_QUESTION = 1  # the last sentence is a question
    ASKS = 2  # some sentence is a question, which the next turn may answer
    TIME = 4  # the text mentions a time
    ADDS = 64  # the text tells of something more of a kind: "a second dog"
    ONLY_ASKS = 256  # all sentences are questions
    OF_ANOTHER = 128  # the text begins with somebody else: "My brother quit his job"
    TEMPORARY = 512  # the text tells of a stay or state that ends: "I'm in Rome for two weeks"


_WEEKDAYS: Final = "|".join(WEEKDAY_NAMES)
#: Months that are no other word.
_MONTHS: Final = "|".join(name for name in MONTH_NAMES if name not in {"may", "march"})
# The pattern only tests whether there is a time. The last digit of a number is enough, so a long number costs
# no more.
_TIME = re.compile(
    rf"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|since|soon|recently|just|upcoming|weekend"
    rf"|this (?:past |coming )?(?:day|week|month|year|morning|evening|spring|summer|fall|autumn|winter)"
    rf"|(?:few|couple of|\d+|two|three) (?:days?|weeks?|months?|years?)|the other day|{_WEEKDAYS}"
    rf"|{_MONTHS}|(?:in|on|of|last|next|since|by) (?:may|march)"
    r"|(?:19|20)\d\d)\b"
    r"|[昨今明前后去]天|[今明去前]年|[上下这本]个?(?:周|月|星期|礼拜|季度|半年)|刚刚?|最近|以前|之前|以后|周末"
    r"|(?:周|星期|礼拜)[一二三四五六日天]|\d[年月日号]|[一二三四五六七八九十两几](?:天|周|个月|月|年|小时)[前后内]?|早上|晚上|下午",
    re.IGNORECASE,
)
_ADDS = re.compile(
    r"\b(?:another|second|third|also|as well|too|additional(?:ly)?|besides|on top of that|one more)\b"
    r"|另外|另一|第[二三四]|还(?![没是要不给回有钱清])|也(?!许|不|没)|又(?:养|买|学|添|加|多|有)|再[养买学添加多]",
    re.IGNORECASE,
)
_RELATIVES: Final = (
    r"(?:best |old |little |big |older |younger |elder |twin )?"
    r"(?:friend|buddy|mate|brother|sister|mum|mom|mother|dad|father|parents|wife|husband|partner|girlfriend|boyfriend"
    r"|son|daughter|kids?|child(?:ren)?|cousin|uncle|aunt|niece|nephew|grand(?:ma|pa|mother|father|parents|son|daughter)"
    r"|in-laws|neighbou?rs?|room-?mate|flat-?mate|house-?mate|colleague|co-?worker|classmate|boss)"
)
_OF_ANOTHER = re.compile(
    r"(?:the user (?:said|mentioned): “|用户(?:说|提到)：“)?"
    rf"(?:(?:my|our|the user['’]s|user['’]s)\s+{_RELATIVES}\b"
    r"(?!['’]s name| (?:is |was )?(?:called|named)| and (?:i|me)\b)"
    r"|(?:我们?|用户|咱们?)?家?的?(?:[老大小]?[妈爸]|爷爷|奶奶|外[公婆]|姥[姥爷]|[哥姐弟妹]{1,2}|表[哥姐弟妹]|堂[哥姐弟妹]|叔叔?|舅舅?|姑姑?|姨妈?"
    r"|老[公婆]|妻子|丈夫|先生|太太|女朋?友|男朋?友|对象|儿子|女儿|闺女|孙[子女]|闺蜜|朋友|同[事学]|室友|邻居|老板)"
    r"(?!.{0,3}[和跟与]我|[叫名])|(?:小|老|阿)[\u4e00-\u9fff](?=[^\u4e00-\u9fff]?(?:[住在搬去辞换是有养吃喝喜不最]))(?![^。，,]*我))",
    re.IGNORECASE,
)
_COUNT: Final = r"(?:an?|one|two|three|four|five|six|\d{1,2}|a few|a couple of|several|some)"
_TEMPORARY = re.compile(
    rf"\bfor {_COUNT} (?:more )?(?:days?|nights?|weeks?|months)\b(?! now)|\b(?:business|work|road) trip\b"
    r"|\bon (?:holiday|vacation)\b|\bvisiting (?:my|our|the)\b"
    r"|\b(?:passing through|temporarily|house-?sitting)\b"
    r"|出差|这[两三几][天周日]|这几个?[天周月]|[待住玩呆]了?[一两二三四五六几半\d]{1,2}[天周晚](?!了)"
    r"|旅[游行](?![公社业网])|度假|探亲|暂时|临时(?!工)|路过",
    re.IGNORECASE,
)
#: A state that lasts until now, though it says for how long.
_LASTING = re.compile(
    r"\b(?:(?:have|has|had|\w+['’](?:ve|s)) (?:\w+ ){0,2}(?:been|\w+ed)|now|any ?more)\b|现在|已经",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[?？]|[吗呢么](?:[。！!~～…]|$)")
_SENTENCE = re.compile(r"[^.!?。！？…\n]+[.!?。！？…]*")
_WORD = re.compile(r"\w")
_NAME = re.compile(r"(?<=[a-z,;'’] )(?:[A-Z][a-z]+|[A-Z]{2,})\b")
#: Characters that are read at once: no other thread runs meanwhile. Only a text that was made longer by
#: bringing it into its normal form has more.
_PART: Final = 20_480
_NAMES_SHIFT: Final = 3
_MOST_NAMES: Final = 7
#: Characters from the beginning that tell of whom a text is, without those before its first word.
_BEGINNING: Final = 200
_OPENING: Final = " \t\n\"'“‘(（-–—•*"
_CLOSING: Final = " \t\n\"'”’)）]】》~～!！…"


def find_cues(text: str) -> int:
    """Return the cue bits of a normalised text, in [0, 1024): those of `Cue`, and the number of names."""
    parts = [text[at : at + _PART] for at in range(0, len(text), _PART)]
    cues = min(sum(len(_NAME.findall(part)) for part in parts), _MOST_NAMES) << _NAMES_SHIFT
    if any(map(_ASKS.search, parts)):
        cues |= Cue.ASKS
        sentences = [one for one in _SENTENCE.findall(text[:_PART]) if _WORD.search(one)]
        if sentences and all(_ASKS.search(one.strip()) for one in sentences):
            cues |= Cue.ONLY_ASKS
        if text.rstrip(_CLOSING).endswith(("?", "？", "吗", "呢", "么")):
            cues |= Cue.IS_QUESTION
    if any(map(_TIME.search, parts)):
        cues |= Cue.TIME
    if any(map(_ADDS.search, parts)):
        cues |= Cue.ADDS
    if _OF_ANOTHER.match(text[:_BEGINNING].lstrip(_OPENING)):
        cues |= Cue.OF_ANOTHER
    if any(map(_TEMPORARY.search, parts)) and not any(map(_LASTING.search, parts)):
        cues |= Cue.TEMPORARY
    return int(cues)


def count_names(cues: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of names within sentences, 0 to 7, from cue bits: turns with names say more."""
    return (cues >> _NAMES_SHIFT) & _MOST_NAMES

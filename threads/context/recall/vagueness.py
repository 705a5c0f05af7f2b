"""Decide whether an input asks for anything that memory could contain. Pure.

The decision uses the words alone. It applies to inputs of up to 80 characters whose every word is in one of
the lists below. Any other word, also "I", "my" or "we", makes the input an ordinary question or statement.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from memories.text import words


class QueryDemand(StrEnum):
    """The demand that an input makes of memory.

    Attributes:
        NOTHING: Thanks, a greeting, "ok", a sum.
        THE_SAME: Continues from the last messages ("yes", "the first one") without content of its own.
        SOMETHING: Anything else.
    """

    NOTHING = "nothing"
    THE_SAME = "the same"
    SOMETHING = "something"


LONGEST: Final = 80  # characters
_WORDS: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
#: Words of thanks, greeting and assent, and words that accompany them.
_POLITE: Final = words(
    "ok okay k kk okey thanks thank thx ty cheers hi hello hey hiya good morning evening "
    "afternoon night day bye goodbye see you later soon great nice cool fine perfect excellent "
    "awesome wonderful lovely amazing wow lol haha hahaha hm hmm oh ah aha alright right got it "
    "that's this that is was understood noted welcome no problem worries never mind nevermind so "
    "very much many a lot well then there all the best everyone merci danke gracias grazie "
    "obrigado obrigada bonjour hola hallo ciao tschüss спасибо привет"
)
#: Words that agree, decline, ask to continue, or refer to what was said.
_POINTING: Final = words(
    "yes yep yeah yup no nope not sure please do does did go on ahead continue proceed next more "
    "again let's lets start and or but with for of in as like just use take try make it this that "
    "these those one ones first second third fourth last former latter other another both option "
    "options choice plan way idea suggestion version step the a an why how what when where who "
    "which really so then else same above before is was are be me tell show explain"
)
_SUM_LEAD: Final = re.compile(
    r"^\W*(?:what(?:'s|’s| is)|how much is|calculate|compute|请问|请?计算(?:一下)?)?\s*", re.IGNORECASE
)
_SUM_END: Final = re.compile(
    r"\s?(?:equals?|is|=|等于|是)?\s?(?:多少|几)?\s?[=?？.。!！]*\s?$", re.IGNORECASE
)
_NUMBER: Final = r"\(*-?\d+(?:[.,]\d+)*%?\)*"
#: A minus or a slash counts only between spaces: without them it is part of dates and identifiers.
_SUM: Final = re.compile(rf"{_NUMBER}(?:(?:\s*[+*×x÷^]\s*|\s+[-−–/]\s+|\s+of\s+|[加减乘]|除以){_NUMBER})+")
_POLITE_ZH: Final = (
    "好的|好吧|好呀|好啊|好|嗯|哦|噢|啊|行|可以|知道了|明白|了解|懂了|收到|谢谢|多谢|感谢|辛苦|不客气|没事|没关系|没问题|"
    "你好|您好|大家好|嗨|哈喽|早上好|早安|早|晚上好|晚安|下午好|中午好|再见|拜拜|回头见|哈|呵|嘿|太|不错|很|真|棒|厉害|非常|十分|"
    "啦|吧|呀|呢|了|你|您|的"
)
_POINTING_ZH: Final = (
    "是|对|不用|不要|不|继续|接着|然后|还有|为什么|怎么办|怎么|那就|就|按照|按|照|用|选|这个|那个|这|那|"
    "第[一二三四五六七八九十0-9]|个|种|方案|选项|办法|办|做|来|样|上面|刚才|说|吗|请"
)
# Possessive quantifiers: no backtracking, so the cost is linear.
_ALL_POLITE_ZH: Final = re.compile(f"(?:{_POLITE_ZH})++")
_ALL_POINTING_ZH: Final = re.compile(f"(?:{_POINTING_ZH}|{_POLITE_ZH})++")


def classify_query(text: str) -> QueryDemand:
    """Decide what an input requires of memory.

    Args:
        text: The input of the user.

    Returns:
        NOTHING for an input without letters and digits, a sum, or polite words alone; THE_SAME for words that
        only agree or refer to something; else SOMETHING.
    """
    trimmed = text.strip()
    if len(trimmed) > LONGEST:
        return QueryDemand.SOMETHING
    trimmed = " ".join(trimmed.split())
    words = [word.lower().replace("’", "'") for word in _WORDS.findall(trimmed)]
    if not words or _is_sum(trimmed):
        return QueryDemand.NOTHING
    if _CHINESE.search(trimmed):
        return _wanted_in_chinese("".join(words))
    if _POLITE.issuperset(words) and not _POINTING.issuperset(words):
        return QueryDemand.NOTHING
    return QueryDemand.THE_SAME if (_POLITE | _POINTING).issuperset(words) else QueryDemand.SOMETHING


def _wanted_in_chinese(letters: str) -> QueryDemand:
    if _ALL_POLITE_ZH.fullmatch(letters):
        return QueryDemand.NOTHING
    return QueryDemand.THE_SAME if _ALL_POINTING_ZH.fullmatch(letters) else QueryDemand.SOMETHING


def _is_sum(text: str) -> bool:
    inner = _SUM_END.sub("", _SUM_LEAD.sub("", text, count=1), count=1)
    return _SUM.fullmatch(inner) is not None

"""Find names in a text: of people, places, works and things, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from memories.text.comparison.words import (
    BREAK,
    LONGEST,
    NAME,
    SIGN,
    WORD,
    Token,
    chinese,
    fold,
    join_phrases,
    lexicon,
    split_tokens,
    words,
)
from memories.text.normalisation import normalise
from memories.text.vocabulary import STOP_WORDS

_QUOTED: Final = re.compile(
    r"《([^《》\n]{1,60})》|「([^「」\n]{1,60})」|“([^“”\n]{1,60})”|\"([^\"\n]{1,60})\""
)
_SURNAMES: Final = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢"
    "蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊"
    "金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
_HAN: Final = "\u4e00-\u9fff"
_ENDS: Final = "的了在是和与跟有也都又很会能要把被给对从到说，。！？；、"
_PEOPLE: Final = re.compile(
    rf"(?:名叫|叫做|叫作|叫|姓名是|名字是|名为)(?P<called>[{_HAN}]{{1,4}}?)(?=[{_ENDS}\s,.!?;:）)]|$)"
    rf"|(?P<familiar>[小老阿][{_SURNAMES}])(?![{_HAN}]{{0,1}}[年时板师家说学])"
    rf"|(?P<formal>[{_SURNAMES}][{_HAN}]{{0,2}}?)(?=老师|先生|女士|医生|经理|教授|阿姨|叔叔|同学|总监)"
)
_KIN_ZH: Final = sorted((word for word in lexicon.KIN if not word.isascii()), key=len, reverse=True)
_AFTER_KIN: Final = re.compile(
    rf"(?:{'|'.join(_KIN_ZH)}|老婆|老公|闺女)"
    rf"(?P<kin>[{_SURNAMES}][{_HAN}]{{1,2}}?)(?=[{_ENDS}住去来喜爱讨今每工养用想做当打开\s,.!?;:）)]|$)"
)
_PLACES: Final = re.compile(
    rf"(?:住在|来自|搬到|搬去|出生于|出生在|生于|定居|毕业于|就职于|去过|在|去|到)(?P<place>[{_HAN}]{{2,6}}?)"
    rf"(?=工作|上班|上学|读书|读|住|生活|出生|长大|任职|实习|出差|旅游|旅行|玩|开会|[{_ENDS}\s,.!?;:）)]|$)"
)
_NO_PLACE: Final = re.compile(
    r"[家里外网线早晚周每这那哪一上下中前后公学办单楼床路手心现目以之第我他她你睡吃做看写用开]"
    r"|工作|地铁|最近|其他|附近|朋友|客厅|厨房"
)
_COMMON: Final = words(
    "yes no ok okay hi hello thanks please note remember today tomorrow yesterday there here also "
    "currently usually "
    "sometimes often always never maybe someone everyone people everything something everybody user users "
    "still since "
    "after before during until every each some many most several both another other first then later "
    "now"
)


#: What follows a name at the beginning of a sentence.
_AFTER_SUBJECT: Final = re.compile(r"(?:['’]s\b|\s+(?:is|was|has|will|can|and)\b)")
#: Capitalised because a sentence begins with them: "Progress was made".
_ABSTRACT: Final = re.compile(
    r"(?:tion|sion|gement|pment|tment|yment|vement|ness|ity|ance|ence|ing|ship|al|ack)$"
    r"|^(?:work|progress|nothing|none|other|more|most|part|code|data|help|research|advice|what|who|one)$",
    re.IGNORECASE,
)
_SENTENCE_ENDS: Final = ".!?:;。！？：；"
#: Characters that spell foreign names: 斯德哥尔摩.
_FOREIGN: Final = re.compile(
    "[阿奥巴贝波博布查达丹德蒂厄尔法菲费弗夫冈戈格哥古哈汉赫霍基吉捷杰卡凯坎康科克肯库拉莱兰朗勒雷利莉卢鲁伦罗洛马玛迈曼梅米密"
    "摩莫姆墨穆纳奈尼涅努诺帕佩皮普奇恰切乔萨塞桑瑟沙圣施史斯苏索塔泰坦特廷托瓦威维沃乌西希夏谢辛雅亚扬耶伊因英尤泽扎佐卑根陆敦黎]{2,}"
)
_LEAST_FOREIGN: Final = 3  # different characters in a row that are a name, whatever stands before them
_PLACE_END: Final = re.compile(rf"[{_HAN}]{{2,8}}[市省县区州国岛镇村街]")
_PERSON: Final = re.compile(rf"[{_SURNAMES}][{_HAN}]{{1,2}}|[小老阿][{_SURNAMES}]")


def find_certain_names(text: str) -> dict[str, str]:
    """Return the names of a text without those that may be common words.

    A Latin word at the beginning of a sentence may be capitalised for that alone, and what follows 在, 去 or
    到 may be no place. Foreign names in Chinese (奥斯陆) are found by their characters, wherever they are.
    """
    folded = fold(text[:LONGEST])
    quoted = {normalise(name) for name in _quotations(folded)}
    found = {run: run for run in _FOREIGN.findall(folded) if len(set(run)) >= _LEAST_FOREIGN}
    for key, name in find_names(text).items():
        is_certain = _is_certain_latin(name, folded) if name.isascii() else _is_certain_chinese(name)
        if key in quoted or is_certain:
            found[key] = name
    return found


def _is_certain_latin(name: str, text: str) -> bool:
    if not name[1:].islower():  # FastAPI, JSON, New York
        return True
    for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        before = text[: match.start()].rstrip()
        if before and before[-1] not in _SENTENCE_ENDS:
            return True
        if _AFTER_SUBJECT.match(text, match.end()) and not _ABSTRACT.search(name):
            return True
    return False


def _is_certain_chinese(name: str) -> bool:
    if name in chinese.PLACES or name in chinese.WORDS:
        return name in chinese.PLACES
    return any(pattern.fullmatch(name) for pattern in (_FOREIGN, _PLACE_END, _PERSON))


@lru_cache(maxsize=2048)
def find_names(text: str) -> dict[str, str]:
    """Return the names of a text.

    Latin names are single words; identifiers are kept whole; quotations and Chinese names are kept as
    written. The first word of a sentence counts if the next word makes it a subject (`Anna is`, `Anna's`) and
    it is not a common opener.

    Returns:
        Key to look up in the folded lower-case text or the keys of another text → name as written.
    """
    folded = fold(text[:LONGEST])
    found = {normalise(name): name for name in _quotations(folded)}
    found.update((token.key, token.spelling) for token in _latin(join_phrases(split_tokens(folded))))
    found.update((name, name) for name in _chinese(folded))
    return {key: name for key, name in found.items() if key}


def _quotations(text: str) -> Iterator[str]:
    for match in _QUOTED.finditer(text):
        yield next(part for part in match.groups() if part is not None)


def _latin(tokens: list[Token]) -> Iterator[Token]:
    for place, token in enumerate(tokens):
        if token.kind == NAME or (token.kind == WORD and token.initial and _opens_as_name(tokens, place)):
            yield token


def _opens_as_name(tokens: list[Token], place: int) -> bool:
    token = tokens[place]
    lower = token.spelling.lower()
    if (
        not token.spelling[:1].isupper()
        or lower in STOP_WORDS
        or lower in _COMMON
        or lower.endswith(("ly", "ing"))
    ):
        return False
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if after is None or after.kind in {BREAK, SIGN}:
        return False
    return after.form == "s" or after.spelling.lower() in {"is", "was", "has", "'s", "will", "can", "and"}


def _chinese(text: str) -> Iterator[str]:
    if text.isascii():
        return
    for match in _PEOPLE.finditer(text):
        name = match["called"] or match["familiar"] or match["formal"]
        if name and name not in chinese.WORDS:
            yield name
    for match in _AFTER_KIN.finditer(text):
        yield match["kin"]
    for match in _PLACES.finditer(text):
        if not _NO_PLACE.match(match["place"]):
            yield match["place"]
    yield from (place for place in chinese.PLACES if place in text)

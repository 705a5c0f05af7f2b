"""Find names in a text by their form: capitals in English, names of people and places in Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

#: Largest number of names in a sentence. A longer list is pasted data.
MOST: Final = 12
#: Characters in which names are sought. A longer text is pasted or consists of many sentences.
LONGEST: Final = 4000


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: A letter or digit of a script that is written with spaces.
LETTER: Final = r"[^\W\u0e00-\u0e7f\u2e80-\u9fff\uac00-\ud7af]"
_CAPITAL: Final = rf"[A-ZÀ-ÖØ-Þ](?:{LETTER}|['’+#-](?!\s))*(?:{LETTER}|[+#])"
_MORE: Final = rf"(?:[ ](?:{_CAPITAL}|(?:of|de|van|von|da|del|la)(?= [A-Z])|\d+(?:\.\d+)*(?!{LETTER})))*"
_NAME = re.compile(
    rf"(?<!{LETTER})(?<!\.)"
    rf"(?:[A-Za-z](?:{LETTER}|-){{0,40}}\.(?:js|io|net|ai)\b|{_CAPITAL}|[a-z]+[A-Z]{LETTER}*|[A-Z])" + _MORE
)
#: The same for a text without `_SMALL`, in which the search can jump from capital to capital.
_CAPITAL_NAME = re.compile(rf"(?=[A-ZÀ-ÖØ-Þ])(?<!{LETTER})(?<!\.)(?:{_CAPITAL}|[A-Z])" + _MORE)
#: Names with a small first letter or a small extension: iPhone, next.js.
_SMALL = re.compile(r"\.(?:js|io|net|ai)\b|[a-z][A-Z]")
_EDGES = re.compile(r"^(?:(?:The|A|An|My|Our|His|Her|Their|Your|And|But|So)\s+)+|['’]s$|(?<=s)['’]$")
_POSSESSIVE = re.compile(r"['’]s?\s+")
_PLAIN: Final = _words(
    "I The A An User Users Lesson January February March April May June July August September October"
    " November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday My Our We Actually No"
    " Yes On In At When Since Last Every Never Always It Its If For To This That There They He She And"
    " But So Hi Hey Hello Thanks Thank OK Okay Wow Oh Ah Haha Yeah Yep Sure Please Sorry Well Also Not"
    " Now Then What Where Who Why How Which You Your His Her Their Today Tomorrow Yesterday Next AM PM"
    " Mr Mrs Ms Dr English Chinese I'm I've I'll I'd It's That's Let's Don't Can't Won't TODO FYI ASAP"
)
_SENTENCE_START = re.compile(r"(?:(?<!Mr)(?<!Ms)(?<!Dr)(?<!Mrs)(?<!St)[.!?:;\n]\s{0,12}|[“\"(\[]\s{0,12})$")
_OPENER_VERB = re.compile(
    r"\s+(?:are|were|have|said|told|taught|went|got|met|and [A-Z]|also|will|would|can|could|might|may|must"
    r"|should|did|do|came|bought|made|led|ran|wrote|built|sold|left|won|knew|drove)\b"
    r"|\s+[a-z]+(?:s|ed)\b|['’]s\b|,|\s*\("
)
_ALSO: Final = re.compile(
    r"\b(?:also known as|better known as|a\.?k\.?a\.?|nicknamed|(?:goes|go) by|nickname is|alias)\s+[\"“]?"
    r"(?P<name>[\w+#-]+)",
    re.IGNORECASE,
)
#: Strings of which every match of `_ALSO` contains one.
_ALSO_ROOTS: Final = ("known as", "nickname", "s by", "go by", "alias", "aka", "a.k", "ak.a")

_SURNAMES: Final = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛"
    "叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔"
    "贺赖龚文陳張劉楊趙黃吳孫馬羅鄭謝韓馮"
)
_BEFORE: Final = (
    r"(?:^|(?<=[\s，。、；：！？,.;:!?“”\"「」（）()和与跟叫是给找问约见认陪让由请同向对])"
    r"|(?<=[事友妹姐弟哥妈爸板司导学邻师子儿婆公姨叔舅姑的识遇爱欢访娶嫁雇聘请了医员东户长]))"
)
_AFTER: Final = (
    r"(?=$|[\s，。、；：！？,.;:!?“”\"「」（）()]"
    r"|[在是的住去有喜爱也和与跟说从给想做把被来会要不养买负正刚最今昨明已搬加毕开教写管当任又名生很用叫告]"
    r"|[同带没就嫁娶离前每常总更收打理拿寄送读看吃喝])"
)
_PERSON = re.compile(_BEFORE + rf"(?:[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?|[小老阿][\u4e00-\u9fff])" + _AFTER)
_NO_PERSON: Final = _words(
    "小时 小心 小组 小孩 小学 小区 小说 小吃 小米 小队 小型 小费 老是 老师 老板 老家 老婆 老公 老人"
    " 老友 老了 大家 大学 大概 大约 大小 大部 大型 大号 大人 大量 阿姨 高中 高兴 高级 高铁 高考 方便"
    " 方法 方案 方向 常常 常用 文件 文章 文档 白天 白色 金额 金融 江边 石头 田里 任务 任何 易用 康复"
    " 夏天 周末 周一 周二 周三 周四 周五 周六 周日 周天 周年 马上 何时 何地 何处 于是 余额 程序 万一"
    " 万元 段落 毛病 孔子 史前 常见 高了 高的 许多 曾经 黄色 田园 龙虾 白酒 钱包 汤面 叶子 林业 马路"
    " 江南 金钱 雷雨 时候"
)
_PLACE = re.compile(
    r"[\u4e00-\u9fffA-Za-z]{2,8}?(?:公司|集团|大学|学院|医院|银行|中学|小学|研究所|研究院|出版社|俱乐部"
    r"|事务所|实验室|书店|餐厅|咖啡馆)"
)
_PLACE_START = re.compile(
    r"^.*?(?:在|到|去|于|进了?|加入了?|从|是|的|给|为|和|与|叫做?|来自|毕业于|任职于)(?=..)"
)
_AT = re.compile(
    r"(?:在|到|于|搬[到去]了?|去了|来自|加入了?|入职了?|住在|任职于|毕业于|定居)"
    r"(?P<name>[\u4e00-\u9fffA-Za-z]{2,8}?)"
    r"(?=工作|上班|任职|读书|上学|念书|生活|定居|实习|教书|出生|长大|开店|开了|当|做|担任|买|租|有|的"
    r"|[，。；,.;!！]|$)"
)
_CALLED = re.compile(
    r"(?:名叫|叫做|叫|名字是|名为|又叫|别名|简称|绰号|昵称|外号|小名|英文名)(?:是|叫|为)?"
    r"(?P<name>[\u4e00-\u9fffA-Za-z]{1,6}?)"
    r"(?=[，。；、,.;!！？）)]|的|是|在|$)"
)
_CITY = re.compile(
    "北京|上海|广州|深圳|天津|重庆|杭州|南京|苏州|成都|武汉|西安|长沙|郑州|青岛|济南|大连|沈阳|哈尔滨"
    "|长春|厦门|福州|泉州|合肥|南昌|昆明|贵阳|南宁|海口|三亚|太原|石家庄|兰州|西宁|银川|拉萨|乌鲁木齐"
    "|呼和浩特|宁波|温州|无锡|常州|南通|绍兴|嘉兴|东莞|佛山|珠海|中山|惠州|烟台|洛阳|桂林|香港|澳门"
    "|台北|高雄|新加坡|东京|大阪|京都|首尔|曼谷|伦敦|巴黎|柏林|慕尼黑|罗马|米兰|马德里|莫斯科|纽约"
    "|波士顿|旧金山|洛杉矶|芝加哥|西雅图|硅谷|多伦多|温哥华|悉尼|墨尔本|迪拜|中国|美国|日本|韩国|英国"
    "|法国|德国|意大利|西班牙|俄罗斯|加拿大|澳大利亚|印度"
)
_MARKED = re.compile(r"[《「『](?P<name>[^《》「」『』]{1,20})[》」』]")
_NO_PLACE = re.compile(
    r"[去周吃看做买玩的这那哪之年月日点次]|准备|学习|正在|家里|什么|一起|时候|(?:家|公司|学校|[里上下前后中])$"
    r"|[我你他她它]"
)
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def find_names(text: str) -> tuple[str, ...]:
    """Return the names of a text in order and as written, without repeats, at most `MOST`."""
    text = text[:LONGEST]
    found = list(_latin(text))
    if not text.isascii() and _CHINESE.search(text):
        found += _chinese(text)
    return tuple(dict.fromkeys(found))[:MOST]


def _latin(text: str) -> Iterator[str]:
    shape = _NAME if _SMALL.search(text) else _CAPITAL_NAME
    for match in shape.finditer(text):
        for name in _parted(match.group()):
            if name not in _PLAIN and len(name) > 1 and not _only_opens(name, text, match.start()):
                yield name
    if _may_tell_alias(text):
        for match in _ALSO.finditer(text):
            yield match.group("name")


def _may_tell_alias(text: str) -> bool:
    """Return whether `_ALSO` could match, by a fast test.

    A text beyond ASCII always passes, because some of its letters are lower-case forms of others.
    """
    lower = text.lower()
    return not text.isascii() or any(root in lower for root in _ALSO_ROOTS)


def _only_opens(name: str, text: str, start: int) -> bool:
    """Return whether a word may be capitalised only because it opens a sentence."""
    if " " in name or (start and not _SENTENCE_START.search(text[max(start - 12, 0) : start])):
        return False
    if any(letter.isupper() for letter in name[1:]) or "." in name:
        return False
    return name.endswith("ing") or not _OPENER_VERB.match(text, start + len(name))


@lru_cache(maxsize=4096)
def _parted(found: str) -> tuple[str, ...]:
    """Split possessives: "Anna's Siemens" has two names, "Monday Anna" one."""
    names = []
    for part in _POSSESSIVE.split(found):
        name = _EDGES.sub("", _EDGES.sub("", part)).strip()
        words = name.split()
        while words and words[0] in _PLAIN:
            words.pop(0)
        while words and words[-1] in _PLAIN:
            words.pop()
        if words and not words[0].isdigit():
            names.append(" ".join(words))
    return tuple(names)


def _chinese(text: str) -> Iterator[str]:
    for match in _PERSON.finditer(text):
        if match.group() not in _NO_PERSON:
            yield match.group()
    for match in _CALLED.finditer(text):
        yield match.group("name")
    for match in _AT.finditer(text):
        if not _NO_PLACE.search(match.group("name")):
            yield match.group("name")
    for match in _PLACE.finditer(text):
        name = _PLACE_START.sub("", match.group())
        if len(name) > 3:  # noqa: PLR2004 - a bare 公司 or 大学 is no name
            yield name
    yield from _CITY.findall(text)
    for match in _MARKED.finditer(text):
        yield match.group("name")

"""Render a Chinese clause in the third person: 我 becomes 用户, all other words are kept."""

from __future__ import annotations

import re
from typing import Final

from memories.extraction.prose import strip_marks

_CHATTER: Final = ("哈", "嘻", "啊", "呀", "哦", "啦", "呢", "嘛", "喔", "噢", "诶")
_OBJECT_END = re.compile(r"[，,；;。：:（(]|\s-\s|(?<=.)(?:，?因为|所以|但是|不过|的时候|，)")
_TOOL_END = re.compile(
    r"(?<=.)(?:写|做|来|开发|管理|记(?!录)|画|部署|编|处理|办公|进行|作为|当|听|看|跑|搭"
    r"|构建|打包|而|已经|了(?:\d|[一二三四五六七八九十两]))"
)
_PLACE_END = re.compile(
    r"(?<=..)(?:已经|快|附近|这边|那边|工作|上班|生活|和|跟|有\d|\d+年"
    r"|[一二三四五六七八九十两]{1,4}年|了|的(?:一|某))"
)
_PARTICLES = re.compile(r"^(?:了|着|过|的是|是|在){1,4}|(?:了|的|呢|吧|啊|哦|来着|等等|之类的?){1,4}$")
_DEICTIC = re.compile(
    r"(?:上|死|的是|的就是)?(?:你|您|这(?!几年|两年|门|种(?!说|回|方))|那|它|他|她|上面"
    r"|刚才|死(?:这|那|了|你)|第[一二三四五]个|以上|前者|后者|一下|什么|哪)"
)
#: Characters. A longer object is not a name; the triple is then left out.
LONGEST_OBJECT: Final = 60


def tidy(text: str) -> str:
    """Remove trailing marks, emoji, laughter and modal particles."""
    trimmed = strip_marks(text)
    while trimmed.endswith(_CHATTER):
        trimmed = strip_marks(trimmed[:-1])
    return trimmed


def swap(text: str) -> str:
    """Replace the first person by 用户 and keep all other words."""
    text = re.sub(r"(?:我们|咱们)的", "用户的", text)
    text = re.sub(r"(?:我们|咱们|我)家(?!的)", "用户家", text)
    text = re.sub(r"(?:我们|咱们)(?=的?(?:公司|团队|部门|小组|组|项目|实验室|学校))", "用户的", text).replace(
        "用户的的", "用户的"
    )
    text = re.sub(r"(?:我|咱)们(?:俩)?|咱俩|我俩|俺们", "用户的团队", text)
    return re.sub(
        r"(?<!自)我(?:自己|本人|个人|这边)?|(?<![\u4e00-\u9fff])本人|(?<![\u4e00-\u9fff])俺", "用户", text
    )


def sentence(text: str) -> str:
    """Return the text as a sentence with a full stop."""
    return f"{tidy(text)}。"


def object_of(text: str, predicate: str) -> str:
    """Return the object in a complement, or an empty string if it is longer than LONGEST_OBJECT."""
    thing = _before(_OBJECT_END, text)
    if predicate == "uses":
        thing = _before(_TOOL_END, thing)
    if predicate in {"lives_in", "comes_from", "works_at"}:
        thing = _before(_PLACE_END, thing)
    thing = _PARTICLES.sub("", swap(thing.strip())).strip(" 《》“”\"'")
    return thing if len(thing) <= LONGEST_OBJECT else ""


def _before(pattern: re.Pattern[str], text: str) -> str:
    stop = pattern.search(text)
    return text[: stop.start()] if stop and stop.start() > 0 else text


def deictic(text: str) -> bool:
    """Return whether an object refers to the conversation (这个, 你的) instead of naming something."""
    return _DEICTIC.match(text) is not None

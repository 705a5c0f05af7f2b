"""Word a pattern: the common part of its stances, as a sentence about the user."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from memories.extraction import inflect_third_person
from memories.maintenance.reflection.patterns.stance import Manner, Stance

_ORDER: Final[tuple[Manner, ...]] = ("prefer", "use", "want", "like", "do")
_ENGLISH: Final[dict[tuple[Manner, bool], str]] = {
    ("prefer", True): "The user prefers {wording}.",
    ("use", True): "The user uses {wording}.",
    ("want", True): "The user wants {wording}.",
    ("like", True): "The user likes {wording}.",
    ("do", True): "The user usually {wording}.",
    ("prefer", False): "The user avoids {wording}.",
    ("use", False): "The user does not use {wording}.",
    ("want", False): "The user does not want {wording}.",
    ("like", False): "The user dislikes {wording}.",
    ("do", False): "The user never {wording}.",
}
_CHINESE: Final[dict[tuple[Manner, bool], str]] = {
    ("prefer", True): "用户偏好{wording}。",
    ("use", True): "用户常用{wording}。",
    ("want", True): "用户希望{wording}。",
    ("like", True): "用户喜欢{wording}。",
    ("do", True): "用户总是{wording}。",
    ("prefer", False): "用户避免{wording}。",
    ("use", False): "用户不用{wording}。",
    ("want", False): "用户不希望{wording}。",
    ("like", False): "用户不喜欢{wording}。",
    ("do", False): "用户从不{wording}。",
}


def choose_manner(stances: Sequence[Stance]) -> Manner:
    """Return the most frequent manner; of equally frequent ones, the firmest."""
    counts = Counter(stance.manner for stance in stances)
    return max(_ORDER, key=lambda manner: counts[manner])


def render_pattern(stances: Sequence[Stance], *, general: bool) -> str:
    """Return the sentence for stances of one key and polarity, independent of their order.

    Args:
        stances: The stances.
        general: Whether to use only the name they begin with.
    """
    first = stances[0]
    words = [(s.general_wording or s.wording) if general else s.wording for s in stances]
    wording = min(words, key=lambda text: (len(text), text))
    manner = choose_manner(stances)
    if first.chinese:
        regular = f"用户{first.when}{wording}。"
        return regular if first.when else _CHINESE[manner, first.positive].format(wording=wording)
    if manner == "do":
        wording = _in_third_person(wording)
    if first.when:
        return f"The user {wording} {_titled(first.when)}."
    return _ENGLISH[manner, first.positive].format(wording=wording)


def render_weekday(sentence: str, weekday: int, *, chinese: bool) -> str:
    """Return a sentence about events of one weekday; 0 is Monday."""
    if chinese:
        return f"每周{'一二三四五六日'[weekday]}：{sentence.rstrip('。.')}。"
    return f"Every {_DAYS[weekday].title()}: {sentence.rstrip('.')}."


_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _titled(when: str) -> str:
    return " ".join(word.title() if word in _DAYS else word for word in when.split())


def _in_third_person(sentence: str) -> str:
    verb, _, rest = sentence.partition(" ")
    agreed = verb if verb.endswith("s") and not verb.endswith("ss") else inflect_third_person(verb)
    return f"{agreed[:1].lower()}{agreed[1:]} {rest}".strip()

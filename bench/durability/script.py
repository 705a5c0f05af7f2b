"""The messages and memories that are written: of any length, the same for the same position.

Every text depends only on its position, so that a run with kills and one without write the same.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

Json = dict[str, Any]

_BEGIN: Final = datetime(2025, 3, 3, 9, tzinfo=UTC)
_BETWEEN: Final = timedelta(minutes=3)
_SILENCE: Final = timedelta(hours=7)  # starts a new session
_SESSION: Final = 40  # exchanges
_BATCH: Final = 5  # memories stated in one request

#: Repeated in every thread: strengthened, and counted.
_COMMON: Final = (
    "I prefer tea to coffee in the morning.",
    "我喜欢喝绿茶。",
    "I am allergic to peanuts.",
    "我对花生过敏。",
    "I always run the tests before I commit.",
    "我每天早上六点跑步。",
    "I don't like flying with more than 3 bags.",
)
#: Used once each: {number} differs each time.
_ONCE: Final = (
    "I like the café at {number} Harbour Street.",
    "我不喜欢第{number}号咖啡馆。",
    "I bought a lamp for {number} euros.",
    "我负责项目极光{number}号。",
    "I work on the project Aurora-{number}.",
    "我正在学第{number}课西班牙语。",
    "I want to visit hut {number} in the Alps. 我喜欢第{number}号小屋。",
)
_IDLE: Final = (
    "What is the tallest mountain near town {number}?",
    "第{number}题怎么做？",
    "Please write a haiku about platform {number}.",
)
_ANSWERS: Final = ("All right, noted.", "好的。", "Here is what I think about number {number}.")
_STATED: Final = (
    "Release {number} of the search engine is written in Rust.",
    "会议室{number}在三楼。",
    "The invoice {number} was paid by bank transfer.",
    "服务器{number}放在法兰克福。",
)
_STATED_AGAIN: Final = ("The office closes at six.", "办公室晚上六点关门。")


def exchange(thread: int, place: int) -> list[Json]:
    """Return the messages of one request; `thread` and `place` count from 0.

    Most are a question and its answer; every seventh is a correction that only the one before explains.
    """
    number = 1000 * (thread + 1) + place
    if place % 7 == 6:
        messages = [("user", f"I meant {_locker(number)}, not {_locker(number - 1)}.")]
    elif place % 7 == 5:
        messages = [("user", f"My locker number is {_locker(number)}."), ("assistant", _answer(number))]
    else:
        messages = [("user", _statement(thread, place, number)), ("assistant", _answer(number))]
    return [
        {
            "role": role,
            "content": content,
            "client_id": f"{thread}-{place}-{step}",
            "created_at": (_make_time(place) + timedelta(seconds=step)).isoformat(),
        }
        for step, (role, content) in enumerate(messages)
    ]


def stated(writer: int, place: int) -> list[Json]:
    """Return the memories of one request of a program: usually one, every fourth time five at once."""
    first = 100_000 * (writer + 1) + place * _BATCH
    return [_item(first + step) for step in range(_BATCH if place % 4 == 3 else 1)]


def _item(number: int) -> Json:
    if number % 6 == 0:
        return {"content": _STATED_AGAIN[number // 6 % len(_STATED_AGAIN)]}
    if number % 6 == 1:
        occurred = (_BEGIN + number % 100_000 * _BETWEEN).isoformat()
        episode = {"layer": "episodic", "kind": "event", "session": "log", "occurred_at": occurred}
        return {"content": f"Deployed build {number}.", **episode}
    return {"content": _STATED[number % len(_STATED)].format(number=number)}


def _statement(thread: int, place: int, number: int) -> str:
    if place % 4 == 0:
        return _COMMON[(place // 4 + thread) % len(_COMMON)]
    texts = _IDLE if place % 9 == 2 else _ONCE
    return texts[number % len(texts)].format(number=number)


def _answer(number: int) -> str:
    return _ANSWERS[number % len(_ANSWERS)].format(number=number)


def _locker(number: int) -> int:
    return 40_000 + number


def _make_time(place: int) -> datetime:
    return _BEGIN + place * _BETWEEN + place // _SESSION * _SILENCE

"""Facts in several wordings, and models that judge pairs of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from tests.llm_server import Request

#: Five facts in three wordings each, in either language.
FACTS = (
    ("The user lives in Berlin.", "The user's home is in Berlin.", "The user resides in Berlin."),
    ("The user has a dog called Rex.", "The user owns a dog named Rex.", "The user keeps a dog called Rex."),
    ("The user works at Acme.", "The user is employed at Acme.", "The user is working at Acme."),
    ("用户喜欢喝绿茶。", "用户爱喝绿茶。", "用户很喜欢喝绿茶。"),
    ("用户对花生过敏。", "用户吃花生会过敏。", "用户对花生有过敏反应。"),
)


def _pairs(request: Request) -> list[dict[str, Any]]:
    """The pairs of a prompt."""
    found = re.search(r"^\[\{.*\}\]$", request.prompt, re.MULTILINE)
    return list(json.loads(found.group())) if found else []


def make_judge(decide: Callable[[str, str], tuple[str, str]]) -> Callable[[Request], str]:
    def reply(request: Request) -> str:
        verdicts = [
            dict(zip(("verdict", "merged"), decide(pair["a"], pair["b"]), strict=True), pair=pair["pair"])
            for pair in _pairs(request)
        ]
        return json.dumps({"verdicts": verdicts})

    return reply


def knows(a: str, b: str) -> tuple[str, str]:
    return ("same" if any(a in fact and b in fact for fact in FACTS) else "different"), ""


def always_same(a: str, b: str) -> tuple[str, str]:
    return "same", b


def list_wordings(facts: Sequence[Sequence[str]]) -> list[str]:
    return [fact[number] for number in range(3) for fact in facts]

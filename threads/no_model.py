"""What is answered where no model is configured: that, and what is remembered about the question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from threads.fence import neutralise

_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
_MOST: Final = 10
_TEXTS: Final = {
    "en": (
        "No language model is configured on this site, so I cannot answer.",
        "What I remember about it:",
        "I remember nothing about it.",
    ),
    "zh": ("本站没有配置语言模型，我无法作答。", "关于这个问题，我记得：", "关于这个问题，我没有任何记忆。"),
}


def honest_answer(question: str, remembered: Sequence[str]) -> str:
    """In the question's language: that nobody answers, and the memories that would have been told."""
    nobody, known, nothing = _TEXTS["zh" if _CHINESE.search(question) else "en"]
    lines = [f"- {neutralise(text)}" for text in remembered[:_MOST]]
    return "\n".join([nobody, "", known, *lines] if lines else [nobody, "", nothing])

"""Write the answer when no model answers: the reason, and what is remembered about the question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memsite.errors import ModelError
from threads.prompt import neutralise_text

_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
_MOST: Final = 10
_ANSWERS: Final = {
    "en": {
        "no_model": "No language model is configured on this site, so I cannot answer.",
        "budget": "Today's budget of model tokens is used up, so I cannot answer.",
        "failed": "The language model did not answer, so I cannot either.",
        "known": "What I remember about it:",
        "nothing": "I remember nothing about it.",
    },
    "zh": {
        "no_model": "本站没有配置语言模型，我无法作答。",
        "budget": "今天的模型用量已用完，我无法作答。",
        "failed": "语言模型没有作出回答，我无法作答。",
        "known": "我记得的相关内容：",
        "nothing": "我没有找到相关的记忆。",
    },
}


def answer_without_model(question: str, remembered: Sequence[str], error: ModelError | None = None) -> str:
    """Say why no model answers, then list what is remembered, in the language of the question.

    Args:
        question: The user's message.
        remembered: The memories of the context, best first; the first ten are listed.
        error: How the model failed; None if no model is configured.

    Returns:
        The answer's text. It never quotes the error, which may name the server.
    """
    texts = _ANSWERS["zh" if _CHINESE.search(question) else "en"]
    lines = [f"- {neutralise_text(text)}" for text in remembered[:_MOST]]
    recalled = [texts["known"], *lines] if lines else [texts["nothing"]]
    return "\n".join([texts[_reason(error)], "", *recalled])


def _reason(error: ModelError | None) -> str:
    if error is None:
        return "no_model"
    return "budget" if (error.detail or {}).get("reason") == "budget" else "failed"

"""Write the answer when no model answers: what will be remembered, what is remembered, and the reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memories.extraction import Unstated, read_unstated
from memsite.errors import ModelError
from threads.learning import Learnable
from threads.prompt import neutralise_text

_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
_QUESTION_MARK: Final = re.compile("[?？]")
_MOST: Final = 10
_ANSWERS: Final = {
    "en": {
        "no_model": "No language model is configured on this site, so I can only say what I remember.",
        "budget": "Today's budget of model tokens is used up, so I can only say what I remember.",
        "failed": "The language model did not answer, so I can only say what I remember.",
        "learnt": "Noted, I will remember that:",
        "waiting": "Noted. It waits in your inbox until you keep it:",
        "recalled": "What I remember about it:",
        "nothing": "I remember nothing about it.",
        "invitation": "Tell me something about yourself, or ask what I remember.",
    },
    "zh": {
        "no_model": "本站没有配置语言模型，我只能告诉您我记得的内容。",
        "budget": "今天的模型用量已用完，我只能告诉您我记得的内容。",
        "failed": "语言模型没有作出回答，我只能告诉您我记得的内容。",
        "learnt": "好的，我会记住：",
        "waiting": "好的，已放入收件箱，您确认后我就会记住：",
        "recalled": "我记得的相关内容：",
        "nothing": "我没有找到相关的记忆。",
        "invitation": "您可以跟我说说自己的事，也可以问我记得什么。",
    },
}


def answer_without_model(
    question: str,
    recalled: Sequence[str],
    learnable: Learnable,
    error: ModelError | None = None,
    *,
    is_explained: bool = False,
) -> str:
    """Answer from memory, in the language of the question: what will be remembered of it, and what is.

    Args:
        question: The user's message.
        recalled: The memories of the context, best first; the first ten are listed. They are left out if the
            message states something and asks nothing.
        learnable: What will be learnt from the message.
        error: How the model failed; None if no model is configured.
        is_explained: Whether an earlier answer of the thread says that no model is configured.

    Returns:
        The answer's text. It never quotes the error, which may name the server.
    """
    texts = _ANSWERS["zh" if _CHINESE.search(question) else "en"]
    parts = []
    if learnable.contents:
        parts.append(_list(texts["waiting" if learnable.waits else "learnt"], learnable.contents))
    if recalled and (not parts or _QUESTION_MARK.search(question)):
        parts.append(_list(texts["recalled"], recalled))
    if not parts:
        parts.append(texts["nothing" if read_unstated(question) is Unstated.QUESTION else "invitation"])
    if error is not None or not is_explained:
        parts.append(texts[_reason(error)])
    return "\n\n".join(parts)


def _list(heading: str, memories: Sequence[str]) -> str:
    return "\n".join([heading, *(f"- {neutralise_text(text)}" for text in memories[:_MOST])])


def _reason(error: ModelError | None) -> str:
    if error is None:
        return "no_model"
    return "budget" if (error.detail or {}).get("reason") == "budget" else "failed"

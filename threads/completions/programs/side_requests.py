"""Recognise the requests that a program makes for itself: titles, tags, follow-ups, compaction. Pure.

Such a request quotes the conversation, but nobody said it. It is recognised by the beginning of its text, and
by marks of what it asks for and of the conversation that follows. All have to be there, so that a person who
asks for a title is answered as ever. Open WebUI's wrapper around retrieved documents begins like its tasks,
and holds a person's words: it is never one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from threads.completions.programs.marks import (
    CHOOSES_TOOLS,
    CLOSINGS,
    RAG_BEGINNING,
    SILLY_TAVERN,
    TASKS,
    Task,
    TaskMark,
)

_READ: Final = 200_000  # characters of a text that are looked through for a mark
_REASON_CHARACTERS: Final = 40


def find_side_request(body: Mapping[str, Any], *, task: str) -> str:
    """Return why a request is not part of a conversation; empty if it is.

    Args:
        body: The body of the request, as the client sent it. Anything that does not fit is ignored.
        task: What the client says that the request is for, in `Memsite-Task`; empty for nothing.

    Returns:
        The name of the task: the client's own, or one of `Task`.
    """
    if task.strip():
        return clean_reason(task)
    messages = body.get("messages")
    if not isinstance(messages, list) or not all(isinstance(one, Mapping) for one in messages):
        return ""
    is_streamed = body.get("stream") is True
    closing = _find_closing(messages, is_streamed=is_streamed)
    if closing is not None:
        return closing.value
    user = _find_only_user_text(messages)
    system = _fold(_join_texts(one for one in messages if _is_system(one)))
    for pattern in TASKS:
        if (pattern.may_stream or not is_streamed) and _fits(pattern, user, system):
            return pattern.task.value
    return ""


def clean_reason(task: str) -> str:
    """Return a task's name as a word that a header may contain."""
    word = "".join(one if one.isascii() and (one.isalnum() or one in "_-") else "_" for one in task.strip())
    return word[:_REASON_CHARACTERS] or "task"


def _fits(pattern: TaskMark, user: str, system: str) -> bool:
    if pattern.is_system and not pattern.marks:
        return system.startswith(pattern.beginning)
    if not user or user.startswith(RAG_BEGINNING):
        return False
    if pattern.task == Task.FUNCTION_CALL and CHOOSES_TOOLS not in system:
        return False
    text = system if pattern.is_system else user
    is_begun = text.startswith(pattern.beginning) and pattern.field in user
    return is_begun and any(mark in user for mark in pattern.marks)


def _find_closing(messages: list[Mapping[str, Any]], *, is_streamed: bool) -> Task | None:
    """Return the task that a program asks for after the conversation; None if it does not."""
    if len(messages) < 2:  # noqa: PLR2004 - the sentence, and what it is about
        return None
    last, is_system = _fold(_join_texts(messages[-1:])), _is_system(messages[-1])
    for one in CLOSINGS:
        fits = (one.may_stream or not is_streamed) and (is_system or not one.is_system)
        if fits and last.startswith(one.beginning):
            return one.task
    is_before = len(messages) == 2 and not is_streamed  # noqa: PLR2004 - SillyTavern's system text and the story
    if is_before and _fold(_join_texts(messages[:1])).startswith(SILLY_TAVERN):
        return Task.COMPACTION
    return None


def _find_only_user_text(messages: list[Mapping[str, Any]]) -> str:
    """Return the folded text of the only message besides system texts if it is a user's, else nothing."""
    others = [one for one in messages if not _is_system(one)]
    if len(others) != 1 or others[0].get("role") != "user":
        return ""
    return _fold(_join_texts(others))


def _is_system(message: Mapping[str, Any]) -> bool:
    return message.get("role") in ("system", "developer")  # a tuple: a client may send what has no hash


def _join_texts(messages: Iterable[Mapping[str, Any]]) -> str:
    texts: list[str] = []
    for message in messages:
        content = message.get("content")
        parts = content if isinstance(content, list) else [{"text": content}]
        texts += [str(part["text"]) for part in parts if isinstance(part, Mapping) and _has_text(part)]
    return "\n".join(texts)


def _has_text(part: Mapping[str, Any]) -> bool:
    return isinstance(part.get("text"), str)


def _fold(text: str) -> str:
    return " ".join(text[:_READ].lower().replace("’", "'").split())

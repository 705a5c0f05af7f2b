"""Recognise the requests that a chat program makes for itself: titles, tags, follow-ups, compaction. Pure.

Such a request quotes the conversation, but nobody said it. It is recognised by the beginning of its text and
by a mark that the conversation follows. Both have to be there, so that a person who asks for a title is
answered as ever. Open WebUI's wrapper around retrieved documents begins like its tasks, and holds a person's
words: it is never one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from memsite.values import TextEnum

_READ: Final = 200_000  # characters of a text that are looked through for a mark
_REASON_CHARACTERS: Final = 40
#: How Open WebUI's wrapper around retrieved documents begins.
RAG_BEGINNING: Final = "### task: respond to the user query using the provided context"


class Task(TextEnum):
    """The purpose of a side request, by Open WebUI's names."""

    TITLE = "title_generation"
    FOLLOW_UPS = "follow_up_generation"
    TAGS = "tags_generation"
    EMOJI = "emoji_generation"
    QUERIES = "query_generation"
    IMAGE_PROMPT = "image_prompt_generation"
    AUTOCOMPLETE = "autocomplete_generation"
    FUNCTION_CALL = "function_calling"
    MERGE = "moa_response_generation"
    MEMORY_REVIEW = "memory_review"
    COMPACTION = "context_compaction"


@dataclass(frozen=True, slots=True)
class _Pattern:
    """The marks by which texts of one task are recognised, in lower case with single spaces.

    Attributes:
        beginning: How the user's text begins, or the system's if `is_system`.
        marks: One of these is in the user's text. None for a system text that is enough by itself: the
            messages after it are the conversation.
        may_stream: Whether the program streams this task.
    """

    task: Task
    beginning: str
    marks: tuple[str, ...]
    is_system: bool = False
    may_stream: bool = False


_HISTORY: Final = ("### chat history:", "<chat_history>")
_PATTERNS: Final = (
    # Open WebUI
    _Pattern(Task.TITLE, "### task: generate a concise, 3-5 word title", _HISTORY),
    _Pattern(Task.TITLE, "create a concise, 3-5 word title", _HISTORY),
    _Pattern(Task.FOLLOW_UPS, "### task: suggest 3-5 relevant follow-up", _HISTORY),
    _Pattern(Task.TAGS, "### task: generate 1-3 broad tags", _HISTORY),
    _Pattern(Task.QUERIES, "### task: analyze the chat history to determine the necessity of gen", _HISTORY),
    _Pattern(Task.IMAGE_PROMPT, "### task: generate a detailed prompt for a", _HISTORY),
    _Pattern(Task.AUTOCOMPLETE, "### task: you are an autocompletion system", _HISTORY),
    _Pattern(
        Task.EMOJI, "your task is to reflect the speaker's likely facial expression", ("message: ```", '"""')
    ),
    _Pattern(
        Task.MERGE,
        "you have been provided with a set of responses from various models",
        ("responses from models:",),
        may_stream=True,
    ),
    _Pattern(
        Task.COMPACTION,
        "### task: summarize the conversation history that will be compacted",
        ("### messages being compacted", *_HISTORY),
    ),
    _Pattern(
        Task.COMPACTION,
        "you must summarize the conversation history that will be compacted",
        ("### messages being compacted",),
    ),
    _Pattern(
        Task.MEMORY_REVIEW, "you are open webui's private memory reviewer", ("conversation:",), is_system=True
    ),
    _Pattern(Task.FUNCTION_CALL, "available tools:", ("query: history:", "history:"), is_system=True),
    # LibreChat
    _Pattern(
        Task.TITLE,
        "provide a concise, 5-word-or-less title for the conversation, using title case conventions",
        ("conversation:",),
    ),
    _Pattern(
        Task.TITLE,
        "analyze this conversation and provide: 1. the detected language of the conversation 2. a concise",
        ("user:", "ai:"),
    ),
    # LobeChat
    _Pattern(
        Task.TITLE,
        "you are a professional conversation summarizer. generate a concise title",
        ("user:", "assistant:", "<user>", "<assistant>"),
        is_system=True,
        may_stream=True,
    ),
    # LobeChat and Cherry Studio in Chinese, and Cherry Studio's present one
    _Pattern(
        Task.TITLE, "你是一名擅长会话的助理，你需要将用户的会话总结为", (), is_system=True, may_stream=True
    ),
    _Pattern(Task.TITLE, "总结给出的会话，将其总结为语言为", (), is_system=True, may_stream=True),
)


@dataclass(frozen=True, slots=True)
class _Closing:
    """A sentence that a program sends after the whole conversation.

    Attributes:
        beginning: How the last message begins, in lower case with single spaces.
        is_system: Whether only a system message is meant.
        may_stream: Whether the program streams this task.
    """

    task: Task
    beginning: str
    is_system: bool = False
    may_stream: bool = False


#: Also sent as the system text before the conversation.
_SILLY_TAVERN: Final = (
    "ignore previous instructions. summarize the most important facts and events in the story so far"
)
_CLOSINGS: Final = (
    _Closing(Task.COMPACTION, _SILLY_TAVERN),
    # NextChat
    _Closing(Task.TITLE, "使用四到五个字直接返回这句话的简要主题，不要解释", may_stream=True),
    _Closing(
        Task.TITLE,
        "please generate a four to five word title summarizing our conversation without any lead-in",
        may_stream=True,
    ),
    _Closing(
        Task.COMPACTION,
        "简要总结一下对话内容，用作后续的上下文提示",
        is_system=True,
        may_stream=True,
    ),
    _Closing(
        Task.COMPACTION,
        "summarize the discussion briefly in 200 words or less to use as a prompt for future context",
        is_system=True,
        may_stream=True,
    ),
)
_CHOOSES_TOOLS: Final = (
    "your task is to choose and return the correct tool(s) from the list of available tools"
)


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
    for pattern in _PATTERNS:
        if (pattern.may_stream or not is_streamed) and _fits(pattern, user, system):
            return pattern.task.value
    return ""


def clean_reason(task: str) -> str:
    """Return a task's name as a word that a header may contain."""
    word = "".join(one if one.isascii() and (one.isalnum() or one in "_-") else "_" for one in task.strip())
    return word[:_REASON_CHARACTERS] or "task"


def _fits(pattern: _Pattern, user: str, system: str) -> bool:
    if pattern.is_system and not pattern.marks:
        return system.startswith(pattern.beginning)
    if not user or user.startswith(RAG_BEGINNING):
        return False
    if pattern.task == Task.FUNCTION_CALL and _CHOOSES_TOOLS not in system:
        return False
    text = system if pattern.is_system else user
    return text.startswith(pattern.beginning) and any(mark in user for mark in pattern.marks)


def _find_closing(messages: list[Mapping[str, Any]], *, is_streamed: bool) -> Task | None:
    """Return the task that a program asks for after the conversation; None if it does not."""
    if len(messages) < 2:  # noqa: PLR2004 - the sentence, and what it is about
        return None
    last, is_system = _fold(_join_texts(messages[-1:])), _is_system(messages[-1])
    for one in _CLOSINGS:
        fits = (one.may_stream or not is_streamed) and (is_system or not one.is_system)
        if fits and last.startswith(one.beginning):
            return one.task
    is_before = len(messages) == 2 and not is_streamed  # noqa: PLR2004 - SillyTavern's system text and the story
    if is_before and _fold(_join_texts(messages[:1])).startswith(_SILLY_TAVERN):
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

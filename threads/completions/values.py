"""Values that the parts of the endpoint share: the caller, the aligned history, the question, JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memsite.accounts.models import Application
from memsite.values import TextEnum
from threads.messages import NewMessage
from threads.models import Message, Thread


def encode_json(data: object) -> bytes:
    """Return JSON as bytes; half a character, as a server may send one, stays an escape."""
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "backslashreplace")


class MemoryUse(TextEnum):
    """The use that a request makes of memory: recall and store, recall only, or neither."""

    ON = "on"
    READ = "read"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class ThreadReference:
    """The thread that a request names.

    Attributes:
        text: The client's own id of the conversation, or the id of one of our threads.
        may_be_id: Whether it may be the id of one of our threads.
        resends: Whether this kind of client sends the whole history each time; None if that is unknown.
    """

    text: str
    may_be_id: bool = False
    resends: bool | None = None


@dataclass(frozen=True, slots=True)
class CompletionCaller:
    """For whom and where a request is answered, and what it may do with memory.

    Attributes:
        owner: Id of the person whose memory is used.
        application: The application whose key was sent; None for a personal key.
        thread: The thread that is named; None if it has to be found by the history.
        message: The client's id of the newest user message; empty if it sent none.
        parent: The client's id of the message before it; empty if it sent none.
        reply: The client's id of the answer to come; empty if it sent none.
        reason: Why memory is not used in full; empty if it is.
        is_root: Whether the client says that no message is before the newest user message.
        is_retry: Whether the client says that it sends this request again.
        is_managed: Whether the thread's messages that the client does not send are to be added.
    """

    owner: UUID
    application: Application | None = None
    thread: ThreadReference | None = None
    message: str = ""
    parent: str = ""
    reply: str = ""
    memory: MemoryUse = MemoryUse.ON
    reason: str = ""
    is_root: bool = False
    is_retry: bool = False
    is_managed: bool = False


@dataclass(frozen=True, slots=True)
class AlignedHistory:
    """The place of a request's messages among the stored ones.

    Attributes:
        thread: Id of the thread; None if a new one is to be made.
        parent: Id of the stored message that the new ones follow; None if they begin the thread.
        new: The messages that are not stored yet, in order.
        repeated: Id of the stored message that the request asks again: a retry or a regeneration. A user's
            message, or a tool's result.
        system_prompt: The system text of the request, which a new thread takes over.
        resends: Whether this request showed that its client resends the history; None if it showed nothing.
        is_temporary: Whether the thread is a temporary one, for which nothing is recalled.
    """

    thread: UUID | None
    parent: UUID | None
    new: tuple[NewMessage, ...]
    repeated: UUID | None
    system_prompt: str = ""
    resends: bool | None = None
    is_temporary: bool = False


@dataclass(frozen=True, slots=True)
class Placement:
    """The place where a request continues a thread whose messages the client does not send.

    Attributes:
        history: Those messages, in the chat format.
        aligned: The thread, and what is new in it.
    """

    history: Sequence[Mapping[str, Any]]
    aligned: AlignedHistory


@dataclass(frozen=True, slots=True)
class StoredQuestion:
    """A question that is stored.

    Attributes:
        thread: The thread, whose current branch is the one that the answer is appended to.
        message: The message that is to be answered: a user's, or a tool's result.
    """

    thread: Thread
    message: Message

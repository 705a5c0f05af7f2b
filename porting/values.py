"""The values that an import consists of, whichever product it comes from. No Django."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memories.values import Kind
from memsite.values import MessageRole, TextEnum


class Format(TextEnum):
    """The products and shapes that can be imported. `AUTO`: recognised by content."""

    AUTO = "auto"
    MEMSITE = "memsite"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    GEMINI = "gemini"
    MEM0 = "mem0"
    OPENWEBUI = "openwebui"
    LIBRECHAT = "librechat"
    GRAPH = "graph-jsonl"
    LINES = "lines"


class Learn(TextEnum):
    """The learning from imported conversations: none, or by the rules from the person's own words."""

    NONE = "none"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """A memory of another product.

    Attributes:
        key: Names it among all imports of its format, so that it is imported once.
        at: When it was stated, if known.
        is_stated: Whether the person stated or kept it; else a model concluded it.
    """

    key: str
    content: str
    at: datetime | None = None
    is_stated: bool = True
    kind: Kind = Kind.FACT
    category: str = ""
    tags: tuple[str, ...] = ()
    subject: str = ""
    predicate: str = ""
    object: str = ""


@dataclass(frozen=True, slots=True)
class MessageItem:
    """A message of another product. `parent`: the key of the message before it, or "" for none."""

    key: str
    parent: str
    role: MessageRole
    content: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ThreadItem:
    """A conversation of another product.

    Attributes:
        key: Names it among all imports of its format.
        head: Key of the last message of the current branch; "" for the newest message.
        facts: What is kept as metadata of the thread, such as the model.
        external_id: The id by which the program itself names it, as in its requests; "" for none. Then the
            keys of its messages are the program's ids, too.
    """

    key: str
    title: str
    messages: tuple[MessageItem, ...]
    created_at: datetime | None = None
    updated_at: datetime | None = None
    head: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    external_id: str = ""


@dataclass(frozen=True, slots=True)
class RecordItem:
    """A record of Memsite's own export. `kind`: `memory`, `link`, `thread` or `preferences`."""

    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ProblemItem:
    """Something that is left out, and why."""

    where: str
    why: str


Item = MemoryItem | ThreadItem | RecordItem | ProblemItem

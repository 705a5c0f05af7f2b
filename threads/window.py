"""The newest messages of a path, as many as a window could hold, read without reading the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final
from uuid import UUID

from threads.layout import DEPTH, MESSAGE_ID
from threads.models.message import Role
from threads.path import Path
from threads.queries import MessageFilter, messages_on
from threads.trimming import Message

_FIRST_LOOK: Final = 100  # places; each further look takes four times as many
_LATER_LOOKS: Final = 4


@dataclass(frozen=True, slots=True)
class Window:
    """messages: in OpenAI's shape, oldest first, with MESSAGE_ID and DEPTH. is_whole: the path has no others.

    known: stored token counts of messages that are nothing but a text, by that text. compacted: those in
    whose place a pointer stands. repeated: the last message, left out because it is the input already.
    """

    messages: tuple[Message, ...] = ()
    known: Mapping[str, int] = field(default_factory=dict)
    compacted: frozenset[UUID] = frozenset()
    is_whole: bool = True
    repeated: UUID | None = None

    def said(self, most: int) -> list[str]:
        """What user and assistant said last."""
        texts = [str(one["content"]) for one in self.messages if one["role"] in (Role.USER, Role.ASSISTANT)]
        return texts[-most:]


def read_window(path: Path, tokens: int, current_input: str, *, owner: UUID) -> Window:
    """At least as many of the newest messages as so many tokens hold. Two queries, more for a long reach.

    A last message of the user's that is the input already is left out.
    """
    begins = _begins(path, tokens, owner=owner)
    if begins is None:
        return Window()
    depth, is_whole = begins
    messages, known, compacted = [], {}, set()
    for row in _read(path, depth, owner=owner):
        messages.append(_sent(row))
        if not row.tool_calls:
            known[row.content] = row.token_count
        if row.is_compacted:
            compacted.add(row.id)
    window = Window(tuple(messages), known, frozenset(compacted), is_whole)
    last = messages[-1] if messages else None
    if last is not None and last["role"] == Role.USER and last["content"] == current_input:
        return replace(window, messages=window.messages[:-1], repeated=last[MESSAGE_ID])
    return window


def _read(path: Path, depth: int, *, owner: UUID) -> Iterable[Any]:
    """Rows from a depth on, oldest first: no model instances, of which a long reach would need hundreds."""
    rows = messages_on(path, MessageFilter(after=depth - 1), owner=owner).order_by("depth")
    columns = ("id", "depth", "role", "content", "tool_calls", "tool_call_id", "token_count", "is_compacted")
    return rows.values_list(*columns, named=True)


def _begins(path: Path, tokens: int, *, owner: UUID) -> tuple[int, bool] | None:
    """The depth at which the newest messages pass so many tokens, and whether none lies before it."""
    places = messages_on(path, owner=owner).order_by("-depth").values_list("depth", "token_count")
    seen, look, depth = 0, _FIRST_LOOK, None
    while True:
        page = list(places[seen : seen + look])
        for depth, count in page:
            tokens -= count
            if tokens < 0:
                return depth, False
        if len(page) < look:
            return None if depth is None else (depth, True)
        seen, look = seen + look, look * _LATER_LOOKS


def _sent(row: Any) -> Message:  # noqa: ANN401 - a named tuple that Django makes
    sent: dict[str, Any] = {"role": row.role, "content": row.content, MESSAGE_ID: row.id, DEPTH: row.depth}
    if row.tool_calls:
        sent["tool_calls"] = row.tool_calls
    if row.role == Role.TOOL:
        sent["tool_call_id"] = row.tool_call_id
    return sent

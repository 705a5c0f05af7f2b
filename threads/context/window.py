"""The newest messages of a path, as many as a window could hold, read without reading the rest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection

from threads.context.layout import DEPTH, MESSAGE_ID
from threads.models import Role
from threads.prompt import Message
from threads.storage import Path

_TOKENS_A_PLACE: Final = 24  # and more have most messages: the first look is long enough for these
_LEAST_LOOK: Final = 32  # places
_LATER_LOOKS: Final = 4  # times as many places as the look before

# A row is read if those after it do not pass the tokens yet: also the one that does.
_NEWEST: Final = """
SELECT id, depth, role, content, tool_calls, tool_call_id, token_count, is_compacted, total FROM (
    SELECT m.id, m.depth, m.role, m.content, m.tool_calls, m.tool_call_id, m.token_count, m.is_compacted,
        sum(m.token_count) OVER (ORDER BY m.depth DESC) AS total
    FROM threads_message AS m WHERE m.owner_id = %s AND {condition} ORDER BY m.depth DESC LIMIT %s
) AS newest WHERE total - token_count <= %s ORDER BY depth DESC
"""


class _Row(NamedTuple):
    """tool_calls: JSON; total: tokens of this message and all after it."""

    id: UUID
    depth: int
    role: str
    content: str
    tool_calls: str | None
    tool_call_id: str
    token_count: int
    is_compacted: bool
    total: int


@dataclass(frozen=True, slots=True)
class Window:
    """messages: in OpenAI's shape, oldest first, with MESSAGE_ID and DEPTH. is_whole: the path has no others.

    known: stored token counts of messages that are nothing but a text, by that text. compacted: those in
    whose place a pointer stands. repeated: the last message, left out because it is the input already.
    texts: what each of them says, also the repeated one.
    """

    messages: tuple[Message, ...] = ()
    known: Mapping[str, int] = field(default_factory=dict)
    compacted: frozenset[UUID] = frozenset()
    is_whole: bool = True
    repeated: UUID | None = None
    texts: Mapping[UUID, str] = field(default_factory=dict)

    def said(self, most: int) -> list[str]:
        """What user and assistant said last."""
        texts = [str(one["content"]) for one in self.messages if one["role"] in (Role.USER, Role.ASSISTANT)]
        return texts[-most:]


def read_window(path: Path, tokens: int, current_input: str, *, owner: UUID) -> Window:
    """At least as many of the newest messages as so many tokens hold. One query, more where they are short.

    A last message of the user's that is the input already is left out.
    """
    rows, is_whole = _newest(path, tokens, owner=owner) if path.segments else ([], True)
    messages, known, compacted = [], {}, set()
    for row in reversed(rows):
        messages.append(sent := _sent(row))
        if "tool_calls" not in sent:
            known[row.content] = row.token_count
        if row.is_compacted:
            compacted.add(row.id)
    texts = {row.id: row.content for row in rows}
    window = Window(tuple(messages), known, frozenset(compacted), is_whole, texts=texts)
    last = messages[-1] if messages else None
    if last is not None and last["role"] == Role.USER and last["content"] == current_input:
        return replace(window, messages=window.messages[:-1], repeated=last[MESSAGE_ID])
    return window


def _newest(path: Path, tokens: int, *, owner: UUID) -> tuple[list[_Row], bool]:
    """Rows from the one on that passes so many tokens, newest first, and whether the path has no others."""
    condition, places = path.written("m")
    statement, look = _NEWEST.format(condition=condition), max(_LEAST_LOOK, tokens // _TOKENS_A_PLACE)
    while True:
        with connection.cursor() as cursor:
            cursor.execute(statement, [owner, *places, look, tokens])
            rows = [_Row(*row) for row in cursor.fetchall()]
        is_passed = bool(rows) and rows[-1].total > tokens
        if is_passed or len(rows) < look:
            return rows, not is_passed
        look *= _LATER_LOOKS


def _sent(row: _Row) -> Message:
    sent: dict[str, Any] = {"role": row.role, "content": row.content, MESSAGE_ID: row.id, DEPTH: row.depth}
    if row.tool_calls and (calls := json.loads(row.tool_calls)):
        sent["tool_calls"] = calls
    if row.role == Role.TOOL:
        sent["tool_call_id"] = row.tool_call_id
    return sent

"""Read the newest messages of a path, as many as a window can hold, without reading the others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection

from memsite.values import MessageRole
from threads.context.layout import DEPTH, MESSAGE_ID
from threads.prompt import Message
from threads.storage import Path

_TOKENS_A_PLACE: Final = 24  # most messages have at least as many, so the first query suffices for them
_LEAST_LOOK: Final = 32  # messages
_LATER_LOOKS: Final = 4  # each further query reads this many times more

# A row is returned if the rows after it do not exceed the token limit: this includes the first that exceeds
# it.
_NEWEST: Final = """
SELECT id, depth, role, content, tool_calls, tool_call_id, token_count, is_compacted, total FROM (
    SELECT m.id, m.depth, m.role, m.content, m.tool_calls, m.tool_call_id, m.token_count, m.is_compacted,
        sum(m.token_count) OVER (ORDER BY m.depth DESC) AS total
    FROM threads_message AS m WHERE m.owner_id = %s AND {condition} ORDER BY m.depth DESC LIMIT %s
) AS newest WHERE total - token_count <= %s ORDER BY depth DESC
"""


class _Row(NamedTuple):
    """A row of `_NEWEST`.

    Attributes:
        tool_calls: JSON text.
        total: Tokens of this message and all later ones.
    """

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
class RecentMessages:
    """The newest messages of a path.

    Attributes:
        messages: In OpenAI's format, oldest first, with MESSAGE_ID and DEPTH.
        token_counts: Stored token counts, by text, of messages that consist of that text only.
        compacted: Ids of messages whose content is replaced by a pointer.
        is_whole: Whether the path has no other messages.
        repeated: Id of the last message, if it was left out because it equals the input.
        texts: Content of each message by id, including the repeated one.
    """

    messages: tuple[Message, ...] = ()
    token_counts: Mapping[str, int] = field(default_factory=dict)
    compacted: frozenset[UUID] = frozenset()
    is_whole: bool = True
    repeated: UUID | None = None
    texts: Mapping[UUID, str] = field(default_factory=dict)

    def list_texts(self, most: int) -> list[str]:
        """Return the last `most` texts of user and assistant."""
        texts = [
            str(one["content"])
            for one in self.messages
            if one["role"] in (MessageRole.USER, MessageRole.ASSISTANT)
        ]
        return texts[-most:] if most else []


def load_recent_messages(path: Path, tokens: int, current_input: str, *, owner: UUID) -> RecentMessages:
    """Read the newest messages of a path, at least as many as `tokens` can hold.

    A last message of the user that equals `current_input` is left out. One query; more if messages are short.
    """
    rows, is_whole = _newest(path, tokens, owner=owner) if path.segments else ([], True)
    messages, token_counts, compacted = [], {}, set()
    for row in reversed(rows):
        messages.append(sent := _sent(row))
        if "tool_calls" not in sent:
            token_counts[row.content] = row.token_count
        if row.is_compacted:
            compacted.add(row.id)
    texts = {row.id: row.content for row in rows}
    window = RecentMessages(tuple(messages), token_counts, frozenset(compacted), is_whole, texts=texts)
    last = messages[-1] if messages else None
    if last is not None and last["role"] == MessageRole.USER and last["content"] == current_input:
        return replace(window, messages=window.messages[:-1], repeated=last[MESSAGE_ID])
    return window


def _newest(path: Path, tokens: int, *, owner: UUID) -> tuple[list[_Row], bool]:
    """Return rows, newest first, up to the one that exceeds `tokens`, and whether the path has no others."""
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
    if row.role == MessageRole.TOOL:
        sent["tool_call_id"] = row.tool_call_id
    return sent

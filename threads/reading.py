"""Reading a thread: filters from ids to places, and the newest messages that fit a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memsite.llm.tokens import count_message_tokens
from threads.access import get_branch, get_message
from threads.layout import MESSAGE_ID
from threads.models import Message, Thread
from threads.path import Path, path_of
from threads.queries import MessageFilter, newest_messages
from threads.trimming import Message as Sent
from threads.trimming import trim


@dataclass(frozen=True, slots=True)
class Selection:
    """Some messages of one path of a thread."""

    path: Path
    filters: MessageFilter


@dataclass(frozen=True, slots=True)
class Cut:
    """A message as it fits a budget: content may be a beginning that ends in "…"."""

    message: Message
    content: str
    token_count: int


def select(
    thread: Thread,
    *,
    branch: str = "",
    roles: Sequence[str] = (),
    before: UUID | None = None,
    after: UUID | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> Selection:
    """Messages of a branch (the current one) by role, by place before and after others, and by time.

    Raises NotFound for a branch or a message that the thread does not have.
    """
    head = get_branch(thread, branch) if branch else thread.current_branch
    filters = MessageFilter(
        roles=tuple(roles),
        before=get_message(thread, before).depth if before else None,
        after=get_message(thread, after).depth if after else None,
        since=since,
        until=until,
    )
    return Selection(path_of(head), filters)


def newest_within(
    selection: Selection, max_tokens: int, *, owner: UUID, most: int | None = None
) -> list[Cut]:
    """The newest messages of a selection that fit, at most so many, oldest first.

    A tool call stays with its results; a single over-long message is cut.
    """
    rows = newest_messages(selection.path, max_tokens, selection.filters, owner=owner, most=most)
    by_id = {row.pk: row for row in rows}
    whole = rows if selection.filters.roles else _with_their_calls(rows)
    kept = trim([as_sent(row) for row in whole], max_tokens)
    return [Cut(by_id[one[MESSAGE_ID]], one["content"], count_message_tokens(one)) for one in kept]


def as_sent(row: Message) -> Sent:
    """A stored message in OpenAI's shape, with its id beside."""
    sent: dict[str, Any] = {"role": row.role, "content": row.content, MESSAGE_ID: row.pk}
    if row.tool_calls:
        sent["tool_calls"] = row.tool_calls
    if row.role == "tool":
        sent["tool_call_id"] = row.tool_call_id
    return sent


def _with_their_calls(rows: Sequence[Message]) -> list[Message]:
    """Without results whose call lies before what was read."""
    made: set[str] = set()
    kept = []
    for row in rows:
        if row.role != "tool" or row.tool_call_id in made:
            kept.append(row)
        made |= {call["id"] for call in row.tool_calls or []}
    return kept

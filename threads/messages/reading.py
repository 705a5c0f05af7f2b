"""Select messages of a thread, count them, and return those within a token budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from memsite.llm.tokens import DEFAULT_ENCODING, count_message_tokens
from memsite.values import MessageRole
from threads.context import MESSAGE_ID
from threads.models import Message, Thread
from threads.prompt import Message as Sent
from threads.prompt import Strategy, trim_messages
from threads.storage import (
    MessageCount,
    MessageFilter,
    Path,
    count_messages,
    get_branch,
    get_message,
    limit_messages,
    list_messages,
    load_path,
)

_READ_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Selection:
    """Some messages of one path of a thread."""

    path: Path
    filters: MessageFilter


@dataclass(frozen=True, slots=True)
class CutMessage:
    """A message as it fits a budget. `content` may be shortened and end in "…"."""

    message: Message
    content: str
    token_count: int


def select_messages(
    thread: Thread,
    *,
    branch: str = "",
    roles: Sequence[MessageRole] = (),
    before: str | UUID | None = None,
    after: str | UUID | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> Selection:
    """Select messages of a branch by role, position and time.

    Args:
        branch: Name or id; by default the current branch.
        before: Id of a message; only messages before it.
        after: Id of a message; only messages after it.

    Raises:
        NotFound: If the thread has no such branch or message.
    """
    head = get_branch(thread, branch) if branch else thread.current_branch
    filters = MessageFilter(
        roles=tuple(roles),
        before=get_message(thread, before).depth if before else None,
        after=get_message(thread, after).depth if after else None,
        since=since,
        until=until,
    )
    return Selection(load_path(head), filters)


def load_within_budget(
    selection: Selection,
    max_tokens: int,
    *,
    owner: UUID,
    most: int | None = None,
    strategy: Strategy = "newest_first",
    encoding: str = DEFAULT_ENCODING,
) -> list[CutMessage]:
    """Return the newest (or oldest) messages of a selection that fit, oldest first.

    A tool call stays with its results, or both are left out; a single message that is too long is cut. If the
    selection is by role, only messages of these roles are returned.

    Args:
        most: Limit of the number of messages.

    Raises:
        InvalidInput: If the encoding is unknown.
        Unavailable: If the encoding cannot be downloaded.
    """
    count = partial(count_message_tokens, encoding=encoding)
    count({})  # a missing encoding is an error even if there are no messages
    # Stored counts are in the default encoding; in another one the same text may take fewer tokens.
    most_tokens = max_tokens if encoding == DEFAULT_ENCODING else 2 * max_tokens
    order = "-depth" if strategy == "newest_first" else "depth"
    found = list_messages(selection.path, selection.filters, owner=owner).order_by(order)
    rows = sorted(limit_messages(found, most_tokens, most=most), key=lambda row: row.depth)
    by_id = {row.pk: row for row in rows}
    whole = rows if selection.filters.roles else _paired(rows, selection.path, strategy, owner)
    kept = trim_messages([to_chat_message(row) for row in whole], max_tokens, strategy, count)
    return [CutMessage(by_id[one[MESSAGE_ID]], one["content"], count(one)) for one in kept]


def count_selected_messages(
    selection: Selection, encoding: str = DEFAULT_ENCODING, *, owner: UUID
) -> MessageCount:
    """Count the messages of a selection and their tokens in an encoding.

    One query in the default encoding; in others each message is read, 500 at a time.

    Raises:
        InvalidInput: If the encoding is unknown.
        Unavailable: If the encoding cannot be downloaded.
    """
    if encoding == DEFAULT_ENCODING:
        return count_messages(selection.path, selection.filters, owner=owner)
    rows = list_messages(selection.path, selection.filters, owner=owner).only("role", "content", "tool_calls")
    counts = [count_message_tokens(to_chat_message(row), encoding) for row in rows.iterator(_READ_AT_ONCE)]
    return MessageCount(len(counts), sum(counts))


def to_chat_message(row: Message) -> Sent:
    """Return a stored message in OpenAI's format, with its id."""
    sent: dict[str, Any] = {"role": row.role, "content": row.content, MESSAGE_ID: row.pk}
    if row.tool_calls:
        sent["tool_calls"] = row.tool_calls
    if row.role == MessageRole.TOOL:
        sent["tool_call_id"] = row.tool_call_id
    return sent


def _paired(rows: Sequence[Message], path: Path, strategy: Strategy, owner: UUID) -> list[Message]:
    """Drop results whose call was not read, and calls that have a result that was not read."""
    kept, calls = _with_their_calls(rows)
    split = _answered_later(calls, path, owner)
    if not split:
        return kept
    if strategy == "oldest_first":  # no gaps: everything after such a call is dropped too
        return kept[: min(place for place, row in enumerate(kept) if row.pk in split)]
    ids = {call["id"] for row in kept if row.pk in split for call in row.tool_calls or []}
    first = min(row.depth for row in kept if row.pk in split)
    return [
        row for row in kept if row.pk not in split and not (row.tool_call_id in ids and row.depth > first)
    ]


def _with_their_calls(rows: Sequence[Message]) -> tuple[list[Message], dict[str, Message]]:
    """Drop results whose call was not read. Return the rest, and the calls without a result by id."""
    made: set[str] = set()
    waiting: dict[str, Message] = {}
    kept = []
    for row in rows:
        if row.role != MessageRole.TOOL or row.tool_call_id in made:
            kept.append(row)
        waiting.pop(row.tool_call_id, None)
        for call in row.tool_calls or []:
            made.add(call["id"])
            waiting[call["id"]] = row
    return kept, waiting


def _answered_later(calls: Mapping[str, Message], path: Path, owner: UUID) -> set[UUID]:
    """Return the messages whose unanswered calls have a result on the path after all. One query, or none."""
    if not calls:
        return set()
    after = MessageFilter(roles=(MessageRole.TOOL,), after=min(row.depth for row in calls.values()))
    rows = list_messages(path, after, owner=owner).filter(tool_call_id__in=list(calls))
    found = rows.values_list("tool_call_id", "depth")
    return {calls[call_id].pk for call_id, depth in found if depth > calls[call_id].depth}

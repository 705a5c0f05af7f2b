"""Reading a thread: filters from ids to places, and the messages that fit a budget of tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from memsite.llm.tokens import DEFAULT_ENCODING, count_message_tokens
from threads.context import MESSAGE_ID
from threads.models import Message, Thread
from threads.prompt import Message as Sent
from threads.prompt import Strategy, trim
from threads.storage import (
    Counted,
    MessageFilter,
    Path,
    count_messages,
    get_branch,
    get_message,
    messages_on,
    messages_within,
    path_of,
)

_READ_AT_ONCE: Final = 500


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


def within(
    selection: Selection,
    max_tokens: int,
    *,
    owner: UUID,
    most: int | None = None,
    strategy: Strategy = "newest_first",
    encoding: str = DEFAULT_ENCODING,
) -> list[Cut]:
    """The newest (or oldest) messages of a selection that fit, at most `most`, oldest first.

    A tool call stays with its results, or both are left out; a single over-long message is cut. Where the
    selection is by role, what was asked for comes alone.
    Raises InvalidInput for an unknown encoding, Unavailable for one that cannot be fetched.
    """
    count = partial(count_message_tokens, encoding=encoding)
    count({})  # an encoding that is not there is an error even where there are no messages
    # Stored counts are in the default encoding: in another the same text may take less.
    reach = max_tokens if encoding == DEFAULT_ENCODING else 2 * max_tokens
    order = "-depth" if strategy == "newest_first" else "depth"
    found = messages_on(selection.path, selection.filters, owner=owner).order_by(order)
    rows = sorted(messages_within(found, reach, most=most), key=lambda row: row.depth)
    by_id = {row.pk: row for row in rows}
    whole = rows if selection.filters.roles else _paired(rows, selection.path, strategy, owner)
    kept = trim([as_sent(row) for row in whole], max_tokens, strategy, count)
    return [Cut(by_id[one[MESSAGE_ID]], one["content"], count(one)) for one in kept]


def count_in(selection: Selection, encoding: str = DEFAULT_ENCODING, *, owner: UUID) -> Counted:
    """How many messages a selection has and what they cost in an encoding.

    One query; in other encodings than the default each message is read, 500 at a time.
    Raises InvalidInput for an unknown encoding, Unavailable for one that cannot be fetched.
    """
    if encoding == DEFAULT_ENCODING:
        return count_messages(selection.path, selection.filters, owner=owner)
    rows = messages_on(selection.path, selection.filters, owner=owner).only("role", "content", "tool_calls")
    counts = [count_message_tokens(as_sent(row), encoding) for row in rows.iterator(_READ_AT_ONCE)]
    return Counted(len(counts), sum(counts))


def is_empty(selection: Selection, *, owner: UUID) -> bool:
    """Whether a selection has no message. One query."""
    return not messages_on(selection.path, selection.filters, owner=owner).exists()


def as_sent(row: Message) -> Sent:
    """A stored message in OpenAI's shape, with its id beside."""
    sent: dict[str, Any] = {"role": row.role, "content": row.content, MESSAGE_ID: row.pk}
    if row.tool_calls:
        sent["tool_calls"] = row.tool_calls
    if row.role == "tool":
        sent["tool_call_id"] = row.tool_call_id
    return sent


def _paired(rows: Sequence[Message], path: Path, strategy: Strategy, owner: UUID) -> list[Message]:
    """Without results whose call lies before what was read, and calls whose results lie behind it."""
    kept, calls = _with_their_calls(rows)
    split = _answered_later(calls, path, owner)
    if not split:
        return kept
    if strategy == "oldest_first":  # without gaps: what comes after such a call goes, too
        return kept[: min(place for place, row in enumerate(kept) if row.pk in split)]
    ids = {call["id"] for row in kept if row.pk in split for call in row.tool_calls or []}
    first = min(row.depth for row in kept if row.pk in split)
    return [
        row for row in kept if row.pk not in split and not (row.tool_call_id in ids and row.depth > first)
    ]


def _with_their_calls(rows: Sequence[Message]) -> tuple[list[Message], dict[str, Message]]:
    """Without results whose call was not read; and which calls are still without a result."""
    made: set[str] = set()
    waiting: dict[str, Message] = {}
    kept = []
    for row in rows:
        if row.role != "tool" or row.tool_call_id in made:
            kept.append(row)
        waiting.pop(row.tool_call_id, None)
        for call in row.tool_calls or []:
            made.add(call["id"])
            waiting[call["id"]] = row
    return kept, waiting


def _answered_later(calls: Mapping[str, Message], path: Path, owner: UUID) -> set[UUID]:
    """The messages of those calls that have a result on the path all the same. One query, or none."""
    if not calls:
        return set()
    after = MessageFilter(roles=("tool",), after=min(row.depth for row in calls.values()))
    rows = messages_on(path, after, owner=owner).filter(tool_call_id__in=list(calls))
    found = rows.values_list("tool_call_id", "depth")
    return {calls[call_id].pk for call_id, depth in found if depth > calls[call_id].depth}

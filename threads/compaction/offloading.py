"""Bulky content put away whole, a pointer left in its place, and brought back byte for byte.

Whether a message is compacted is said by its own mark, never by what its text looks like. The mark, the
pointer and the row with the whole content change in one transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from memsite.errors import NotFound
from memsite.ids import new_id
from memsite.llm.tokens import count_message_tokens
from threads.compaction.pointer import pointer
from threads.models import Message, Offload, Thread

#: What is put away must cost at least this many times what stands in its place.
WORTH: Final = 2


def is_compacted(message: Message) -> bool:
    """Whether a pointer stands in place of its content."""
    return message.is_compacted


def put_away(rows: Iterable[Message]) -> list[Offload]:
    """Give those of these messages a pointer for content that are worth it; their whole content, not stored.

    The messages are changed in memory only: role, tool calls and their ids stay. Worth it is what costs at
    least twice what its pointer does; what is compacted already is left as it is.
    """
    offloads = (_offload(row) for row in rows if not row.is_compacted)
    return [one for one in offloads if one is not None]


def put_away_results(rows: Iterable[Message], over: int) -> list[Offload]:
    """As `put_away`, for single tool results of more than so many tokens."""
    return put_away(row for row in rows if row.role == "tool" and row.token_count > over)


def read_whole(message_ids: Collection[UUID], *, owner: UUID) -> dict[UUID, str]:
    """The whole content of messages by their ids, offloaded or not; unknown ids are left out. One query."""
    if not message_ids:
        return {}
    offloaded = Offload.objects.filter(owner_id=owner, message_id=OuterRef("pk")).values("content")
    rows = Message.objects.filter(owner_id=owner, pk__in=list(message_ids))
    return dict(rows.annotate(whole=Coalesce(Subquery(offloaded), "content")).values_list("pk", "whole"))


def whole_of(rows: Sequence[Message], *, owner: UUID) -> dict[UUID, str]:
    """The whole content of loaded messages, by their ids; a query only where one of them is compacted."""
    found = {row.pk: row.content for row in rows}
    away = [row.pk for row in rows if row.is_compacted]
    return found | (read_whole(away, owner=owner) if away else {})


def bring_back(thread: Thread, message_ids: Collection[UUID]) -> list[UUID]:
    """Put whole content back in its place; the ids of the messages that had been put away.

    Within a transaction that holds the thread. Three statements at any number.
    """
    rows = Message.objects.filter(
        owner_id=thread.owner_id, thread=thread, pk__in=list(message_ids), is_compacted=True
    )
    ids = list(rows.values_list("pk", flat=True))
    if ids:
        own = Offload.objects.filter(owner_id=thread.owner_id, message_id=OuterRef("pk"))
        Message.objects.filter(owner_id=thread.owner_id, pk__in=ids).update(
            content=Subquery(own.values("content")),
            token_count=Subquery(own.values("token_count")),
            is_compacted=False,
        )
        Offload.objects.filter(owner_id=thread.owner_id, message_id__in=ids).delete()
    return ids


def read_in_thread(
    thread: Thread, message_ids: Collection[UUID], memory_ids: Collection[UUID] = ()
) -> dict[UUID, str]:
    """The whole content of messages of a thread, by their own ids and by those in pointers.

    Raises NotFound if one is not of this thread.
    """
    owner = thread.owner_id
    behind = Offload.objects.filter(owner_id=owner, pk__in=list(memory_ids)).values_list("pk", "message_id")
    named = dict(behind) if memory_ids else {}
    wanted = {*message_ids, *named.values()}
    own = Message.objects.filter(owner_id=owner, thread=thread, pk__in=wanted).values_list("pk", flat=True)
    whole = read_whole(list(own), owner=owner)
    if len(whole) != len(wanted) or len(named) != len(set(memory_ids)):
        raise NotFound("There is no such message in this thread.")
    return whole


def _offload(row: Message) -> Offload | None:
    kept = Offload(
        id=new_id(),
        owner_id=row.owner_id,
        message=row,
        content=row.content,
        token_count=row.token_count,
    )
    short = pointer(row.content, kept.pk)
    costs = count_message_tokens({"content": short, "tool_calls": row.tool_calls})
    if costs * WORTH > row.token_count:
        return None
    row.content, row.token_count, row.is_compacted = short, costs, True
    return kept

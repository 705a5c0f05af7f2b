"""Offload bulky content, leave a pointer in its place, and restore it byte for byte.

A message is compacted if `is_compacted` is set, whatever its text looks like. This mark, the pointer and the
row with the original content change in one transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from memsite.errors import NotFound
from memsite.llm.tokens import count_message_tokens
from memsite.values import MessageRole, new_id
from threads.compaction.pointer import make_pointer
from threads.models import Message, Offload, Thread

#: Content is offloaded if it takes at least this many times the tokens of its pointer.
LEAST_POINTER_GAIN: Final = 2


def is_compacted(message: Message) -> bool:
    """Return whether the content of a message is replaced by a pointer."""
    return message.is_compacted


def offload_content(rows: Iterable[Message]) -> list[Offload]:
    """Offload the messages whose content is large enough, and replace it with a pointer.

    Messages change in memory only; role, tool calls and their ids stay. Content is large enough if it takes
    at least twice the tokens of its pointer. Compacted messages are skipped.

    Returns:
        Unsaved rows with the original content.
    """
    offloads = (_offload(row) for row in rows if not row.is_compacted)
    return [one for one in offloads if one is not None]


def offload_tool_results(rows: Iterable[Message], over: int) -> list[Offload]:
    """Offload single tool results of more than `over` tokens, like `offload_content`."""
    return offload_content(row for row in rows if row.role == MessageRole.TOOL and row.token_count > over)


def load_original_content(message_ids: Collection[UUID], *, owner: UUID) -> dict[UUID, str]:
    """Return the original content of messages by id, offloaded or not. One query.

    Unknown ids are left out.
    """
    if not message_ids:
        return {}
    offloaded = Offload.objects.filter(owner_id=owner, message_id=OuterRef("pk")).values("content")
    rows = Message.objects.filter(owner_id=owner, pk__in=list(message_ids))
    return dict(rows.annotate(whole=Coalesce(Subquery(offloaded), "content")).values_list("pk", "whole"))


def load_whole_content(rows: Sequence[Message], *, owner: UUID) -> dict[UUID, str]:
    """Return the original content of loaded messages by id. One query if one is compacted, else none."""
    found = {row.pk: row.content for row in rows}
    away = [row.pk for row in rows if row.is_compacted]
    return found | (load_original_content(away, owner=owner) if away else {})


def restore_content(thread: Thread, message_ids: Collection[UUID]) -> list[UUID]:
    """Restore the original content of messages. Return the ids of those that were compacted.

    Call within a transaction that holds the thread's lock. Three statements at any number of messages.
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


def load_offloaded(
    thread: Thread, message_ids: Collection[UUID], memory_ids: Collection[UUID] = ()
) -> dict[UUID, str]:
    """Return the original content of messages of a thread by message id.

    Args:
        memory_ids: Ids in pointers; the messages they belong to are returned too.

    Raises:
        NotFound: If a message is not in this thread.
    """
    owner = thread.owner_id
    behind = Offload.objects.filter(owner_id=owner, pk__in=list(memory_ids)).values_list("pk", "message_id")
    named = dict(behind) if memory_ids else {}
    wanted = {*message_ids, *named.values()}
    own = Message.objects.filter(owner_id=owner, thread=thread, pk__in=wanted).values_list("pk", flat=True)
    whole = load_original_content(list(own), owner=owner)
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
    short = make_pointer(row.content, kept.pk)
    costs = count_message_tokens({"content": short, "tool_calls": row.tool_calls})
    if costs * LEAST_POINTER_GAIN > row.token_count:
        return None
    row.content, row.token_count, row.is_compacted = short, costs, True
    return kept

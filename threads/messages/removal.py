"""Taking messages and threads away. The episodes that mirror them are forgotten with them.

What was learnt from a message (facts, preferences) stays; only its mirror goes. The owner's ledger
is locked before any message is touched, in the order that learning takes, so the two never block
each other and nothing is learnt from a message while it goes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from memories.curation import forget
from memories.storage import lock_ledger
from memsite.errors import NotFound
from threads.compaction import forget_compactions
from threads.messages.call_results import results_of
from threads.messages.placement import is_learnable
from threads.messages.reading import Selection
from threads.models import Branch, Message, TaskState, Thread
from threads.storage import (
    MessageFilter,
    get_message,
    get_thread,
    messages_on,
    path_of,
    queue_extraction,
    queue_learning,
)
from threads.summarization import mark_stale
from threads.visibility import episodes_of, learnt_only_from

PERSON: Final = "person"


@dataclass(frozen=True, slots=True)
class Removed:
    """How many messages went, which memories were forgotten with them, and the batch that undoes that."""

    messages: int
    forgotten: tuple[UUID, ...] = ()
    batch_id: UUID | None = None


def delete_message(
    thread_id: str | UUID, reference: str | UUID | int, *, owner: UUID, actor: str = PERSON
) -> Removed:
    """Delete one message, by id or index, and with a tool call its results.

    Their children are attached to what came before. Raises NotFound.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        message = get_message(thread, reference)
        return _remove(thread, [message], actor)


def clear(
    thread_id: str | UUID, selection: Selection | None = None, *, owner: UUID, actor: str = PERSON
) -> Removed:
    """Delete the messages of a selection, by default all of the current line; with tool calls their results.

    Raises NotFound.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        chosen = selection or Selection(path_of(thread.current_branch), MessageFilter())
        rows = messages_on(chosen.path, chosen.filters, owner=owner).filter(thread=thread)
        return _remove(thread, list(rows.order_by("depth").only("id", "parent", "owner", "thread")), actor)


def delete_thread(thread_id: str | UUID, *, owner: UUID, actor: str = PERSON) -> Removed:
    """Delete a thread with everything in it. Raises NotFound."""
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        ids = set(Message.objects.filter(owner_id=owner, thread=thread).values_list("id", flat=True))
        removed = _forget_mirrors(thread, ids, actor)
        Thread.objects.filter(owner_id=owner, pk=thread.pk).delete()
        return removed


def close(thread_id: str | UUID, *, owner: UUID) -> Thread:
    """End a conversation: what waits is learnt now; of a temporary thread all messages go.

    A normal thread opens again with its next message, a temporary one never. Raises NotFound.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        if thread.is_temporary:
            Message.objects.filter(owner_id=owner, thread=thread).delete()
            TaskState.objects.filter(owner_id=owner, thread=thread).delete()
            thread.title = thread.title if thread.title_is_given else ""
        elif _waiting(thread).exists():
            queue_extraction(thread.pk, owner=thread.owner_id)
        thread.closed_at = thread.closed_at or timezone.now()
        thread.save(update_fields=["title", "closed_at"])
    return thread


def _waiting(thread: Thread) -> QuerySet[Message]:
    """Messages not learnt from yet, or not read to their end."""
    waits = Q(learnt_at=None) | Q(unread_from__isnull=False)
    return Message.objects.filter(waits, owner_id=thread.owner_id, thread=thread)


def expire_temporary(*, before: datetime, most: int) -> int:
    """Close temporary threads begun before a moment; drop the empty rows of those closed before it.

    At most so many are closed at once; returns how many. Across owners: for the schedule alone.
    """
    old = Thread.objects.filter(is_temporary=True, closed_at=None, created_at__lt=before)
    due = list(old.values_list("owner_id", "id")[:most])
    for owner, thread_id in due:
        with suppress(NotFound):  # deleted meanwhile
            close(thread_id, owner=owner)
    Thread.objects.filter(is_temporary=True, closed_at__lt=before).delete()
    return len(due)


def set_do_not_remember(
    thread_id: str | UUID, reference: str | UUID | int, *, wish: bool, owner: UUID, actor: str = PERSON
) -> tuple[Message, Removed]:
    """Mark a message as not to be remembered, or take the mark away.

    What was learnt from it alone is forgotten; without the mark it is learnt from as if new, within
    what the person has not forgotten. Raises NotFound.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        message = get_message(thread, reference)
        if message.do_not_remember == wish:
            return message, Removed(0)
        lock_ledger(owner=owner)
        message.do_not_remember = wish
        remembers = not thread.is_temporary and is_learnable(message)
        message.learnt_at = None if remembers else message.learnt_at or timezone.now()
        message.save(update_fields=["do_not_remember", "learnt_at"])
        if remembers:
            queue_learning(thread.pk, owner=thread.owner_id)
        learnt = learnt_only_from(message.pk, owner=owner) if wish else []
        return message, _forget(learnt, owner, actor)


def _remove(thread: Thread, messages: Collection[Message], actor: str) -> Removed:
    parents = {message.pk: message.parent_id for message in messages}
    parents |= {message.pk: message.parent_id for message in results_of(thread, parents.keys())}
    if not parents:
        return Removed(0)
    removed = _forget_mirrors(thread, set(parents), actor)
    survivors = {gone: _survivor(gone, parents) for gone in parents}
    mark_stale(thread, survivors)
    children = Message.objects.filter(owner_id=thread.owner_id, parent_id__in=parents)
    _move(children.exclude(pk__in=parents), "parent_id", survivors)
    heads = Branch.objects.filter(owner_id=thread.owner_id, thread=thread, head_id__in=parents)
    _move(heads, "head_id", survivors)
    forget_compactions(thread.pk, owner=thread.owner_id)
    Message.objects.filter(owner_id=thread.owner_id, pk__in=parents).delete()
    Thread.objects.filter(owner_id=thread.owner_id, pk=thread.pk).update(updated_at=timezone.now())
    return removed


def remove_unreached(thread: Thread, which: Q, actor: str, also_forget: Collection[UUID] = ()) -> Removed:
    """Delete messages after which, on any line, nothing comes that stays; forget their mirrors and others.

    Within a transaction that holds the thread.
    """
    rows = Message.objects.filter(which, owner_id=thread.owner_id, thread=thread)
    removed = _forget_mirrors(thread, set(rows.values_list("id", flat=True)), actor, also_forget)
    rows.delete()
    Thread.objects.filter(owner_id=thread.owner_id, pk=thread.pk).update(updated_at=timezone.now())
    return removed


def _move(rows: QuerySet[Any], reference: str, to: Mapping[UUID, UUID | None]) -> None:
    """Let each row refer to what comes for the one that goes."""
    moved = list(rows.only("id", reference))
    for row in moved:
        setattr(row, reference, to[getattr(row, reference)])
    rows.model.objects.bulk_update(moved, [reference.removesuffix("_id")], batch_size=500)


def _survivor(gone: UUID, parents: dict[UUID, UUID | None]) -> UUID | None:
    """The nearest ancestor that stays."""
    place: UUID | None = gone
    while place is not None and place in parents:
        place = parents[place]
    return place


def _forget_mirrors(
    thread: Thread, message_ids: set[UUID], actor: str, also: Collection[UUID] = ()
) -> Removed:
    if thread.is_temporary or not (message_ids or also):
        return Removed(len(message_ids))
    lock_ledger(owner=thread.owner_id)
    mirrors = episodes_of(message_ids, owner=thread.owner_id)
    forgotten = _forget(list(dict.fromkeys([*mirrors, *also])), thread.owner_id, actor)
    return replace(forgotten, messages=len(message_ids))


def _forget(memory_ids: list[UUID], owner: UUID, actor: str) -> Removed:
    if not memory_ids:
        return Removed(0)
    changed = forget(memory_ids, owner=owner, actor=actor)
    return Removed(0, tuple(memory_ids), changed.batch_id)

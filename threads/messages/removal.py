"""Delete messages and threads, and forget the episodes that mirror them.

Facts and preferences learnt from a message are kept; only its episodes are forgotten. The owner's ledger is
locked before any message, in the same order as in learning, so that the two cannot deadlock and nothing is
learnt from a message while it is deleted.
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

from memories.curation import forget_memories
from memories.storage import lock_ledger
from memsite.errors import NotFound
from memsite.events.types import LoggedType
from memsite.serving.postgres import across_owners, acting_for
from threads.compaction import forget_compactions
from threads.messages.call_results import list_tool_results
from threads.messages.placement import is_learnable
from threads.messages.reading import Selection
from threads.models import Branch, Citation, Kept, Message, SentContext, TaskState, Thread, ThreadSummary
from threads.storage import (
    MessageFilter,
    clear_sent_texts,
    get_message,
    get_thread,
    list_messages,
    load_path,
    log_thread_event,
    queue_extraction,
    queue_learning,
)
from threads.summarization import mark_stale
from threads.visibility import list_episodes, list_memories_only_from

PERSON: Final = "person"
_ERASED_AT_ONCE: Final = 20  # threads


@dataclass(frozen=True, slots=True)
class RemovedMessages:
    """The result of a deletion.

    Attributes:
        messages: Number of messages deleted.
        forgotten: Ids of the memories forgotten with them.
        batch_id: The batch that undoes the forgetting.
    """

    messages: int
    forgotten: tuple[UUID, ...] = ()
    batch_id: UUID | None = None


def delete_message(
    thread_id: str | UUID, reference: str | UUID | int, *, owner: UUID, actor: str = PERSON
) -> RemovedMessages:
    """Delete one message, by id or index, and the results of its tool calls.

    Messages that follow are attached to the nearest remaining message before it.

    Raises:
        NotFound: If the owner has no such thread, or the thread no such message.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        message = get_message(thread, reference)
        return _remove(thread, [message], actor)


def delete_selection(
    thread_id: str | UUID, selection: Selection | None = None, *, owner: UUID, actor: str = PERSON
) -> RemovedMessages:
    """Delete the messages of a selection and the results of their tool calls.

    Args:
        selection: By default all messages of the current branch.

    Raises:
        NotFound: If the owner has no such thread.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        chosen = selection or Selection(load_path(thread.current_branch), MessageFilter())
        rows = list_messages(chosen.path, chosen.filters, owner=owner).filter(thread=thread)
        return _remove(thread, list(rows.order_by("depth").only("id", "parent", "owner", "thread")), actor)


def delete_thread(thread_id: str | UUID, *, owner: UUID, actor: str = PERSON) -> RemovedMessages:
    """Delete a thread with everything in it.

    Raises:
        NotFound: If the owner has no such thread.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        ids = set(Message.objects.filter(owner_id=owner, thread=thread).values_list("id", flat=True))
        removed = _forget_mirrors(thread, ids, actor)
        Thread.objects.filter(owner_id=owner, pk=thread.pk).delete()
        log_thread_event(thread, LoggedType.THREAD_DELETED, actor=actor)
        return removed


def count_threads(*, owner: UUID) -> dict[str, int]:
    """Return the numbers of a person's threads and messages."""
    return {
        "threads": Thread.objects.filter(owner_id=owner).count(),
        "messages": Message.objects.filter(owner_id=owner).count(),
    }


def erase_some_threads(*, owner: UUID) -> dict[str, int]:
    """Delete at most 20 of a person's threads with everything in them, when all of their data go.

    The episodes that mirror the messages stay; they are erased with the other memories.

    Returns:
        How many rows, by name; nothing when no thread is left.
    """
    with transaction.atomic():
        threads = Thread.objects.select_for_update().filter(owner_id=owner).order_by("id")
        ids = [thread.pk for thread in threads.only("id", "owner")[:_ERASED_AT_ONCE]]
        if not ids:
            kept, _by_table = Kept.objects.filter(owner_id=owner).delete()
            return {"other rows": kept} if kept else {}
        lock_ledger(owner=owner)
        parts: dict[str, QuerySet[Any]] = {
            "messages": Message.objects.filter(owner_id=owner),
            "summaries": ThreadSummary.objects.filter(owner_id=owner),
            "task_states": TaskState.objects.filter(owner_id=owner),
            "sent_contexts": SentContext.objects.filter(owner_id=owner),
            "citations": Citation.objects.filter(owner_id=owner),
        }
        counts = {name: part.filter(thread_id__in=ids).count() for name, part in parts.items()}
        rows = Thread.objects.filter(owner_id=owner, pk__in=ids)
        for thread in rows:
            log_thread_event(thread, LoggedType.THREAD_DELETED, actor=PERSON)
        rows.delete()
    return {"threads": len(ids), **{name: count for name, count in counts.items() if count}}


def close_thread(thread_id: str | UUID, *, owner: UUID) -> Thread:
    """Close a conversation: learn from waiting messages now; delete all messages of a temporary thread.

    A normal thread opens again with its next message, a temporary one never does.

    Raises:
        NotFound: If the owner has no such thread.
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
        log_thread_event(thread, action="closed")
    return thread


def _waiting(thread: Thread) -> QuerySet[Message]:
    """Return messages that are not learnt from yet, or not read to their end."""
    waits = Q(learnt_at=None) | Q(unread_from__isnull=False)
    return Message.objects.filter(waits, owner_id=thread.owner_id, thread=thread)


@across_owners()
def expire_temporary_threads(*, before: datetime, most: int) -> int:
    """Close temporary threads created before a time, and delete those that were closed before it.

    Across owners: for the schedule only.

    Args:
        most: How many threads to close at most.

    Returns:
        How many threads were closed.
    """
    old = Thread.objects.filter(is_temporary=True, closed_at=None, created_at__lt=before)
    due = list(old.values_list("owner_id", "id")[:most])
    for owner, thread_id in due:
        with suppress(NotFound), acting_for(owner):  # deleted meanwhile
            close_thread(thread_id, owner=owner)
    Thread.objects.filter(is_temporary=True, closed_at__lt=before).delete()
    return len(due)


def set_do_not_remember(
    thread_id: str | UUID,
    reference: str | UUID | int,
    *,
    do_not_remember: bool,
    owner: UUID,
    actor: str = PERSON,
) -> tuple[Message, RemovedMessages]:
    """Mark a message as not to be remembered, or remove the mark.

    Setting the mark forgets what was learnt from this message alone. Removing it lets the message be learnt
    from as if it were new, except for memories that the person has forgotten.

    Raises:
        NotFound: If the owner has no such thread, or the thread no such message.
    """
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        message = get_message(thread, reference)
        if message.do_not_remember == do_not_remember:
            return message, RemovedMessages(0)
        lock_ledger(owner=owner)
        message.do_not_remember = do_not_remember
        remembers = not thread.is_temporary and is_learnable(message)
        message.learnt_at = None if remembers else message.learnt_at or timezone.now()
        message.save(update_fields=["do_not_remember", "learnt_at"])
        log_thread_event(thread, action="marked", actor=actor)
        if remembers:
            queue_learning(thread.pk, owner=thread.owner_id)
        learnt = list_memories_only_from(message.pk, owner=owner) if do_not_remember else []
        return message, _forget(learnt, owner, actor)


def _remove(thread: Thread, messages: Collection[Message], actor: str) -> RemovedMessages:
    parents = {message.pk: message.parent_id for message in messages}
    parents |= {message.pk: message.parent_id for message in list_tool_results(thread, parents.keys())}
    if not parents:
        return RemovedMessages(0)
    removed = _forget_mirrors(thread, set(parents), actor)
    survivors = {gone: _survivor(gone, parents) for gone in parents}
    mark_stale(thread, survivors)
    children = Message.objects.filter(owner_id=thread.owner_id, parent_id__in=parents)
    _move(children.exclude(pk__in=parents), "parent_id", survivors)
    heads = Branch.objects.filter(owner_id=thread.owner_id, thread=thread, head_id__in=parents)
    _move(heads, "head_id", survivors)
    forget_compactions(thread.pk, owner=thread.owner_id)
    clear_sent_texts([thread.pk], owner=thread.owner_id)
    Message.objects.filter(owner_id=thread.owner_id, pk__in=parents).delete()
    Thread.objects.filter(owner_id=thread.owner_id, pk=thread.pk).update(updated_at=timezone.now())
    log_thread_event(thread, action="messages_deleted", actor=actor)
    return removed


def remove_unreachable_messages(
    thread: Thread, which: Q, actor: str, also_forget: Collection[UUID] = ()
) -> RemovedMessages:
    """Delete messages after which no remaining message follows on any line, and forget their episodes.

    Call within a transaction that holds the thread's lock.

    Args:
        which: Condition that selects the messages.
        also_forget: Ids of further memories to forget.
    """
    rows = Message.objects.filter(which, owner_id=thread.owner_id, thread=thread)
    removed = _forget_mirrors(thread, set(rows.values_list("id", flat=True)), actor, also_forget)
    rows.delete()
    clear_sent_texts([thread.pk], owner=thread.owner_id)
    Thread.objects.filter(owner_id=thread.owner_id, pk=thread.pk).update(updated_at=timezone.now())
    return removed


def _move(rows: QuerySet[Any], reference: str, to: Mapping[UUID, UUID | None]) -> None:
    """Replace references to deleted rows by references to the rows that take their place."""
    moved = list(rows.only("id", reference))
    for row in moved:
        setattr(row, reference, to[getattr(row, reference)])
    rows.model.objects.bulk_update(moved, [reference.removesuffix("_id")], batch_size=500)


def _survivor(gone: UUID, parents: dict[UUID, UUID | None]) -> UUID | None:
    """Return the nearest ancestor that is not deleted."""
    place: UUID | None = gone
    while place is not None and place in parents:
        place = parents[place]
    return place


def _forget_mirrors(
    thread: Thread, message_ids: set[UUID], actor: str, also: Collection[UUID] = ()
) -> RemovedMessages:
    if thread.is_temporary or not (message_ids or also):
        return RemovedMessages(len(message_ids))
    lock_ledger(owner=thread.owner_id)
    mirrors = list_episodes(message_ids, owner=thread.owner_id)
    forgotten = _forget(list(dict.fromkeys([*mirrors, *also])), thread.owner_id, actor)
    return replace(forgotten, messages=len(message_ids))


def _forget(memory_ids: list[UUID], owner: UUID, actor: str) -> RemovedMessages:
    if not memory_ids:
        return RemovedMessages(0)
    changed = forget_memories(memory_ids, owner=owner, actor=actor)
    return RemovedMessages(0, tuple(memory_ids), changed.batch_id)

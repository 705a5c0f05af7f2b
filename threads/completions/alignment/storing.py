"""Store the new messages of a request where they belong, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from memsite.errors import InvalidInput, NotFound
from memsite.serving.postgres import acting_for
from memsite.values import MessageRole
from threads.branches import checkout_before, checkout_branch
from threads.completions.alignment.stored_turns import ROOT, load_stored_turns
from threads.completions.history import turn_of
from threads.completions.values import AlignedHistory, CompletionCaller, StoredQuestion
from threads.conf import ALIGN_THREADS, BATCH_MESSAGES
from threads.messages import NewMessage, append_to_locked, create_thread
from threads.models import Message, Thread
from threads.storage import find_by_client_id, find_tool_calls, get_message, get_thread, load_path

#: Longer than it takes to align a request and wait for the lock.
_MEANWHILE: Final = timedelta(minutes=1)
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"


def store_new_messages(aligned: AlignedHistory, *, owner: UUID, caller: CompletionCaller) -> StoredQuestion:
    """Store what is new, and return what is to be answered. The end of the answer queues learning from both.

    What another request stored since the history was aligned is not stored again. The current branch of the
    thread becomes the one that the answer belongs to: a branch without a name if the question is not the
    newest message.

    Raises:
        InvalidInput: If the request has no message that could be stored.
        NotFound: If the message that it repeats was deleted meanwhile.
    """
    if not aligned.new and aligned.repeated is None:
        raise InvalidInput("The request has no message of a user.", {"messages": "nothing to answer"})
    with (
        acting_for(owner),
        transaction.atomic(savepoint=False),
    ):  # an error ends the caller's transaction, too
        thread = _lock_thread(aligned, owner=owner)
        if thread is not None:
            return _store(aligned, thread)
        twin = _find_twin(aligned, owner=owner, caller=caller) if caller.thread is None else None
        if twin is not None:
            return twin
        made = _create_thread(aligned, owner=owner, caller=caller)
        if made.external_id is None:  # nobody else can have found it
            return StoredQuestion(made, _append(made, aligned.new))
        return _store(aligned, get_thread(made.pk, owner=owner, lock=True))


def _store(aligned: AlignedHistory, thread: Thread) -> StoredQuestion:
    if aligned.repeated is not None:
        return _question(thread, aligned.repeated)
    parent = aligned.parent if _is_there(thread, aligned.parent) else _head_id(thread)
    parent, new = _skip_stored(thread, parent, aligned.new)
    if not new and parent is not None:
        return _question(thread, parent)
    if parent != _head_id(thread):
        _move_to(thread, parent)
        thread = get_thread(thread.pk, owner=thread.owner_id)
    return StoredQuestion(thread, _append(thread, new))


def _lock_thread(aligned: AlignedHistory, *, owner: UUID) -> Thread | None:
    """Return the thread, locked; None if it is not there."""
    try:
        if aligned.thread is not None:
            return _note_client(get_thread(aligned.thread, owner=owner, lock=True), aligned)
    except NotFound:  # deleted since the history was aligned
        if aligned.repeated is not None:
            raise
    return None


def _find_twin(aligned: AlignedHistory, *, owner: UUID, caller: CompletionCaller) -> StoredQuestion | None:
    """Return the question of the same request if another one stored it since this one was aligned.

    Clients without ids of their conversations send a request again while the first is underway. The lock is
    the first of the transaction, so that requests with the same opening begin their threads one by one.
    """
    opening = turn_of(aligned.new[0])
    if opening is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [f"opening:{owner}:{opening.key}"])
    begun = Message.objects.filter(
        owner_id=owner,
        content_key=opening.key,
        parent=None,
        thread__created_at__gte=timezone.now() - _MEANWHILE,
        thread__application_id=caller.application.pk if caller.application is not None else None,
        thread__external_id=None,
    ).exclude(thread__resends_history=False)  # its client adds to it by name
    for thread_id in begun.order_by("-id").values_list("thread_id", flat=True)[:ALIGN_THREADS]:
        thread = get_thread(thread_id, owner=owner, lock=True)
        last, left = _skip_stored(thread, ROOT, aligned.new)
        if not left and last is not None and last == _head_id(thread):
            return _question(thread, last)
    return None


def _create_thread(aligned: AlignedHistory, *, owner: UUID, caller: CompletionCaller) -> Thread:
    return create_thread(
        owner=owner,
        system_prompt=aligned.system_prompt,
        external_id=caller.thread.text if caller.thread is not None else None,
        application_id=caller.application.pk if caller.application is not None else None,
    )


def _note_client(thread: Thread, aligned: AlignedHistory) -> Thread:
    """Note what the request showed of its client, and open a temporary thread again."""
    changed = []
    if thread.resends_history is None and aligned.resends is not None:
        thread.resends_history = aligned.resends
        changed.append("resends_history")
    if thread.is_temporary and thread.closed_at is not None:
        thread.closed_at = None
        changed.append("closed_at")
    if changed:
        thread.save(update_fields=changed)
    return thread


def _is_there(thread: Thread, parent: UUID | None) -> bool:
    rows = Message.objects.filter(owner_id=thread.owner_id, thread=thread)
    return parent is ROOT or parent == _head_id(thread) or rows.filter(pk=parent).exists()


def _skip_stored(
    thread: Thread, parent: UUID | None, new: Sequence[NewMessage]
) -> tuple[UUID | None, Sequence[NewMessage]]:
    """Skip what another request stored meanwhile, and drop the client's ids that are taken."""
    turns = [turn for one in new if (turn := turn_of(one)) is not None]
    stored = load_stored_turns([thread.pk], turns, owner=thread.owner_id, lines=False)
    last, skipped = stored.skip_stored(thread, parent, turns)
    left = [turn.new for turn in turns[skipped:]]
    ids = {one.client_id for one in left if one.client_id}
    taken = find_by_client_id(thread, ids) if ids else {}
    return last, [_without_taken_id(one, taken) for one in left]


def _without_taken_id(message: NewMessage, taken: dict[str, Message]) -> NewMessage:
    if message.client_id in taken:  # an edited message has kept its id: the first wording has it
        return message.model_copy(update={"client_id": None})
    return message


def _move_to(thread: Thread, parent: UUID | None) -> None:
    """Make the messages follow `parent`, which is not the head: on a branch without a name."""
    if parent is not ROOT:
        checkout_branch(thread.pk, message=parent, owner=thread.owner_id)
        return
    rows = Message.objects.filter(owner_id=thread.owner_id, thread=thread, parent=None)
    first = rows.order_by("id").values_list("id", flat=True).first()
    if first is not None:
        checkout_before(thread.pk, first, owner=thread.owner_id)


def _append(thread: Thread, new: Sequence[NewMessage]) -> Message:
    rows: tuple[Message, ...] = ()
    kept = _drop_loose_results(thread, new)
    for place in range(0, len(kept), BATCH_MESSAGES):
        part = kept[place : place + BATCH_MESSAGES]
        rows = append_to_locked(thread, part, queues_jobs=False).messages
    if not rows:
        raise InvalidInput(
            "The request has no message that can be stored.", {"messages": "nothing to answer"}
        )
    return rows[-1]


def _drop_loose_results(thread: Thread, new: Sequence[NewMessage]) -> list[NewMessage]:
    """Leave out results of tool calls that are not before them, or that have one: a window cut them off."""
    results = {str(one.tool_call_id) for one in new if one.role == MessageRole.TOOL}
    if not results:
        return list(new)
    is_answered = find_tool_calls(load_path(thread.current_branch), results, owner=thread.owner_id)
    kept = []
    for one in new:
        if one.role == MessageRole.TOOL and is_answered.get(str(one.tool_call_id)) is not False:
            continue
        if one.tool_call_id:
            is_answered[one.tool_call_id] = True
        is_answered.update(dict.fromkeys(one.call_ids, False))
        kept.append(one)
    return kept


def _question(thread: Thread, message: UUID) -> StoredQuestion:
    """Return a stored message as the question; an answer to it goes beside the one that it has."""
    found = get_message(thread, message)
    checkout_branch(thread.pk, message=found.pk, owner=thread.owner_id)
    return StoredQuestion(get_thread(thread.pk, owner=thread.owner_id), found)


def _head_id(thread: Thread) -> UUID | None:
    found: UUID | None = thread.current_branch.head_id if thread.current_branch is not None else None
    return found

"""Create threads and append messages to them.

Reading is in `queries` and `reading`, deletion in `removal`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from memories.gate import redact_text
from memsite.errors import Conflict, InvalidInput
from memsite.events.types import LoggedType
from memsite.values import derive_id, new_id
from threads.compaction import load_whole_content, queue_if_above_threshold
from threads.conf import TITLE_CHARACTERS
from threads.messages.incoming import NewMessage
from threads.messages.placement import place_messages, store_messages
from threads.models import Branch, Line, Message, Thread
from threads.storage import (
    find_by_client_id,
    find_tool_calls,
    get_branch,
    get_thread,
    list_threads,
    load_path,
    log_remembered_event,
    log_thread_event,
    queue_learning,
)
from threads.summarization import queue_if_due

MAIN: Final = "main"


@dataclass(frozen=True, slots=True)
class AppendedMessages:
    """The result of an append.

    Attributes:
        messages: One row for each message given, in order.
        new: How many of them were not stored before.
    """

    messages: tuple[Message, ...]
    new: int


def create_thread(
    *,
    owner: UUID,
    title: str = "",
    system_prompt: str = "",
    is_temporary: bool = False,
    metadata: Mapping[str, Any] | None = None,
    client_id: UUID | None = None,
    external_id: str | None = None,
    application_id: UUID | None = None,
) -> Thread:
    """Create a thread with an empty branch `main`. Without a title it takes one from its first message.

    The gate redacts the title, which is shown in lists. The system prompt is sent to a model as it is given.

    Args:
        client_id: A UUIDv7 of the client. The thread's id is derived from it and the owner, so that a request
            that is repeated finds the thread that the first one created.
        external_id: The id that a program gives the conversation. A thread that has it already is returned
            unchanged.
        application_id: Id of the application that begins it.
    """
    thread_id = new_id() if client_id is None else derive_id(client_id, owner)
    found = _find_thread(thread_id if client_id is not None else None, external_id, owner=owner)
    if found is not None:
        return found
    thread = Thread(
        id=thread_id,
        owner_id=owner,
        title=redact_text(title).text[:TITLE_CHARACTERS],
        title_is_given=bool(title),
        system_prompt=system_prompt,
        is_temporary=is_temporary,
        metadata=dict(metadata or {}),
        external_id=external_id,
        application_id=application_id,
    )
    line = Line(owner_id=owner, thread=thread)
    main = Branch(owner_id=owner, thread=thread, name=MAIN, line=line, live_tokens=0)
    thread.current_branch = main
    try:
        # Only ids that a client chose can be taken. The foreign keys among the rows are checked at commit.
        with transaction.atomic(savepoint=client_id is not None or external_id is not None):
            for row in (thread, line, main):
                row.save(force_insert=True)
            if thread.is_remembered:
                log_remembered_event(thread, LoggedType.THREAD_CREATED)
    except IntegrityError:
        found = _find_thread(thread_id, external_id, owner=owner)
        if found is None:
            raise
        return found  # the same request, sent twice at once
    return thread


def _find_thread(thread_id: UUID | None, external_id: str | None, *, owner: UUID) -> Thread | None:
    """Return the owner's thread of this id or, without one, of this external id. One query at most."""
    if thread_id is None and external_id is None:
        return None
    same = Q(pk=thread_id) if external_id is None else Q(pk=thread_id) | Q(external_id=external_id)
    return list_threads(owner=owner).filter(same).first()


def change_thread(thread_id: str | UUID, changes: Mapping[str, Any], *, owner: UUID) -> Thread:
    """Set title, system_prompt or metadata.

    With an empty title, the next message appended gives the thread its title.

    Raises:
        NotFound: If the owner has no such thread.
    """
    values = {**changes, "updated_at": timezone.now()}
    if "title" in changes:
        values["title"] = redact_text(changes["title"]).text[:TITLE_CHARACTERS]
        values["title_is_given"] = bool(changes["title"])
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        for name, value in values.items():
            setattr(thread, name, value)
        thread.save(update_fields=list(values))
        log_thread_event(thread, action="changed")
    return thread


def append_messages(
    thread_id: str | UUID, new: Sequence[NewMessage], *, owner: UUID, branch: UUID | None = None
) -> AppendedMessages:
    """Append messages to a branch and queue learning from them. Either all are stored or none.

    A message whose client_id is stored already is not stored again; its row is returned unchanged. Writers of
    one thread wait for each other.

    Args:
        branch: Id of the branch; by default the current one.

    Raises:
        NotFound: If the owner has no such thread, or the thread no such branch.
        Conflict: If a client_id is stored with other content, or the thread is temporary and closed.
        InvalidInput: If a tool message answers no tool call, or one that has a result already.
    """
    counts = [message.token_count() for message in new]  # counting takes time, so it is done before the lock
    with transaction.atomic():
        thread = get_thread(thread_id, owner=owner, lock=True)
        if branch is not None:
            thread.current_branch = get_branch(thread, str(branch))  # used for this append only and not saved
        return append_to_locked(thread, new, counts)


def append_to_locked(
    thread: Thread,
    new: Sequence[NewMessage],
    counts: Sequence[int] | None = None,
    *,
    queues_jobs: bool = True,
) -> AppendedMessages:
    """Append messages like `append_messages`, to the current branch of a thread that is locked already.

    The caller's transaction must have locked or created the thread.

    The thread and its branch are changed in memory as in the database.

    Args:
        counts: Tokens of each message, if they were counted.
        queues_jobs: Whether learning and summaries are queued; not if a reply begins, whose end does so.

    Raises:
        Conflict: As in `append_messages`.
        InvalidInput: As in `append_messages`.
    """
    if thread.is_temporary and thread.closed_at is not None:
        raise Conflict("This temporary thread is closed.")
    origins = _origins(thread, new)
    fresh = [index for index, origin in enumerate(origins) if origin == index]
    tokens = [message.token_count() for message in new] if counts is None else counts
    added = _add(thread, new, tokens, fresh, queues_jobs=queues_jobs) if fresh else {}
    rows = [added[origin] if isinstance(origin, int) else origin for origin in origins]
    return AppendedMessages(tuple(rows), len(fresh))


def _add(
    thread: Thread,
    new: Sequence[NewMessage],
    counts: Sequence[int],
    fresh: Sequence[int],
    *,
    queues_jobs: bool,
) -> dict[int, Message]:
    _check_answers(thread, {index: new[index] for index in fresh})
    placed = [(new[index], counts[index]) for index in fresh]
    rows = place_messages(thread, placed, is_learnt=thread.is_remembered)
    store_messages(thread, rows)
    if queues_jobs:
        _queue_jobs(thread, rows)
    if thread.is_remembered:
        log_remembered_event(thread, action="appended")
    return dict(zip(fresh, rows, strict=True))


def _queue_jobs(thread: Thread, rows: Sequence[Message]) -> None:
    if any(row.learnt_at is None for row in rows):
        queue_learning(thread.pk, owner=thread.owner_id)
    queue_if_due(thread, rows[-1])
    queue_if_above_threshold(thread)


def _origins(thread: Thread, new: Sequence[NewMessage]) -> list[Message | int]:
    """Return for each message the stored row it repeats, or the index of the new message to store."""
    ids = {message.client_id for message in new if message.client_id}
    stored = find_by_client_id(thread, ids) if ids else {}
    whole = load_whole_content(list(stored.values()), owner=thread.owner_id)
    firsts: dict[str, int] = {}
    origins: list[Message | int] = []
    for index, message in enumerate(new):
        if message.client_id is None:
            origins.append(index)
        elif message.client_id in stored:
            row = stored[message.client_id]
            _check_same_message(_get_compared_fields(row, whole[row.pk]), message)
            origins.append(row)
        else:
            first = firsts.setdefault(message.client_id, index)
            _check_same_message(_get_compared_fields(new[first]), message)
            origins.append(first)
    return origins


def _get_compared_fields(message: NewMessage | Message, whole: str = "") -> tuple[Any, ...]:
    """Return the fields that must be equal for two messages to be the same.

    Args:
        whole: The original content of a message that is offloaded.
    """
    calls = message.calls_json() if isinstance(message, NewMessage) else message.tool_calls
    return (message.role, whole or message.content or "", calls, message.tool_call_id or "", message.state)


def _check_same_message(expected: tuple[Any, ...], message: NewMessage) -> None:
    if expected != _get_compared_fields(message):
        raise Conflict(
            "A message with this client_id is there already, with other content.",
            {"client_id": message.client_id},
        )


def _check_answers(thread: Thread, fresh: Mapping[int, NewMessage]) -> None:
    """Check that each tool message answers an earlier call in the same batch or on the current branch.

    A call has one result, because providers reject a conversation with two. If a call id is used again, it
    can be answered again.
    """
    answers = {message.tool_call_id for message in fresh.values()} - {None, ""}
    if not answers:
        return
    path = load_path(thread.current_branch)
    is_answered = find_tool_calls(path, {str(one) for one in answers}, owner=thread.owner_id)
    for index, message in fresh.items():
        call = message.tool_call_id
        if call is not None:
            _check_answer(index, is_answered.get(call))
            is_answered[call] = True
        is_answered.update(dict.fromkeys(message.call_ids, False))


def _check_answer(index: int, is_answered: bool | None) -> None:  # noqa: FBT001 - None: there is no such call
    field = f"messages.{index}.tool_call_id"
    if is_answered is None:
        raise InvalidInput(
            "A tool's message must answer a tool call of an earlier assistant message.",
            {field: "answers no earlier tool call"},
        )
    if is_answered:
        raise InvalidInput("This tool call has a result already.", {field: "answered already"})

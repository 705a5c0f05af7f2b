"""Find where the messages of a request belong, among what is stored.

A client sends its whole history with each request, or the end of it, with texts around it that are gone from
the next. What comes back unchanged are our own answers. So the newest answer in the request that is stored is
the anchor, and only what follows it is new (docs/adr/0042-aligning-a-resent-history.md). The number of
statements does not depend on the number of messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db.models import Count, Max, Q
from django.utils import timezone

from memsite.errors import NotFound
from memsite.serving.postgres import acting_for
from memsite.values import MessageRole, parse_id
from threads.completions.alignment.stored_turns import ROOT, StoredTurns, is_sure, load_stored_turns
from threads.completions.history import Turn, is_same_cut_answer, read_system_prompt, read_turns
from threads.completions.values import AlignedHistory, CompletionCaller
from threads.conf import ALIGN_THREADS, ALIGN_TURNS, ALIGN_WITHIN, RETRY_WITHIN
from threads.messages import NewMessage
from threads.models import Message, Thread
from threads.storage import find_by_client_id, list_threads

_OUR_VERSION: Final = 7  # of the UUIDs that are ids of ours


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in a thread, and how many turns of the request are stored up to there."""

    thread: Thread
    parent: UUID | None
    stored: int
    resends: bool | None = None


def align_history(
    messages: Sequence[Mapping[str, Any]], *, owner: UUID, caller: CompletionCaller
) -> AlignedHistory:
    """Return where the messages of a request belong.

    Args:
        messages: The messages as the client sent them.

    Raises:
        NotFound: If the request names a thread by an id of ours, and the owner has no such thread.
    """
    turns = read_turns(messages)
    system_prompt = read_system_prompt(messages)
    with acting_for(owner):
        return _align(turns, system_prompt, caller, owner=owner)


def _align(
    turns: Sequence[Turn], system_prompt: str, caller: CompletionCaller, *, owner: UUID
) -> AlignedHistory:
    thread = _find_named_thread(caller, owner=owner)
    if not turns:
        return AlignedHistory(thread.pk if thread is not None else None, None, (), None, system_prompt)
    place = None
    if thread is not None:
        place = _place_in_thread(thread, turns, caller)
    elif caller.thread is None:
        place = _find_thread(turns, caller, owner=owner)
    if place is None:
        return AlignedHistory(None, None, _name_question(turns, turns, caller), None, system_prompt)
    new = turns[place.stored :]
    return AlignedHistory(
        thread=place.thread.pk,
        parent=place.parent,
        new=_name_question(turns, new, caller),
        repeated=None if new else place.parent,
        system_prompt=system_prompt,
        resends=place.resends,
        is_temporary=place.thread.is_temporary,
    )


def _find_named_thread(caller: CompletionCaller, *, owner: UUID) -> Thread | None:
    """Return the thread that a request names; None if it names none, or one that is not there yet."""
    named = caller.thread
    if named is None:
        return None
    identifier = parse_id(named.text) if named.may_be_id else None
    same = Q(external_id=named.text) | Q(pk=identifier) if identifier else Q(external_id=named.text)
    rows = list_threads(owner=owner).select_related("current_branch__head", "current_branch__line")
    found = rows.filter(same).first()
    if found is None and identifier is not None and identifier.version == _OUR_VERSION:
        raise NotFound("There is no such thread.")
    return found


def _place_in_thread(thread: Thread, turns: Sequence[Turn], caller: CompletionCaller) -> _Place:
    stored = load_stored_turns([thread.pk], turns[-ALIGN_TURNS:], owner=thread.owner_id)
    exact = _place_exactly(thread, turns, stored, caller)
    if exact is not None:
        return exact
    anchored = _find_anchor([thread], turns, stored, is_named=True)
    return anchored or _place_without_anchor(thread, turns, stored, caller)


def _place_exactly(
    thread: Thread, turns: Sequence[Turn], stored: StoredTurns, caller: CompletionCaller
) -> _Place | None:
    """Place the newest user message by the client's ids. One query; None if they are unknown here."""
    place = _find_question(turns)
    if not caller.message or place is None:
        return None
    rows = find_by_client_id(thread, {one for one in (caller.message, caller.parent) if one})
    same, parent = rows.get(caller.message), rows.get(caller.parent)
    if same is not None:
        is_edited = same.content_key != turns[place].key
        before, matched = (same.parent_id, place) if is_edited else (same.pk, place + 1)
    elif parent is not None:
        before, matched = parent.pk, place
    elif caller.is_root:
        before, matched = ROOT, place
    else:
        return None
    last, skipped = stored.skip_stored(thread, before, turns[matched:])
    return _Place(thread, last, matched + skipped)


def _find_thread(turns: Sequence[Turn], caller: CompletionCaller, *, owner: UUID) -> _Place | None:
    """Find the thread that a history is from, by its answers. At most five statements."""
    recent = turns[-ALIGN_TURNS:]
    answers = {one.key for one in recent if one.role == MessageRole.ASSISTANT}
    ids = _list_candidates(answers or {turns[0].key}, caller, owner=owner, is_opening=not answers)
    if not ids:
        return None
    rows = Thread.objects.filter(owner_id=owner, pk__in=ids)
    threads = list(rows.select_related("current_branch__head").order_by("-updated_at", "-id"))
    stored = load_stored_turns(ids, recent, owner=owner)
    if answers:
        return _find_anchor(threads, turns, stored, is_named=False)
    return _find_repeated_opening(threads, turns, stored, caller)


def _list_candidates(
    keys: set[UUID], caller: CompletionCaller, *, owner: UUID, is_opening: bool
) -> list[UUID]:
    """Return the threads that have most of these messages. One statement.

    Args:
        is_opening: Whether the messages must begin a thread, and the thread be a few minutes old.
    """
    now = timezone.now()
    rows = Message.objects.filter(owner_id=owner, content_key__in=keys)
    if is_opening:
        rows = rows.filter(parent=None, thread__created_at__gte=now - RETRY_WITHIN)
    else:
        rows = rows.filter(thread__updated_at__gte=now - ALIGN_WITHIN)
    rows = rows.exclude(thread__resends_history=False)  # its client adds to it by name
    application = caller.application
    if application is None or application.owner_id == owner:  # all threads of an end user are its own
        rows = rows.filter(thread__application_id=application.pk if application is not None else None)
    counted = rows.order_by().values("thread_id")
    counted = counted.annotate(found=Count("content_key", distinct=True), changed=Max("thread__updated_at"))
    return [one["thread_id"] for one in counted.order_by("-found", "-changed")[:ALIGN_THREADS]]


def _find_anchor(
    threads: Sequence[Thread], turns: Sequence[Turn], stored: StoredTurns, *, is_named: bool
) -> _Place | None:
    """Find the newest answer of the request that is stored, and what is stored after it.

    Of several places, the one that most of the earlier turns speak for is taken; of equal ones, that in the
    thread that was changed last.

    Args:
        threads: Those that may be meant, the one changed last first.
        is_named: Whether the client named the thread.
    """
    by_id = {thread.pk: thread for thread in threads}
    order = {thread.pk: -place for place, thread in enumerate(threads)}
    for place in range(len(turns) - 1, max(-1, len(turns) - 1 - ALIGN_TURNS), -1):
        if turns[place].role != MessageRole.ASSISTANT:
            continue
        found = []
        for one in stored.list_same(turns[place]):
            if one.thread_id not in by_id:  # deleted meanwhile
                continue
            support = stored.measure_support(turns, place, one)
            is_head = one.id == _get_head_id(by_id[one.thread_id])
            weak = support.run > 0 or is_head if is_named else support.is_whole and is_head
            if is_sure(turns[place], support) or weak:
                found.append((support.run, support.turns, order[one.thread_id], is_head, one.id, one))
        if found:
            best = max(found)[-1]
            return _follow(by_id[best.thread_id], best.id, turns, place + 1, stored)
    return None


def _follow(
    thread: Thread, parent: UUID | None, turns: Sequence[Turn], place: int, stored: StoredTurns
) -> _Place:
    """Skip the turns that are stored after a message, also past one answer that was cut off."""
    last, skipped = stored.skip_stored(thread, parent, turns[place:])
    place += skipped
    if place < len(turns) and turns[place].role == MessageRole.ASSISTANT:
        cut = _find_cut_answer(thread, last, turns[place])
        if cut is not None:
            last, skipped = stored.skip_stored(thread, cut, turns[place + 1 :])
            place += 1 + skipped
    has_answers = any(turn.role == MessageRole.ASSISTANT for turn in turns[:place])
    return _Place(thread, last, place, resends=True if has_answers else None)


def _find_cut_answer(thread: Thread, parent: UUID | None, turn: Turn) -> UUID | None:
    """Return the answer after a message that was cut off and that the client sends again. One query."""
    rows = Message.objects.filter(
        owner_id=thread.owner_id, thread=thread, parent_id=parent, role=MessageRole.ASSISTANT
    )
    cut = rows.filter(state__has_key="cut").order_by("-id").values_list("id", "content")[:ALIGN_THREADS]
    return next((key for key, content in cut if is_same_cut_answer(turn, content)), None)


def _find_repeated_opening(
    threads: Sequence[Thread], turns: Sequence[Turn], stored: StoredTurns, caller: CompletionCaller
) -> _Place | None:
    """Return the place of a first message that was sent a few minutes ago, and was not answered.

    An answered one begins a new thread, unless the client says that it sends the request again.
    """
    for thread in threads:
        last, skipped = stored.skip_stored(thread, ROOT, turns)
        if skipped == len(turns) and (caller.is_retry or last == _get_head_id(thread)):
            return _Place(thread, last, skipped)
    return None


def _place_without_anchor(
    thread: Thread, turns: Sequence[Turn], stored: StoredTurns, caller: CompletionCaller
) -> _Place:
    """Place a request that has none of our answers in the thread that it names.

    A client that sends its history has gone back to the beginning. One that does not continues at the head.
    """
    head_id = _get_head_id(thread)
    if head_id is None:
        return _Place(thread, ROOT, 0)
    resends = caller.thread.resends if caller.thread is not None else None
    resends = thread.resends_history if resends is None else resends
    if resends is not False:
        begun = _follow(thread, ROOT, turns, 0, stored)
        if begun.stored:
            return begun
    after_answers = _count_until_last_answer(turns)
    repeated = _find_repeated_head(thread, turns, stored, caller)
    if repeated is not None:
        return _Place(thread, repeated, len(turns))
    if resends and not after_answers:
        return _Place(thread, ROOT, 0)
    return _Place(thread, head_id, after_answers, resends=None if after_answers else False)


def _find_repeated_head(
    thread: Thread, turns: Sequence[Turn], stored: StoredTurns, caller: CompletionCaller
) -> UUID | None:
    """Return the newest message of the thread if the request ends with it; after its answer, for a retry."""
    head = thread.current_branch.head if thread.current_branch is not None else None
    if head is None:
        return None
    ends = {head.pk} | ({head.parent_id} if caller.is_retry else set())
    return next((one.id for one in stored.list_same(turns[-1]) if one.id in ends), None)


def _name_question(
    turns: Sequence[Turn], new: Sequence[Turn], caller: CompletionCaller
) -> tuple[NewMessage, ...]:
    """Return the new messages, the newest user message with the client's id of it."""
    place = _find_question(turns)
    question = turns[place] if place is not None else None
    return tuple(one.with_client_id(caller.message if one is question else None) for one in new)


def _find_question(turns: Sequence[Turn]) -> int | None:
    places = (place for place in range(len(turns) - 1, -1, -1) if turns[place].role == MessageRole.USER)
    return next(places, None)


def _count_until_last_answer(turns: Sequence[Turn]) -> int:
    places = (
        place + 1 for place in range(len(turns) - 1, -1, -1) if turns[place].role == MessageRole.ASSISTANT
    )
    return next(places, 0)


def _get_head_id(thread: Thread) -> UUID | None:
    found: UUID | None = thread.current_branch.head_id if thread.current_branch is not None else None
    return found

"""Learning from a thread: its new messages become episodes at once, and what is known is found in them.

Without a model rules find it in the same batch. With one, messages wait to be read by it in windows
(`rounds`), so that nothing is learnt twice in two wordings; where it fails the rules read the window in its
place.

Exactly once: the messages are marked in the very transaction that writes the memories, and only if
none of them was learnt from, marked or deleted meanwhile and the owner's lease is still ours. Killed
at any moment, the next run begins where the last commit ended.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memories.extraction import FALLBACK, found_by_rules
from memories.values import Candidate
from memories.writing import Written, remember
from memsite.accounts.preferences import preferences_of
from memsite.errors import NotAllowed
from memsite.jobs import check_lease, renew
from memsite.metering import chat_model
from threads.conf import CONTEXT_MESSAGES, LEARN_BATCH, LEARN_SECONDS, LEASE_SECONDS
from threads.learning.episodes import episodes_from
from threads.learning.hearing import heard, utterance
from threads.learning.records import ACTOR, MovedMeanwhile, keep
from threads.learning.rounds import read_waiting
from threads.models import Learning, Message
from threads.storage import queue_extraction, queue_learning, said_before, turn, unlearnt
from threads.visibility import speaker_name

_TRIES: Final = 5


def learn(thread_id: UUID, *, owner: UUID, whole: bool = False) -> dict[str, int]:
    """Learn from every message of the thread that waits, oldest first; how many met with each action.

    whole: a model reads all of it now; otherwise only windows that are due. One run an owner at a time. What
    cannot be done in time is left to a job queued anew. Raises LeaseBusy while another run of the owner is
    at it, MovedMeanwhile when messages will not hold still.
    """
    began = time.monotonic()
    actions = _mirror(thread_id, owner, began)
    read = read_waiting(thread_id, owner=owner, whole=whole, began=began)
    if not read.is_done:
        queue_rest = queue_extraction if whole else queue_learning
        queue_rest(thread_id, owner=owner)
    return dict(actions + read.actions)


def _mirror(thread_id: UUID, owner: UUID, began: float) -> Counter[str]:
    """Turn what waits into episodes, and without a model into what rules find."""
    actions: Counter[str] = Counter()
    if not unlearnt(thread_id, owner=owner).exists():
        return actions
    with turn(f"learn:{owner}") as token:
        while (batch := _learn_next(thread_id, owner, token)) is not None:
            actions.update(outcome["action"] for outcome in batch.outcomes)
            if time.monotonic() - began > LEARN_SECONDS:
                queue_learning(thread_id, owner=owner)
                break
            renew(token, LEASE_SECONDS)
    return actions


def _learn_next(thread_id: UUID, owner: UUID, token: UUID) -> Learning | None:
    """Learn from the next messages; None when none wait."""
    for _ in range(_TRIES):
        messages = list(unlearnt(thread_id, owner=owner)[:LEARN_BATCH])
        if not messages:
            return None
        try:
            return _learn_from(messages, owner, token)
        except (MovedMeanwhile, NotAllowed):  # NotAllowed: memory was switched off this very moment
            continue
    raise MovedMeanwhile("The thread's messages kept changing.")


def _learn_from(messages: Sequence[Message], owner: UUID, token: UUID) -> Learning:
    """One batch. With memory switched off the messages count as done: nothing is learnt from them later."""
    preferences = preferences_of(owner)
    waits = preferences.memory_on and chat_model("fast", owner=owner) is not None
    candidates = _candidates(messages, owner, waits=waits) if preferences.memory_on else []
    record = Learning(
        owner_id=owner,
        thread_id=messages[0].thread_id,
        source="" if waits else FALLBACK,
        messages=len(messages),
    )

    def finish(written: Written | None) -> None:
        check_lease(token)
        _mark_learnt(messages, owner, waits=waits)
        if preferences.memory_on:
            keep(record, candidates, written)

    if candidates:
        pending = not preferences.auto_extract
        remember(candidates, owner=owner, actor=ACTOR, pending=pending, within=finish)
    else:
        with transaction.atomic():
            finish(None)
    return record


def _candidates(messages: Sequence[Message], owner: UUID, *, waits: bool) -> list[Candidate]:
    """Episodes first, then what rules find in the same words, with what was said before as context.

    waits: a model is to read them, and nothing but episodes is made of them now.
    """
    user = speaker_name(owner)
    said = heard(messages, user)
    episodes = [episode for one in said for episode in episodes_from(one)]
    if waits:
        return episodes
    context = heard(said_before(messages[0], CONTEXT_MESSAGES), user)
    found = found_by_rules([utterance(one) for one in said], [utterance(one) for one in context])
    return [*episodes, *found]


def _mark_learnt(messages: Sequence[Message], owner: UUID, *, waits: bool) -> None:
    ids = [message.pk for message in messages]
    waiting = Message.objects.filter(owner_id=owner, id__in=ids, learnt_at=None, do_not_remember=False)
    if waiting.update(learnt_at=timezone.now(), unread_from=0 if waits else None) != len(ids):
        raise MovedMeanwhile("A message changed while it was learnt from.")

"""Learning from a thread: its new messages become episodes, and what rules find in them is kept.

Exactly once: the messages are marked in the very transaction that writes the memories, and only if
none of them was learnt from, marked or deleted meanwhile and the owner's lease is still ours. Killed
at any moment, the next run begins where the last commit ended.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memories.candidates import Candidate, Utterance
from memories.extraction.by_rules import extract_by_rules
from memories.gate import redact
from memories.pipeline import Written, remember
from memsite.accounts.preferences import preferences_of
from memsite.errors import Conflict, NotAllowed
from memsite.jobs import check_lease, lease, renew
from threads.access import get_thread
from threads.conf import (
    CONTEXT_MESSAGES,
    EPISODE_CHARACTERS,
    EPISODE_PARTS,
    LEARN_BATCH,
    LEARN_SECONDS,
    LEASE_SECONDS,
)
from threads.episodes import Said, episodes_from
from threads.models import Learning, Message
from threads.provenance import ASSISTANT, reference_to, speaker_name
from threads.queries import said_before, unlearnt
from threads.transcript import queue_learning

ACTOR: Final = "learning"
FALLBACK: Final = "fallback"
_TRIES: Final = 5


class MovedMeanwhile(Conflict):
    """A message was deleted, marked or learnt from by another while its batch was prepared."""


def learn(thread_id: UUID, *, owner: UUID) -> dict[str, int]:
    """Learn from every message of the thread that waits, oldest first; how many met with each action.

    One run an owner at a time. What cannot be done in 40 s is left to a job queued anew. Raises
    LeaseBusy while another run of the owner is at it, MovedMeanwhile when messages will not hold still.
    """
    actions: Counter[str] = Counter()
    with lease(f"learn:{owner}", LEASE_SECONDS) as token:
        end = time.monotonic() + LEARN_SECONDS
        while (batch := _learn_next(thread_id, owner, token)) is not None:
            actions.update(outcome["action"] for outcome in batch.outcomes)
            if time.monotonic() > end:
                queue_learning(get_thread(thread_id, owner=owner))
                break
            renew(token, LEASE_SECONDS)
    return dict(actions)


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
    candidates = _candidates(messages, owner) if preferences.memory_on else []
    record = Learning(
        owner_id=owner, thread_id=messages[0].thread_id, source=FALLBACK, messages=len(messages)
    )

    def finish(written: Written | None) -> None:
        check_lease(token)
        _mark_learnt(messages, owner)
        if written is not None:
            record.batch_id = written.batch_id
            record.outcomes = _outcomes(candidates, written)
        if preferences.memory_on:
            record.save(force_insert=True)

    if candidates:
        pending = not preferences.auto_extract
        remember(candidates, owner=owner, actor=ACTOR, pending=pending, within=finish)
    else:
        with transaction.atomic():
            finish(None)
    return record


def _candidates(messages: Sequence[Message], owner: UUID) -> list[Candidate]:
    """Episodes first, then what rules find in the same words, with what was said before as context."""
    user = speaker_name(owner)
    said = _said(messages, user)
    context = _said(said_before(messages[0], CONTEXT_MESSAGES), user)
    fresh = {one.reference for one in said}
    found = extract_by_rules([_utterance(one) for one in (*context, *said)])
    episodes = [episode for one in said for episode in episodes_from(one)]
    return [*episodes, *(candidate for candidate in found if fresh.issuperset(candidate.sources))]


def _said(messages: Sequence[Message], user: str) -> list[Said]:
    return [
        Said(
            reference=reference_to(message.pk),
            role=message.role,
            # Before anything cuts it: a token cut short is no longer known for one.
            content=redact(message.content).text,
            speaker=user if message.role == "user" else ASSISTANT,
            session=f"{message.thread_id}:{message.session_number}",
            at=message.created_at,
        )
        for message in messages
    ]


def _utterance(said: Said) -> Utterance:
    return Utterance(
        reference=said.reference,
        role=said.role,
        content=said.own_words[: EPISODE_CHARACTERS * EPISODE_PARTS],
        at=said.at,
        speaker=said.speaker,
        session=said.session,
    )


def _mark_learnt(messages: Sequence[Message], owner: UUID) -> None:
    ids = [message.pk for message in messages]
    waiting = Message.objects.filter(owner_id=owner, id__in=ids, learnt_at=None, do_not_remember=False)
    if waiting.update(learnt_at=timezone.now()) != len(ids):
        raise MovedMeanwhile("A message changed while it was learnt from.")


def _outcomes(candidates: Sequence[Candidate], written: Written) -> list[dict[str, Any]]:
    return [
        {
            "sources": list(candidate.sources),
            "action": outcome.action,
            "memory_id": str(outcome.memory.pk) if outcome.memory is not None else None,
            "reason": outcome.reason,
        }
        for candidate, outcome in zip(candidates, written.outcomes, strict=True)
    ]

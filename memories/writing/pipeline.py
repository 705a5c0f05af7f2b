"""The write path on one screen: gate → fingerprint → similar ones → conflict → store → index → event."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import structlog
from django.utils import timezone

from memories.models import LinkKind, Memory
from memories.storage import Draft, Writing, last_turns, writing
from memories.values import EPISODIC, Candidate
from memories.writing import drafting
from memories.writing.drafting import Refusal
from memories.writing.known import Known
from memories.writing.merging import may_ask
from memories.writing.placing import OPEN, TOO_MUCH, place
from memories.writing.proposals import Proposal, propose
from memsite.accounts.preferences import preferences_of
from memsite.errors import NotAllowed
from memsite.jobs import enqueue
from memsite.llm.chat import ChatModel

log = structlog.get_logger("memories")

#: The task that asks a model about near ones.
JUDGE: Final = "memories.tasks.judge_near"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one candidate.

    action: created | strengthened | merged | superseded | disputed | restored | pending | known |
    refused; memory: the row that stands now, None when refused; reason: why, where the action does not
    say it all.
    """

    action: str
    memory: Memory | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """One batch: an outcome for each candidate, in order, and the id that undoes them together.

    error: why the model that was to say which memories are one did not answer; empty otherwise.
    """

    outcomes: tuple[Outcome, ...]
    batch_id: UUID
    error: str = ""


def remember(
    candidates: Sequence[Candidate],
    *,
    owner: UUID,
    actor: str,
    pending: bool = False,
    model: ChatModel | None = None,
    within: Callable[[Written], None] | None = None,
) -> Written:
    """Write candidates into one owner's memory: one embedding call, then one transaction.

    pending: what is derived waits for a person's word. model: says which near ones are one; it is waited
    for, so jobs alone may give it, outside of any transaction. Without it what is near is judged by its
    words, and by a job later. within: runs last inside the transaction; what it raises takes everything
    back. Learning the same thing from the same source twice gives the action `known` and changes nothing.
    Raises NotAllowed when the owner's memory is off.
    """
    if not preferences_of(owner).memory_on:
        raise NotAllowed("Memory is switched off for this person.")
    now = timezone.now()
    prepared = drafting.drafts_of(candidates, owner=owner, now=now)
    drafts = [item for item in prepared if isinstance(item, Draft)]
    drafting.embed(drafts)
    proposed = propose(drafts, owner=owner, now=now, model=model)
    with writing(owner=owner, actor=actor) as batch:
        known = Known.load(drafts, proposed.of_drafts, owner=owner)
        _number_turns(drafts, owner=owner)
        near = iter(proposed.of_drafts)
        outcomes = tuple(
            _outcome(item, next(near) if isinstance(item, Draft) else (), batch, known, pending=pending)
            for item in prepared
        )
        _queue_judging(batch, owner=owner)
        written = Written(outcomes, batch.batch_id, proposed.error)
        stopped = sum(outcome.reason == TOO_MUCH for outcome in outcomes)
        if stopped:
            log.warning("stopped at what a model's word may retire", held=stopped, actor=actor)
        if within is not None:
            within(written)
    return written


def _outcome(
    item: Draft | Refusal, near: Sequence[Proposal], batch: Writing, known: Known, *, pending: bool
) -> Outcome:
    if isinstance(item, Refusal):
        return Outcome("refused", None, item.reason)
    held = pending and item.memory.layer != EPISODIC
    placed = place(item, batch, known, pending=held, proposals=near)
    return Outcome(placed.action, placed.memory, placed.reason)


def _queue_judging(batch: Writing, *, owner: UUID) -> None:
    """A job asks the model, where there is one, about what may be one and was not asked about yet."""
    if may_ask() and batch.noted(LinkKind.RELATED, OPEN):
        enqueue(JUDGE, str(owner), owner=owner, unique_key=f"judge:{owner}")


def _number_turns(drafts: Sequence[Draft], *, owner: UUID) -> None:
    """Episodes of a session are numbered in the order they come, after those already there."""
    episodes = [item.memory for item in drafts if item.memory.layer == EPISODIC]
    turns = last_turns({memory.session for memory in episodes}, owner=owner) if episodes else {}
    for memory in episodes:
        memory.turn = turns[memory.session] = turns.get(memory.session, 0) + 1

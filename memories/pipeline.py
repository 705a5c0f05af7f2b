"""The write path on one screen: gate → fingerprint → strengthen or store → index → event."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from memories import drafting
from memories.candidates import EPISODIC, Candidate
from memories.drafting import Refusal
from memories.models import Memory
from memories.placing import Known, place
from memories.queries import last_turns
from memories.store import Draft, Writing, writing
from memsite.accounts.preferences import preferences_of
from memsite.errors import NotAllowed


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one candidate.

    action: created | strengthened | restored | pending | known | refused; memory: the row that
    stands now, None when refused; reason: why, where the action does not say it all.
    """

    action: str
    memory: Memory | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """One batch: an outcome for each candidate, in order, and the id that undoes them together."""

    outcomes: tuple[Outcome, ...]
    batch_id: UUID


def remember(
    candidates: Sequence[Candidate],
    *,
    owner: UUID,
    actor: str,
    pending: bool = False,
    within: Callable[[Written], None] | None = None,
) -> Written:
    """Write candidates into one owner's memory: one embedding call, then one transaction.

    pending: what is derived waits for a person's word. within: runs last inside the transaction;
    what it raises takes everything back. Learning the same thing from the same source twice gives
    the action `known` and changes nothing. Raises NotAllowed when the owner's memory is off.
    """
    if not preferences_of(owner).memory_on:
        raise NotAllowed("Memory is switched off for this person.")
    now = timezone.now()
    prepared = [drafting.draft(candidate, owner=owner, now=now) for candidate in candidates]
    drafts = [item for item in prepared if isinstance(item, Draft)]
    drafting.embed(drafts)
    with writing(owner=owner, actor=actor) as batch:
        known = Known.load(drafts, owner=owner)
        _number_turns(drafts, owner=owner)
        outcomes = tuple(_outcome(item, batch, known, pending=pending) for item in prepared)
        written = Written(outcomes, batch.batch_id)
        if within is not None:
            within(written)
    return written


def _outcome(item: Draft | Refusal, batch: Writing, known: Known, *, pending: bool) -> Outcome:
    if isinstance(item, Refusal):
        return Outcome("refused", None, item.reason)
    held = pending and item.memory.layer != EPISODIC
    placed = place(item, batch, known, pending=held)
    return Outcome(placed.action, placed.memory, placed.reason)


def _number_turns(drafts: Sequence[Draft], *, owner: UUID) -> None:
    """Episodes of a session are numbered in the order they come, after those already there."""
    episodes = [item.memory for item in drafts if item.memory.layer == EPISODIC]
    turns = last_turns({memory.session for memory in episodes}, owner=owner) if episodes else {}
    for memory in episodes:
        memory.turn = turns[memory.session] = turns.get(memory.session, 0) + 1

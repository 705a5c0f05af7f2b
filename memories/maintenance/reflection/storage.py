"""Store the proposals of reflection.

Each proposal is written in one transaction that checks that its sources did not change, checks the owner's
lease, and finishes the record of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memories.maintenance.reflection.proposals import (
    ACTOR,
    MovedMeanwhile,
    ProposedMemory,
    ReflectionKind,
    ReflectionProposal,
    RunResult,
    TooManyRetired,
    may_retire,
    record,
)
from memories.maintenance.reflection.sources import has_changed
from memories.models import LinkKind, Memory, MemoryLink, Reflection
from memories.storage import lock_ledger
from memories.values import Action
from memories.writing import WriteResult, write_candidates
from memsite.accounts.preferences import get_preferences
from memsite.errors import Conflict
from memsite.jobs import check_lease

#: Actions that end or change other memories.
_RETIRING: Final = frozenset({Action.MERGED, Action.SUPERSEDED, Action.DISPUTED})
#: Actions through which an inference would change what was said.
_CONTRADICTED: Final = _RETIRING | {Action.STRENGTHENED, Action.RESTORED}
#: Allowed actions on an inference that was made before.
_AGAIN: Final = frozenset({Action.STRENGTHENED, Action.RESTORED})


class _ContradictedStatements(Conflict):
    """Some inferences would change what was said. `places` are their positions among the findings."""

    def __init__(self, places: frozenset[int]) -> None:
        super().__init__("An inference would have touched what was said.")
        self.places = places


def store_findings(row: Reflection, proposal: ReflectionProposal, *, owner: UUID, token: UUID) -> None:
    """Store the findings of a proposal and finish the row.

    If auto-extract is off, findings are pending until a person decides. An inference that would change what
    was said is left out. A proposal that would retire too many memories writes nothing and reports an error.

    Raises:
        MovedMeanwhile: If a source changed since the proposal.
        LeaseLost: If another worker holds the lease.
    """
    findings = proposal.memories
    refused = proposal.refused
    while True:
        try:
            _write(row, replace(proposal, memories=findings, refused=refused), owner=owner, token=token)
        except _ContradictedStatements as over:
            kept = tuple(finding for place, finding in enumerate(findings) if place not in over.places)
            refused += len(findings) - len(kept)
            findings = kept
        except TooManyRetired as much:
            findings, proposal = (), replace(proposal, error=much.message)
        else:
            return


def _write(row: Reflection, proposal: ReflectionProposal, *, owner: UUID, token: UUID) -> None:
    def finish(written: WriteResult | None) -> None:
        check_lease(token)
        if has_changed(proposal.seen, owner=owner):
            raise MovedMeanwhile("What was reflected on changed meanwhile.")
        if row.kind == ReflectionKind.FACTS:
            _mark_reflected(list(proposal.seen), owner=owner)
        record.finish_row(row, _done(row, proposal, written, owner=owner))

    candidates = [finding.candidate for finding in proposal.memories]
    if candidates:
        pending = not get_preferences(owner).auto_extract
        write_candidates(candidates, owner=owner, actor=ACTOR, pending=pending, finish=finish)
    else:
        with transaction.atomic():
            lock_ledger(owner=owner)
            finish(None)


def _done(
    row: Reflection, proposal: ReflectionProposal, written: WriteResult | None, *, owner: UUID
) -> RunResult:
    done = RunResult(
        source=proposal.source,
        error=proposal.error,
        looked_at=proposal.looked_at,
        proposed=len(proposal.memories) + proposal.refused,
        refused=proposal.refused,
    )
    if written is None:
        return done
    if row.kind == ReflectionKind.INFER:
        _check_contradicted(written)
    retired = sum(1 for outcome in written.outcomes if outcome.action in _RETIRING)
    if retired > may_retire(owner=owner):
        raise TooManyRetired(
            "The proposal would have retired more memories than one job may; nothing was written."
        )
    for finding, outcome in zip(proposal.memories, written.outcomes, strict=True):
        if outcome.memory is not None and row.kind != ReflectionKind.FACTS:
            _complete(outcome.memory, finding, outcome.action, owner=owner)
    return replace(
        done,
        batch_id=written.batch_id,
        retired=retired,
        outcomes=[
            (outcome.action, None if outcome.memory is None else outcome.memory.pk, outcome.reason)
            for outcome in written.outcomes
        ],
    )


def _check_contradicted(written: WriteResult) -> None:
    places = frozenset(
        place
        for place, outcome in enumerate(written.outcomes)
        if outcome.action in _CONTRADICTED
        and outcome.memory is not None
        and not (outcome.action in _AGAIN and outcome.memory.metadata.get("inferred"))
    )
    if places:
        raise _ContradictedStatements(places)


def _complete(memory: Memory, proposed: ProposedMemory, action: Action, *, owner: UUID) -> None:
    """Set what the write path does not know: the number of occurrences, and the evidence of an existing row.

    The row is saved afterwards, at the end of the transaction.
    """
    if action in {Action.CREATED, Action.PENDING, Action.STRENGTHENED}:
        memory.occurrence_count = max(memory.occurrence_count, proposed.occurrences)
    if action == Action.STRENGTHENED:
        links = [
            MemoryLink(
                owner_id=owner, memory_id=memory.pk, other_id=UUID(reference), kind=LinkKind.DERIVED_FROM
            )
            for reference in proposed.candidate.derived_from
            if UUID(reference) != memory.pk
        ]
        MemoryLink.objects.bulk_create(links, ignore_conflicts=True)


def _mark_reflected(episodes: Sequence[UUID], *, owner: UUID) -> None:
    rows = Memory.objects.filter(owner_id=owner, id__in=episodes, reflected_at=None)
    if rows.update(reflected_at=timezone.now()) != len(episodes):
        raise MovedMeanwhile("An episode was reflected on by another.")

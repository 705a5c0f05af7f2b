"""Run reflection. A request is stored and queued; a job does each part once.

An owner has one run at a time, ensured by a lease. Each part ends in one transaction that also finishes its
row. If the process is killed, the next attempt does the remaining parts.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from django.db import transaction

from memories.maintenance.reflection import facts, inference, storage
from memories.maintenance.reflection.compression import (
    build_candidate,
    get_requested_memories,
    propose_compression,
    store_compression,
)
from memories.maintenance.reflection.conf import FACTS_SECONDS, JOB_SECONDS, LEASE_SECONDS, TRIES
from memories.maintenance.reflection.model import get_model
from memories.maintenance.reflection.patterns import propose_patterns
from memories.maintenance.reflection.proposals import (
    MovedMeanwhile,
    ProposedMemory,
    ReflectionKind,
    ReflectionProposal,
    ReflectionRequest,
    record,
)
from memories.maintenance.reflection.sources import list_unreflected
from memories.models import Reflection
from memories.storage import get_memories
from memsite.accounts.preferences import get_preferences
from memsite.errors import InvalidInput, MemsiteError, NotAllowed, NotFound
from memsite.jobs import check_lease, enqueue, hold_lease, renew_lease
from memsite.jobs.models import Job
from memsite.llm.chat import AnswerSource, ChatModel

TASK: Final = "memories.tasks.reflect"
OFF: Final = "Memory is switched off for this person."


def request_run(parts: Sequence[ReflectionRequest], *, owner: UUID, actor: str) -> tuple[UUID, Job]:
    """Store and queue a run of these parts. Return its id and its job.

    Raises the errors of `check_request`.
    """
    check_request(parts, owner=owner)
    rows = [record.make_row(part, owner=owner, actor=actor) for part in parts]
    for row in rows:
        row.run = rows[0].run
    with transaction.atomic():
        record.add_rows(rows, owner=owner)
        job = enqueue(TASK, rows[0].run, owner, owner=owner, timeout=JOB_SECONDS)
    return rows[0].run, job


def check_request(parts: Sequence[ReflectionRequest], *, owner: UUID) -> None:
    """Check a request.

    Raises:
        InvalidInput: If memory is off, or the memories cannot be compressed into one.
        NotFound: If an id is not a memory of the owner.
    """
    if not get_preferences(owner).memory_on:
        raise InvalidInput(OFF)
    for part in parts:
        get_memories(part.ids, owner=owner)
    if len(parts) == 1 and parts[0].kind == ReflectionKind.COMPRESS and parts[0].ids:
        get_requested_memories(parts[0], owner=owner)


def run_reflection(run_id: UUID, *, owner: UUID) -> None:
    """Do the unfinished parts of a run. Raise LeaseBusy during another run of the owner."""
    rows = [row for row in record.list_rows(run_id, owner=owner) if row.finished_at is None]
    if rows:
        _do(rows, owner=owner)


def run_scheduled(kind: ReflectionKind, *, owner: UUID) -> None:
    """Do one kind of reflection on schedule."""
    if get_preferences(owner).memory_on:
        _do([record.make_row(ReflectionRequest(kind), owner=owner)], owner=owner)


def preview_part(part: ReflectionRequest, *, owner: UUID) -> ReflectionProposal:
    """Return what a part would write. Nothing is stored."""
    check_request([part], owner=owner)
    proposal = _proposed(part, get_model(part.kind, owner=owner), owner=owner) or ReflectionProposal()
    if proposal.compression is None:
        return proposal
    return replace(proposal, memories=(ProposedMemory(build_candidate(proposal.compression)),))


def make_parts(kind: ReflectionKind | None, template: ReflectionRequest) -> list[ReflectionRequest]:
    """Return a request for the given kind, or one for each kind in their order if `kind` is None."""
    kinds = tuple(ReflectionKind) if kind is None else (kind,)
    return [
        ReflectionRequest(one, template.ids, template.layer, template.source, template.topic_query)
        for one in kinds
    ]


def _do(rows: Sequence[Reflection], *, owner: UUID) -> None:
    with hold_lease(f"reflect:{owner}", LEASE_SECONDS) as token:
        for row in rows:
            renew_lease(token, LEASE_SECONDS)
            try:
                _do_one(row, owner=owner, token=token)
            except (InvalidInput, NotAllowed, NotFound) as refusal:
                _give_up(row, refusal, token=token)


def _do_one(row: Reflection, *, owner: UUID, token: UUID) -> None:
    if row.kind == ReflectionKind.FACTS:
        _extract_facts(row, owner=owner, token=token)
        return
    part = record.parse_request(row)
    for _ in range(TRIES):
        proposal = _proposed(part, get_model(part.kind, owner=owner), owner=owner) or ReflectionProposal()
        try:
            if row.kind == ReflectionKind.COMPRESS:
                store_compression(row, proposal, owner=owner, token=token)
            else:
                storage.store_findings(row, proposal, owner=owner, token=token)
        except MovedMeanwhile:
            continue
        return
    raise MovedMeanwhile("The memories kept changing.")


def _proposed(part: ReflectionRequest, model: ChatModel | None, *, owner: UUID) -> ReflectionProposal | None:
    match part.kind:
        case ReflectionKind.FACTS:
            return facts.propose_facts(model, owner=owner)
        case ReflectionKind.PATTERNS:
            return propose_patterns(part, model, owner=owner)
        case ReflectionKind.COMPRESS:
            return propose_compression(part, model, owner=owner)
        case ReflectionKind.INFER:
            return inference.propose_inferences(part, model, owner=owner)


def _extract_facts(row: Reflection, *, owner: UUID, token: UUID) -> None:
    """Process windows until no episodes are left or time is up.

    Each window has a row; the last window uses the given row. After a failure of the model, the rules do the
    rest of this job. A sweep finds episodes that are left when time is up.
    """
    end = time.monotonic() + FACTS_SECONDS
    model = get_model(ReflectionKind.FACTS, owner=owner)
    missed = 0
    while (proposal := facts.propose_facts(model, owner=owner)) is not None:
        more = list_unreflected(owner=owner).count() > proposal.looked_at and time.monotonic() < end
        part = (
            record.make_row(record.parse_request(row), owner=owner, run=row.run, actor=row.actor)
            if more
            else row
        )
        try:
            storage.store_findings(part, proposal, owner=owner, token=token)
        except MovedMeanwhile:
            missed += 1
            if missed < TRIES:
                continue
            raise
        if not more:
            return
        model = None if proposal.error else model
        renew_lease(token, LEASE_SECONDS)
    storage.store_findings(row, ReflectionProposal(), owner=owner, token=token)


def _give_up(row: Reflection, refusal: MemsiteError, *, token: UUID) -> None:
    with transaction.atomic():
        check_lease(token)
        record.finish_row(row, record.RunResult(source=AnswerSource.NONE, error=refusal.message))

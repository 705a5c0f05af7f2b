"""Ask a model about pairs of similar active memories. Only a job does this, never a request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

import structlog
from django.utils import timezone

from memories.conf import JUDGED_AT_ONCE, JUDGING_CALLS
from memories.models import EventType, LinkKind, Memory, MemoryLink
from memories.storage import Draft, WriteBatch, load_sources, open_batch
from memories.values import Status, Writer
from memories.writing import drafting
from memories.writing.batch_state import JUDGING, Allowance
from memories.writing.conflicts import MERGED
from memories.writing.merging import SAME, Judgement, TextPair, judge_pairs
from memories.writing.placement import ALIKE, JUDGED, OPEN, SIMILAR
from memories.writing.successors import build_successor
from memsite.errors import RefusedByGate
from memsite.llm.chat import ChatModel

log = structlog.get_logger("memories")

AT_ONCE: Final = JUDGED_AT_ONCE * JUDGING_CALLS


@dataclass(frozen=True, slots=True)
class JudgementResult:
    """The result of one run.

    Attributes:
        judged: How many pairs a model judged.
        united: How many pairs became one.
        is_unfinished: Whether more pairs wait.
        stopped: Whether models reached the number of memories that they may retire in a day.
        error: Why the model did not answer; empty if it did.
        batch_id: The batch of the changes.
    """

    judged: int = 0
    united: int = 0
    is_unfinished: bool = False
    stopped: bool = False
    error: str = ""
    batch_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class _Case:
    """Two active memories, the older first, and the embedded text of their merge, if any."""

    link: UUID
    older: Memory
    newer: Memory
    merged: Draft | None = None

    @property
    def pair(self) -> TextPair:
        """The two texts."""
        return TextPair(self.older.content, self.newer.content)


def judge_similar_pairs(model: ChatModel, *, owner: UUID) -> JudgementResult:
    """Ask about at most 48 pairs that were not asked about yet, and write what our code allows.

    All changes are one batch, which can be undone. A pair that changed while the model answered stays as it
    is and is asked about again. Nothing is asked while models may retire no more memories. No transaction may
    be open.
    """
    if not Allowance.of(owner).remaining:
        return JudgementResult(stopped=True)
    cases = _cases(owner=owner)
    if not cases:
        return JudgementResult()
    judgement = judge_pairs([case.pair for case in cases], model)
    cases = [_with_whole(case, judgement, owner=owner) for case in cases]
    drafting.embed_drafts([case.merged for case in cases if case.merged is not None])
    with open_batch(owner=owner, actor=JUDGING, reason=MERGED) as batch:
        run = _Run(batch, judgement, Allowance.of(owner), batch.load_current({*_ends(cases)}))
        done = [case.link for case in cases if run.settle(case)]
        _close(done, owner=owner)
    if run.stopped:
        log.warning("a model's answer would retire too many memories", united=run.united, actor=JUDGING)
    return JudgementResult(
        judged=len(judgement.judged),
        united=run.united,
        is_unfinished=bool(done) and (len(cases) == AT_ONCE or bool(run.moved)),
        stopped=run.stopped,
        error=judgement.error,
        batch_id=batch.batch_id,
    )


@dataclass(slots=True)
class _Run:
    """The writing of one run.

    Attributes:
        rows: The rows, as the batch leaves them.
        moved: The row that each retired row became part of.
    """

    batch: WriteBatch
    judgement: Judgement
    allowance: Allowance
    rows: dict[UUID, Memory]
    moved: dict[UUID, Memory] = field(default_factory=dict)
    united: int = 0
    stopped: bool = False

    def settle(self, case: _Case) -> bool:
        """Unite a pair if both are still active. Return whether the pair is finished."""
        if case.pair not in self.judgement.unions:
            return False
        union = self.judgement.of(case.pair)
        older, newer = self.rows[case.older.pk], self.rows[case.newer.pk]
        if union is None:
            return True
        if not older.status == newer.status == Status.ACTIVE:
            self._pass_on(older, newer)
            return True
        if not self.allowance.take(1 if union.kind == SAME else 2):
            self.stopped = True
            return False
        if union.kind == SAME:
            self._keep(older, newer)
        elif case.merged is not None:
            self._merge(case.merged, older, newer)
        return True

    def _keep(self, older: Memory, newer: Memory) -> None:
        self.batch.change(
            older,
            EventType.UPDATED,
            reason="said again",
            occurrence_count=older.occurrence_count + newer.occurrence_count,
            confidence=max(older.confidence, newer.confidence),
            importance=max(older.importance, newer.importance),
        )
        for reference in load_sources([newer.pk], owner=self.batch.owner).get(newer.pk, ()):
            self.batch.add_source(older, reference)
        self._retire(newer, older)
        self.united += 1

    def _merge(self, merged: Draft, *parts: Memory) -> None:
        self.batch.insert(merged)
        for part in parts:
            self._retire(part, merged.memory)
        self.united += 1

    def _retire(self, part: Memory, whole: Memory) -> None:
        now = self.batch.now
        self.batch.change(part, EventType.UPDATED, reason=MERGED, status=Status.DEPRECATED, retired_at=now)
        self.batch.link(whole, part.pk, LinkKind.SUPERSEDES, reason=MERGED)
        self.moved[part.pk] = whole

    def _pass_on(self, *pair: Memory) -> None:
        """Link the memories that this pair became part of: they are asked about with their new texts."""
        one, other = (self._now(memory) for memory in pair)
        if one.pk != other.pk and one.status == other.status == Status.ACTIVE:
            self.batch.link(other, one.pk, LinkKind.RELATED, reason=SIMILAR)

    def _now(self, memory: Memory) -> Memory:
        while memory.pk in self.moved:
            memory = self.moved[memory.pk]
        return memory


def _ends(cases: Sequence[_Case]) -> Iterator[UUID]:
    for case in cases:
        yield case.older.pk
        yield case.newer.pk


def _cases(*, owner: UUID) -> list[_Case]:
    waiting = MemoryLink.objects.filter(owner_id=owner, kind=LinkKind.RELATED, reason__in=OPEN)
    links = list(waiting.order_by("id")[:AT_ONCE])
    rows = Memory.objects.filter(owner_id=owner).in_bulk(
        {end for link in links for end in (link.memory_id, link.other_id)}
    )
    gone = [link.pk for link in links if not _both_active(link, rows)]
    _close(gone, owner=owner)
    return [
        _Case(link.pk, rows[link.other_id], rows[link.memory_id])
        for link in links
        if _both_active(link, rows)
    ]


def _close(links: Sequence[UUID], *, owner: UUID) -> None:
    """Mark these pairs as asked about, and delete the links that existed only for the question."""
    links_judged = MemoryLink.objects.filter(owner_id=owner, id__in=list(links))
    links_judged.filter(reason=ALIKE).delete()
    links_judged.update(reason=JUDGED)


def _both_active(link: MemoryLink, rows: dict[UUID, Memory]) -> bool:
    return all(rows[end].status == Status.ACTIVE for end in (link.memory_id, link.other_id) if end in rows)


def _with_whole(case: _Case, judgement: Judgement, *, owner: UUID) -> _Case:
    union = judgement.of(case.pair)
    if union is None or union.kind == SAME:
        return case
    both = [case.older, case.newer]
    try:
        merged = build_successor(both, union.text, owner=owner, now=timezone.now(), written_by=Writer.MODEL)
    except RefusedByGate:
        return case
    return _Case(case.link, case.older, case.newer, merged)

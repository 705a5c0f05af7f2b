"""Gather everything that an owner's reports contain: counts, duplicates, conflicts, use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations
from typing import Final
from uuid import UUID

from memories import ports
from memories.conf import WRITING
from memories.maintenance.reports import figures
from memories.maintenance.reports.findings import (
    DISPUTED,
    JUDGED,
    KEPT_APART,
    MOST_JUDGED,
    Finding,
    Judgement,
    Pair,
    Scan,
    candidates,
    contradictions,
    duplicates,
    judge,
    kept_apart,
    known_pairs,
    near_pairs,
    of,
    scan,
    sharing_pairs,
)
from memories.models import Memory
from memories.storage import active_embedder
from memories.text import unnamed_subject
from memories.writing import cosine_at
from memsite.llm.chat import ChatModel

#: With up to this many memories, the rules compare every pair, also pairs without a word in common.
EVERY_PAIR_OF: Final = 200


@dataclass(frozen=True, slots=True)
class Judged:
    """The answers of a model so far.

    Attributes:
        contradictory: Its findings.
        compatible: The ids of the findings that its compatible pairs would have been.
        asked: How many pairs it was asked about on the day of the report; each day has its own limit.
    """

    contradictory: tuple[Finding, ...] = ()
    compatible: frozenset[str] = frozenset()
    asked: int = 0


@dataclass(frozen=True, slots=True)
class Survey:
    """The data of an owner's reports.

    Attributes:
        duplicates: Sets of memories that say the same.
        conflicts: Disputed pairs first, then contradictions.
        complete: Whether every pair was compared.
        source: `llm` if a model judged, else `fallback`.
        error: Why the model stopped.
    """

    day: date
    counted: figures.Counted
    told: dict[str, list[UUID]]
    duplicates: tuple[tuple[UUID, ...], ...]
    conflicts: tuple[Finding, ...]
    judged: Judged
    learning: ports.LearningCounts
    recall: ports.RecallCounts
    complete: bool
    source: str
    error: str


def survey(day: date, before: Judged, model: ChatModel | None, *, owner: UUID) -> Survey:
    """Gather the data of the reports.

    Only reads; makes 8 statements at any size, plus those of the objects registered in `ports`.

    Args:
        day: The day of the reports.
        before: The answers of a model so far.
        model: The model to ask about further pairs, or None.
        owner: The owner.
    """
    embedder = active_embedder()
    counted = figures.count(day, owner=owner, model=embedder.model)
    told = figures.told_of(day, owner=owner)
    rows = scan(owner=owner, model=embedder.model)
    near = near_pairs(
        rows.vectors, rows.groups[: len(rows.vectors)], least=cosine_at(WRITING.similar, embedder)
    )
    sharing = sharing_pairs(rows.terms)
    every = _every_pair(rows) if len(rows) <= EVERY_PAIR_OF else []
    texts, apart, subjects = _texts(rows, near, sharing, every, owner=owner)
    known = known_pairs(owner=owner)
    same = duplicates(rows, near, texts, apart | known.judged, subjects)
    pairs = [pair for pair in candidates(rows.ids, near, sharing) if pair not in apart]
    ruled = contradictions(_two(pairs, same), texts)
    unlike = contradictions(set(candidates(rows.ids, every)).difference(pairs, apart), texts)
    judged, judgement = _judge(model, before, ruled.open, texts)
    since = figures.beginning_of(day) - timedelta(days=figures.PERIOD_DAYS)
    return Survey(
        day=day,
        counted=counted,
        told=told,
        duplicates=tuple(same),
        conflicts=(
            *(of("conflict", pair, DISPUTED) for pair in sorted(known.disputed)),
            *ruled.found,
            *sorted(unlike.found, key=lambda finding: finding.memories),
            *judged.contradictory,
        ),
        judged=judged,
        learning=ports.learning_counts(since, owner=owner),
        recall=ports.recall_counts(since, owner=owner),
        complete=rows.complete and near.complete and sharing.complete,
        source="fallback" if model is None or judgement.error else "llm",
        error=judgement.error,
    )


def _every_pair(rows: Scan) -> list[tuple[int, int]]:
    return list(combinations(range(len(rows)), 2))


def _texts(
    rows: Scan, *pairs: Iterable[tuple[int, int]], owner: UUID
) -> tuple[dict[UUID, str], set[Pair], dict[UUID, str]]:
    """Return the texts of all paired rows, the pairs kept apart by a person, and unnamed subjects by id."""
    places = sorted({place for found in pairs for pair in found for place in pair})
    wanted = Memory.objects.filter(owner_id=owner, id__in=[rows.ids[place] for place in places])
    texts: dict[UUID, str] = {}
    apart: set[Pair] = set()
    subjects: dict[UUID, str] = {}
    fields = ("id", "content", "subject", f"metadata__{KEPT_APART}")
    for identifier, content, subject, others in wanted.values_list(*fields):
        texts[identifier] = content
        apart.update(kept_apart(identifier, others))
        about = unnamed_subject(subject, content)
        if about:
            subjects[identifier] = about
    return texts, apart, subjects


def _two(pairs: Iterable[Pair], same: Sequence[tuple[UUID, ...]]) -> list[Pair]:
    """Return the pairs that are not duplicates."""
    home = {memory: number for number, members in enumerate(same) for memory in members}
    return [(a, b) for a, b in pairs if home.get(a, -1) != home.get(b, -2)]


def _judge(
    model: ChatModel | None, before: Judged, open_: Sequence[Pair], texts: Mapping[UUID, str]
) -> tuple[Judged, Judgement]:
    """Ask a model about the pairs that it has not judged, up to the day's limit."""
    by_id = {of("conflict", pair).id: pair for pair in open_}
    known = {finding.id for finding in before.contradictory} | before.compatible
    fresh = [pair for name, pair in by_id.items() if name not in known]
    judgement = judge(model, fresh[: max(0, MOST_JUDGED - before.asked)], texts)
    standing = [finding for finding in before.contradictory if finding.id in by_id]
    new = [of("conflict", pair, JUDGED) for pair in judgement.contradictory]
    compatible = (before.compatible & set(by_id)) | {of("conflict", p).id for p in judgement.compatible}
    return Judged((*standing, *new), frozenset(compatible), before.asked + judgement.asked), judgement

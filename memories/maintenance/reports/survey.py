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
    DISTINCT_FROM,
    JUDGED,
    MOST_JUDGED,
    FindingKind,
    Judgement,
    Pair,
    ReportFinding,
    Scan,
    find_contradictions,
    find_duplicates,
    find_sharing_pairs,
    find_similar_pairs,
    join_contradictions,
    judge_contradictions,
    list_candidate_pairs,
    list_compared_pairs,
    list_distinct_pairs,
    make_finding,
    scan_memories,
)
from memories.models import Memory
from memories.storage import get_active_embedder, group_pairs
from memories.text import get_unnamed_subject
from memories.writing import get_cosine
from memsite.llm.chat import AnswerSource, ChatModel

#: With up to this many memories, the rules compare every pair, also pairs without a word in common.
EVERY_PAIR_OF: Final = 200


@dataclass(frozen=True, slots=True)
class ModelAnswers:
    """The answers of a model so far.

    Attributes:
        contradictory: Its findings.
        compatible: The ids of the findings that its compatible pairs would have been.
        judged: How many pairs it judged on the day of the report; each day has its own limit.
    """

    contradictory: tuple[ReportFinding, ...] = ()
    compatible: frozenset[str] = frozenset()
    judged: int = 0


@dataclass(frozen=True, slots=True)
class Survey:
    """The data of an owner's reports.

    Attributes:
        duplicates: Sets of memories that say the same.
        disputes: What a person has to decide; all memories of one question are one finding.
        contradictions: What rules or a model found between texts.
        not_compared: Pairs whose comparison failed. They are in no finding.
        complete: Whether every pair was compared, apart from these.
        source: `llm` if a model judged, else `fallback`.
        error: Why the model stopped.
    """

    day: date
    counted: figures.Counts
    months: list[figures.MonthCount]
    listed: dict[str, list[UUID]]
    duplicates: tuple[tuple[UUID, ...], ...]
    disputes: tuple[ReportFinding, ...]
    contradictions: tuple[ReportFinding, ...]
    model_answers: ModelAnswers
    learning: ports.LearningCounts
    recall: ports.RecallCounts
    not_compared: tuple[Pair, ...]
    complete: bool
    source: AnswerSource
    error: str

    @property
    def conflicts(self) -> tuple[ReportFinding, ...]:
        """The disputes, then the contradictions."""
        return (*self.disputes, *self.contradictions)


def gather_survey(day: date, before: ModelAnswers, model: ChatModel | None, *, owner: UUID) -> Survey:
    """Gather the data of the reports.

    Only reads; makes 9 statements at any size, plus those of the objects registered in `ports`.

    Args:
        day: The day of the reports.
        before: The answers of a model so far.
        model: The model to ask about further pairs, or None.
        owner: The owner.
    """
    embedder = get_active_embedder()
    counted = figures.count_memories(day, owner=owner, model=embedder.model)
    listed = figures.list_by_finding(day, owner=owner)
    rows = scan_memories(owner=owner, model=embedder.model)
    similar = find_similar_pairs(
        rows.vectors, rows.groups[: len(rows.vectors)], least=get_cosine(WRITING.similar, embedder)
    )
    sharing = find_sharing_pairs(rows.terms)
    every = _every_pair(rows) if len(rows) <= EVERY_PAIR_OF else []
    texts, distinct, subjects = _texts(rows, similar, sharing, every, owner=owner)
    compared = list_compared_pairs(owner=owner)
    failed: set[Pair] = set()
    same = find_duplicates(rows, similar, texts, distinct | compared.judged, subjects, failed=failed)
    pairs = [pair for pair in list_candidate_pairs(rows.ids, similar, sharing) if pair not in distinct]
    ruled = find_contradictions(_two(pairs, same), texts)
    unlike = find_contradictions(
        set(list_candidate_pairs(rows.ids, every)).difference(pairs, distinct), texts
    )
    judged, judgement = _judge(model, before, ruled.open, texts)
    since = figures.get_day_start(day) - timedelta(days=figures.PERIOD_DAYS)
    return Survey(
        day=day,
        counted=counted,
        months=figures.count_by_month(day, owner=owner),
        listed=listed,
        duplicates=tuple(same),
        disputes=tuple(
            make_finding(FindingKind.DISPUTE, members, DISPUTED)
            for members in group_pairs(sorted(compared.disputed))
        ),
        contradictions=tuple(
            join_contradictions(
                [
                    *ruled.found,
                    *sorted(unlike.found, key=lambda finding: finding.memories),
                    *judged.contradictory,
                ]
            )
        ),
        model_answers=judged,
        learning=ports.learning_counts(since, owner=owner),
        recall=ports.recall_counts(since, owner=owner),
        not_compared=tuple(sorted(failed | ruled.failed | unlike.failed)),
        complete=rows.complete and similar.complete and sharing.complete,
        source=AnswerSource.FALLBACK if model is None or judgement.error else AnswerSource.LLM,
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
    distinct: set[Pair] = set()
    subjects: dict[UUID, str] = {}
    fields = ("id", "content", "subject", f"metadata__{DISTINCT_FROM}")
    for identifier, content, subject, others in wanted.values_list(*fields):
        texts[identifier] = content
        distinct.update(list_distinct_pairs(identifier, others))
        about = get_unnamed_subject(subject, content)
        if about:
            subjects[identifier] = about
    return texts, distinct, subjects


def _two(pairs: Iterable[Pair], same: Sequence[tuple[UUID, ...]]) -> list[Pair]:
    """Return the pairs that are not duplicates."""
    home = {memory: number for number, members in enumerate(same) for memory in members}
    return [(a, b) for a, b in pairs if home.get(a, -1) != home.get(b, -2)]


def _judge(
    model: ChatModel | None, before: ModelAnswers, open_: Sequence[Pair], texts: Mapping[UUID, str]
) -> tuple[ModelAnswers, Judgement]:
    """Ask a model about the pairs that it has not judged, up to the day's limit."""
    by_id = {make_finding(FindingKind.CONFLICT, pair).id: pair for pair in open_}
    judged_ids = {finding.id for finding in before.contradictory} | before.compatible
    fresh = [pair for name, pair in by_id.items() if name not in judged_ids]
    judgement = judge_contradictions(model, fresh[: max(0, MOST_JUDGED - before.judged)], texts)
    kept = [finding for finding in before.contradictory if finding.id in by_id]
    new = [make_finding(FindingKind.CONFLICT, pair, JUDGED) for pair in judgement.contradictory]
    compatible = (before.compatible & set(by_id)) | {
        make_finding(FindingKind.CONFLICT, p).id for p in judgement.compatible
    }
    return ModelAnswers((*kept, *new), frozenset(compatible), before.judged + judgement.judged), judgement

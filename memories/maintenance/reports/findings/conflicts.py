"""Find contradictions between free texts by rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.maintenance.reports.findings.compared_pairs import Pair, compare_pair, join_pairs, make_pair
from memories.maintenance.reports.findings.findings import FindingKind, ReportFinding, make_finding
from memories.text import find_contradiction


@dataclass(frozen=True, slots=True)
class Contradictions:
    """The result of the rules.

    Attributes:
        found: Conflicts, those with the greatest overlap first.
        open: Pairs that the rules do not decide.
        failed: Pairs that could not be compared.
    """

    found: tuple[ReportFinding, ...]
    open: tuple[Pair, ...]
    failed: frozenset[Pair]


def find_contradictions(candidates: Iterable[Pair], texts: Mapping[UUID, str]) -> Contradictions:
    """Apply the rules to each pair. Skips pairs without both texts."""
    found: list[ReportFinding] = []
    open_: list[Pair] = []
    failed: set[Pair] = set()
    for a, b in candidates:
        if a not in texts or b not in texts:
            continue
        reason = compare_pair(find_contradiction, (a, b), texts, failed)
        if reason:
            found.append(make_finding(FindingKind.CONFLICT, (a, b), reason))
        elif reason is not None:
            open_.append((a, b))
    return Contradictions(tuple(found), tuple(open_), frozenset(failed))


def join_contradictions(found: Sequence[ReportFinding]) -> list[ReportFinding]:
    """Join pairs that contradict each other, every two of them and for one reason, to one finding."""
    joined = []
    for reason in dict.fromkeys(finding.why for finding in found):
        pairs = [make_pair(*finding.memories) for finding in found if finding.why == reason]
        sets = join_pairs(pairs)
        home = {memory: number for number, members in enumerate(sets) for memory in members}
        pairs_alone = [(a, b) for a, b in pairs if home.get(a, -1) != home.get(b, -2)]
        joined += [make_finding(FindingKind.CONFLICT, members, reason) for members in (*sets, *pairs_alone)]
    return joined


def list_candidate_pairs(ids: Sequence[UUID], *sources: Iterable[tuple[int, int]]) -> Iterator[Pair]:
    """Return pairs of rows from several sources as pairs of ids, each once, the older id first."""
    seen: set[Pair] = set()
    for source in sources:
        for first, second in source:
            pair = make_pair(ids[first], ids[second])
            if pair not in seen:
                seen.add(pair)
                yield pair

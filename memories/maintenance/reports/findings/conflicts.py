"""Find contradictions between free texts by rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.maintenance.reports.findings.apart import Pair, pair_of
from memories.maintenance.reports.findings.findings import Finding, of
from memories.text import contradictory


@dataclass(frozen=True, slots=True)
class Contradictions:
    """The result of the rules.

    Attributes:
        found: Conflicts, those with the greatest overlap first.
        open: Pairs that the rules do not decide.
    """

    found: tuple[Finding, ...]
    open: tuple[Pair, ...]


def contradictions(candidates: Iterable[Pair], texts: Mapping[UUID, str]) -> Contradictions:
    """Apply the rules to each pair. Skips pairs without both texts."""
    found: list[Finding] = []
    open_: list[Pair] = []
    for a, b in candidates:
        if a not in texts or b not in texts:
            continue
        reason = contradictory(texts[a], texts[b])
        if reason:
            found.append(of("conflict", (a, b), reason))
        else:
            open_.append((a, b))
    return Contradictions(tuple(found), tuple(open_))


def candidates(ids: Sequence[UUID], *sources: Iterable[tuple[int, int]]) -> Iterator[Pair]:
    """Return pairs of rows from several sources as pairs of ids, each once, the older id first."""
    seen: set[Pair] = set()
    for source in sources:
        for first, second in source:
            pair = pair_of(ids[first], ids[second])
            if pair not in seen:
                seen.add(pair)
                yield pair

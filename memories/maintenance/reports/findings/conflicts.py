"""Contradictions between free texts, by rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.maintenance.reports.findings.apart import Pair, pair_of
from memories.maintenance.reports.findings.findings import Finding, of
from memories.text import contradictory


@dataclass(frozen=True, slots=True)
class Contradictions:
    """found: conflicts by rules, those with most in common first; open: pairs that rules leave open."""

    found: tuple[Finding, ...]
    open: tuple[Pair, ...]


def contradictions(candidates: Iterable[Pair], texts: Mapping[UUID, str]) -> Contradictions:
    """What rules say of each pair. A pair whose text is not there is passed over."""
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
    """Pairs of rows from several sources as pairs of ids, each once, oldest first within a pair."""
    seen: set[Pair] = set()
    for source in sources:
        for first, second in source:
            pair = pair_of(ids[first], ids[second])
            if pair not in seen:
                seen.add(pair)
                yield pair

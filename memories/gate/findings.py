"""What the gate says about a text: where something was found and what it is, never what it says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret or personal identifier at text[start:end]; kind is a slug such as `aws_access_key`."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Inspection:
    """All findings of a text, in order and not overlapping; offsets are those of the text as given."""

    findings: tuple[Finding, ...] = ()

    @property
    def clean(self) -> bool:
        return not self.findings

    @property
    def kinds(self) -> tuple[str, ...]:
        """Distinct kinds, sorted: safe to log and to show."""
        return tuple(sorted({finding.kind for finding in self.findings}))


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text with a placeholder in place of each finding; findings refer to the text before."""

    text: str
    findings: tuple[Finding, ...] = ()


def placeholder(kind: str) -> str:
    """What stands where a finding stood."""
    return f"[redacted:{kind}]"


def union(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Merge overlapping findings into one each, in order of position.

    The kind of a merged finding is that of its earliest in the given order, so give the surest first.
    """
    ranked = sorted(enumerate(findings), key=lambda entry: (entry[1].start, entry[0]))
    merged: list[tuple[int, Finding]] = []
    for rank, finding in ranked:
        if not merged or finding.start >= merged[-1][1].end:
            merged.append((rank, finding))
            continue
        before, last = merged[-1]
        kind = finding.kind if rank < before else last.kind
        merged[-1] = (min(rank, before), Finding(kind, last.start, max(last.end, finding.end)))
    return tuple(finding for _, finding in merged)

"""The result of the gate for a text: the positions and kinds of findings, never their content."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SecretMatch:
    """A secret or personal identifier at text[start:end]. `kind` is a slug such as `aws_access_key`."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Inspection:
    """All findings of a text, in order and without overlaps. Offsets refer to the text as given."""

    findings: tuple[SecretMatch, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    @property
    def kinds(self) -> tuple[str, ...]:
        """Distinct kinds, sorted. They may be logged and shown."""
        return tuple(sorted({finding.kind for finding in self.findings}))


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text with a placeholder in place of each finding. Offsets of findings refer to the original text."""

    text: str
    findings: tuple[SecretMatch, ...] = ()


def make_placeholder(kind: str) -> str:
    """Return the placeholder for a finding."""
    return f"[redacted:{kind}]"


def merge_matches(findings: Iterable[SecretMatch]) -> tuple[SecretMatch, ...]:
    """Merge overlapping findings, in order of position.

    A merged finding has the kind of its first part in the given order, so the most reliable should come
    first.
    """
    ranked = sorted(enumerate(findings), key=lambda entry: (entry[1].start, entry[0]))
    merged: list[tuple[int, SecretMatch]] = []
    for rank, finding in ranked:
        if not merged or finding.start >= merged[-1][1].end:
            merged.append((rank, finding))
            continue
        before, last = merged[-1]
        kind = finding.kind if rank < before else last.kind
        merged[-1] = (min(rank, before), SecretMatch(kind, last.start, max(last.end, finding.end)))
    return tuple(finding for _, finding in merged)

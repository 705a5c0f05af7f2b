"""Patterns: propose how the user works, from two or more memories, for the procedural layer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from memories.maintenance.reflection.conf import MOST_LOOKED_AT, MOST_PATTERNS, PATTERN_CHARACTERS
from memories.maintenance.reflection.model import PatternOut, PatternsOut, Shown, answer, show, valid
from memories.maintenance.reflection.patterns.patterns_by_rules import category_of, find_patterns
from memories.maintenance.reflection.proposals import (
    ACTOR,
    FALLBACK,
    LLM,
    Finding,
    Proposal,
    Request,
    reference_to,
    seen,
)
from memories.maintenance.reflection.sources import (
    Backing,
    Origins,
    backings,
    confidence,
    is_pattern,
    looked_at,
    occurrences,
    said,
    strength,
)
from memories.models import Memory
from memories.storage import sources_of, standing
from memories.values import EPISODIC, PROCEDURAL, Candidate
from memories.writing import names_of
from memsite.errors import ModelError
from memsite.llm.chat import ChatModel

_SLUG: Final = re.compile(r"[\w-]{1,64}")


def propose(request: Request, model: ChatModel | None, *, owner: UUID) -> Proposal:
    """Propose the patterns in the memories of a request, with the model or else with rules.

    Writes nothing.
    """
    memories = looked_at(request, owner=owner)
    origins = sources_of([memory.pk for memory in memories], owner=owner)
    error = ""
    if model is not None and len(memories) > 1:
        try:
            return _by_model(model, memories, origins)
        except ModelError as failure:
            error = failure.message
    return _by_rules(request, memories, origins, error, owner=owner)


def _by_model(model: ChatModel, memories: Sequence[Memory], origins: Origins) -> Proposal:
    shown = show(memories)
    proposed = answer(model, "patterns", shown, PatternsOut).patterns
    asked = valid(proposed, PatternOut, MOST_PATTERNS)
    held = backings([pattern.content.strip() for pattern in asked], list(shown.memories.values()))
    checked = [_checked(*pair, shown, origins) for pair in zip(asked, held, strict=True)]
    found = tuple(finding for finding in checked if finding is not None)
    return Proposal(
        source=LLM,
        looked_at=len(shown.memories),
        findings=found,
        refused=len(proposed) - len(found),
        seen=seen(shown.memories.values()),
    )


def _checked(pattern: PatternOut, held: Backing, shown: Shown, origins: Origins) -> Finding | None:
    """Return the finding of a pattern that the memories support, else None."""
    content = held.content
    named, contrary = shown.named(pattern.evidence), shown.named(pattern.against)
    if named is None or contrary is None or not 0 < len(content) <= PATTERN_CHARACTERS:
        return None
    evidence = [memory for memory in named if held.shown_by(memory) and memory not in contrary]
    denying = [memory for memory in shown.memories.values() if held.denied_by(memory)]
    counter = {memory.pk: memory for memory in [*contrary, *named, *denying] if memory not in evidence}
    number = occurrences(evidence, origins)
    sure = confidence(number, occurrences(list(counter.values()), origins))
    if not is_pattern(number, sure) or not held.carried_by(evidence):
        return None
    ids = sorted(memory.pk for memory in evidence)
    category = pattern.category.strip().lower().replace(" ", "_")
    return Finding(
        Candidate(
            content=content,
            layer=PROCEDURAL,
            kind=pattern.kind,
            category=category if _SLUG.fullmatch(category) else category_of(content, evidence),
            confidence=sure,
            strength=strength(number, sure),
            abstraction_level=pattern.abstraction_level,
            sensitive=any(memory.sensitive for memory in evidence),
            sources=tuple(reference_to(memory_id) for memory_id in ids),
            derived_from=tuple(str(memory_id) for memory_id in ids),
            written_by=ACTOR,
        ),
        occurrences=number,
    )


def _by_rules(
    request: Request, memories: Sequence[Memory], origins: Origins, error: str, *, owner: UUID
) -> Proposal:
    episodes = [] if request.ids or request.source == "topic" else _events(owner=owner)
    known = standing(owner=owner).filter(layer=PROCEDURAL, metadata__has_key="pattern")
    found = find_patterns(
        memories,
        episodes,
        origins,
        names=frozenset(map(str.lower, names_of(owner))),
        standing={row.metadata["pattern"]: row.content for row in known},
    )
    rested = {reference for finding in found for reference in finding.candidate.derived_from}
    return Proposal(
        source=FALLBACK,
        error=error,
        looked_at=len(memories) + len(episodes),
        findings=tuple(found),
        seen=seen(memory for memory in [*memories, *episodes] if str(memory.pk) in rested),
    )


def _events(*, owner: UUID) -> list[Memory]:
    """Return events that programs reported, newest first."""
    rows = said(owner=owner).filter(layer=EPISODIC, kind="event", occurred_at__isnull=False)
    return list(rows.order_by("-created_at")[:MOST_LOOKED_AT])

"""Patterns: propose how the user works, from two or more memories, for the procedural layer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from memories.maintenance.reflection.conf import MOST_LOOKED_AT, MOST_PATTERNS, PATTERN_CHARACTERS
from memories.maintenance.reflection.model import (
    NumberedMemories,
    PatternOut,
    PatternsOut,
    ask_model,
    number_memories,
    validate_items,
)
from memories.maintenance.reflection.patterns.patterns_by_rules import choose_category, find_patterns
from memories.maintenance.reflection.proposals import (
    ProposedMemory,
    ReflectionProposal,
    ReflectionRequest,
    get_update_times,
    make_reference,
)
from memories.maintenance.reflection.sources import (
    Origins,
    StatementSupport,
    compute_confidence,
    compute_strength,
    count_occurrences,
    find_support,
    is_pattern,
    list_examined,
    list_statements,
)
from memories.models import Memory
from memories.storage import list_active_memories, load_sources
from memories.values import Candidate, Kind, Layer, Writer
from memories.writing import load_names
from memsite.errors import ModelError
from memsite.llm.chat import AnswerSource, ChatModel

_SLUG: Final = re.compile(r"[\w-]{1,64}")


def propose_patterns(
    request: ReflectionRequest, model: ChatModel | None, *, owner: UUID
) -> ReflectionProposal:
    """Propose the patterns in the memories of a request, with the model or else with rules.

    Writes nothing.
    """
    memories = list_examined(request, owner=owner)
    origins = load_sources([memory.pk for memory in memories], owner=owner)
    error = ""
    if model is not None and len(memories) > 1:
        try:
            return _by_model(model, memories, origins)
        except ModelError as failure:
            error = failure.message
    return _by_rules(request, memories, origins, error, owner=owner)


def _by_model(model: ChatModel, memories: Sequence[Memory], origins: Origins) -> ReflectionProposal:
    shown = number_memories(memories)
    proposed = ask_model(model, "patterns", shown, PatternsOut).patterns
    valid = validate_items(proposed, PatternOut, MOST_PATTERNS)
    held = find_support([pattern.content.strip() for pattern in valid], list(shown.memories.values()))
    checked = [_checked(*pair, shown, origins) for pair in zip(valid, held, strict=True)]
    found = tuple(finding for finding in checked if finding is not None)
    return ReflectionProposal(
        source=AnswerSource.LLM,
        looked_at=len(shown.memories),
        memories=found,
        refused=len(proposed) - len(found),
        seen=get_update_times(shown.memories.values()),
    )


def _checked(
    pattern: PatternOut, held: StatementSupport, shown: NumberedMemories, origins: Origins
) -> ProposedMemory | None:
    """Return the finding of a pattern that the memories support, else None."""
    content = held.content
    named, contrary = shown.named(pattern.evidence), shown.named(pattern.against)
    if named is None or contrary is None or not 0 < len(content) <= PATTERN_CHARACTERS:
        return None
    evidence = [memory for memory in named if held.shown_by(memory) and memory not in contrary]
    denying = [memory for memory in shown.memories.values() if held.denied_by(memory)]
    counter = {memory.pk: memory for memory in [*contrary, *named, *denying] if memory not in evidence}
    number = count_occurrences(evidence, origins)
    sure = compute_confidence(number, count_occurrences(list(counter.values()), origins))
    if not is_pattern(number, sure) or not held.is_supported_by(evidence):
        return None
    ids = sorted(memory.pk for memory in evidence)
    category = pattern.category.strip().lower().replace(" ", "_")
    return ProposedMemory(
        Candidate(
            content=content,
            layer=Layer.PROCEDURAL,
            kind=pattern.kind,
            category=category if _SLUG.fullmatch(category) else choose_category(content, evidence),
            confidence=sure,
            strength=compute_strength(number, sure),
            abstraction_level=pattern.abstraction_level,
            sensitive=any(memory.sensitive for memory in evidence),
            sources=tuple(make_reference(memory_id) for memory_id in ids),
            derived_from=tuple(str(memory_id) for memory_id in ids),
            written_by=Writer.REFLECTION,
        ),
        occurrences=number,
    )


def _by_rules(
    request: ReflectionRequest, memories: Sequence[Memory], origins: Origins, error: str, *, owner: UUID
) -> ReflectionProposal:
    episodes = [] if request.ids or request.source == "topic" else _events(owner=owner)
    patterns = list_active_memories(owner=owner).filter(layer=Layer.PROCEDURAL, metadata__has_key="pattern")
    found = find_patterns(
        memories,
        episodes,
        origins,
        names=frozenset(map(str.lower, load_names(owner))),
        active={row.metadata["pattern"]: row.content for row in patterns},
    )
    rested = {reference for finding in found for reference in finding.candidate.derived_from}
    return ReflectionProposal(
        source=AnswerSource.FALLBACK,
        error=error,
        looked_at=len(memories) + len(episodes),
        memories=tuple(found),
        seen=get_update_times(memory for memory in [*memories, *episodes] if str(memory.pk) in rested),
    )


def _events(*, owner: UUID) -> list[Memory]:
    """Return events that programs reported, newest first."""
    rows = list_statements(owner=owner).filter(
        layer=Layer.EPISODIC, kind=Kind.EVENT, occurred_at__isnull=False
    )
    return list(rows.order_by("-created_at")[:MOST_LOOKED_AT])

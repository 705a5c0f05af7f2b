"""Inference: propose statements that follow from several memories and that none of them makes.

Inferences are marked, have sources, and never replace what was said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from uuid import UUID

from memories.conf import REFLECTION
from memories.maintenance.reflection.conf import (
    INFERRED_CHARACTERS,
    INFERRED_CONFIDENCE,
    MOST_INFERRED,
    SAME_MATTER,
)
from memories.maintenance.reflection.model import (
    Conclusion,
    InferenceOut,
    InferencesOut,
    NumberedMemories,
    are_linked,
    ask_model,
    conclude,
    follows,
    number_memories,
    validate_items,
)
from memories.maintenance.reflection.proposals import (
    ProposedMemory,
    ReflectionProposal,
    ReflectionRequest,
    get_update_times,
    make_reference,
)
from memories.maintenance.reflection.sources import (
    INFERRED,
    StatementSupport,
    compute_text_similarities,
    find_support,
    list_examined,
)
from memories.models import Memory
from memories.storage import list_active_memories
from memories.text import find_contradiction, has_same_wording
from memories.values import UNPROVEN, Candidate, Kind, Layer, Lifespan, Status, Writer
from memsite.errors import ModelError
from memsite.llm.chat import AnswerSource, ChatModel


def propose_inferences(
    request: ReflectionRequest, model: ChatModel | None, *, owner: UUID
) -> ReflectionProposal:
    """Propose inferences from the memories of a request, with the model or else with rules.

    Writes nothing.
    """
    memories = list_examined(request, owner=owner)
    error = ""
    if model is not None and len(memories) >= REFLECTION.least_seen:
        try:
            return _by_model(model, memories, owner=owner)
        except ModelError as failure:
            error = failure.message
    candidates = [_from_rules(conclusion) for conclusion in conclude(memories)][:MOST_INFERRED]
    free = _drop_stated(candidates, owner=owner)
    rested = {reference for candidate in free for reference in candidate.derived_from}
    return ReflectionProposal(
        source=AnswerSource.FALLBACK,
        error=error,
        looked_at=len(memories),
        memories=tuple(ProposedMemory(candidate) for candidate in free),
        refused=len(candidates) - len(free),
        seen=get_update_times(memory for memory in memories if str(memory.pk) in rested),
    )


def _by_model(model: ChatModel, memories: Sequence[Memory], *, owner: UUID) -> ReflectionProposal:
    shown = number_memories(memories)
    proposed = ask_model(model, "infer", shown, InferencesOut).inferences
    valid = validate_items(proposed, InferenceOut, MOST_INFERRED)
    held = find_support([inference.content.strip() for inference in valid], list(shown.memories.values()))
    candidates = [
        candidate
        for inference, backing in zip(valid, held, strict=True)
        if (candidate := _checked(inference, backing, shown)) is not None
    ]
    free = _drop_stated(candidates, owner=owner)
    return ReflectionProposal(
        source=AnswerSource.LLM,
        looked_at=len(shown.memories),
        memories=tuple(ProposedMemory(candidate) for candidate in free),
        refused=len(proposed) - len(free),
        seen=get_update_times(shown.memories.values()),
    )


def _checked(inference: InferenceOut, held: StatementSupport, shown: NumberedMemories) -> Candidate | None:
    """Return the candidate of an inference that its evidence supports, else None.

    Words that fit prove nothing. An inference that does not follow by a known relation waits for a person's
    word; one from memories that have nothing in common is refused.
    """
    evidence = shown.named(inference.evidence)
    if (
        evidence is None
        or len(evidence) < REFLECTION.least_seen
        or not 0 < len(held.content) <= INFERRED_CHARACTERS
    ):
        return None
    if not all(held.shown_by(memory) for memory in evidence) or not held.is_supported_by(evidence):
        return None
    proven = follows(held.content, evidence)
    if not proven and not are_linked(evidence):
        return None
    return _candidate(held.content, evidence, inference.confidence, proven=proven)


def _from_rules(conclusion: Conclusion) -> Candidate:
    names = (conclusion.subject, conclusion.object)
    return _candidate(conclusion.content, conclusion.evidence, INFERRED_CONFIDENCE, entities=names)


def _candidate(
    content: str,
    evidence: Sequence[Memory],
    sure: float,
    *,
    entities: tuple[str, ...] = (),
    proven: bool = True,
) -> Candidate:
    """Build a candidate whose confidence is at most 0.8 and at most the product of the sources' confidences.

    It has no predicate, because an inference must never take the slot of what was said.
    """
    ids = sorted(memory.pk for memory in evidence)
    most = min(INFERRED_CONFIDENCE, prod(memory.confidence for memory in evidence))
    return Candidate(
        content=content,
        layer=Layer.SEMANTIC,
        kind=Kind.FACT,
        confidence=round(max(0.0, min(sure, most)), 4),
        lifespan=Lifespan.WORKING,
        entities=entities,
        sensitive=any(memory.sensitive for memory in evidence),
        sources=tuple(make_reference(memory_id) for memory_id in ids),
        derived_from=tuple(str(memory_id) for memory_id in ids),
        written_by=Writer.REFLECTION,
        metadata={"inferred": True} | ({} if proven else {UNPROVEN: True}),
    )


def _drop_stated(candidates: Sequence[Candidate], *, owner: UUID) -> list[Candidate]:
    """Return the candidates that no active memory states or denies, without repeats."""
    if not candidates:
        return []
    rows = list_active_memories(owner=owner).filter(layer=Layer.SEMANTIC).exclude(status=Status.PENDING)
    stored = list(rows.exclude(INFERRED).order_by("-created_at"))
    similarities = compute_text_similarities([candidate.content for candidate in candidates], stored)
    free: list[Candidate] = []
    for candidate, nearby in zip(candidates, similarities, strict=True):
        matter = [
            memory for memory, reference in zip(stored, nearby, strict=True) if reference >= SAME_MATTER
        ]
        repeated = any(has_same_wording(candidate.content, other.content) for other in free)
        if not repeated and not is_answered(candidate, matter):
            free.append(candidate)
    return free


def is_answered(candidate: Candidate, stated: Iterable[Memory]) -> bool:
    """Return whether a memory already states or contradicts the candidate.

    Memories that the candidate is derived from may contradict it: they are about the same thing by nature.
    """
    return any(
        has_same_wording(candidate.content, memory.content)
        or (
            str(memory.pk) not in candidate.derived_from
            and find_contradiction(candidate.content, memory.content)
        )
        for memory in stated
    )

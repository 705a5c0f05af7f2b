"""Compression: propose one memory that keeps every distinct fact of several memories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from memories.conf import REFLECTION
from memories.maintenance.reflection.conf import COMPRESSED_CHARACTERS, LEAST_COVERED, MOST_LOOKED_AT
from memories.maintenance.reflection.model import CompressedOut, ask_model, number_memories
from memories.maintenance.reflection.proposals import (
    Compression,
    ReflectionProposal,
    ReflectionRequest,
    get_update_times,
)
from memories.maintenance.reflection.sources import (
    compute_coverage,
    compute_similarities,
    drop_repeated_facts,
    find_clusters,
    list_statements,
    split_facts,
)
from memories.models import LinkKind, Memory, MemoryLink
from memories.storage import get_memories, list_active_memories
from memories.text import find_contradiction, find_differences, find_invented_details, find_lost_details
from memories.values import Kind, Layer, Status
from memsite.errors import InvalidInput, ModelError
from memsite.llm.chat import AnswerSource, ChatModel

NOTHING_ALIKE: Final = "no two memories are alike enough"
NOT_LOSSLESS: Final = "the model's text does not keep every fact of its sources, or adds to them"
TOO_LONG: Final = "together the memories are longer than one may be"


def propose_compression(
    request: ReflectionRequest, model: ChatModel | None, *, owner: UUID
) -> ReflectionProposal:
    """Propose a compression of the given memories, or of the most similar ones of a layer. Writes nothing.

    The model writes the text; without a usable answer the memories are joined.

    Raises:
        NotFound: If an id is not a memory of the owner.
        InvalidInput: If the memories cannot be compressed into one.
    """
    if request.ids:
        chosen, looked = get_requested_memories(request, owner=owner), len(request.ids)
    else:
        chosen, looked = _alike(request.layer or Layer.SEMANTIC, owner=owner)
    if not chosen:
        return ReflectionProposal(error=NOTHING_ALIKE, looked_at=looked)
    group = sorted(chosen, key=lambda memory: (memory.created_at, memory.pk))
    error = ""
    if model is not None:
        try:
            written = ask_model(
                model, "compress", number_memories(group), CompressedOut, whole=True
            ).content.strip()
            if loses_nothing(group, written):
                return _proposal(AnswerSource.LLM, "", looked, written, group)
            error = NOT_LOSSLESS
        except ModelError as failure:
            error = failure.message
    kept, joined = _joined(group)
    if len(kept) < REFLECTION.least_seen:
        return ReflectionProposal(error=error or TOO_LONG, looked_at=looked, refused=1)
    return _proposal(AnswerSource.FALLBACK, error, looked, joined, kept)


def loses_nothing(sources: Sequence[Memory], result: str) -> bool:
    """Return whether a text keeps what the sources say and adds nothing.

    The text must have every number, name, date and negation of the sources and no others. At least half of
    the content words of each sentence, on both sides, must occur on the other side.
    """
    texts = [memory.content for memory in sources]
    if (
        not 0 < len(result) <= COMPRESSED_CHARACTERS
        or find_lost_details(texts, result)
        or find_invented_details(texts, result)
    ):
        return False
    theirs = all(
        compute_coverage(fact, [result]) >= LEAST_COVERED for text in texts for fact in split_facts(text)
    )
    return theirs and all(compute_coverage(fact, texts) >= LEAST_COVERED for fact in split_facts(result))


def _proposal(
    source: AnswerSource, error: str, looked: int, content: str, group: Sequence[Memory]
) -> ReflectionProposal:
    kept, dropped = drop_repeated_facts([fact for memory in group for fact in split_facts(memory.content)])
    return ReflectionProposal(
        source=source,
        error=error,
        looked_at=looked,
        compression=Compression(content, tuple(group), tuple(kept), tuple(dropped)),
        seen=get_update_times(group),
    )


def _joined(group: Sequence[Memory]) -> tuple[list[Memory], str]:
    """Join the distinct sentences of as many memories as fit, one per line."""
    for size in range(len(group), 0, -1):
        facts, _ = drop_repeated_facts(
            [fact for memory in group[:size] for fact in split_facts(memory.content)]
        )
        text = "\n".join(facts)
        if len(text) <= COMPRESSED_CHARACTERS:
            return list(group[:size]), text
    return [], ""


def get_requested_memories(request: ReflectionRequest, *, owner: UUID) -> list[Memory]:
    """Return the memories that a request names.

    Raises:
        NotFound: If an id is not a memory of the owner.
        InvalidInput: If the memories cannot be compressed into one.
    """
    memories = get_memories(request.ids, owner=owner)
    if not REFLECTION.least_seen <= len(memories) <= REFLECTION.most_compressed:
        raise InvalidInput(
            f"Between {REFLECTION.least_seen} and {REFLECTION.most_compressed} memories can become one."
        )
    if len({memory.layer for memory in memories}) > 1:
        raise InvalidInput("Memories of different layers do not become one.")
    if any(not memory.is_active or memory.status != Status.ACTIVE for memory in memories):
        raise InvalidInput("Only active memories that are not disputed can become one.")
    if any(memory.metadata.get("inferred") for memory in memories):
        raise InvalidInput("What was inferred does not become one with what was said.")
    if len({triple for memory in memories if (triple := _triple(memory))}) > 1:
        raise InvalidInput("Memories with different subject, predicate and object do not become one.")
    if any(not may_join(a, b) for index, a in enumerate(memories) for b in memories[index + 1 :]):
        raise InvalidInput("Some of these memories contradict each other.")
    return memories


def _alike(layer: Layer, *, owner: UUID) -> tuple[list[Memory], int]:
    """Return the most similar memories of a layer, if any, and the number of memories examined."""
    rows = (
        list_statements(owner=owner)
        .filter(layer=layer, pinned=False)
        .exclude(kind=Kind.SUMMARY)
        .order_by("-created_at")
    )
    found = compute_similarities(list(rows[:MOST_LOOKED_AT]), owner=owner)
    groups = find_clusters(
        found, least=REFLECTION.similar, most=REFLECTION.most_compressed, may_join=_alone_may_join
    )
    fresh = (group for group in groups if not _done(group, owner=owner))
    return next(fresh, []), len(found.memories)


def _alone_may_join(a: Memory, b: Memory) -> bool:
    differences = a.layer != Layer.EPISODIC and find_differences(a.content, b.content)
    return a.kind == b.kind and _triple(a) == _triple(b) and not differences and may_join(a, b)


def may_join(a: Memory, b: Memory) -> bool:
    """Return whether both memories can be true at once."""
    return not find_contradiction(a.content, b.content)


def _triple(memory: Memory) -> tuple[str, str, str] | None:
    return (memory.subject, memory.predicate, memory.object) if memory.predicate else None


def _done(group: Sequence[Memory], *, owner: UUID) -> bool:
    """Return whether an active compression of exactly these memories exists: a summary or a pending one."""
    ids = {memory.pk for memory in group}
    made = list_active_memories(owner=owner).filter(metadata__has_key="preserved_facts").values("id")
    links = MemoryLink.objects.filter(
        owner_id=owner, other_id__in=ids, kind=LinkKind.DERIVED_FROM, memory_id__in=made
    )
    covered: dict[UUID, set[UUID]] = {}
    for result, source in links.values_list("memory_id", "other_id"):
        covered.setdefault(result, set()).add(source)
    return ids in covered.values()

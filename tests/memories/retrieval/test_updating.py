"""An index kept up to date answers as one built anew, whatever happened to the memories in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from uuid import UUID

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memories import curation
from memories.curation.erasing import erase_memory
from memories.models import Memory
from memories.retrieval import SearchQuery, search_memories
from memories.retrieval.cache.cache import index_cache
from memories.storage import usage
from memories.values import Candidate, Kind, Layer
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.errors import Conflict

WORDS = ["Anna", "Ben", "Lisbon", "tea", "coffee", "boat", "drinks", "sister", "works", "cat", "喜欢", "北京"]
QUESTIONS = ("What does Anna drink?", "Ben's sister works where?", "谁在北京")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=2, max_size=7).map(" ".join)
LAYERS = st.sampled_from(["semantic", "episodic"])
NUMBERS = st.integers(0, 1000)
ACTS = st.one_of(
    st.tuples(st.just("add"), st.lists(st.tuples(TEXTS, LAYERS), min_size=1, max_size=4)),
    st.tuples(st.sampled_from(["weigh", "rename", "reword", "forget", "restore", "use", "erase"]), NUMBERS),
)


def _add(owner: UUID, said: Sequence[tuple[str, str]]) -> None:
    candidates = [
        Candidate(
            text, layer=Layer.EPISODIC, kind=Kind.CONVERSATION, session=text[:1], speaker=text.split()[0]
        )
        if layer == "episodic"
        else Candidate(text)
        for text, layer in said
    ]
    write_candidates(candidates, owner=owner, actor="test")


def _use(memory_id: UUID, owner: UUID) -> None:
    usage.note_access([memory_id], owner=owner)
    usage.roll_up_accesses(owner=owner)


def _edit(**changes: object) -> Callable[[UUID, UUID], object]:
    return lambda memory_id, owner: curation.edit_memory(memory_id, changes, owner=owner, actor="test")


DONE: dict[str, Callable[[UUID, UUID], object]] = {
    "weigh": _edit(importance=0.9),
    "rename": _edit(participants=["Clara"]),
    "reword": lambda memory_id, owner: curation.rewrite_memory(
        memory_id, f"Anna sold {memory_id.hex[-6:]}", owner=owner, actor="test"
    ),
    "forget": lambda memory_id, owner: curation.forget_memories([memory_id], owner=owner, actor="test"),
    "restore": lambda memory_id, owner: curation.restore_memories([memory_id], owner=owner, actor="test"),
    "use": _use,
    "erase": lambda memory_id, owner: erase_memory(memory_id, owner=owner, actor="test"),
}


def _answers(owner: UUID) -> list[list[tuple[UUID, float, float]]]:
    queries = [SearchQuery(text, top_k=50, min_similarity=0.0) for text in QUESTIONS]
    return [
        [(hit.memory.pk, hit.score, hit.relevance) for hit in search_memories(query, owner=owner).hits]
        for query in queries
    ]


def _same(kept: list[tuple[UUID, float, float]], built: list[tuple[UUID, float, float]]) -> bool:
    one, other = (np.array([hit[1:] for hit in answer]) for answer in (kept, built))
    return [hit[0] for hit in kept] == [hit[0] for hit in built] and np.allclose(one, other, atol=2e-4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=12)
@given(acts=st.lists(ACTS, max_size=8))
def test_answers_are_those_of_an_index_built_anew(alice: User, acts: list[tuple[str, object]]) -> None:
    _add(alice.pk, [("Anna drinks tea", "semantic"), ("Ben works in Lisbon", "episodic")])
    for act, what in acts:
        search_memories(SearchQuery("tea"), owner=alice.pk)  # the index follows step by step
        if isinstance(what, list):
            _add(alice.pk, what)
            continue
        ids = sorted(Memory.objects.filter(owner_id=alice.pk, retired_at=None).values_list("id", flat=True))
        if ids and isinstance(what, int):
            with suppress(Conflict):  # the new words stand already, or it stands no more
                DONE[act](ids[what % len(ids)], alice.pk)
    kept = _answers(alice.pk)
    index_cache().clear()
    assert all(_same(*pair) for pair in zip(kept, _answers(alice.pk), strict=True))


def test_write_is_found_without_reading_what_was_there(alice: User) -> None:
    _add(alice.pk, [(f"House {number} has a red door", "semantic") for number in range(30)])
    search_memories(SearchQuery("door"), owner=alice.pk)
    before = index_cache()._entries[alice.pk].index  # noqa: SLF001 - what is kept is what is asked about
    _add(alice.pk, [("The boat has a blue sail", "semantic")])
    found = search_memories(SearchQuery("blue sail"), owner=alice.pk)
    after = index_cache()._entries[alice.pk].index  # noqa: SLF001 - as above
    assert found.hits[0].memory.content == "The boat has a blue sail"
    assert after.ids is before.ids

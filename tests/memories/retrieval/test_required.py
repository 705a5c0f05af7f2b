"""Which memories of a field may be requirements."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memories.models import Memory
from memories.retrieval.search.fields import keep_requirements
from memories.values import Layer, Status


def make_memory(source_references: list[str], **fields: object) -> Memory:
    memory = Memory(**fields)
    memory.source_references = source_references  # as `load_memories` annotates it
    return memory


memories = st.builds(
    make_memory,
    content=st.sampled_from(["We use uv.", "Do we use uv?", "We use uv. " * 40]),
    layer=st.sampled_from([Layer.SEMANTIC, Layer.EPISODIC]),
    status=st.sampled_from([Status.ACTIVE, Status.DISPUTED]),
    tags=st.sampled_from([[], ["always"], ["mine"]]),
    metadata=st.sampled_from([{}, {"role": "user"}, {"role": "assistant"}]),
    source_references=st.lists(st.sampled_from(["a", "b"]), max_size=2),
)


@given(st.lists(memories, max_size=8))
def test_requirements_are_kept_in_order_without_repetition(some: list[Memory]) -> None:
    kept = keep_requirements(some)
    assert list(kept) == [one for one in some if one in kept]
    assert keep_requirements(kept) == kept
    assert all(one.status == Status.ACTIVE and "always" not in one.tags for one in kept)
    taught = {source for one in kept if one.layer == Layer.SEMANTIC for source in one.source_references}
    assert all(taught.isdisjoint(one.source_references) for one in kept if one.layer == Layer.EPISODIC)

"""The two clocks against a plain model of their law, by the database and by the index; what is hidden."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memories.models import Memory
from memories.retrieval import SearchQuery, search_memories
from memories.retrieval.cache.cache import index_cache
from memories.storage import store
from memories.storage.queries import MemoryFilter, list_memories
from memories.storage.store import Draft
from memories.values import Candidate, Status
from memories.writing import drafting
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User

EPOCH = datetime(2020, 1, 1, tzinfo=UTC)
moments = st.integers(min_value=0, max_value=6).map(lambda day: EPOCH + timedelta(days=day))
maybe = st.none() | moments


@dataclass(frozen=True)
class Times:
    created: datetime
    begin: datetime | None
    until: datetime | None
    ended: datetime | None
    retired: datetime | None
    forgotten: bool

    @property
    def status(self) -> str:
        if self.forgotten:
            return Status.FORGOTTEN
        return Status.ACTIVE if self.ended is None and self.retired is None else Status.DEPRECATED

    def answers(self, world: datetime, belief: datetime) -> bool:
        """The law, word by word."""
        believed = self.created <= belief and (self.retired is None or belief < self.retired)
        begun = self.begin is None or self.begin <= world
        lasting = self.until is None or self.until > world or (self.ended is not None and self.ended > belief)
        return believed and begun and lasting and not self.forgotten


def _is_period(times: Times) -> bool:
    return times.begin is None or times.until is None or times.begin <= times.until


rows = st.builds(
    Times, created=moments, begin=maybe, until=maybe, ended=maybe, retired=maybe, forgotten=st.booleans()
).filter(_is_period)


def _store(times: Times, number: int, owner: UUID) -> UUID:
    draft = drafting.make_draft(Candidate(f"row {number}"), owner=owner, now=timezone.now())
    assert isinstance(draft, Draft)
    with store.open_batch(owner=owner, actor="test") as batch:
        batch.insert(draft)
    Memory.objects.filter(owner=owner, pk=draft.memory.pk).update(
        created_at=times.created,
        valid_from=times.begin,
        valid_until=times.until,
        ended_at=times.ended,
        retired_at=times.retired,
        forgotten_at=EPOCH if times.forgotten else None,
        status=times.status,
    )
    return draft.memory.pk


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(many=st.lists(rows, min_size=1, max_size=6), world=moments, belief=moments)
def test_list_and_search_answer_by_the_law_of_the_two_clocks(
    alice: User, many: list[Times], world: datetime, belief: datetime
) -> None:
    Memory.objects.filter(owner=alice).delete()
    index_cache().clear()
    ids = [_store(times, number, alice.pk) for number, times in enumerate(many)]
    expected = {key for key, times in zip(ids, many, strict=True) if times.answers(world, belief)}
    filters = MemoryFilter(as_of=world, believed_at=belief)
    listed = set(list_memories(filters, owner=alice.pk).values_list("id", flat=True))
    query = SearchQuery("row", top_k=20, min_similarity=0, as_of=world, believed_at=belief)
    found = {hit.memory.pk for hit in search_memories(query, owner=alice.pk).hits}
    assert listed == found == expected


def _lives(owner: UUID, city: str, day: int) -> Memory:
    triple: dict[str, Any] = {"subject": "user", "predicate": "lives in", "object": city}
    begin = EPOCH + timedelta(days=day)
    candidate = Candidate(f"The user lives in {city}.", valid_from=begin, **triple)
    memory = write_candidates([candidate], owner=owner, actor="test").outcomes[0].memory
    assert memory is not None
    return memory


def _found(owner: UUID, hidden: frozenset[UUID]) -> set[str]:
    query = SearchQuery("Where does the user live?", min_similarity=0)
    return {hit.memory.object for hit in search_memories(query, owner=owner, hidden=hidden).hits}


def test_row_that_only_a_hidden_row_ended_has_not_ended(alice: User) -> None:
    _lives(alice.pk, "Berlin", 0)
    paris = _lives(alice.pk, "Paris", 2)
    assert _found(alice.pk, frozenset()) == {"Paris"}
    assert _found(alice.pk, frozenset({paris.pk})) == {"Berlin"}


def test_row_that_another_row_ended_too_stays_ended(alice: User) -> None:
    _lives(alice.pk, "Berlin", 0)
    _lives(alice.pk, "Paris", 4)
    rome = _lives(alice.pk, "Rome", 2)
    assert _found(alice.pk, frozenset({rome.pk})) == {"Paris"}


@pytest.mark.parametrize("day", [1, 3])
def test_list_as_of_a_day_counts_what_a_hidden_row_ended(alice: User, day: int) -> None:
    berlin = _lives(alice.pk, "Berlin", 0)
    paris = _lives(alice.pk, "Paris", 2)
    filters = MemoryFilter(as_of=EPOCH + timedelta(days=day))
    rows = list_memories(filters, owner=alice.pk, hidden={paris.pk})
    assert [row.pk for row in rows] == [berlin.pk]

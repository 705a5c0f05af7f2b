"""The graph is an index: whatever happens to its rows, the memories give them back."""

from __future__ import annotations

import io
from uuid import UUID

import pytest
from django.core.management import call_command

from memories.models import Entity, GraphRebuild, Memory, Mention, Relation
from memories.retrieval import SearchQuery, search_memories
from memories.storage.graph import graph_index, load_neighbourhood, rebuilding
from memories.storage.graph.rebuilding import rebuild_graph
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User

SAID = (
    Candidate("Anna's sister is Maria."),
    Candidate("the espresso grinder squeaks", entities=("espresso grinder",)),
    Candidate("小红在阿里巴巴工作。", participants=("Tom",)),
    Candidate("They agreed.", subject="Board", predicate="approved", object="Budget"),
)


def rows(owner: UUID) -> set[tuple[str, ...]]:
    """The graph by names, whatever the ids."""
    mentions = Mention.objects.filter(owner_id=owner).values_list("memory__content", "entity__key")
    relations = Relation.objects.filter(owner_id=owner).values_list(
        "memory__content", "subject__key", "predicate", "object__key"
    )
    return {*mentions, *relations}


def empty(owner: UUID) -> None:
    Relation.objects.filter(owner_id=owner).delete()
    Mention.objects.filter(owner_id=owner).delete()
    Entity.objects.filter(owner_id=owner).delete()


def test_graph_rebuilt_from_nothing_is_the_same(alice: User) -> None:
    write_candidates(SAID, owner=alice.pk, actor="test")
    before = rows(alice.pk)
    assert ("the espresso grinder squeaks", "espresso grinder") in before
    empty(alice.pk)
    call_command("reindex_graph", progress="off", stdout=io.StringIO())
    assert rows(alice.pk) == before


def test_second_rebuild_does_nothing_until_asked_again(alice: User) -> None:
    write_candidates(SAID, owner=alice.pk, actor="test")
    assert sum(rebuild_graph(owner=alice.pk)) == 4
    assert sum(rebuild_graph(owner=alice.pk)) == 0
    assert sum(rebuild_graph(owner=alice.pk, again=True)) == 4


def test_stopped_rebuild_goes_on_where_it_was(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuilding, "CHUNK", 1)
    write_candidates(SAID, owner=alice.pk, actor="test")
    before = rows(alice.pk)
    empty(alice.pk)
    running = rebuild_graph(owner=alice.pk)
    assert [next(running), next(running)] == [1, 1]
    running.close()
    assert rebuilding.count_memories_left(owner=alice.pk) == 2
    assert sum(rebuild_graph(owner=alice.pk)) == 2
    assert rows(alice.pk) == before


def test_newer_rules_read_everything_again(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    write_candidates(SAID, owner=alice.pk, actor="test")
    list(rebuild_graph(owner=alice.pk))
    monkeypatch.setattr(graph_index, "RULES", graph_index.RULES + 1)
    assert rebuilding.count_memories_left(owner=alice.pk) == 4
    assert sum(rebuild_graph(owner=alice.pk)) == 4
    assert GraphRebuild.objects.get(owner_id=alice.pk).finished


def test_rebuild_of_one_owner_leaves_anothers_rows(alice: User, bob: User) -> None:
    for owner in (alice.pk, bob.pk):
        write_candidates(SAID, owner=owner, actor="test")
    entities = set(Entity.objects.filter(owner_id=bob.pk).values_list("id", flat=True))
    list(rebuild_graph(owner=alice.pk))
    assert set(Entity.objects.filter(owner_id=bob.pk).values_list("id", flat=True)) == entities


def test_changed_participants_change_what_a_memory_mentions(alice: User) -> None:
    met = Candidate("We met.", participants=("Tom",))
    memory = write_candidates([met], owner=alice.pk, actor="test").outcomes[0].memory
    assert memory is not None
    memory.participants = ["Ulla"]
    graph_index.reindex_memories([memory], owner=alice.pk)
    assert [node.name for node in load_neighbourhood(owner=alice.pk).entities] == ["Ulla"]


def test_reindexed_memory_is_found_by_its_new_names_at_once(alice: User) -> None:
    written = write_candidates([Candidate("We met."), Candidate("It rained.")], owner=alice.pk, actor="test")
    memory = written.outcomes[0].memory
    assert memory is not None
    query = SearchQuery("Ulla", min_similarity=0.0)
    assert search_memories(query, owner=alice.pk).hits[0].breakdown["graph"] == 0
    Memory.objects.filter(pk=memory.pk).update(participants=["Ulla"])
    memory.refresh_from_db()
    graph_index.reindex_memories([memory], owner=alice.pk)
    hits = search_memories(query, owner=alice.pk).hits
    assert hits[0].memory.pk == memory.pk
    assert hits[0].breakdown["graph"] > 0


def test_reindexing_twice_changes_nothing(alice: User) -> None:
    write_candidates(SAID, owner=alice.pk, actor="test")
    memories = list(Memory.objects.filter(owner_id=alice.pk))
    graph_index.reindex_memories(memories, owner=alice.pk)
    before = rows(alice.pk)
    graph_index.reindex_memories(memories, owner=alice.pk)
    assert rows(alice.pk) == before

"""Stored memories after a change of the rules of normalising: derived anew, in parts, and nothing is lost."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from memories import tasks
from memories.maintenance.renormalisation import count_memories_left, list_owners_left, renormalise_memories
from memories.models import Entity, Erasure, Memory, MemoryEmbedding, MemorySource, Renormalisation
from memories.retrieval import SearchQuery, search_memories
from memories.storage.graph import graph_index
from memories.text.comparison import compute_erasure_digest
from memories.values import Candidate
from memories.writing import drafting
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User


def _stored(user: User, content: str, **fields: Any) -> Memory:
    """A memory as the rules before left it."""
    written = write_candidates([Candidate(content, **fields)], owner=user.pk, actor="test")
    memory = written.outcomes[0].memory
    assert memory is not None
    old = drafting.compute_row_fingerprint(memory, rules=1)
    mine = MemorySource.objects.filter(owner_id=user.pk, memory=memory)
    mine.filter(fingerprint=bytes(memory.fingerprint)).update(fingerprint=old)
    Memory.objects.filter(owner_id=user.pk, pk=memory.pk).update(
        fingerprint=old, wording=b"", terms=b"", slot="", content_words=0
    )
    Renormalisation.objects.filter(owner_id=user.pk).delete()
    memory.refresh_from_db()
    return memory


def _run(user: User) -> list[int]:
    return list(renormalise_memories(owner=user.pk))


def _two_scripts(user: User) -> tuple[Memory, Memory]:
    """The same fact in both scripts, as two rows: the older in traditional characters."""
    older = _stored(user, "陳靜喜歡綠茶", sources=("message:1",), tags=("茶",))
    return older, _stored(user, "陈静喜欢绿茶", sources=("message:2",), tags=("人",))


def test_stored_memory_is_found_in_either_script_afterwards(alice: User) -> None:
    _stored(alice, "黃偉住在台北")
    _run(alice)
    found = search_memories(SearchQuery("黄伟", min_similarity=0.3), owner=alice.pk)
    assert [hit.memory.content for hit in found.hits] == ["黃偉住在台北"]


def test_what_was_stored_is_strengthened_by_the_other_script(alice: User) -> None:
    memory = _stored(alice, "陳靜喜歡綠茶")
    _run(alice)
    outcome = write_candidates([Candidate("陈静喜欢绿茶")], owner=alice.pk, actor="test").outcomes[0]
    assert (outcome.action, outcome.memory and outcome.memory.pk) == ("strengthened", memory.pk)


def test_two_rows_that_become_one_lose_nothing(alice: User) -> None:
    older, newer = _two_scripts(alice)
    _run(alice)
    older.refresh_from_db()
    newer.refresh_from_db()
    assert (older.status, newer.status, newer.content) == ("active", "deprecated", "陈静喜欢绿茶")
    assert (older.occurrence_count, older.tags) == (2, ["茶", "人"])
    sources = MemorySource.objects.filter(owner=alice, memory=older)
    assert set(sources.values_list("reference", flat=True)) == {"message:1", "message:2"}


def test_message_that_taught_either_row_teaches_nothing_again(alice: User) -> None:
    _two_scripts(alice)
    _run(alice)
    for content, source in (("陳靜喜歡綠茶", "message:1"), ("陈静喜欢绿茶", "message:2")):
        told = write_candidates([Candidate(content, sources=(source,))], owner=alice.pk, actor="test")
        assert told.outcomes[0].action == "known"


def test_episodes_of_one_moment_stay_two(alice: User) -> None:
    fields: dict[str, Any] = {"layer": "episodic", "kind": "conversation"}
    fields["occurred_at"] = datetime(2026, 1, 1, tzinfo=UTC)
    both = [_stored(alice, content, **fields) for content in ("喝綠茶", "喝绿茶")]
    _run(alice)
    assert {Memory.objects.get(owner=alice, pk=one.pk).status for one in both} == {"active"}


def test_erased_memory_of_former_rules_stays_erased(alice: User) -> None:
    memory = _stored(alice, "陳靜喜歡綠茶", sources=("message:1",))
    digest = compute_erasure_digest(settings.SECRET_KEY, bytes(memory.fingerprint), "message:1")
    Erasure.objects.create(owner=alice, digest=digest)
    Memory.objects.filter(owner=alice).update(status="forgotten", forgotten_at=memory.created_at)
    told = write_candidates([Candidate("陳靜喜歡綠茶", sources=("message:1",))], owner=alice.pk, actor="test")
    assert told.outcomes[0].action == "refused"


def test_name_that_only_its_writer_gave_is_kept(alice: User) -> None:
    _stored(alice, "她喜歡綠茶", entities=("鷗鷺",))
    _run(alice)
    assert Entity.objects.filter(owner=alice, name="鷗鷺").exists()


def test_traditional_text_is_embedded_anew(alice: User) -> None:
    memory = _stored(alice, "陳靜喜歡綠茶")
    _run(alice)
    assert not MemoryEmbedding.objects.filter(owner=alice, memory=memory).exists()
    tasks.embed_missing()
    assert MemoryEmbedding.objects.filter(owner=alice, memory=memory).exists()


def test_killed_run_goes_on_behind_the_last_chunk(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memories.maintenance.renormalisation.CHUNK", 2)
    for number in range(5):
        _stored(alice, f"第{number}個人喜歡綠茶")
    next(renormalise_memories(owner=alice.pk))
    assert count_memories_left(owner=alice.pk) == 3
    assert _run(alice) == [2, 1]
    assert (count_memories_left(owner=alice.pk), _run(alice)) == (0, [])


def test_failure_within_a_chunk_leaves_it_as_it_was(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = _stored(alice, "陳靜喜歡綠茶")

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("killed")

    monkeypatch.setattr(graph_index, "reindex_memories", fail)
    with pytest.raises(RuntimeError):
        _run(alice)
    assert bytes(Memory.objects.get(owner=alice).fingerprint) == bytes(memory.fingerprint)
    assert count_memories_left(owner=alice.pk) == 1


def test_command_and_sweep_do_what_is_left(alice: User, bob: User) -> None:
    _stored(alice, "陳靜喜歡綠茶")
    _stored(bob, "黃偉喜歡紅茶")
    assert set(list_owners_left()) == {alice.pk, bob.pk}
    assert tasks.renormalise() == 2
    tasks.renormalise_owner(str(bob.pk))
    call_command("renormalise", progress="off")
    assert (list_owners_left(), tasks.renormalise()) == ([], 0)

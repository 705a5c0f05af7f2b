"""Sentence vectors are filled in after writing, and searches use them then."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.db import connection

from memories.maintenance.health import collect_stats
from memories.maintenance.reembedding import sentences
from memories.maintenance.reembedding.sentences import (
    BATCH,
    fill_in_sentences,
    fill_owner,
    list_without_sentence,
)
from memories.models import Ledger, Memory, SentenceVector
from memories.retrieval import SearchQuery, search_memories
from memories.tasks import fill_in_owner
from memories.tasks import fill_in_sentences as fill_by_job
from memories.values import Candidate, Kind, Layer
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.jobs import LeaseBusy, hold_lease
from memsite.jobs.models import Job
from memsite.llm.embedding import (
    SENTENCE_DIMENSIONS,
    SENTENCE_MODEL,
    Float32,
    SentenceEmbedder,
    get_sentence_embedder,
)
from memsite.serving.postgres import acting_for

FACTS = ("The dentist moved me to Thursday.", "My sister keeps two cats.", "I paid the rent in May.")


@pytest.fixture(autouse=True)
def both_stages(settings: Any) -> None:
    settings.MEMSITE_EMBEDDING = "local"
    settings.MEMSITE_EMBEDDING_BUDGET_MS = 10_000


def _write(owner: User, *texts: str, layer: Layer = Layer.SEMANTIC) -> None:
    kind = Kind.CONVERSATION if layer == Layer.EPISODIC else Kind.FACT
    candidates = [Candidate(text, layer=layer, kind=kind) for text in texts]
    write_candidates(candidates, owner=owner.pk, actor="test")


def _filled(owner: User) -> set[str]:
    rows = SentenceVector.objects.filter(owner_id=owner.pk, model=SENTENCE_MODEL)
    return set(Memory.objects.filter(id__in=rows.values("memory_id")).values_list("content", flat=True))


def test_writing_embeds_no_sentence(alice: User) -> None:
    _write(alice, *FACTS)
    assert not SentenceVector.objects.exists()


def test_job_fills_in_the_memories_of_every_owner(alice: User, bob: User) -> None:
    _write(alice, *FACTS)
    _write(bob, FACTS[0])
    assert fill_by_job() == 4
    assert _filled(alice) == set(FACTS)
    assert fill_by_job() == 0


def _list_queued() -> list[tuple[str, str | None]]:
    rows = Job.objects.filter(task__startswith="memories.tasks.fill_in").order_by("created_at")
    return [(row.task.rpartition(".")[2], row.unique_key) for row in rows]


def test_write_queues_the_filling_in_of_its_owner_once(alice: User, bob: User) -> None:
    _write(alice, FACTS[0])
    _write(alice, FACTS[1])
    _write(bob, FACTS[0])
    assert _list_queued() == [("fill_in_owner", f"sentences:{one.pk}") for one in (alice, bob)]
    job = Job.objects.filter(owner_id=alice.pk).latest("created_at")
    assert timedelta(0) < job.run_after - job.created_at < timedelta(seconds=1)
    assert fill_in_owner(str(alice.pk)) == 2
    assert _filled(alice) == {FACTS[0], FACTS[1]}
    assert not _filled(bob)


def test_write_without_a_new_memory_queues_nothing(alice: User, settings: Any) -> None:
    _write(alice, FACTS[0])
    Job.objects.all().delete()
    _write(alice, FACTS[0])
    settings.MEMSITE_EMBEDDING = "tokens"
    _write(alice, FACTS[1])
    assert _list_queued() == []


def test_job_picks_up_what_is_written_meanwhile(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    embed, left = sentences._embed_quietly, [FACTS[2], FACTS[1]]  # noqa: SLF001 - to write while it works

    def write_and_embed(embedder: SentenceEmbedder, texts: Sequence[str]) -> Float32:
        if left:
            _write(alice, left.pop())
        return embed(embedder, texts)

    monkeypatch.setattr(sentences, "_embed_quietly", write_and_embed)
    _write(alice, FACTS[0])
    assert fill_in_owner(str(alice.pk)) == 3
    assert _filled(alice) == set(FACTS)


def test_job_leaves_what_is_over_a_batch_to_the_sweep(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "BATCH", 2)
    _write(alice, *FACTS)
    Job.objects.all().delete()
    assert fill_in_owner(str(alice.pk)) == 2
    assert _list_queued() == [("fill_in_sentences", "fill-in-sentences")]
    assert fill_by_job() == 1


def test_memories_of_an_owner_are_embedded_by_one_run_at_a_time(alice: User, bob: User) -> None:
    _write(alice, *FACTS)
    _write(bob, FACTS[0])
    with hold_lease(f"sentences:{alice.pk}", 60):
        assert fill_by_job() == 1
        with pytest.raises(LeaseBusy):
            fill_in_owner(str(alice.pk))
    assert fill_in_owner(str(alice.pk)) == 3


def test_run_out_of_time_says_that_memories_are_left(alice: User) -> None:
    _write(alice, FACTS[0])
    assert fill_in_sentences(seconds=0) == (0, True)


def test_facts_come_before_episodes_and_the_newest_first(alice: User) -> None:
    _write(alice, "An old fact about roses.")
    _write(alice, "A new fact about tulips.")
    _write(alice, "Somebody talked about daisies.", layer=Layer.EPISODIC)
    order = [row.content.split()[1] for row in list_without_sentence(owner=alice.pk)]
    assert order == ["new", "old", "talked"]


def test_tokens_setting_fills_in_nothing(alice: User, settings: Any) -> None:
    settings.MEMSITE_EMBEDDING = "tokens"
    _write(alice, *FACTS)
    assert fill_by_job() == 0


def test_next_search_uses_what_was_filled_in(alice: User) -> None:
    _write(alice, *FACTS)
    question = SearchQuery("Which pets does my sibling have?", min_similarity=0.0)
    assert search_memories(question, owner=alice.pk).diagnostics.sentence_vectors == "none"
    fill_by_job()
    found = search_memories(question, owner=alice.pk)
    assert found.diagnostics.sentence_vectors == "used"
    assert found.diagnostics.sentence_share == 1.0
    assert found.hits[0].memory.content == FACTS[1]


def test_search_without_budget_goes_on_by_tokens_and_says_so(alice: User, settings: Any) -> None:
    _write(alice, *FACTS)
    fill_by_job()
    question, budget = SearchQuery("When is the dentist?"), settings.MEMSITE_EMBEDDING_BUDGET_MS
    settings.MEMSITE_EMBEDDING_BUDGET_MS = 0
    found = search_memories(question, owner=alice.pk)
    assert found.diagnostics.sentence_vectors == "late"
    assert found.hits[0].memory.content == FACTS[0]
    settings.MEMSITE_EMBEDDING_BUDGET_MS = budget
    assert search_memories(question, owner=alice.pk).diagnostics.sentence_vectors == "used"


def test_memory_written_later_is_found_beside_those_filled_in(alice: User) -> None:
    _write(alice, *FACTS)
    fill_by_job()
    search_memories(SearchQuery("rent"), owner=alice.pk)
    _write(alice, "The bicycle stands in the cellar.")
    found = search_memories(SearchQuery("Where is the bicycle?"), owner=alice.pk)
    assert found.hits[0].memory.content == "The bicycle stands in the cellar."
    assert found.diagnostics.sentence_share == 0.75


def test_other_weights_replace_the_vector(alice: User) -> None:
    _write(alice, FACTS[0])
    fill_by_job()
    SentenceVector.objects.filter(owner_id=alice.pk).update(model="older weights")
    assert fill_by_job() == 1
    assert SentenceVector.objects.get(owner_id=alice.pk).model == SENTENCE_MODEL


def test_statistics_tell_the_progress(alice: User) -> None:
    _write(alice, *FACTS)
    assert collect_stats(owner=alice.pk)["sentence_vectors"] == {
        "model": SENTENCE_MODEL,
        "filled": 0,
        "missing": 3,
    }
    fill_by_job()
    assert collect_stats(owner=alice.pk)["sentence_vectors"]["filled"] == 3


def test_erased_memory_leaves_no_vector(alice: User) -> None:
    _write(alice, FACTS[0])
    fill_by_job()
    Memory.objects.filter(owner_id=alice.pk).delete()
    assert not SentenceVector.objects.exists()


def test_owner_deleted_while_memories_are_embedded_fails_nothing(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def delete_owner(texts: Sequence[str]) -> Float32:
        User.objects.filter(pk=alice.pk).delete()
        connection.check_constraints()
        return np.ones((len(texts), SENTENCE_DIMENSIONS), dtype=np.float32)

    _write(alice, *FACTS)
    embedder = get_sentence_embedder()
    assert embedder is not None
    monkeypatch.setattr(sentences, "_embed_quietly", lambda _embedder, texts: delete_owner(texts))
    fill_owner(embedder, owner=alice.pk)
    connection.check_constraints()
    assert not Ledger.objects.exists()


def test_batch_is_filled_in_at_once(alice: User) -> None:
    _write(alice, *(f"Note number {number}." for number in range(3)))
    embedder = get_sentence_embedder()
    assert embedder is not None
    with acting_for(alice.pk):
        assert fill_owner(embedder, owner=alice.pk) == 3 < BATCH


def test_fact_that_is_not_embedded_yet_is_found_by_its_words(alice: User) -> None:
    _write(alice, *FACTS)
    fill_by_job()
    _write(alice, "The spare key is under the blue flowerpot.")
    query = SearchQuery(query="Where is the spare key?", min_similarity=0.0)
    assert search_memories(query, owner=alice.pk).hits[0].memory.content.startswith("The spare key")


def test_answer_in_another_language_is_relevant(alice: User) -> None:
    _write(alice, *FACTS)
    fill_by_job()
    found = search_memories(SearchQuery(query="我姐姐养了什么宠物？"), owner=alice.pk)
    assert found.hits[0].memory.content == FACTS[1]


def test_query_that_names_a_speaker_needs_memory(alice: User) -> None:
    said = Candidate("I sold the boat.", layer=Layer.EPISODIC, kind=Kind.CONVERSATION, speaker="Greta")
    write_candidates([said], owner=alice.pk, actor="test")
    fill_by_job()
    found = search_memories(SearchQuery(query="Who is Greta?"), owner=alice.pk)
    assert found.diagnostics.need is not None
    assert found.diagnostics.need >= 1

"""Another embedding model: filled in beside the old one, then in use everywhere at once."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from memories.maintenance.reembedding import embedding_switch
from memories.maintenance.reembedding.filling import Pace
from memories.maintenance.reembedding.model_change import change_embedding_model, get_former_embedder
from memories.maintenance.reembedding.reindexing import embed_for_target
from memories.models import EmbeddingSwitch, Memory, MemoryEmbedding
from memories.retrieval import SearchQuery, search_memories
from memories.storage.embedding_in_use import get_active_embedder, get_switch_row
from memories.tasks import embed_missing
from memsite.accounts.models import User
from memsite.errors import Conflict, ModelError, Unavailable
from memsite.jobs.models import Job
from memsite.llm.embedding.embedders import get_embedder
from memsite.llm.embedding.embedding import LOCAL_MODEL, Embedder
from tests.llm_server import Exchange, LLMServer, Step, status, vectors, wrong_dimensions
from tests.llm_wire import embeddings, word_vector
from tests.memories.reembedding.conftest import OTHER, write, write_notes

NO_LIMIT = Pace(batch=4, rate=0)


class Killed(BaseException):
    """What no handler of ours catches, as a kill."""


def _found(owner: User, text: str) -> list[str]:
    return [
        hit.memory.content
        for hit in search_memories(SearchQuery(text, min_similarity=0.0), owner=owner.pk).hits
    ]


def _asked(server: LLMServer) -> set[str]:
    return {text for request in server.requests for text in request.texts}


def _models_of(owner: User) -> dict[str, int]:
    rows = MemoryEmbedding.objects.filter(owner_id=owner.pk).values_list("model", flat=True)
    return {model: list(rows).count(model) for model in rows}


def _half_way(owner: User, other: Embedder) -> None:
    def stop(count: int) -> None:
        raise Killed

    write_notes(owner, 10)
    with pytest.raises(Killed):
        change_embedding_model(other, pace=NO_LIMIT, progress=stop)


def test_first_memory_settles_the_model(alice: User) -> None:
    write(alice, "The kettle is red.")
    row = get_switch_row()
    assert row is not None
    assert (row.active, row.dimensions) == (LOCAL_MODEL, 256)


def test_settings_that_change_later_do_not_change_the_model(alice: User, settings: Settings) -> None:
    write(alice, "The kettle is red.")
    settings.MEMSITE_EMBEDDING = "openai"
    write(alice, "The lamp is green.")
    assert get_active_embedder().model == LOCAL_MODEL
    assert _models_of(alice) == {LOCAL_MODEL: 2}


def test_everybodys_memories_are_embedded_and_the_model_is_in_use(
    alice: User, bob: User, other: Embedder
) -> None:
    write_notes(alice, 9)
    write(bob, "The kettle is red.")
    changed = change_embedding_model(other, pace=NO_LIMIT)
    assert (changed.embedded, changed.switched) == (10, True)
    assert get_active_embedder().model == OTHER
    assert (_models_of(alice)[OTHER], _models_of(bob)[OTHER]) == (9, 1)


def test_search_asks_the_new_model_after_the_switch(
    alice: User, other: Embedder, embeddings_server: LLMServer
) -> None:
    write(alice, "The kettle is red.", "The lamp is green.")
    _found(alice, "kettle")  # by an index of the old vectors
    change_embedding_model(other, pace=NO_LIMIT)
    embeddings_server.script(vectors([word_vector("The kettle is red.")]))
    hit = search_memories(SearchQuery("xyzzy"), owner=alice.pk).hits[0]
    assert hit.memory.content == "The kettle is red."
    assert hit.relevance > 0.95


def test_search_answers_by_the_old_vectors_until_the_switch(
    alice: User, other: Embedder, embeddings_server: LLMServer
) -> None:
    write(alice, "The kettle is red.", "The lamp is green.")
    before = search_memories(SearchQuery("kettle colour"), owner=alice.pk).hits[0].breakdown
    seen = []
    change_embedding_model(
        other,
        pace=NO_LIMIT,
        progress=lambda _: seen.append(search_memories(SearchQuery("kettle colour"), owner=alice.pk).hits[0]),
    )
    assert seen[0].breakdown == before
    assert "kettle colour" not in _asked(embeddings_server)


def test_search_takes_no_more_statements_after_a_switch(alice: User, other: Embedder) -> None:
    write_notes(alice, 20)
    change_embedding_model(other, pace=NO_LIMIT)
    with CaptureQueriesContext(connection) as cold:
        _found(alice, "house 3")
    with CaptureQueriesContext(connection) as warm:
        _found(alice, "house 3")
    assert (len(cold), len(warm)) == (3, 2)


def test_memory_written_meanwhile_has_vectors_of_both_at_the_switch(alice: User, other: Embedder) -> None:
    write_notes(alice, 6)
    late = iter(["The kettle is red."])
    change_embedding_model(other, pace=NO_LIMIT, progress=lambda _: write(alice, *(text for text in late)))
    models = MemoryEmbedding.objects.filter(owner_id=alice.pk, memory__content="The kettle is red.")
    assert set(models.values_list("model", flat=True)) == {LOCAL_MODEL, OTHER}


def test_memory_written_after_the_switch_is_embedded_by_the_new_model(alice: User, other: Embedder) -> None:
    write(alice, "The lamp is green.")
    change_embedding_model(other, pace=NO_LIMIT)
    write(alice, "The kettle is red.")
    assert _models_of(alice) == {LOCAL_MODEL: 1, OTHER: 2}


def test_near_ones_are_found_among_vectors_of_other_lengths(alice: User, other: Embedder) -> None:
    write_notes(alice, 3)
    change_embedding_model(other, pace=NO_LIMIT)
    write(alice, "Note 1 is about house 1 in street 7.")
    assert Memory.objects.filter(owner_id=alice.pk).count() == 3


def test_killed_run_goes_on_where_it_was(alice: User, other: Embedder, embeddings_server: LLMServer) -> None:
    _half_way(alice, other)
    assert get_active_embedder().model == LOCAL_MODEL
    before = len(_asked(embeddings_server))
    changed = change_embedding_model(other, pace=NO_LIMIT)
    assert changed.embedded == 6
    assert _models_of(alice) == {LOCAL_MODEL: 10, OTHER: 10}
    assert len(_asked(embeddings_server)) == before + 6


def test_sweep_embeds_for_the_target_of_a_change(alice: User, other: Embedder) -> None:
    _half_way(alice, other)
    assert embed_missing() == 6
    assert _models_of(alice) == {LOCAL_MODEL: 10, OTHER: 10}
    assert get_active_embedder().model == LOCAL_MODEL


def test_sweep_is_bounded_and_survives_a_failing_server(
    alice: User, other: Embedder, embeddings_server: LLMServer
) -> None:
    _half_way(alice, other)
    assert embed_for_target(most=2) == 2
    embeddings_server.always(status(500))
    assert embed_for_target() == 0


def test_sweep_follows_the_switch(alice: User, other: Embedder) -> None:
    write(alice, "The lamp is green.")
    change_embedding_model(other, pace=NO_LIMIT)
    assert Job.objects.filter(task="memories.tasks.embed_missing").count() == 1


def test_server_that_fails_for_a_while_is_waited_for(
    alice: User, other: Embedder, embeddings_server: LLMServer
) -> None:
    write_notes(alice, 10)
    _ = other.dimensions
    embeddings_server.script(*[status(503)] * 7)
    assert change_embedding_model(other, pace=NO_LIMIT).embedded == 10


def test_server_that_stays_away_stops_the_run_and_nothing_is_switched(
    alice: User, other: Embedder, embeddings_server: LLMServer
) -> None:
    _half_way(alice, other)
    embeddings_server.always(status(503))
    with pytest.raises(Unavailable, match="goes on from here"):
        change_embedding_model(other, pace=NO_LIMIT)
    assert get_active_embedder().model == LOCAL_MODEL
    assert "503" in embedding_switch.get_switch_state().error
    assert _models_of(alice) == {LOCAL_MODEL: 10, OTHER: 4}


def test_key_that_is_refused_stops_at_once(
    alice: User, other: Embedder, embeddings_server: LLMServer
) -> None:
    write_notes(alice, 10)
    _ = other.dimensions
    embeddings_server.always(status(401))
    before = len(embeddings_server.requests)
    with pytest.raises(Unavailable, match="401"):
        change_embedding_model(other, pace=NO_LIMIT)
    assert len(embeddings_server.requests) == before + 1


def test_server_that_is_not_there_leaves_no_trace(
    alice: User, other: Embedder, embeddings_server: LLMServer
) -> None:
    write(alice, "The kettle is red.")
    embeddings_server.always(status(500))
    with pytest.raises(ModelError):
        change_embedding_model(get_embedder("never-asked"), pace=NO_LIMIT)
    assert embedding_switch.get_switch_state().target == ""


def _refusing(word: str) -> Step:
    def step(exchange: Exchange) -> None:
        texts = exchange.request.texts
        if any(word in text for text in texts):
            status(400)(exchange)
        else:
            exchange.send_json(embeddings([word_vector(text) for text in texts]))

    return step


def test_text_the_model_refuses_is_found_out_and_reported(
    alice: User, other: Embedder, embeddings_server: LLMServer
) -> None:
    write_notes(alice, 10)
    _ = other.dimensions
    embeddings_server.always(_refusing("house 3"))
    with pytest.raises(Conflict, match="refused 1 memories"):
        change_embedding_model(other, pace=NO_LIMIT)
    assert get_active_embedder().model == LOCAL_MODEL
    changed = change_embedding_model(other, pace=NO_LIMIT, skip_refused=True)
    assert (changed.refused, changed.switched) == (1, True)
    assert "Note 3 is about house 3 in street 21." in _found(alice, "house 3")


def test_another_change_meanwhile_ends_this_one(alice: User, other: Embedder) -> None:
    def interfere(count: int) -> None:
        EmbeddingSwitch.objects.update(target="a-third")

    write_notes(alice, 10)
    with pytest.raises(Conflict, match="meanwhile"):
        change_embedding_model(other, pace=NO_LIMIT, progress=interfere)
    assert get_active_embedder().model == LOCAL_MODEL


def test_changing_to_the_model_in_use_fills_in_what_it_lacks(alice: User, bob: User) -> None:
    write_notes(alice, 4)
    MemoryEmbedding.objects.filter(owner_id=alice.pk).delete()
    changed = change_embedding_model(get_embedder(LOCAL_MODEL), pace=NO_LIMIT)
    assert (changed.embedded, changed.switched) == (4, False)


def test_rollback_fills_in_what_came_since_and_goes_back(alice: User, other: Embedder) -> None:
    write(alice, "The lamp is green.")
    change_embedding_model(other, pace=NO_LIMIT)
    write(alice, "The kettle is red.")
    changed = change_embedding_model(get_former_embedder(), pace=NO_LIMIT)
    assert (changed.model, changed.embedded) == (LOCAL_MODEL, 1)
    assert _found(alice, "kettle red")[0] == "The kettle is red."


def test_index_from_before_a_rollback_is_not_used_after_coming_back(
    alice: User, other: Embedder, embeddings_server: LLMServer
) -> None:
    write(alice, "The lamp is green.", "The kettle is red.")
    change_embedding_model(other, pace=NO_LIMIT)
    MemoryEmbedding.objects.filter(owner_id=alice.pk, model=OTHER).delete()
    _found(alice, "lamp")  # by an index without vectors
    change_embedding_model(get_former_embedder(), pace=NO_LIMIT)
    change_embedding_model(get_former_embedder(), pace=NO_LIMIT)
    embeddings_server.script(vectors([word_vector("The lamp is green.")]))
    assert _found(alice, "xyzzy")[0] == "The lamp is green."


def test_dropping_the_old_leaves_the_model_in_use_and_no_rollback(
    alice: User, bob: User, other: Embedder
) -> None:
    write_notes(alice, 4)
    write(bob, "The kettle is red.")
    change_embedding_model(other, pace=NO_LIMIT)
    assert embedding_switch.drop_old_vectors() == 5
    assert embedding_switch.count_vectors_by_model() == {OTHER: 5}
    with pytest.raises(Conflict):
        get_former_embedder()


def test_dropping_during_a_change_leaves_what_is_filled_in(alice: User, other: Embedder) -> None:
    _half_way(alice, other)
    assert embedding_switch.drop_old_vectors() == 0
    assert embedding_switch.count_vectors_by_model() == {LOCAL_MODEL: 10, OTHER: 4}


def test_server_whose_vectors_change_their_length_is_not_mixed_in(
    alice: User, other: Embedder, embeddings_server: LLMServer
) -> None:
    write(alice, "The lamp is green.")
    change_embedding_model(other, pace=NO_LIMIT)
    embeddings_server.always(wrong_dimensions(16))
    write(alice, "The kettle is red.")
    assert _models_of(alice) == {LOCAL_MODEL: 1, OTHER: 1}
    assert "The kettle is red." in _found(alice, "kettle")

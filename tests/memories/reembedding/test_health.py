"""What the statistics say of embedding models."""

from __future__ import annotations

from pytest_django import Settings
from rest_framework.test import APIClient

from memories.maintenance.reembedding import embedding_switch
from memories.maintenance.reembedding.model_change import change_embedding_model
from memories.models import EmbeddingSwitch, MemoryEmbedding
from memories.storage.embedding_in_use import describe_difference
from memsite.accounts.models import User
from memsite.llm.embedding.embedding import LOCAL_MODEL, Embedder
from tests.memories.reembedding.conftest import OTHER, write


def _warnings(api: APIClient) -> str:
    return " ".join(api.get("/api/memories/stats").json()["warnings"])


def test_nothing_is_warned_of_while_one_model_does_all(alice: User, alice_api: APIClient) -> None:
    write(alice, "The kettle is red.")
    assert _warnings(alice_api) == ""


def test_vectors_of_several_models_are_warned_of_with_the_command(
    alice: User, alice_api: APIClient, other: Embedder, settings: Settings
) -> None:
    write(alice, "The kettle is red.")
    change_embedding_model(other)
    settings.MEMSITE_EMBEDDING, settings.MEMSITE_EMBEDDING_MODEL = "openai", OTHER
    assert f"also embedded by {LOCAL_MODEL}" in _warnings(alice_api)
    assert "manage.py reembed --drop-old" in _warnings(alice_api)
    embedding_switch.drop_old_vectors()
    assert _warnings(alice_api) == ""


def test_settings_that_name_another_model_are_warned_of_with_the_command(
    alice: User, alice_api: APIClient, settings: Settings
) -> None:
    write(alice, "The kettle is red.")
    settings.MEMSITE_EMBEDDING, settings.MEMSITE_EMBEDDING_MODEL = "openai", OTHER
    assert f"manage.py reembed --to {OTHER}" in _warnings(alice_api)
    assert alice_api.get("/api/memories/stats").json()["embedding_model"] == LOCAL_MODEL
    assert OTHER in describe_difference()


def test_change_on_its_way_is_told(alice: User, alice_api: APIClient, other: Embedder) -> None:
    write(alice, "The kettle is red.")
    embedding_switch.begin_switch(other)
    assert f"changing from {LOCAL_MODEL} to {OTHER}" in _warnings(alice_api)


def test_code_only_model_is_warned_of(alice: User, alice_api: APIClient, other: Embedder) -> None:
    write(alice, "The kettle is red.")
    EmbeddingSwitch.objects.update(active="jina-embeddings-v2-base-code", dimensions=8)
    assert "program code alone" in _warnings(alice_api)
    assert alice_api.get("/api/memories/stats").json()["not_embedded"] == 1


def test_other_owners_models_are_not_told(alice: User, bob: User, bob_api: APIClient) -> None:
    write(alice, "The kettle is red.")
    write(bob, "The lamp is green.")
    MemoryEmbedding.objects.filter(owner_id=alice.pk).update(model="another")
    assert "another" not in _warnings(bob_api)

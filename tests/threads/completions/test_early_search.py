"""The vector of a question is begun before the question is placed and stored, and computed once."""

from __future__ import annotations

from typing import Any

import pytest

from memories.retrieval import SearchQuery, search_memories
from memories.tasks import fill_in_sentences
from memories.values import Candidate
from memories.writing import write_candidates
from memsite.accounts.models import User
from memsite.llm.embedding import SentenceEmbedder
from tests.llm_server import LLMServer
from tests.threads.completions.calling import Caller

pytestmark = pytest.mark.django_db


@pytest.fixture
def embedded(alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The queries that are embedded from now on; Alice's index is in this process."""
    settings.MEMSITE_EMBEDDING = "local"
    settings.MEMSITE_EMBEDDING_BUDGET_MS = 10_000
    write_candidates([Candidate("The user keeps bees behind the barn.")], owner=alice.pk, actor="test")
    fill_in_sentences()
    search_memories(SearchQuery(query="a first search"), owner=alice.pk)
    queries: list[str] = []
    embed = SentenceEmbedder.embed_query

    def count(self: SentenceEmbedder, text: str) -> Any:
        queries.append(text)
        return embed(self, text)

    monkeypatch.setattr(SentenceEmbedder, "embed_query", count)
    return queries


@pytest.mark.parametrize("question", ["Where do I keep my bees?", "  我的蜂箱放在哪里？\n"])
def test_question_is_embedded_once(
    question: str, alice_v1: Caller, models_configured: LLMServer, embedded: list[str]
) -> None:
    assert alice_v1.chat(question).status == 200
    assert len(embedded) == 1


def test_request_without_memory_embeds_nothing(
    alice_v1: Caller, models_configured: LLMServer, embedded: list[str]
) -> None:
    alice_v1.chat("Where do I keep my bees?", headers={"Memsite-Memory": "off"})
    assert embedded == []

"""A site with the local embedding model, and a scripted server with a model it may change to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings

from memories.maintenance.reembedding import filling
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.llm.chat import retry
from memsite.llm.embedding.embedders import get_embedder, get_profiles_file
from memsite.llm.embedding.embedding import Embedder, SimilarityProfile
from memsite.llm.embedding.profiles import save_profile
from tests.llm_server import LLMServer

OTHER = "scripted-embedder"
MEASURED = SimilarityProfile(points=((0.0, 0.0), (1.0, 1.0)))


@pytest.fixture(autouse=True)
def embeddings_server(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> Iterator[LLMServer]:
    """The server with the other model, whose profile is measured; retries have no pauses."""
    monkeypatch.setattr(retry, "WAIT_INITIAL", 0.0)
    monkeypatch.setattr(retry, "WAIT_JITTER", 0.0)
    monkeypatch.setattr(filling, "FIRST_PAUSE", 0.0)
    settings.MEMSITE_DATA_DIR = str(tmp_path)
    save_profile(get_profiles_file(), OTHER, MEASURED)
    with LLMServer() as server:
        settings.MEMSITE_EMBEDDING_BASE_URL = server.url
        yield server


@pytest.fixture
def other(embeddings_server: LLMServer) -> Embedder:
    return get_embedder(OTHER)


def write(owner: User, *contents: str) -> None:
    write_candidates([Candidate(content) for content in contents], owner=owner.pk, actor="test")


def write_notes(owner: User, count: int) -> None:
    write(owner, *(f"Note {n} is about house {n} in street {n * 7}." for n in range(count)))

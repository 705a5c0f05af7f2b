from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from memsite.llm.embedding.embedders import (
    DEFAULT_OPENAI_MODEL,
    get_embedder,
    get_profiles_file,
    resolve_model_name,
)
from memsite.llm.embedding.embedding import IDENTITY, LOCAL_MODEL, Embedder, SimilarityProfile
from memsite.llm.embedding.local_embedding import LocalEmbedder
from memsite.llm.embedding.openai_embedding import OpenAIEmbedder
from memsite.llm.embedding.profiles import save_profile
from tests.llm_server import LLMServer

PROFILE = SimilarityProfile(points=((0.1, 0.2), (0.5, 0.7), (0.8, 1.0)))
cosines = st.floats(min_value=-1, max_value=1)


@pytest.fixture
def remote(settings: Settings, llm_server: LLMServer) -> Settings:
    settings.MEMSITE_EMBEDDING = "openai"
    settings.MEMSITE_EMBEDDING_MODEL = "little-model"
    settings.MEMSITE_EMBEDDING_BASE_URL = llm_server.url
    settings.OPENAI_API_KEY = "key"
    return settings


@pytest.mark.parametrize(("raw", "reference"), [(0.1, 0.2), (0.3, 0.45), (0.5, 0.7), (0.65, 0.85)])
def test_a_profile_is_linear_between_its_points(raw: float, reference: float) -> None:
    assert PROFILE.to_reference(raw) == pytest.approx(reference)


@pytest.mark.parametrize(("raw", "reference"), [(-1.0, 0.2), (0.0, 0.2), (0.9, 1.0), (1.0000001, 1.0)])
def test_a_profile_is_flat_outside_its_points(raw: float, reference: float) -> None:
    assert PROFILE.to_reference(raw) == reference


@given(cosines, cosines)
def test_a_profile_never_turns_the_order_round(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert PROFILE.to_reference(low) <= PROFILE.to_reference(high)


def test_a_profile_maps_an_array_to_an_array_of_its_shape() -> None:
    mapped = PROFILE.to_reference(np.array([[0.1, 0.5], [0.8, 0.9]], dtype=np.float32))
    np.testing.assert_allclose(mapped, [[0.2, 0.7], [1.0, 1.0]], atol=1e-6)


@pytest.mark.parametrize(
    "points",
    [
        (),
        ((0.5, 0.5),),
        ((0.5, 0.5), (0.5, 0.6)),
        ((0.6, 0.5), (0.5, 0.6)),
        ((0.5, 0.6), (0.6, 0.5)),
        ((-1.5, 0.0), (1.0, 1.0)),
        ((0.0, 0.0), (1.0, 1.5)),
        ((0.0, -0.1), (1.0, 1.0)),
    ],
)
def test_points_out_of_order_or_range_are_refused(points: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(ValueError, match="similarity profile"):
        SimilarityProfile(points=points)


def test_only_a_measured_profile_carries_no_warning() -> None:
    assert PROFILE.warning is None
    assert "profile_embedding" in (IDENTITY.warning or "")


def test_the_local_embedder_is_the_default(settings: Settings) -> None:
    settings.MEMSITE_EMBEDDING = "local"
    assert isinstance(get_embedder(), LocalEmbedder)


def test_the_embedder_is_made_once(settings: Settings) -> None:
    settings.MEMSITE_EMBEDDING = "local"
    assert get_embedder() is get_embedder()


def test_the_set_server_and_model_are_asked(remote: Settings, llm_server: LLMServer) -> None:
    get_embedder().embed(["hello"])
    [request] = llm_server.requests
    assert (request.body["model"], request.headers["authorization"]) == ("little-model", "Bearer key")


def test_without_a_model_the_usual_one_is_asked(remote: Settings) -> None:
    remote.MEMSITE_EMBEDDING_MODEL = ""
    assert get_embedder().model == DEFAULT_OPENAI_MODEL


def test_both_embedders_keep_the_protocol() -> None:
    embedders: list[Embedder] = [LocalEmbedder(), OpenAIEmbedder(model="any", dimensions=3)]
    assert all(isinstance(embedder, Embedder) for embedder in embedders)


@pytest.mark.parametrize(
    ("choice", "model"),
    [
        ("local", LOCAL_MODEL),
        (LOCAL_MODEL, LOCAL_MODEL),
        ("openai", DEFAULT_OPENAI_MODEL),
        ("openai:bge-m3", "bge-m3"),
        ("bge-m3", "bge-m3"),
    ],
)
def test_model_is_named_by_its_kind_or_its_name(choice: str, model: str, settings: Settings) -> None:
    settings.MEMSITE_EMBEDDING_MODEL = ""
    assert resolve_model_name(choice) == model


def test_embedder_of_another_model_than_the_settings_name(remote: Settings) -> None:
    assert get_embedder(LOCAL_MODEL).model == LocalEmbedder.model
    assert get_embedder("bge-m3").model == "bge-m3"


def test_profile_measured_since_is_used(remote: Settings, tmp_path: Path) -> None:
    remote.MEMSITE_DATA_DIR = str(tmp_path)
    assert get_embedder("bge-m3").profile.origin == "unknown"
    save_profile(get_profiles_file(), "bge-m3", SimilarityProfile(points=((0.0, 0.0), (1.0, 1.0))))
    assert get_embedder("bge-m3").profile.origin == "measured"

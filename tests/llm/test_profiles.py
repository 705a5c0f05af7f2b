from pathlib import Path

import numpy as np
import pytest

from memsite.errors import InvalidInput
from memsite.llm.embedding import profiling
from memsite.llm.embedding.embedding import IDENTITY, SimilarityProfile
from memsite.llm.embedding.local_embedding import LocalEmbedder
from memsite.llm.embedding.profiles import PROFILES, get_profile, is_code_model, save_profile

PAIRS = Path(__file__).parents[2] / "bench" / "profile" / "pairs.jsonl"
STEEP = SimilarityProfile(points=((0.0, 0.0), (0.2, 0.9), (1.0, 1.0)))


def test_the_shipped_profile_of_the_local_model_is_what_it_measures() -> None:
    embedder = LocalEmbedder()
    pairs = profiling.read_pairs(PAIRS)
    fitted = profiling.fit_profile(pairs, profiling.compute_cosines(embedder, pairs))
    np.testing.assert_allclose(fitted.profile.points, PROFILES[embedder.model].points, atol=0.005)


def test_the_profile_of_openais_models_is_an_estimate_and_says_so() -> None:
    assert "estimated" in (get_profile("text-embedding-3-small").warning or "")


def test_a_model_never_measured_gets_the_identity() -> None:
    assert get_profile("somebody/new-model") is IDENTITY


def test_a_saved_profile_is_found_by_its_model(tmp_path: Path) -> None:
    save_profile(tmp_path / "profiles.json", "new-model", STEEP)
    assert get_profile("new-model", tmp_path / "profiles.json") == STEEP


def test_a_saved_profile_goes_before_a_shipped_one(tmp_path: Path) -> None:
    save_profile(tmp_path / "profiles.json", "text-embedding-3-small", STEEP)
    assert get_profile("text-embedding-3-small", tmp_path / "profiles.json") == STEEP


def test_saving_a_profile_keeps_those_of_other_models(tmp_path: Path) -> None:
    for model in ("one", "two"):
        save_profile(tmp_path / "profiles.json", model, STEEP)
    assert get_profile("one", tmp_path / "profiles.json") == STEEP


@pytest.mark.parametrize("content", ["", "[]", '{"a": 1}', '{"a": {"points": [[1, 0], [0, 1]]}}'])
def test_a_file_of_something_else_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "profiles.json").write_text(content)
    with pytest.raises(InvalidInput, match=r"profiles\.json"):
        get_profile("a", tmp_path / "profiles.json")


@pytest.mark.parametrize("name", ["jina-embeddings-v2-base-code", "voyage-code-3", "microsoft/codebert-base"])
def test_model_for_code_is_known_by_its_name(name: str) -> None:
    assert is_code_model(name)


@pytest.mark.parametrize("name", ["text-embedding-3-small", "sentence-encoder", "bge-m3", "decoder-7b"])
def test_model_for_language_is_not_taken_for_one_for_code(name: str) -> None:
    assert not is_code_model(name)

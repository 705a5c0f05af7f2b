import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.errors import InvalidInput
from memsite.llm.embedding import profiling
from memsite.llm.embedding.openai_embedding import OpenAIEmbedder
from memsite.llm.embedding.profiling import ANCHORS, LABELS, Pair, fit_profile, pool_adjacent_violators
from tests.llm_server import LLMServer

PAIRS = Path(__file__).parents[2] / "bench" / "profile" / "pairs.jsonl"
RISING = [0.2, 0.4, 0.5, 0.7, 0.9]

values = st.floats(min_value=-1, max_value=1)


def pairs_with(cosine_of_label: list[float]) -> tuple[list[Pair], profiling.Cosines]:
    """Three pairs a label, all with the cosine given for it."""
    pairs = [Pair(anchor.label, "en", "a", "b") for anchor in ANCHORS for _ in range(3)]
    return pairs, np.repeat(np.array(cosine_of_label), 3)


def line(**fields: str) -> str:
    return json.dumps({"label": "unrelated", "language": "en", "a": "one", "b": "two"} | fields)


@pytest.mark.parametrize(("cosine", "anchor"), list(zip(RISING, ANCHORS, strict=True)))
def test_each_measured_cosine_is_mapped_to_its_reference(cosine: float, anchor: profiling.Anchor) -> None:
    assert fit_profile(*pairs_with(RISING)).profile.to_reference(cosine) == pytest.approx(anchor.reference)


def test_the_percentile_of_the_scale_is_taken() -> None:
    pairs, raw = pairs_with(RISING)
    unrelated = [Pair("unrelated", "en", "a", "b")] * 101
    fitted = fit_profile(unrelated + pairs[3:], np.concatenate([np.linspace(0, 0.2, 101), raw[3:]]))
    assert fitted.raw[0] == pytest.approx(0.19)


def test_measurements_in_order_are_not_pooled() -> None:
    assert fit_profile(*pairs_with(RISING)).pooled == ()


def test_measurements_out_of_order_are_pooled_at_their_mean_and_named() -> None:
    fitted = fit_profile(*pairs_with([0.5, 0.4, 0.6, 0.7, 0.9]))
    assert [[anchor.label for anchor in group] for group in fitted.pooled] == [["unrelated", "same_topic"]]
    assert fitted.profile.to_reference(0.45) == pytest.approx((0.50 + 0.65) / 2)


@given(st.lists(values, min_size=5, max_size=5))
def test_any_measurements_give_a_rising_map_over_the_whole_scale(cosines: list[float]) -> None:
    profile = fit_profile(*pairs_with(cosines)).profile
    assert (profile.points[0][1], profile.points[-1]) == (0.0, (1.0, 1.0))


@given(st.lists(values, min_size=1, max_size=8))
def test_pooled_groups_keep_order_and_have_rising_means(measured: list[float]) -> None:
    groups = pool_adjacent_violators(measured)
    means = [sum(measured[place] for place in group) / len(group) for group in groups]
    assert [place for group in groups for place in group] == list(range(len(measured)))
    assert all(low < high for low, high in pairwise(means))


def test_an_embedders_cosines_come_in_the_order_of_the_pairs(llm_server: LLMServer) -> None:
    embedder = OpenAIEmbedder(model="any", base_url=llm_server.url)
    same = Pair("paraphrase", "en", "red house", "house red")
    other = Pair("unrelated", "en", "red house", "blue sea air")
    raw = profiling.compute_cosines(embedder, [same] * 40 + [other])
    assert raw[:40] == pytest.approx(1.0)
    assert raw[40] < 0.99


def test_percentiles_are_given_by_label_and_language() -> None:
    pairs = [Pair("unrelated", "en", "a", "b"), Pair("unrelated", "zh", "a", "b")]
    rows = profiling.measure_cosines(pairs, np.array([0.1, 0.3]))
    found = {(row.language, row.count, round(row.percentiles[2], 3)) for row in rows}
    assert found == {("all", 2, 0.2), ("en", 1, 0.1), ("zh", 1, 0.3)}


@pytest.mark.parametrize("wrong", ["{", "[]", '{"label": "unrelated"}', line(label="cousins")])
def test_a_line_that_is_no_labelled_pair_is_named(tmp_path: Path, wrong: str) -> None:
    (tmp_path / "pairs.jsonl").write_text(f"{line()}\n{wrong}\n")
    with pytest.raises(InvalidInput, match="line 2"):
        profiling.read_pairs(tmp_path / "pairs.jsonl")


def test_a_label_of_the_scale_without_pairs_is_named(tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text(line())
    with pytest.raises(InvalidInput, match="near_verbatim, paraphrase, question_answer, same_topic"):
        profiling.read_pairs(tmp_path / "pairs.jsonl")


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_shipped_pairs_have_enough_of_each_kind(label: str, language: str) -> None:
    chosen = [
        pair for pair in profiling.read_pairs(PAIRS) if (pair.label, pair.language) == (label, language)
    ]
    assert len(chosen) >= 50


def test_no_shipped_pair_stands_twice() -> None:
    pairs = profiling.read_pairs(PAIRS)
    assert len({(pair.a, pair.b) for pair in pairs}) == len(pairs)

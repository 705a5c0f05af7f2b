"""The labelled pairs of the bench: what must never go wrong on them."""

from __future__ import annotations

from bench.merging.score import judged_same, load


def test_no_labelled_pair_that_differs_in_meaning_is_joined() -> None:
    wrong = [
        pair
        for pair in load()
        if pair["label"] not in {"same_wording", "paraphrase"} and judged_same("join", pair)
    ]
    assert wrong == []


def test_every_labelled_near_pair_is_kept_apart() -> None:
    missed = [pair for pair in load() if pair["label"] == "near" and not judged_same("keep apart", pair)]
    assert missed == []


def test_the_labelled_sets_hold_sixty_of_each_half_of_them_chinese() -> None:
    pairs = load()
    for split in {pair["split"] for pair in pairs}:
        for label in ("near", "unrelated", "contradictory", "compatible"):
            for language in ("en", "zh"):
                chosen = [
                    p for p in pairs if (p["split"], p["label"], p["language"]) == (split, label, language)
                ]
                assert len(chosen) >= 30

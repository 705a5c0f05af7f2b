"""The score: within its range, never raised by what is worse, and moved by each of its terms."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.maintenance.reports.score import (
    NEUTRAL,
    WEIGHTS,
    Figures,
    compute_score,
    compute_terms,
    retention,
)

#: What is worse when there is more of it, the rest being as it is.
BAD = ("contradicted", "copies", "unsure", "stale", "never_used", "forgotten", "not_embedded", "failed")
COUNTS = st.integers(0, 5_000)
#: A memory in good order: everything is worse than this.
GOOD = Figures(learnt=200, in_use=150, steady=50, kept=400, batches=20, answered=20, useful=10, forgotten=100)
#: One change for the worse for each term.
WORSE = {
    "conflicts": replace(GOOD, contradicted=1),
    "duplicates": replace(GOOD, copies=1),
    "confidence": replace(GOOD, unsure=1),
    "freshness": replace(GOOD, stale=1),
    "usage": replace(GOOD, never_used=1),
    "vitality": replace(GOOD, in_use=149, steady=51),
    "success": replace(GOOD, failed=1),
    "answers": replace(GOOD, answered=19, fell_back=1),
    "usefulness": replace(GOOD, useful=9, useless=1),
    "retention": replace(GOOD, forgotten=150),
    "size": replace(GOOD, learnt=99, in_use=75, steady=24),
    "searchable": replace(GOOD, not_embedded=1),
}


@st.composite
def all_figures(draw: st.DrawFn) -> Figures:
    """Figures as they can be: parts are no larger than their whole."""
    learnt, kept, answered = draw(COUNTS), draw(COUNTS), draw(COUNTS)
    part = st.integers(0, learnt)
    in_use = draw(part)
    return Figures(
        learnt=learnt,
        in_use=in_use,
        steady=draw(st.integers(0, learnt - in_use)),
        contradicted=draw(part),
        copies=draw(part),
        unsure=draw(part),
        stale=draw(part),
        never_used=draw(part),
        forgotten=draw(COUNTS),
        kept=kept,
        not_embedded=draw(st.integers(0, kept)),
        batches=draw(COUNTS),
        failed=draw(COUNTS),
        answered=answered,
        fell_back=draw(COUNTS),
        useful=draw(COUNTS),
        useless=draw(COUNTS),
    )


@given(all_figures())
def test_score_and_terms_stay_in_their_ranges(figures: Figures) -> None:
    assert 0 <= compute_score(figures) <= 100
    assert all(0 <= term.value <= 1 for term in compute_terms(figures))


@given(all_figures(), st.sampled_from(BAD), st.integers(1, 100))
def test_more_of_what_is_bad_never_raises_the_score(figures: Figures, name: str, more: int) -> None:
    worse = replace(figures, **{name: asdict(figures)[name] + more})
    assert compute_score(worse) <= compute_score(figures)


@given(all_figures(), st.integers(1, 100))
def test_memories_that_fade_never_raise_the_score(figures: Figures, more: int) -> None:
    faded = min(more, figures.in_use)
    worse = replace(figures, in_use=figures.in_use - faded, steady=figures.steady + faded)
    assert compute_score(worse) <= compute_score(figures)
    assert compute_score(replace(figures, steady=0)) <= compute_score(figures)


@given(all_figures(), st.integers(1, 100))
def test_answers_and_citations_that_turn_bad_never_raise_the_score(figures: Figures, more: int) -> None:
    turned, disliked = min(more, figures.answered), min(more, figures.useful)
    worse = replace(figures, answered=figures.answered - turned, fell_back=figures.fell_back + turned)
    assert compute_score(worse) <= compute_score(figures)
    worse = replace(figures, useful=figures.useful - disliked, useless=figures.useless + disliked)
    assert compute_score(worse) <= compute_score(figures)


@pytest.mark.parametrize("name", WEIGHTS)
def test_each_term_worsened_makes_the_score_fall(name: str) -> None:
    before = {term.name: term.value for term in compute_terms(GOOD)}
    after = {term.name: term.value for term in compute_terms(WORSE[name])}
    assert after[name] < before[name]
    assert compute_score(WORSE[name]) < compute_score(GOOD)


@pytest.mark.parametrize("learnt", [1, 20, 90, 400, 5_000])
@pytest.mark.parametrize("name", ["contradicted", "copies", "unsure", "stale", "never_used"])
def test_one_more_bad_memory_costs_more_than_its_number_gains(name: str, learnt: int) -> None:
    before = Figures(learnt=learnt, in_use=learnt, kept=learnt)
    after = replace(before, learnt=learnt + 1, in_use=learnt + 1, kept=learnt + 1, **{name: 1})
    assert compute_score(after) < compute_score(before)


def test_nothing_known_counts_against_nobody() -> None:
    assert {term.name: term.value for term in compute_terms(Figures())} == NEUTRAL
    assert compute_score(Figures()) == pytest.approx(97.5)


def test_everything_in_order_is_a_hundred() -> None:
    assert compute_score(replace(GOOD, in_use=200, steady=0, forgotten=0)) == pytest.approx(100)


def test_every_term_is_told_with_its_weight() -> None:
    assert [term.name for term in compute_terms(GOOD)] == list(WEIGHTS)
    assert sum(term.weight for term in compute_terms(GOOD)) == pytest.approx(100)


@pytest.mark.parametrize("wrong", ["unsure", "stale", "never_used"])
@pytest.mark.parametrize("learnt", [10, 100, 300])
def test_forgetting_what_is_wrong_never_costs_points(wrong: str, learnt: int) -> None:
    before = Figures(learnt=learnt, contradicted=learnt // 3, copies=learnt // 4, stale=learnt // 5, unsure=2)
    before = replace(before, never_used=learnt // 2, kept=learnt, forgotten=learnt // 2)
    one_less = {wrong: getattr(before, wrong) - 1}
    after = replace(before, learnt=learnt - 1, forgotten=before.forgotten + 1, put_away=1, **one_less)
    assert compute_score(after) > compute_score(before)


def test_what_a_person_put_away_lately_is_no_loss() -> None:
    figures = Figures(learnt=10, forgotten=8)
    assert retention(replace(figures, put_away=8)) == 1
    assert retention(figures) < 1

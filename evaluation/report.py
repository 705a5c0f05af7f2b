"""Format the results of a measurement as tables of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from evaluation.contexts import ContextMeasurement
from evaluation.datasets import CATEGORIES
from evaluation.measurement import CONTEXT_SHARE, Answered, Measured, Plan
from evaluation.scoring import Estimate, compute_evidence_recall, compute_percentile, estimate_mean
from evaluation.table import format_table

#: Targets of this project.
MOST_RECALL_MS: Final = 200.0
MOST_MB_PER_THOUSAND: Final = 10.0
LEAST_COMPLETE: Final = 0.85
LEAST_DETAILS_KEPT: Final = 0.70
LEAST_RELEVANT: Final = 0.75
_MB: Final = 1024 * 1024


def format_report(plan: Plan, measured: Measured) -> str:
    """Return a report of everything measured so far."""
    if not measured.answered:
        return "Nothing was measured: no question of categories 1–4 has evidence in its conversation."
    parts = [
        _heading(plan, measured),
        "Evidence recall, % (95 % interval)\n" + _recall(plan, measured.answered),
        "Tokens of the results\n" + _results(plan, measured.answered),
        "Contexts of a new thread that opens with the question\n" + _contexts(plan, measured.answered)
        if plan.budgets
        else "",
        "Speed, in this process\n" + _speed(measured),
        "Targets\n" + _targets(plan, measured),
    ]
    return "\n\n".join(part for part in parts if part)


def _heading(plan: Plan, measured: Measured) -> str:
    how = "its text alone" if plan.text_only else "with speaker, session and date"
    return (
        f"{plan.dataset.name}: {measured.conversations} conversations, {measured.turns} turns, "
        f"{len(measured.answered)} questions ({measured.skipped} without evidence left out)\n"
        f"Each turn is one episode, {how}: {measured.memories} memories, {measured.refused} refused."
    )


def _recall(plan: Plan, answered: Sequence[Answered]) -> str:
    rows = [["all", *_recall_cells(plan, answered)]]
    for category, name in CATEGORIES.items():
        some = [one for one in answered if one.searched.question.category == category]
        if some:
            rows.append([f"{category} {name}", *_recall_cells(plan, some)])
    return format_table(["category", "questions", *(f"@{k}" for k in plan.top)], rows)


def _recall_cells(plan: Plan, answered: Sequence[Answered]) -> list[str]:
    estimates = [compute_recall_at(answered, k) for k in plan.top]
    return [str(len(answered)), *(_with_interval(one) for one in estimates)]


def compute_recall_at(answered: Sequence[Answered], k: int) -> Estimate:
    """Return the mean of the evidence recall at k over all questions."""
    return estimate_mean(
        [compute_evidence_recall(one.searched.evidence, one.searched.found, k) for one in answered]
    )


def _with_interval(one: Estimate) -> str:
    return f"{one.mean * 100:.1f} ({one.low * 100:.1f}–{one.high * 100:.1f})"


def _results(plan: Plan, answered: Sequence[Answered]) -> str:
    rows = []
    for k in plan.top:
        tokens = [sum(one.searched.line_tokens[:k]) for one in answered]
        share = [spent / one.history_tokens for spent, one in zip(tokens, answered, strict=True)]
        rows.append([f"top {k}", f"{_mean(tokens):.0f}", f"{_mean(share) * 100:.1f} %"])
    return format_table(["", "tokens", "of full history"], rows)


def _contexts(plan: Plan, answered: Sequence[Answered]) -> str:
    rows = []
    for place, budget in enumerate(plan.budgets):
        kept = [one.contexts[place] for one in answered]
        rows.append([f"{budget} tokens", *_context_cells(kept, answered)])
    rows.append([f"{_percent(CONTEXT_SHARE)} of history", *_context_cells(_small(answered), answered)])
    header = [
        "budget",
        "evidence kept, %",
        "questions with all of it, %",
        "search offers, %",
        "tokens",
        "of full history",
        "largest",
    ]
    return format_table(header, rows)


def _context_cells(kept: Sequence[ContextMeasurement], answered: Sequence[Answered]) -> list[str]:
    share = [spent.total / one.history_tokens for spent, one in zip(kept, answered, strict=True)]
    return [
        _with_interval(estimate_mean([one.recall for one in kept])),
        _with_interval(estimate_mean([one.is_complete for one in kept])),
        f"{_mean([one.offered for one in kept]) * 100:.1f}",
        f"{_mean([one.total for one in kept]):.0f}",
        f"{_mean(share) * 100:.1f} %",
        str(max(one.total for one in kept)),
    ]


def _small(answered: Sequence[Answered]) -> list[ContextMeasurement]:
    return [one.small for one in answered if one.small is not None]


def _speed(measured: Measured) -> str:
    times = [one.searched.ms for one in measured.answered]
    rows = [
        ["search p50", f"{compute_percentile(times, 50):.1f} ms"],
        ["search p95", f"{compute_percentile(times, 95):.1f} ms"],
        ["writing", f"{measured.turns / measured.seconds:.0f} turns/s"],
    ]
    return format_table(["", ""], rows).lstrip()


def _targets(plan: Plan, measured: Measured) -> str:
    judged = _judged(plan, measured)
    rows = [[name, value, target, "yes" if met else "no"] for name, value, target, met in judged]
    return format_table(["measure", "value", "target", "met"], rows)


def _judged(plan: Plan, measured: Measured) -> Iterator[tuple[str, str, str, bool]]:
    answered = measured.answered
    k = min(plan.top, key=lambda one: abs(one - 10))
    relevant = _mean([bool(one.searched.evidence.intersection(one.searched.found[:k])) for one in answered])
    yield _least(f"questions with evidence in the top {k}", relevant, LEAST_RELEVANT)
    details = measured.details_kept / measured.details if measured.details else 1.0
    yield _least("names and numbers kept", details, LEAST_DETAILS_KEPT)
    if plan.budgets:
        complete = _mean([one.is_complete for one in _small(answered)])
        yield _least(f"all evidence in {_percent(CONTEXT_SHARE)} of full history", complete, LEAST_COMPLETE)
    slow = compute_percentile([one.searched.ms for one in answered], 95)
    yield _most("search p95", slow, MOST_RECALL_MS, "{:.1f} ms".format)
    size = measured.bytes / _MB / max(1, measured.memories) * 1000
    yield _most("1,000 memories on disk", size, MOST_MB_PER_THOUSAND, "{:.1f} MB".format)


def _least(name: str, value: float, bound: float) -> tuple[str, str, str, bool]:
    return name, _percent(value), f"≥ {_percent(bound)}", value >= bound


def _most(name: str, value: float, bound: float, show: Callable[[float], str]) -> tuple[str, str, str, bool]:
    return name, show(value), f"≤ {show(bound)}", value <= bound


def _percent(share: float) -> str:
    return f"{share * 100:.1f} %"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)

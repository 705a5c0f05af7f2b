"""Format the results of the everyday set as tables of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from statistics import median
from typing import Final

from evaluation.quality.everyday import (
    BUDGET,
    TOP,
    AnsweredInput,
    EverydayContext,
    EverydayPlan,
    MeasuredEveryday,
)
from evaluation.scoring import Estimate, estimate_mean, estimate_mean_of_groups
from evaluation.table import format_table

#: Targets of this project.
LEAST_FOUND: Final = {5: 0.70, 10: 0.79}
LEAST_ACROSS: Final = 0.60
LEAST_IN_CONTEXT: Final = 0.68
LEAST_NOTHING: Final = 0.85
MOST_TOKENS: Final = 400


def format_everyday_report(plan: EverydayPlan, measured: MeasuredEveryday, *, misses: bool = False) -> str:
    """Return a report of everything measured so far, with the questions not found @5 if `misses`."""
    if not measured.answered:
        return "Nothing was measured."
    questions = list_questions(measured)
    heading = (
        f"{measured.people} people, {measured.texts} memories written as {plan.written_as} "
        f"(with {plan.distractors} distractors for each person), {measured.refused} refused"
    )
    late = sum(one.context.is_late for one in measured.answered)
    parts = [
        heading,
        f"{late} contexts have no memories because recall was too slow (MEMSITE_CONTEXT_RECALL_MS)"
        if late
        else "",
        "Questions whose memory is found, % (95 % interval by question)\n" + _found(questions),
        f"Contexts of {BUDGET:,} tokens\n" + _contexts(measured),
        "What was added to contexts\n" + _added(measured),
        "Targets\n" + _targets(measured),
        _misses(questions) if misses else "",
    ]
    return "\n\n".join(part for part in parts if part)


def list_questions(measured: MeasuredEveryday) -> list[AnsweredInput]:
    """Return the questions that were asked."""
    return [one for one in measured.answered if one.input.category == "question"]


def list_inputs(measured: MeasuredEveryday, *, needs_memory: bool) -> list[AnsweredInput]:
    """Return the inputs other than questions: those that need a memory, or those that need none."""
    others = [one for one in measured.answered if one.input.category != "question"]
    return [one for one in others if bool(one.input.memories) == needs_memory]


def _groups(questions: Sequence[AnsweredInput]) -> Iterator[tuple[str, list[AnsweredInput]]]:
    yield "all", list(questions)
    for language in sorted({one.input.language for one in questions}):
        yield f"asked in {language}", [one for one in questions if one.input.language == language]
    yield "same language", [one for one in questions if not one.input.across]
    yield "across languages", [one for one in questions if one.input.across]
    for person in dict.fromkeys(one.person for one in questions):
        yield person, [one for one in questions if one.person == person]


def _found(questions: Sequence[AnsweredInput]) -> str:
    rows = []
    for name, part in _groups(questions):
        if part:
            shares = [estimate_mean([one.is_found(top) for one in part]) for top in TOP]
            kept = estimate_mean([one.context.is_right for one in part])
            rows.append([name, str(len(part)), *(_percent(one) for one in (*shares, kept))])
    by_person = [
        estimate_mean_of_groups([one.is_found(top) for one in questions], [one.person for one in questions])
        for top in TOP
    ]
    in_context = estimate_mean_of_groups(
        [one.context.is_right for one in questions], [one.person for one in questions]
    )
    rows.append(["all, by person", str(len(questions)), *(_percent(one) for one in (*by_person, in_context))])
    return format_table(["", "questions", *(f"@{top}" for top in TOP), "in context"], rows)


def _contexts(measured: MeasuredEveryday) -> str:
    kinds = {
        "questions": list_questions(measured),
        "inputs that need one": list_inputs(measured, needs_memory=True),
        "inputs that need none": list_inputs(measured, needs_memory=False),
    }
    none = kinds["inputs that need none"]
    for language in sorted({one.input.language for one in none}):
        kinds[f"  {language}"] = [one for one in none if one.input.language == language]
    for category in dict.fromkeys(one.input.category for one in none):
        kinds[f"  {category}"] = [one for one in none if one.input.category == category]
    rows = [[name, *_context_cells(part)] for name, part in kinds.items() if part]
    header = ["", "inputs", "nothing added, %", "right added, %", "tokens, median", "tokens, mean"]
    return format_table(header, rows)


def _context_cells(part: Sequence[AnsweredInput]) -> list[str]:
    needs = any(one.input.memories for one in part)
    tokens = [one.context.tokens for one in part]
    return [
        str(len(part)),
        _percent(estimate_mean([one.context.added == 0 for one in part])),
        _percent(estimate_mean([one.context.is_right for one in part])) if needs else "–",
        f"{median(tokens):.0f}",
        f"{sum(tokens) / len(tokens):.0f}",
    ]


def _added(measured: MeasuredEveryday) -> str:
    needing = [*list_questions(measured), *list_inputs(measured, needs_memory=True)]
    some = [one.context for one in needing if one.context.added]
    none = [one.context for one in list_inputs(measured, needs_memory=False)]
    rows = [
        ["precision, contexts that need a memory", _percent(estimate_mean(list_precisions(needing)))],
        ["precision, all contexts", _percent(estimate_mean(list_precisions(measured.answered)))],
        ["memories added, median where any", f"{median([one.added for one in some]) if some else 0:.0f}"],
        ["memory tokens, median where any", f"{median([one.tokens for one in some]) if some else 0:.0f}"],
        ["requirements in contexts that need a memory", _share_required([one.context for one in needing])],
        ["requirements in contexts that need none", _share_required(none)],
    ]
    return format_table(["", ""], rows).lstrip()


def _share_required(contexts: Sequence[EverydayContext]) -> str:
    """Return the share of contexts with requirements, and the mean of their tokens."""
    tokens = [one.required for one in contexts if one.required]
    share = _percent(estimate_mean([one.required > 0 for one in contexts]))
    return f"{share}, {sum(tokens) / len(tokens):.0f} tokens" if tokens else share


def list_precisions(answered: Sequence[AnsweredInput]) -> list[float]:
    """Return, for each context to which memories were added, the share of these that answer the input."""
    return [one.context.right / one.context.added for one in answered if one.context.added]


def _targets(measured: MeasuredEveryday) -> str:
    rows = [
        [name, f"{value * 100:.1f} %", f"≥ {bound * 100:.0f} %", "yes" if value >= bound else "no"]
        for name, value, bound in _shares(measured)
        if not isnan(value)
    ]
    some = [one.context.tokens for one in list_questions(measured) if one.context.added]
    if some:
        middle = median(some)
        met = "yes" if middle <= MOST_TOKENS else "no"
        rows.append(["memory tokens, median", f"{middle:.0f}", f"≤ {MOST_TOKENS}", met])
    return format_table(["measure", "value", "target", "met"], rows)


def _shares(measured: MeasuredEveryday) -> Iterator[tuple[str, float, float]]:
    questions = list_questions(measured)
    across = [one for one in questions if one.input.across]
    none = list_inputs(measured, needs_memory=False)
    for top, bound in LEAST_FOUND.items():
        yield f"found @{top}", estimate_mean([one.is_found(top) for one in questions]).mean, bound
    yield "found @5 across languages", estimate_mean([one.is_found(5) for one in across]).mean, LEAST_ACROSS
    kept = estimate_mean([one.context.is_right for one in questions]).mean
    yield f"in a context of {BUDGET:,} tokens", kept, LEAST_IN_CONTEXT
    nothing = estimate_mean([one.context.added == 0 for one in none]).mean
    yield "nothing added where nothing is needed", nothing, LEAST_NOTHING


def _misses(questions: Sequence[AnsweredInput]) -> str:
    return "\n".join(
        f"{one.input.id} at {one.rank or '-'}: {one.input.text}" for one in questions if not one.is_found(5)
    )


def _percent(one: Estimate) -> str:
    return f"{one.mean * 100:.1f} ({one.low * 100:.1f}–{one.high * 100:.1f})" if one.count else "–"

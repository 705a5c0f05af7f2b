"""Format the results of the truth set as tables of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evaluation.quality.truth import TOP, MeasuredTruth, TruthAnswer, TruthPlan
from evaluation.scoring import Estimate, estimate_mean, estimate_mean_of_groups
from evaluation.table import format_table

#: Targets of this project.
LEAST_RIGHT_NOW: Final = 0.80
LEAST_RIGHT_AS_OF: Final = 0.92


def format_truth_report(plan: TruthPlan, measured: MeasuredTruth, *, misses: bool = False) -> str:
    """Return a report of everything measured so far, with the wrong answers if `misses`."""
    if not measured.answers:
        return "Nothing was measured."
    times = split_by_time(measured.answers)
    scenarios = len({one.scenario.id for one in measured.answers})
    heading = (
        f"{scenarios} scenarios, {measured.statements} statements written as {plan.written_as}; "
        f"{measured.unlearnt} of them led to no memory"
    )
    parts = [
        heading,
        *(
            f"{name}, % (95 % interval by question)\n{_table(part)}"
            for name, part in zip(("True now", "True as of a day"), times, strict=True)
            if part
        ),
        "Targets\n" + _targets(times),
        _misses(measured.answers) if misses else "",
    ]
    return "\n\n".join(part for part in parts if part)


def split_by_time(answers: Sequence[TruthAnswer]) -> tuple[list[TruthAnswer], list[TruthAnswer]]:
    """Return the answers about now, and those about an earlier day."""
    now = [one for one in answers if one.question.as_of is None]
    return now, [one for one in answers if one.question.as_of is not None]


def _table(answers: Sequence[TruthAnswer]) -> str:
    languages = sorted({one.scenario.language for one in answers})
    groups = {"all": list(answers)}
    groups |= {name: [one for one in answers if one.scenario.language == name] for name in languages}
    for kind in dict.fromkeys(one.scenario.kind for one in answers):
        groups[f"  {kind}"] = [one for one in answers if one.scenario.kind == kind]
    rows = [[name, *_cells(part)] for name, part in groups.items()]
    by_scenario = estimate_mean_of_groups(
        [one.is_right for one in answers], [one.scenario.id for one in answers]
    )
    rows.append(["all, by scenario", str(len(answers)), _percent(by_scenario), "", "", ""])
    return format_table(
        ["kind", "questions", "right", f"right one @{TOP}", "right one first", "stale one beside"], rows
    )


def _cells(answers: Sequence[TruthAnswer]) -> list[str]:
    found = estimate_mean([one.is_found for one in answers]).mean
    first = estimate_mean([one.is_first for one in answers]).mean
    stale = estimate_mean([one.is_stale for one in answers]).mean
    right = estimate_mean([one.is_right for one in answers])
    shares = (f"{share * 100:.1f}" for share in (found, first, stale))
    return [str(len(answers)), _percent(right), *shares]


def _targets(times: tuple[list[TruthAnswer], list[TruthAnswer]]) -> str:
    rows = []
    names = ("true now", "true as of a day")
    for name, answers, bound in zip(names, times, (LEAST_RIGHT_NOW, LEAST_RIGHT_AS_OF), strict=True):
        if answers:
            right = estimate_mean([one.is_right for one in answers]).mean
            met = "yes" if right >= bound else "no"
            rows.append([name, f"{right * 100:.1f} %", f"≥ {bound * 100:.0f} %", met])
    return format_table(["measure", "value", "target", "met"], rows)


def _misses(answers: Sequence[TruthAnswer]) -> str:
    return "\n".join(
        f"{one.scenario.id} {'now' if one.question.as_of is None else one.question.as_of.date()} "
        f"{'' if one.is_found else 'right one missing '}{'stale one beside ' if one.is_stale else ''}"
        f"{one.question.text}"
        for one in answers
        if not one.is_right
    )


def _percent(one: Estimate) -> str:
    return f"{one.mean * 100:.1f} ({one.low * 100:.1f}–{one.high * 100:.1f})"

"""Format the results of stories as tables of text."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from evaluation.quality.stories.playing import MeasuredStories, Prompt, StoryPlan
from evaluation.scoring import estimate_mean
from evaluation.table import format_table


def format_stories_report(plan: StoryPlan, measured: MeasuredStories, *, misses: bool = False) -> str:
    """Return a report of everything measured so far, with the wrong prompts if `misses`."""
    prompts = measured.prompts
    if not prompts:
        return "Nothing was measured."
    stories = len({one.story.id for one in prompts})
    groups = {"all": prompts}
    for group in ("language", "kind"):
        for name in dict.fromkeys(getattr(one.story, group) for one in prompts):
            groups[f"  {name}"] = [one for one in prompts if getattr(one.story, group) == name]
    rows = [[name, *_cells(part)] for name, part in groups.items()]
    header = ["stories", "prompts", "right", "say what they must", "wrong beside", "memories", "tokens"]
    parts = [f"{stories} stories, told as {plan.form}", format_table(header, rows)]
    if misses:
        parts.append("\n".join(_describe(one) for one in prompts if not one.is_right))
    return "\n\n".join(part for part in parts if part)


def _cells(prompts: Sequence[Prompt]) -> list[str]:
    right = estimate_mean([one.is_right for one in prompts])
    says = estimate_mean([one.found * one.has_one for one in prompts]).mean
    wrong = estimate_mean([bool(one.wrong or (one.ask.nothing and one.added)) for one in prompts]).mean
    needing = [one for one in prompts if not one.ask.nothing]
    return [
        str(len(prompts)),
        f"{right.mean * 100:.1f} ({right.low * 100:.1f}–{right.high * 100:.1f})",
        f"{says * 100:.1f}",
        f"{wrong * 100:.1f}",
        f"{median(one.added for one in needing):.0f}" if needing else "–",
        f"{median(one.tokens for one in needing):.0f}" if needing else "–",
    ]


def _describe(one: Prompt) -> str:
    lacks = [text for text in one.ask.must if text.casefold() not in one.text.casefold()]
    return (
        f"{one.story.id}: {one.ask.text!r}"
        f"{f' lacks {lacks}' if lacks else ''}"
        f"{'' if one.has_one else f' lacks one of {list(one.ask.one_of)}'}"
        f"{f' says {list(one.wrong)}' if one.wrong else ''}"
        f"{f' has {one.added} memories' if one.ask.nothing and one.added else ''}"
    )

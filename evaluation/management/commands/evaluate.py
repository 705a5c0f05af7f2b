"""`manage.py evaluate`: measure recall, tokens and speed on a data set, or learning on labelled exchanges."""

from __future__ import annotations

import signal
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TextIO

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from evaluation import extraction
from evaluation.datasets import DatasetError, load_exchanges, read_dataset
from evaluation.extraction import measure_extraction as measure_learning
from evaluation.measurement import DEFAULT_BUDGETS, DEFAULT_TOP, Measured, Plan, run_measurement
from evaluation.owners import create_temporary_owner, sweep_strays
from evaluation.quality import (
    DISTRACTORS,
    EVERYDAY_SET,
    MOST_DISTRACTORS,
    STORIES,
    TRUTH_SET,
    EverydayPlan,
    MeasuredEveryday,
    MeasuredStories,
    MeasuredTruth,
    StoryForm,
    StoryPlan,
    TruthPlan,
    WrittenAs,
    format_everyday_report,
    format_stories_report,
    format_truth_report,
    measure_everyday,
    measure_truth,
    play_stories,
    read_everyday_set,
    read_stories,
    read_truth_set,
)
from evaluation.report import format_report
from memsite.metering import get_chat_model

LABELLED: Final = settings.BASE_DIR / "bench" / "extraction" / "labelled.jsonl"
_LEAST_BUDGET = 200


class Command(BaseCommand):
    help = (
        "Measure recall on conversations with questions (LoCoMo's JSON). Writes them into the memory of "
        "throw-away owners of this site, asks, prints tables, and erases those owners, also after Ctrl-C. "
        "With --extraction: measure what is learnt from labelled exchanges, by rules and by a model. "
        "With --everyday: questions in other words, and inputs that need no memory. With --truth: what is "
        "true now and was true on a day, after it changed. With --stories: what stands in the prompt after "
        "what a person told over months."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--dataset", type=Path, metavar="FILE")
        what.add_argument(
            "--extraction",
            type=Path,
            nargs="?",
            const=LABELLED,
            metavar="FILE",
            help="labelled exchanges; the ones of this repository by default",
        )
        _add_quality_sets(what)
        parser.add_argument("--split", metavar="NAME", help="with --extraction: only this part of the file")
        parser.add_argument(
            "--by", choices=("rules", "model", "both"), default="both", help="with --extraction: who learns"
        )
        parser.add_argument(
            "--misses", action="store_true", help="list what was missed, learnt or answered wrongly"
        )
        parser.add_argument(
            "--write-as",
            type=WrittenAs,
            choices=tuple(WrittenAs),
            help="how texts become memories; by default facts with --everyday, messages with --truth",
        )
        _add_story_arguments(parser)
        parser.add_argument(
            "--person", metavar="NAME", help="with --everyday: only this person (a set is split by person)"
        )
        parser.add_argument(
            "--distractors",
            type=_distractors,
            default=DISTRACTORS,
            metavar="N",
            help="with --everyday: diary lines of each person that answer no question",
        )
        parser.add_argument("--top", type=_numbers, default=DEFAULT_TOP, help="recall at which k: 3,5,10,20")
        parser.add_argument(
            "--limit", type=_positive, metavar="N", help="questions of each conversation or person; scenarios"
        )
        parser.add_argument(
            "--text-only", action="store_true", help="write the texts alone: no speaker, session, date"
        )
        parser.add_argument(
            "--budgets",
            type=_budgets,
            default=DEFAULT_BUDGETS,
            help="contexts of how many tokens, or `off`: 500,1000,2000,4000,8000",
        )
        parser.add_argument("--progress", choices=("on", "off"), default="on")

    def handle(self, **options: Any) -> None:
        if options["extraction"] is not None:
            self._learning(options)
        elif options["everyday"] is not None:
            self._everyday(options)
        elif options["truth"] is not None:
            self._truth(options)
        elif options["stories"] is not None:
            self._stories(options)
        else:
            self._recall(options)

    def _everyday(self, options: dict[str, Any]) -> None:
        written_as = options["write_as"] or WrittenAs.FACTS
        plan = EverydayPlan(written_as, distractors=options["distractors"], limit=options["limit"])
        try:
            people = read_everyday_set(options["everyday"])
        except DatasetError as error:
            raise CommandError(str(error)) from None
        chosen = [one for one in people if options["person"] in {None, one.name}]
        if not chosen:
            raise CommandError(f"The set has no person {options['person']!r}.")
        measured = MeasuredEveryday()
        self._measure(
            lambda bars: measure_everyday(chosen, plan, measured, bars),
            lambda: format_everyday_report(plan, measured, misses=options["misses"]),
            options,
        )

    def _truth(self, options: dict[str, Any]) -> None:
        plan = TruthPlan(options["write_as"] or WrittenAs.MESSAGES, limit=options["limit"])
        try:
            scenarios = read_truth_set(options["truth"])
        except DatasetError as error:
            raise CommandError(str(error)) from None
        measured = MeasuredTruth()
        self._measure(
            lambda bars: measure_truth(scenarios, plan, measured, bars),
            lambda: format_truth_report(plan, measured, misses=options["misses"]),
            options,
        )

    def _stories(self, options: dict[str, Any]) -> None:
        plan = StoryPlan(options["form"], limit=options["limit"])
        try:
            stories = read_stories(options["stories"])
        except DatasetError as error:
            raise CommandError(str(error)) from None
        measured = MeasuredStories()
        self._measure(
            lambda bars: play_stories(stories, plan, measured, bars),
            lambda: format_stories_report(plan, measured, misses=options["misses"]),
            options,
        )

    def _measure(
        self, measure: Callable[[Bars], None], report: Callable[[], str], options: dict[str, Any]
    ) -> None:
        """Measure, and report what was measured, also after an interruption."""
        sweep_strays()
        try:
            with _terminated_like_interrupted():
                measure(Bars(self.stderr, shown=options["progress"] == "on"))
        except KeyboardInterrupt:
            self.stdout.write(report())
            raise CommandError("stopped before the end; what was written is erased", returncode=130) from None
        self.stdout.write(report())

    def _learning(self, options: dict[str, Any]) -> None:
        bars = Bars(self.stderr, shown=options["progress"] == "on")
        try:
            items = load_exchanges(options["extraction"], options["split"])[: options["limit"]]
        except (OSError, ValueError, KeyError) as error:
            raise CommandError(f"{options['extraction']} cannot be read: {error}") from None
        if not items:
            raise CommandError("There is no such exchange in the file.")
        if options["by"] != "model":
            self.stdout.write(
                extraction.format_extraction_report(
                    measure_learning(items, None, bars.steps), misses=options["misses"]
                )
            )
        if options["by"] == "rules":
            return
        sweep_strays()
        with _terminated_like_interrupted(), create_temporary_owner() as owner:
            model = get_chat_model("fast", owner=owner.pk)
            if model is None:
                self.stdout.write("\nNo model is configured (MEMSITE_MODEL_FAST).")
                return
            measured = measure_learning(items, model, bars.steps)
        self.stdout.write("\n" + extraction.format_extraction_report(measured, misses=options["misses"]))

    def _recall(self, options: dict[str, Any]) -> None:
        plan = Plan(
            dataset=options["dataset"],
            top=options["top"],
            budgets=options["budgets"],
            limit=options["limit"],
            text_only=options["text_only"],
        )
        try:
            conversations = read_dataset(plan.dataset)
        except DatasetError as error:
            raise CommandError(str(error)) from None
        measured = Measured()
        self._measure(
            lambda bars: run_measurement(conversations, plan, measured, bars),
            lambda: format_report(plan, measured),
            options,
        )


def _add_quality_sets(what: Any) -> None:  # noqa: ANN401 - a private class of argparse
    for option, default in (
        ("--everyday", EVERYDAY_SET),
        ("--truth", TRUTH_SET),
        ("--stories", STORIES),
    ):
        what.add_argument(
            option,
            type=Path,
            nargs="?",
            const=default,
            metavar="PATH",
            help="a set of the same format; the one of this repository by default",
        )


def _add_story_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "--form",
        type=StoryForm,
        choices=tuple(StoryForm),
        default=StoryForm.THREADS,
        help="with --stories: how what is told reaches memory",
    )


class Bars:
    """Progress bars on a stream, if they are to be shown."""

    def __init__(self, stream: Any, *, shown: bool) -> None:  # noqa: ANN401 - Django's wrapper of a stream
        self._stream: TextIO = stream
        self._shown = shown

    @contextmanager
    def steps(self, what: str, total: int) -> Iterator[tqdm[Any]]:
        """Show a progress bar while the block runs."""
        with tqdm(
            total=total, desc=what, file=self._stream, disable=not self._shown, leave=False, ascii=False
        ) as bar:
            yield bar


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """Handle SIGTERM like Ctrl-C, so that what was written is erased then too."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _positive(text: str) -> int:
    if not text.strip().isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a number of at least 1")
    return int(text)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(sorted({_positive(part) for part in text.split(",")}))


def _distractors(text: str) -> int:
    if not text.strip().isdecimal() or int(text) > MOST_DISTRACTORS:
        raise ArgumentTypeError(f"{text!r} is not a number from 0 to {MOST_DISTRACTORS:,}")
    return int(text)


def _budgets(text: str) -> tuple[int, ...]:
    if text.strip() == "off":
        return ()
    budgets = _numbers(text)
    if budgets[0] < _LEAST_BUDGET:
        raise ArgumentTypeError(f"a budget has at least {_LEAST_BUDGET} tokens, so that the question fits")
    return budgets

"""Measure extraction on labelled exchanges: by rules alone, and by the configured model."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from evaluation.datasets import Extractor, Score, compute_ratios, make_utterances, score_extractor
from evaluation.table import format_table
from memories.extraction import Extraction, UnreadMessage, extract, extract_by_rules, make_window
from memories.values import Candidate, Utterance
from memories.writing import keep_lasting_quotations
from memsite.llm.chat import AnswerSource, ChatModel, time_limit
from memsite.values import MessageRole

#: Targets of this project.
LEAST_PRECISION: Final = 0.80
LEAST_DETAILS: Final = 0.70
LANGUAGES: Final = ("all", "en", "zh", "mixed")
#: Seconds for one window, as in a job.
_SECONDS: Final = 50.0


class Bar(Protocol):
    def update(self, n: float | None = 1, /) -> bool | None: ...


Steps = Callable[[str, int], AbstractContextManager[Bar]]


@dataclass(slots=True)
class ByModel:
    """An extractor that asks a model as learning does: window by window, with the rules where it fails."""

    model: ChatModel
    sources: Counter[str] = field(default_factory=Counter)
    invalid: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def __call__(self, utterances: Sequence[Utterance]) -> list[Candidate]:
        """Return the candidates of an exchange."""
        began = time.perf_counter()
        found = _keep([one for window in self._windows(utterances) for one in window.candidates])
        self.seconds += time.perf_counter() - began
        return found

    def _windows(self, utterances: Sequence[Utterance]) -> Iterator[Extraction]:
        waiting = [
            UnreadMessage(one) for one in utterances if one.role in {MessageRole.USER, MessageRole.ASSISTANT}
        ]
        earlier: tuple[Utterance, ...] = ()
        while waiting:
            window = make_window(waiting, earlier)
            with time_limit(_SECONDS):
                read = extract(window, self.model)
            self._note(read)
            yield read
            left = [
                UnreadMessage(turn.utterance, end)
                for turn, end in zip(window.parts, read.ends, strict=True)
                if end is not None
            ]
            earlier = tuple(turn.utterance for turn in window.parts)
            waiting = [*left, *waiting[len(window.parts) :]]

    def _note(self, read: Extraction) -> None:
        self.sources[read.source] += 1
        self.invalid.update(read.invalid)
        if read.error:
            self.errors[read.error] += 1


@dataclass(frozen=True, slots=True)
class Measured:
    """The result of one way of extraction.

    Attributes:
        scores: By split and language.
        of: Number of exchanges by split and language.
    """

    name: str
    scores: Mapping[tuple[str, str], Score]
    of: Mapping[tuple[str, str], int]
    by_model: ByModel | None = None


def measure_extraction(items: Sequence[Mapping[str, Any]], model: ChatModel | None, steps: Steps) -> Measured:
    """Extract from every exchange, by the model or by rules alone; score by split and language."""
    by_model = ByModel(model) if model is not None else None
    name = f"model {model.model}" if model is not None else "rules alone"
    learnt: dict[str, list[Candidate]] = {}
    with steps(name, len(items)) as bar:
        for item in items:
            learnt[item["id"]] = (by_model or _learn_by_rules)(make_utterances(item))
            bar.update()
    parts = {
        (split, language): [
            item
            for item in items
            if split in {"all", item["split"]} and language in {"all", item["language"]}
        ]
        for split in ("all", *dict.fromkeys(item["split"] for item in items))
        for language in LANGUAGES
    }
    filled = {key: part for key, part in parts.items() if part}
    scores = {key: _scored(part, learnt) for key, part in filled.items()}
    return Measured(name, scores, {key: len(part) for key, part in filled.items()}, by_model)


def _learn_by_rules(utterances: Sequence[Utterance]) -> list[Candidate]:
    return _keep(extract_by_rules(utterances, vague=True))


def _keep(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that are written even if they change nothing that is known."""
    return [one for one in keep_lasting_quotations(candidates) if not one.only_changes]


def _scored(items: Sequence[Mapping[str, Any]], learnt: Mapping[str, list[Candidate]]) -> Score:
    each: Iterator[list[Candidate]] = iter([learnt[item["id"]] for item in items])
    take: Extractor = lambda _: next(each)  # noqa: E731 - extracted once, scored in several groups
    return score_extractor(items, take)


def format_extraction_report(measured: Measured, *, misses: bool) -> str:
    """Return tables of one way of extraction, and its errors if `misses`."""
    rows = [
        [
            split,
            language,
            str(measured.of[split, language]),
            *(f"{100 * one:.1f}" for one in compute_ratios(result)),
        ]
        for (split, language), result in measured.scores.items()
    ]
    header = [
        "split",
        "language",
        "exchanges",
        "precision",
        "recall",
        "details",
        "kind",
        "triple",
        "sensitive",
    ]
    parts = [
        f"Learning by {measured.name}, %\n" + format_table(header, rows),
        _targets(measured.scores["all", "all"]),
    ]
    if measured.by_model is not None:
        parts.append(_answers(measured.by_model))
    if misses:
        parts.append("\n".join(measured.scores["all", "all"].misses))
    return "\n\n".join(part for part in parts if part)


def _targets(result: Score) -> str:
    rows = [
        ["precision", f"{100 * result.precision:.1f} %", f"> {100 * LEAST_PRECISION:.0f} %",
         "yes" if result.precision > LEAST_PRECISION else "no"],
        ["names and numbers kept", f"{100 * result.detail_retention:.1f} %", f"> {100 * LEAST_DETAILS:.0f} %",
         "yes" if result.detail_retention > LEAST_DETAILS else "no"],
    ]  # fmt: skip
    return "Targets\n" + format_table(["measure", "value", "target", "met"], rows)


def _answers(by_model: ByModel) -> str:
    windows, read = sum(by_model.sources.values()), by_model.sources[AnswerSource.LLM]
    failed = ", ".join(f"{name} {count}" for name, count in by_model.invalid.most_common())
    seconds = by_model.seconds / max(1, windows)
    lines = [
        f"{windows} windows: {read} read by the model, {windows - read} by rules; {seconds:.2f} s a window",
        f"Items not kept: {sum(by_model.invalid.values())} {failed}",
    ]
    lines += [f"{count} × {error}" for error, count in by_model.errors.most_common()]
    return "\n".join(lines)

"""Extract candidates from utterances, window by window, with the model or else with rules."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memories.extraction import Extraction, ExtractionWindow, UnreadMessage, extract, make_window
from memories.maintenance.reflection.conf import ASKING_SECONDS
from memories.values import Candidate, Utterance
from memsite.llm.chat import AnswerSource, ChatModel

#: Number of earlier utterances added as context, so that "no, the other one" can be understood.
_EARLIER: Final = 6
SLOW: Final = "the model took too long: rules read the rest"


@dataclass(frozen=True, slots=True)
class ExtractedCandidates:
    """The result of an extraction.

    Attributes:
        candidates: In the order of the utterances.
        source: `llm` if the model answered for every window with enough text, else `fallback`.
        error: Error of the model; empty if there was none.
    """

    candidates: tuple[Candidate, ...]
    source: AnswerSource
    error: str


def extract_candidates(utterances: Sequence[Utterance], model: ChatModel | None) -> ExtractedCandidates:
    """Extract candidates from the utterances of role `user`. An unreachable model is not called again."""
    unread = [UnreadMessage(utterance) for utterance in utterances]
    done: list[Utterance] = []
    results: list[Extraction] = []
    unavailable = ""
    end = time.monotonic() + ASKING_SECONDS
    while unread:
        if model is not None and time.monotonic() > end:
            unavailable = unavailable or SLOW
        window = make_window(unread, done[-_EARLIER:])
        result = extract(window, model, unavailable=unavailable)
        results.append(result)
        unavailable = unavailable or (result.error if result.failed else "")
        unread = [*_rest(window, result), *unread[len(window.parts) :]]
        done += [turn.utterance for turn in window.parts]
    error = next((result.error for result in results if result.error), "")
    by_model = any(result.source == AnswerSource.LLM for result in results)
    return ExtractedCandidates(
        tuple(candidate for result in results for candidate in result.candidates),
        AnswerSource.LLM if by_model and not error else AnswerSource.FALLBACK,
        error,
    )


def _rest(window: ExtractionWindow, result: Extraction) -> list[UnreadMessage]:
    """Return the parts of the window's messages that were cut, to be read next."""
    return [
        UnreadMessage(turn.utterance, end)
        for turn, end in zip(window.parts, result.ends, strict=True)
        if end is not None
    ]

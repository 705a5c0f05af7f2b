"""Extract candidates from a window, with a model if it is available and answers, else with rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import structlog

from memories.extraction.model import list_left_out, propose_by_model
from memories.extraction.rules import extract_by_rules
from memories.extraction.windows import ExtractionWindow
from memories.values import Candidate, Utterance
from memsite.errors import ModelError
from memsite.llm.chat import AnswerSource, ChatModel

log = structlog.get_logger("memories")


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result for a window.

    Attributes:
        error: Why a model did not answer; empty if it did or was not needed.
        invalid: Number of dropped items of the model's answer, by the check they failed.
        failed: Whether the model was unreachable or refused, so that asking again at once is useless.
        ends: For each turn of the window, the offset up to which it was read; None for all of it.
    """

    candidates: tuple[Candidate, ...]
    source: AnswerSource
    error: str = ""
    invalid: Mapping[str, int] = field(default_factory=dict)
    failed: bool = False
    ends: tuple[int | None, ...] = ()


def extract(window: ExtractionWindow, model: ChatModel | None, *, unavailable: str = "") -> Extraction:
    """Extract candidates from a window. Errors and bad answers of the model never raise.

    The rules read the window instead if it contains too little for a call, if the model fails, or if all
    items of its answer are invalid. The rules read each message to its end. Beside the answer of a model
    stands what rules are sure of and the model left out.

    Args:
        window: Messages to read.
        model: The chat model; None if none is configured.
        unavailable: Why a configured model must not be called.
    """
    if model is None or unavailable or not window.is_worth_asking():
        return _by_rules(window, error=unavailable)
    try:
        proposal = propose_by_model(window, model)
    except ModelError as error:
        return _by_rules(window, error=error.message, failed=_reason(error) != "bad_answer")
    if proposal.invalid:
        log.info("items of a model's answer not kept", **proposal.invalid, kept=len(proposal.candidates))
    if proposal.is_rubbish:
        count = sum(proposal.invalid.values())
        return _by_rules(
            window, error=f"nothing the model named was said: {count} not kept", invalid=proposal.invalid
        )
    return Extraction(
        (*proposal.candidates, *list_left_out(window, proposal)),
        AnswerSource.LLM,
        invalid=proposal.invalid,
        ends=tuple(turn.end for turn in window.parts),
    )


def _reason(error: ModelError) -> str:
    return str(error.detail.get("reason", "")) if isinstance(error.detail, dict) else ""


def _by_rules(
    window: ExtractionWindow,
    *,
    error: str = "",
    invalid: Mapping[str, int] | None = None,
    failed: bool = False,
) -> Extraction:
    fresh = [replace(turn.utterance, content=turn.rest) for turn in window.parts]
    return Extraction(
        tuple(extract_by_rules_in_context(fresh, window.earlier, vague=True)),
        AnswerSource.FALLBACK,
        error,
        invalid or {},
        failed,
        (None,) * len(window.parts),
    )


def extract_by_rules_in_context(
    fresh: Sequence[Utterance], earlier: Sequence[Utterance] = (), *, vague: bool = False
) -> list[Candidate]:
    """Return what the rules find in fresh messages, with earlier ones as context; `vague` as there."""
    references = {one.reference for one in fresh}
    found = extract_by_rules([*earlier, *fresh], vague=vague)
    return [candidate for candidate in found if references.issuperset(candidate.sources)]

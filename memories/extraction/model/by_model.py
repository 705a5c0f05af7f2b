"""Extraction by a language model: it reads a window and proposes memories, each of which is then checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pydantic import ValidationError

from memories.conf import EXTRACTION
from memories.extraction.model.evidence import EvidenceSource, Invalid, check_item
from memories.extraction.model.schema import Answer, Item
from memories.extraction.prompts import FencedMessage, fence_messages, get_prompt
from memories.extraction.prose import extract_own_prose, is_chinese
from memories.extraction.windows import ExtractionWindow
from memories.text import new_mark
from memories.values import Candidate
from memsite.llm.chat import ChatMessage, ChatModel, ask_structured
from memsite.values import MessageRole

MOST_ANSWER_TOKENS: Final = 4_000
#: Ten messages contain no more memories than this. Further items of an answer are ignored.
MOST_ITEMS: Final = 40


@dataclass(frozen=True, slots=True)
class ModelProposal:
    """The checked answer of a model.

    Attributes:
        candidates: Valid items to store.
        invalid: Number of invalid items, by the check they failed.
        declined: Number of valid items that the model marked as not to be stored.
        spoken_for: References of the messages that candidates and declined items cite.
        refused: Contents of the items that the model marked as not to be stored, valid or not.
    """

    candidates: tuple[Candidate, ...]
    invalid: Mapping[str, int]
    declined: int
    spoken_for: frozenset[str]
    refused: tuple[str, ...] = ()

    @property
    def is_rubbish(self) -> bool:
        """Whether the model proposed memories, refused none, and all of them were invalid."""
        return bool(self.invalid) and not self.candidates and not self.refused


@dataclass(slots=True)
class _AnswerReading:
    candidates: dict[tuple[str, str], Candidate] = field(default_factory=dict)
    invalid: Counter[str] = field(default_factory=Counter)
    declined: int = 0
    spoken_for: set[str] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)


def propose_by_model(window: ExtractionWindow, model: ChatModel) -> ModelProposal:
    """Ask the model for the memories in a window.

    Raises:
        ModelError: If the call fails or the answer cannot be parsed.
    """
    sources, lines = _numbered(window)
    mark = new_mark(line.text for line in lines)
    prompt = get_prompt(chinese_text=_mostly_chinese(window))
    messages: Sequence[ChatMessage] = [
        {"role": "system", "content": prompt.instructions.format(mark=mark)},
        {"role": "user", "content": f"{fence_messages(lines, mark)}\n{prompt.closing.format(mark=mark)}"},
    ]
    answer = ask_structured(
        model, messages, Answer, temperature=EXTRACTION.temperature, max_tokens=MOST_ANSWER_TOKENS
    )
    return _read(answer, sources)


def _numbered(window: ExtractionWindow) -> tuple[dict[str, EvidenceSource], list[FencedMessage]]:
    """Number the earlier messages e1, e2 … and the messages of the window m1, m2 …"""
    sources: dict[str, EvidenceSource] = {}
    lines: list[FencedMessage] = []
    for number, earlier in enumerate(window.earlier, 1):
        sources[f"e{number}"] = EvidenceSource(earlier, fresh=False)
        lines.append(
            FencedMessage(f"e{number}", earlier.role, earlier.at, _begin(earlier.content), earlier=True)
        )
    for number, turn in enumerate(window.parts, 1):
        sources[f"m{number}"] = EvidenceSource(turn.utterance, fresh=True)
        lines.append(FencedMessage(f"m{number}", turn.utterance.role, turn.utterance.at, turn.text))
    return sources, lines


_CONTEXT_CHARACTERS: Final = 500


def _begin(text: str) -> str:
    return text if len(text) <= _CONTEXT_CHARACTERS else text[: _CONTEXT_CHARACTERS - 1] + "…"


def _mostly_chinese(window: ExtractionWindow) -> bool:
    user_texts = [turn.text for turn in window.parts if turn.utterance.role == MessageRole.USER]
    lines = [
        line
        for text in user_texts or [turn.text for turn in window.parts]
        for line in extract_own_prose(text).lines
        if line
    ]
    return 2 * sum(map(is_chinese, lines)) > len(lines)


def _read(answer: Answer, sources: Mapping[str, EvidenceSource]) -> ModelProposal:
    reading = _AnswerReading()
    for raw in answer.memories[:MOST_ITEMS]:
        try:
            item = Item.model_validate(raw)
            if not item.may_be_stored:
                reading.refused.append(item.content)
            candidate = check_item(item, sources)
        except ValidationError:
            reading.invalid["shape"] += 1
        except Invalid as failed:
            reading.invalid[str(failed)] += 1
        else:
            reading.spoken_for.update(candidate.sources)
            if item.may_be_stored:
                reading.candidates.setdefault((candidate.kind, candidate.content.casefold()), candidate)
            else:
                reading.declined += 1
    if len(answer.memories) > MOST_ITEMS:
        reading.invalid["too many"] += len(answer.memories) - MOST_ITEMS
    return ModelProposal(
        tuple(reading.candidates.values()),
        dict(reading.invalid),
        reading.declined,
        frozenset(reading.spoken_for),
        tuple(reading.refused),
    )

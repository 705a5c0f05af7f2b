"""Write a summary with a model: build the prompt, and keep the valid part of the answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, Field, field_validator

from memories.extraction import FencedMessage, fence_messages
from memories.gate import redact_together
from memsite.errors import ModelError
from memsite.llm.chat import AnswerSource, ChatMessage, ChatModel
from memsite.llm.chat import structured as llm
from memsite.values import MessageRole
from threads.conf import SUMMARY, SUMMARY_ANSWER_TOKENS, SUMMARY_MESSAGE_CHARACTERS, SUMMARY_TOOL_CHARACTERS
from threads.models import Message
from threads.prompt import new_mark, remove_fenced, text_of_json
from threads.summarization.task_state import TaskStateContent, read_content
from threads.summarization.text.grounding import SpokenText, remove_ungrounded, remove_ungrounded_state
from threads.summarization.text.limits import cut_summary, is_no_summary
from threads.summarization.text.loading import SummaryWindow
from threads.summarization.text.prompts import get_prompt
from threads.summarization.text.structured import (
    Structure,
    SummaryText,
    clean_line,
    limit_state,
    limit_structure,
    redact_summary,
)

_LONGEST: Final = 20_000  # characters read of an answer's summary
_CUT: Final = " … "


class Named(BaseModel):
    """A named value of the critical context."""

    name: str = ""
    value: str = ""


class TaskAnswer(BaseModel):
    """The task state in a model's answer."""

    current_goal: str = ""
    completed_steps: list[str] = Field(default_factory=list)
    pending_steps: list[str] = Field(default_factory=list)
    key_findings: list[str] = Field(default_factory=list)

    @field_validator("*", mode="before")
    @classmethod
    def _tolerant(cls, value: Any, info: Any) -> Any:  # noqa: ANN401 - whatever the model wrote
        return _filled(value, is_text=info.field_name == "current_goal")


class Answer(BaseModel):
    """The answer requested from a model; all fields but the summary are optional."""

    summary: str
    user_goal: str = ""
    last_step: str = ""
    key_decisions: list[str] = Field(default_factory=list)
    modified_files: list[str] = Field(default_factory=list)
    critical_context: list[Named] = Field(default_factory=list)
    task_state: TaskAnswer = Field(default_factory=TaskAnswer)

    @field_validator("user_goal", "last_step", "key_decisions", "modified_files", mode="before")
    @classmethod
    def _tolerant(cls, value: Any, info: Any) -> Any:  # noqa: ANN401 - whatever the model wrote
        return _filled(value, is_text=info.field_name in {"user_goal", "last_step"})

    @field_validator("critical_context", mode="before")
    @classmethod
    def _pairs(cls, value: Any) -> Any:  # noqa: ANN401 - whatever the model wrote
        items = value if isinstance(value, list) else [value]
        return [pair for item in items if isinstance(item, Mapping) for pair in _named(item)]

    @field_validator("task_state", mode="before")
    @classmethod
    def _state(cls, value: Any) -> Any:  # noqa: ANN401 - whatever the model wrote
        return value or {}


def summarise_by_model(window: SummaryWindow, model: ChatModel) -> SummaryText:
    """Return the window's summary written by a model, within all limits.

    Raises:
        ModelError: If the call fails, or with reason `bad_answer_error` if the answer is no summary.
    """
    answer = llm.ask_structured(
        model, build_prompt(window), Answer, temperature=SUMMARY.temperature, max_tokens=SUMMARY_ANSWER_TOKENS
    )
    if is_no_summary(answer.summary):
        raise ModelError("The model's answer is no summary.", {"reason": "bad_answer"})
    content, structure, state = redact_summary(
        clean_line(answer.summary, _LONGEST), limit_structure(_structure(answer)), limit_state(_state(answer))
    )
    if is_no_summary(content):
        raise ModelError("The model's answer is no summary.", {"reason": "bad_answer"})
    ground = _ground(window)
    structure = _with_what_was(window, remove_ungrounded(structure, ground))
    state = remove_ungrounded_state(state, read_content(window.state), ground) if state is not None else None
    return SummaryText(cut_summary(content), structure, AnswerSource.LLM, state=state)


def build_prompt(window: SummaryWindow) -> list[ChatMessage]:
    """Return the instructions and the data as messages for a model.

    The old summary, the task state and the messages are redacted and fenced.
    """
    words = get_prompt(chinese_text=window.in_chinese())
    lines = _lines(window)
    mark = new_mark(line.text for line in lines)
    data = f"{fence_messages(lines, mark)}\n\n{words.closing.format(mark=mark)}"
    return [
        {"role": "system", "content": words.instructions.format(mark=mark)},
        {"role": "user", "content": data},
    ]


def _lines(window: SummaryWindow) -> list[FencedMessage]:
    return [*_before(window), *(_line(row, place) for place, row in enumerate(window.rows, 1))]


def _ground(window: SummaryWindow) -> SpokenText:
    """Return the texts that the model saw, redacted, and those of the previous structured summary."""
    listed = Structure() if window.previous is None else Structure.of(window.previous.structured)
    return SpokenText(redact_together([*(line.text for line in _lines(window)), *listed.texts()]))


def _before(window: SummaryWindow) -> list[FencedMessage]:
    at = window.rows[0].created_at
    state = read_content(window.state)
    earlier = [("summary", window.old_text)] if window.old_text else []
    if state.says_something:
        earlier.append(("state", json.dumps(state.as_json(), ensure_ascii=False)))
    return [FencedMessage(name, "earlier", at, text, earlier=True) for name, text in earlier]


def _line(row: Message, place: int) -> FencedMessage:
    text = remove_fenced(row.content)
    if row.tool_calls:
        calls = "; ".join(
            f"{call['function']['name']}({call['function']['arguments']})" for call in row.tool_calls
        )
        text = f"{text}\n[tool calls: {_shortened(calls, SUMMARY_TOOL_CHARACTERS)}]".strip()
    longest = SUMMARY_TOOL_CHARACTERS if row.role == MessageRole.TOOL else SUMMARY_MESSAGE_CHARACTERS
    return FencedMessage(f"m{place}", row.role, row.created_at, _shortened(text, longest))


def _shortened(text: str, longest: int) -> str:
    """Return the beginning and the end of a long text."""
    if len(text) <= longest:
        return text
    tail = longest // 3
    return text[: longest - tail - len(_CUT)] + _CUT + text[-tail:]


def _structure(answer: Answer) -> Structure:
    return Structure(
        answer.user_goal,
        answer.last_step,
        tuple(answer.key_decisions),
        tuple(answer.modified_files),
        {pair.name: pair.value for pair in answer.critical_context},
    )


def _state(answer: Answer) -> TaskStateContent:
    return TaskStateContent.of(answer.task_state.model_dump())


def _with_what_was(window: SummaryWindow, new: Structure) -> Structure:
    """Fill empty fields of the answer from the previous summary, and keep its modified files."""
    if window.previous is None:
        return new
    old = Structure.of(window.previous.structured)
    joined = Structure(
        new.user_goal or old.user_goal,
        new.last_step or old.last_step,
        new.key_decisions or old.key_decisions,
        (*old.modified_files, *new.modified_files),
        new.critical_context or old.critical_context,
    )
    return limit_structure(joined)


def _named(item: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the pairs of an object: itself if it is one name with its value, else one for each key."""
    pairs = [(item["name"], item["value"])] if item.keys() == {"name", "value"} else item.items()
    return [{"name": str(name), "value": text_of_json(value)} for name, value in pairs]


def _filled(value: Any, *, is_text: bool) -> Any:  # noqa: ANN401 - whatever the model wrote
    """Turn null into an empty value and, where a list is expected, a text into a list of it."""
    if value is None:
        return "" if is_text else []
    return [value] if isinstance(value, str) and not is_text else value

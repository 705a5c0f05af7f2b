"""Write a summary with a model: build the prompt, and keep the valid part of the answer."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from pydantic import BaseModel, Field, field_validator

from memories.extraction import FencedMessage, fence_messages
from memories.gate import redact_together
from memories.text import CHINESE_RULES, ENGLISH_RULES, Lean, Moment, find_time_mentions
from memsite.errors import ModelError
from memsite.llm.chat import AnswerSource, ChatMessage, ChatModel
from memsite.llm.chat import structured as llm
from memsite.values import MessageRole
from threads.conf import SUMMARY, SUMMARY_ANSWER_TOKENS, SUMMARY_MESSAGE_CHARACTERS, SUMMARY_TOOL_CHARACTERS
from threads.models import Message
from threads.prompt import new_mark, remove_fenced, text_of_json
from threads.summarization.task_state import TaskStateContent, read_content
from threads.summarization.text.grounding import (
    SpokenText,
    remove_invented_sentences,
    remove_ungrounded,
    remove_ungrounded_state,
)
from threads.summarization.text.limits import cut_summary, is_no_summary
from threads.summarization.text.loading import SummaryWindow
from threads.summarization.text.prompts import get_prompt, get_repair
from threads.summarization.text.structured import (
    Structure,
    SummaryText,
    clean_line,
    limit_state,
    limit_structure,
    redact_summary,
)

_LONGEST: Final = 20_000  # characters read of an answer's summary
_DETAILS: Final = 1_000  # characters of the details that the model is told to leave out
_CUT: Final = " … "
#: Names that a summary may use though nobody said them.
_FREE_NAMES: Final = "The User, the Assistant, the System, a Tool, an AI, in English, in Chinese"


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

    If it names what nobody said, the model is asked once more. Sentences that still do are left out.

    Raises:
        ModelError: If the call fails, or with reason `bad_answer` if the answer is no summary, or if every
            sentence of it names what nobody said.
    """
    prompt, ground = build_prompt(window), _ground(window)
    answer = _ask(model, prompt)
    if is_no_summary(answer.summary):
        raise ModelError("The model's answer is no summary.", {"reason": "bad_answer"})
    if invented := ground.find_invented(_read_summary(answer)):
        answer = _ask_again(window, model, [*prompt, _say_again(answer)], answer, invented)
    content, structure, state = redact_summary(
        _read_summary(answer), limit_structure(_structure(answer)), limit_state(_state(answer))
    )
    if is_no_summary(content):
        raise ModelError("The model's answer is no summary.", {"reason": "bad_answer"})
    content = remove_invented_sentences(content, ground)
    if not content:
        raise ModelError("The model's summary says what nobody said.", {"reason": "bad_answer"})
    structure = _with_what_was(window, remove_ungrounded(structure, ground))
    state = remove_ungrounded_state(state, read_content(window.state), ground) if state is not None else None
    return SummaryText(cut_summary(content), structure, AnswerSource.LLM, state=state)


def _ask(model: ChatModel, prompt: Sequence[ChatMessage]) -> Answer:
    return llm.ask_structured(
        model, prompt, Answer, temperature=SUMMARY.temperature, max_tokens=SUMMARY_ANSWER_TOKENS
    )


def _ask_again(
    window: SummaryWindow,
    model: ChatModel,
    prompt: Sequence[ChatMessage],
    answer: Answer,
    invented: Collection[str],
) -> Answer:
    """Return the answer of a model that is told what nobody said; its first answer if that is useless."""
    details = clean_line("; ".join(sorted(invented)), _DETAILS)
    request = get_repair(chinese_text=window.in_chinese()).format(details=details)
    try:
        second = _ask(model, [*prompt, {"role": "user", "content": request}])
    except ModelError:
        return answer
    left = remove_invented_sentences(_read_summary(second), _ground(window))
    return answer if is_no_summary(left) else second


def _say_again(answer: Answer) -> ChatMessage:
    return {"role": "assistant", "content": answer.model_dump_json()[:_LONGEST]}


def _read_summary(answer: Answer) -> str:
    return clean_line(answer.summary, _LONGEST)


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
    """Return the texts that the model saw, redacted, and those of the previous structured summary.

    Also the days of the messages, and the dates of what they call "tomorrow" or 上周.
    """
    listed = Structure() if window.previous is None else Structure.of(window.previous.structured)
    lines = _lines(window)
    dates = {day for line in lines for day in _list_dates(line)}
    texts = [*(line.text for line in lines), *listed.texts()]
    return SpokenText([*redact_together(texts), *dates, _FREE_NAMES])


def _list_dates(line: FencedMessage) -> Iterator[str]:
    """Yield the day of a message, and the days that its text speaks of."""
    yield f"{line.at:%Y-%m-%d}"
    for rules in (ENGLISH_RULES, CHINESE_RULES):
        for lean in Lean:
            for mention in find_time_mentions(line.text, Moment(line.at, lean), rules):
                yield mention.span.in_english()


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

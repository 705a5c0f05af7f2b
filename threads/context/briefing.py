"""Render the summary and the task state as short texts to be fenced, each line neutralised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from threads.prompt import neutralise_text, text_of_json
from threads.summarization import NearestSummary, TaskStateContent

_CHARACTERS: Final = 20_000
_STRUCTURED: Final[Mapping[str, str]] = {
    "user_goal": "Goal",
    "last_step": "Last step",
    "key_decisions": "Decisions",
    "modified_files": "Files changed",
    "critical_context": "Must not be forgotten",
}


def render_summary(summary: NearestSummary) -> str:
    """Return the summary followed by the fields of the structured summary."""
    structured = summary.structured if isinstance(summary.structured, dict) else {}
    lines = _lines((label, structured.get(name)) for name, label in _STRUCTURED.items())
    return "\n".join([neutralise_text(summary.content, _CHARACTERS), *lines])


def render_task_state(state: TaskStateContent) -> str:
    """Return goal, steps and findings as lines; empty if there are none."""
    lines = _lines(
        (
            ("Goal", state.current_goal),
            ("To do", state.pending_steps),
            ("Found", state.key_findings),
            ("Done", state.completed_steps),
        )
    )
    return "\n".join(lines)


def _lines(content: Iterable[tuple[str, Any]]) -> list[str]:
    lines = ((label, text_of_json(value)) for label, value in content)
    return [f"{label}: {neutralise_text(text, _CHARACTERS)}" for label, text in lines if text]

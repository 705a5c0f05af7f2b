"""The structured fields beside a summary's text, and the task state proposed with it, bounded and redacted.

Stored fields: `user_goal`, `last_step`, `key_decisions[]`, `modified_files[]`, `critical_context{}`,
`timestamp` and `dump`. The dump contains the ids of the messages covered (`messages`), those of them that
were offloaded (`offloaded`), the summary it builds on (`based_on`), the version it overwrote (`previous`) and
the task state before (`task_state`). Message texts are not copied, so that a deleted message does not survive
here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from memories.gate import redact_together
from memsite.llm.chat import AnswerSource
from threads.prompt import neutralise_text
from threads.summarization.task_state import TaskStateContent

_GOAL: Final = 500  # characters
_ITEM: Final = 300
_ITEMS: Final = 30
_NAME: Final = 60
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Structure:
    """The structured part of a summary. `critical_context` maps short names to values."""

    user_goal: str = ""
    last_step: str = ""
    key_decisions: tuple[str, ...] = ()
    modified_files: tuple[str, ...] = ()
    critical_context: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Structure:
        """Read from a summary's `structured`."""
        return cls(
            user_goal=str(stored.get("user_goal", "")),
            last_step=str(stored.get("last_step", "")),
            key_decisions=tuple(stored.get("key_decisions", ())),
            modified_files=tuple(stored.get("modified_files", ())),
            critical_context=dict(stored.get("critical_context", {})),
        )

    def texts(self) -> list[str]:
        """Return all texts; values of the critical context with their names."""
        context = [f"{name}: {value}" for name, value in self.critical_context.items()]
        return [self.user_goal, self.last_step, *self.key_decisions, *self.modified_files, *context]

    def as_json(self, at: datetime) -> dict[str, Any]:
        """Return the JSON to store, without the dump."""
        return {
            "user_goal": self.user_goal,
            "last_step": self.last_step,
            "key_decisions": list(self.key_decisions),
            "modified_files": list(self.modified_files),
            "critical_context": dict(self.critical_context),
            "timestamp": at.isoformat(),
        }


@dataclass(frozen=True, slots=True)
class SummaryText:
    """A summary ready to be stored.

    Attributes:
        state: The new task state; None leaves it unchanged.
    """

    content: str
    structure: Structure
    source: AnswerSource
    error: str = ""
    state: TaskStateContent | None = None


def clean_line(text: str, longest: int) -> str:
    """Return one neutralised line: no breaks, role labels, tags or template marks; cut with `…`."""
    return neutralise_text(_SPACES.sub(" ", text).strip(), longest)


def limit_structure(structure: Structure) -> Structure:
    """Return the structure within its limits, neutralised and without duplicates."""
    return Structure(
        user_goal=clean_line(structure.user_goal, _GOAL),
        last_step=clean_line(structure.last_step, _ITEM),
        key_decisions=_items(structure.key_decisions),
        modified_files=_items(structure.modified_files),
        critical_context=_named(structure.critical_context),
    )


def limit_state(state: TaskStateContent) -> TaskStateContent:
    """Return a task state proposed by a model within its limits, neutralised and without duplicates."""
    return TaskStateContent(
        current_goal=clean_line(state.current_goal, _GOAL),
        completed_steps=_items(state.completed_steps),
        pending_steps=_items(state.pending_steps),
        key_findings=_items(state.key_findings),
    )


def redact_summary(
    content: str, structure: Structure, state: TaskStateContent | None
) -> tuple[str, Structure, TaskStateContent | None]:
    """Redact all parts together: a secret found in one part is redacted in every part."""
    given = state or TaskStateContent()
    texts = [
        content,
        structure.user_goal,
        structure.last_step,
        given.current_goal,
        *structure.critical_context.values(),
    ]
    lists: list[Sequence[str]] = [
        structure.key_decisions,
        structure.modified_files,
        given.completed_steps,
        given.pending_steps,
        given.key_findings,
        list(structure.critical_context),
    ]
    clean = iter(redact_together([*texts, *(one for many in lists for one in many)]))
    content, goal, step, current = (next(clean) for _ in range(4))
    values = [next(clean) for _ in structure.critical_context]
    decisions, files, done, pending, findings, names = ([next(clean) for _ in many] for many in lists)
    made = Structure(goal, step, tuple(decisions), tuple(files), dict(zip(names, values, strict=True)))
    redacted = TaskStateContent(current, tuple(done), tuple(pending), tuple(findings))
    return content, made, redacted if state is not None else None


def _items(given: Iterable[str]) -> tuple[str, ...]:
    """Return neutralised, distinct items; only the last ones, which are the newest, are kept."""
    lines = dict.fromkeys(line for one in given if (line := clean_line(one, _ITEM)))
    return tuple(lines)[-_ITEMS:]


def _named(given: Mapping[str, str]) -> dict[str, str]:
    pairs = {clean_line(name, _NAME): clean_line(value, _ITEM) for name, value in given.items()}
    kept = [(name, value) for name, value in pairs.items() if name and value]
    return dict(kept[-_ITEMS:])

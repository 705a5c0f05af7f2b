"""Make short texts and rows of memories: a line each, fenced as data, within a number of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from memories.models import Memory
from memories.storage import ENDING_DIGITS
from memories.text import fence_memories, neutralise_text, new_mark
from memories.values import Status
from memsite.llm.tokens import count_tokens

#: Tokens of an answer. Agents complain about tools that fill their context.
MOST_TOKENS: Final = 2_000
#: Tokens that an answer reserves for the text around the lines: the fence with its preface, and the remarks.
_FRAME_TOKENS: Final = 200
#: Characters of a memory's text in a line. The tool `fetch` gives the whole.
_LINE_CHARACTERS: Final = 600


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a tool: a text for the model, and the same as structured content."""

    text: str
    structured: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RenderedMemories:
    """As many memories as the budget holds.

    Attributes:
        block: Their lines within a fence; "" for none.
        rows: The same as structured content.
    """

    block: str
    rows: tuple[dict[str, Any], ...]


def render_memories(memories: Iterable[Memory], *, most_tokens: int = MOST_TOKENS) -> RenderedMemories:
    """Render memories, the first ones first, while their lines fit; at least one."""
    lines: list[str] = []
    rows: list[dict[str, Any]] = []
    left = most_tokens - _FRAME_TOKENS
    for memory in memories:
        row = make_row(memory)
        line = _render_line(memory.pk, row)
        left -= count_tokens(line) + 3  # its hyphen and its end
        if rows and left < 0:
            break
        lines.append(line)
        rows.append(row)
    return RenderedMemories(fence_memories(lines, new_mark(lines)) if lines else "", tuple(rows))


def make_row(memory: Memory) -> dict[str, Any]:
    """Return a memory as structured content. `sure` is its confidence."""
    day = memory.occurred_at or memory.valid_from or memory.created_at
    row: dict[str, Any] = {
        "id": str(memory.pk),
        "text": neutralise_text(memory.content, _LINE_CHARACTERS),
        "kind": memory.kind,
        "date": f"{day:%Y-%m}",
        "sure": round(memory.confidence, 2),
    }
    if memory.valid_until is not None:
        row["until"] = f"{memory.valid_until:%Y-%m}"
    if memory.status != Status.ACTIVE:
        row["status"] = str(memory.status)
    return row


def shorten_id(memory_id: UUID) -> str:
    """Return the name of a memory in a line: `m:` and the last digits of its id."""
    return f"m:{memory_id.hex[-ENDING_DIGITS:]}"


def _render_line(memory_id: UUID, row: Mapping[str, Any]) -> str:
    remarks = [row["kind"], row["date"]]
    remarks += [f"until {row['until']}"] if "until" in row else []
    remarks += [f"sure {row['sure']:g}"]
    remarks += [_STATUSES[row["status"]]] if row.get("status") in _STATUSES else []
    return f"[{shorten_id(memory_id)}] {row['text']} ({', '.join(remarks)})"


_STATUSES: Final[Mapping[str, str]] = {
    Status.PENDING: "waits for the person's approval",
    Status.DISPUTED: "contradicts another memory",
    Status.DEPRECATED: "no longer believed",
    Status.FORGOTTEN: "forgotten",
}


def format_memory_count(count: int) -> str:
    """Return `1 memory`, `2 memories` …"""
    return "1 memory" if count == 1 else f"{count:,} memories"


def join_words(words: Sequence[str], *, last: str = "and") -> str:
    """Return `a`, `a and b`, `a, b and c` …"""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"

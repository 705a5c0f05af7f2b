"""Choose the requirements of a context: what the person wants every answer to respect.

They are a part of their own, with a budget of their own, whether memories are added or not. They change
seldom, so they are near the beginning of a context, in the order of their age and within a mark that stays
the same: a model server's prompt cache still fits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.utils.crypto import salted_hmac

from memories.models import Memory
from memories.storage import list_requirements
from memories.text import RequirementTag, list_requirement_tags
from memsite.llm.tokens import count_tokens
from threads.conf import CONTEXT
from threads.prompt import neutralise_text, new_mark

#: Part of the free tokens that requirements may take, if that is less than their budget.
_ROOM_SHARE: Final = 0.25
#: Upper bounds of the tokens of the fence, and of a line's dash and break.
_FENCE_TOKENS: Final = 80
_LINE_OVERHEAD: Final = 3
_MARK_CHARACTERS: Final = 16
_SALT: Final = "threads.context.mark"
#: Why a requirement applies, by its tag. `memories.models.labels` translates these texts.
_REASONS: Final[Mapping[str, str]] = {
    RequirementTag.ALWAYS: "applies to every answer",
    RequirementTag.DIET: "applies to food, drink and medicine",
    RequirementTag.CRAFT: "applies to programming",
}


@dataclass(frozen=True, slots=True)
class Requirement:
    """A memory that every answer must respect, rendered as a line.

    Attributes:
        content: Its text as it is stored.
        why: Why it applies to the input.
    """

    memory_id: UUID
    line: str
    content: str = ""
    why: str = ""


def load_requirements(
    text: str, *, owner: UUID, hidden: frozenset[UUID], room: int, encoding: str
) -> tuple[Requirement, ...]:
    """Return the requirements of an input, oldest first.

    If there is not enough room for all, pinned requirements are kept before others, and newer before older.

    Args:
        text: The input.
        owner: The owner of the memories.
        hidden: Memories that are not recalled here.
        room: Tokens that are free for requirements and memories together.
        encoding: Encoding in which tokens are counted.
    """
    rows = list_requirements(owner=owner, tags=list_requirement_tags(text))
    left = min(CONTEXT.requirement_tokens, int(room * _ROOM_SHARE)) - _FENCE_TOKENS
    chosen: list[Requirement] = []
    for row in (row for row in rows if row.pk not in hidden):
        one = make_requirement(row)
        tokens = count_tokens(one.line, encoding) + _LINE_OVERHEAD
        if tokens <= left:
            chosen.append(one)
            left -= tokens
    return tuple(sorted(chosen, key=lambda one: one.memory_id))


def make_requirement(memory: Memory) -> Requirement:
    """Return a memory as a requirement, with the reason why it applies."""
    why = next((reason for tag, reason in _REASONS.items() if tag in memory.tags), "")
    return Requirement(memory.pk, render_requirement(memory), memory.content, why)


def render_requirement(memory: Memory) -> str:
    """Return the line of a requirement, neutralised."""
    return neutralise_text(memory.content)


def make_mark(place: UUID | str, lines: Sequence[str], *, owner: UUID) -> str:
    """Return the mark of a fence: secret, and always the same in one thread.

    If a line contains that mark, a random one is returned instead.

    Args:
        place: Id of the thread; without one, any text.
        lines: The lines to be fenced.
        owner: The owner of the lines.
    """
    digest = salted_hmac(_SALT, f"{owner}:{place}", algorithm="sha256").hexdigest()
    mark = digest[:_MARK_CHARACTERS]
    return new_mark(lines) if any(mark in line for line in lines) else mark

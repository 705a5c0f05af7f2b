"""Choose the requirements of a context: what the person wants every answer to respect.

They are a part of their own, whether memories are added or not. What always applies and what the person does
not eat share one budget, and each field of life has another. They change seldom, so they are near the
beginning of a context, in the order of their age and within a mark that stays the same: a model server's
prompt cache still fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    text: str,
    by_field: Mapping[RequirementTag, Sequence[Memory]] | None,
    *,
    owner: UUID,
    hidden: frozenset[UUID],
    room: int,
    encoding: str,
) -> tuple[Requirement, ...]:
    """Return the requirements of an input, oldest first.

    If there is not enough room for all, pinned requirements are kept before others, and newer before older.
    Of a field, those that have its tag are kept before those that the search found.

    Args:
        text: The input.
        by_field: The memories that a search found for each field of the input; see `SearchResult`.
        owner: The owner of the memories.
        hidden: Memories that are not recalled here.
        room: Tokens that are free for requirements and memories together.
        encoding: Encoding in which tokens are counted.
    """
    tags = list_requirement_tags(text, None if by_field is None else by_field.keys())
    left = int(room * _ROOM_SHARE) - _FENCE_TOKENS
    chosen: dict[UUID, Requirement] = {}
    for group, tokens, why in _divide(tags):
        budget = min(tokens, left)
        rows = list_requirements(owner=owner, tags=group)
        rows += [row for tag in group for row in (by_field or {}).get(tag, ())]
        for row in (row for row in rows if row.pk not in hidden and row.pk not in chosen):
            one = make_requirement(row, why)
            needed = count_tokens(one.line, encoding) + _LINE_OVERHEAD
            if needed <= budget:
                chosen[row.pk] = one
                budget -= needed
                left -= needed
    return tuple(sorted(chosen.values(), key=lambda one: one.memory_id))


def _divide(tags: Sequence[RequirementTag]) -> Iterator[tuple[tuple[RequirementTag, ...], int, str]]:
    """Yield the tags that share a budget, the tokens of it, and why they apply if it is for one reason.

    First those of no field, then each field.
    """
    budgets = {RequirementTag.CRAFT: CONTEXT.craft_tokens}
    yield tuple(tag for tag in tags if tag not in budgets), CONTEXT.requirement_tokens - _FENCE_TOKENS, ""
    for field in (tag for tag in tags if tag in budgets):
        yield (field,), budgets[field], _REASONS[field]


def make_requirement(memory: Memory, why: str = "") -> Requirement:
    """Return a memory as a requirement.

    Args:
        memory: The memory.
        why: Why it applies; if empty, its tags say it.
    """
    why = why or next((reason for tag, reason in _REASONS.items() if tag in memory.tags), "")
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

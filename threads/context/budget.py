"""How a window of input tokens is shared among the parts of a context. Pure.

Every part has a share. What a part leaves flows on, in this order:

1. the input takes what it needs, then the system prompt does: neither is chosen by us;
2. task state and summary have one share, and what the system prompt left of its own;
3. memories have their share and what the input left; the best three go in beyond that, too, as long as they
   leave half of their share to the recent messages;
4. the recent messages take everything else. What memories left comes to them in quarters of the
   memories' part, so that a memory more or less does not move where the recent messages begin;
5. memories take what the recent messages left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

#: Shares of the window; the recent messages have the rest, 0.40.
SHARES: Final[Mapping[str, float]] = {
    "system_prompt": 0.10,
    "summary": 0.10,
    "retrieved": 0.25,
    "current_input": 0.15,
}
#: Room for the answer, beside the window: a quarter of it, at most 4,096 tokens.
RESERVED_SHARE: Final = 0.25
MOST_RESERVED: Final = 4_096
#: In so many steps the recent messages get what memories leave.
_STEPS: Final = 4

#: Who may need more than its share, in the order of asking; and whose unused share it gets first.
_TAKERS: Final[Mapping[str, tuple[str, ...]]] = {
    "current_input": ("recent_messages", "retrieved", "summary", "system_prompt"),
    "system_prompt": ("recent_messages", "retrieved", "summary", "current_input"),
    "summary": ("system_prompt", "recent_messages", "retrieved", "current_input"),
    "retrieved": ("current_input", "recent_messages", "system_prompt", "summary"),
    "recent_messages": ("system_prompt", "summary", "retrieved", "current_input"),
}


@dataclass(frozen=True, slots=True)
class TokenStats:
    """What a context costs: the parts are disjoint and add up to the total.

    A part's count is by how much the count of the whole grows when the part is added, in this order.
    """

    system_prompt: int
    summary: int
    task_state: int
    recent_messages: int
    retrieved: int
    current_input: int

    @property
    def total(self) -> int:
        """All of it, in tokens."""
        briefing = self.system_prompt + self.summary + self.task_state
        return briefing + self.recent_messages + self.retrieved + self.current_input

    def as_json(self) -> dict[str, int]:
        """The parts by name, and `total`."""
        return {**asdict(self), "total": self.total}


@dataclass(frozen=True, slots=True)
class Flow:
    """Tokens that one part left and another took."""

    source: str
    target: str
    tokens: int


@dataclass(frozen=True, slots=True)
class ContextBudget:
    """Tokens of each part, ≥ 0. They add up to the window; `reserved` lies outside it.

    `summary` is for the summary and the task state together.
    """

    system_prompt: int
    summary: int
    retrieved: int
    recent_messages: int
    current_input: int
    reserved: int

    @classmethod
    def of_window(cls, max_tokens: int) -> ContextBudget:
        """The budget of a window of so many input tokens, ≥ 1."""
        parts = {part: int(max_tokens * share) for part, share in SHARES.items()}
        recent = max_tokens - sum(parts.values())
        return cls(
            **parts, recent_messages=recent, reserved=min(int(max_tokens * RESERVED_SHARE), MOST_RESERVED)
        )

    def for_summary(self, system_prompt: int) -> int:
        """Tokens for task state and summary beside a system prompt of so many."""
        return self.summary + max(0, self.system_prompt - system_prompt)

    def for_memories(self, current_input: int) -> int:
        """Tokens for memories, beside an input of so many, before the recent messages are asked."""
        return self.retrieved + max(0, self.current_input - current_input)

    @property
    def least_recent(self) -> int:
        """Tokens that even the best memories leave to the newest messages."""
        return self.recent_messages // 2

    def flows(self, used: TokenStats) -> tuple[Flow, ...]:
        """Which part's unused share went to which other; a part's tokens are its budget − given + taken."""
        spent = {**asdict(used), "summary": used.summary + used.task_state}
        left = {part: getattr(self, part) - spent[part] for part in _TAKERS}
        found = []
        for target, sources in _TAKERS.items():
            for source in sources:
                tokens = min(-left[target], left[source])
                if tokens > 0:
                    found.append(Flow(source, target, tokens))
                    left[target] += tokens
                    left[source] -= tokens
        return tuple(found)

    def as_json(self) -> dict[str, int]:
        """The parts by name."""
        return asdict(self)


def held_back(memories: int, most: int) -> int:
    """What the recent messages must leave to memories that would take so many tokens of at most `most`.

    In quarters of `most`, rounded up; more than `most` as it is.
    """
    step = max(1, -(-most // _STEPS))
    return memories if memories > most else min(most, -(-memories // step) * step)

"""How a window of input tokens is shared among the parts of a context. Pure."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

#: Shares of the window; together 1. What a part leaves goes to the recent messages.
SHARES: Final = {
    "system_prompt": 0.15,
    "retrieved": 0.15,
    "summary": 0.10,
    "recent_messages": 0.40,
    "current_input": 0.20,
}
#: Room for the answer, beside the window: a quarter of it, at most 4,096 tokens.
RESERVED_SHARE: Final = 0.25
MOST_RESERVED: Final = 4_096


@dataclass(frozen=True, slots=True)
class ContextBudget:
    """Tokens of each part. Their sum is at most the window; `reserved` lies outside it.

    Only `retrieved` and `summary` are limits: the system prompt and the input take what they need
    while the window has room, the recent messages take what is left.
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
        return cls(**parts, reserved=min(int(max_tokens * RESERVED_SHARE), MOST_RESERVED))

    def as_json(self) -> dict[str, int]:
        """The parts by name."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class TokenStats:
    """What a context costs: the parts are disjoint and add up to the total.

    A part's count is by how much the count of the whole grows when the part is added, in this order.
    """

    system_prompt: int
    retrieved: int
    summary: int
    recent_messages: int
    current_input: int

    @property
    def total(self) -> int:
        """All of it, in tokens."""
        return sum(asdict(self).values())

    def as_json(self) -> dict[str, int]:
        """The parts by name, and `total`."""
        return {**asdict(self), "total": self.total}

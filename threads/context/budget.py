"""Divide a window of input tokens among the parts of a context. Pure.

Every part has a share of the window. Unused tokens of a part go to others, in this order:

1. The input takes what it needs, then the system prompt: we choose neither. The requirements, which have a
   limit of their own, use the system prompt's share.
2. Task state and summary have one share together, and what the system prompt left of its share.
3. Memories have their share and what the input left of its share. The best three may exceed that, as long as
   they leave the recent messages half of theirs.
4. The recent messages take everything else. Tokens unused by memories are given to them in quarters of the
   memories' part, so that one memory more or less does not change the first recent message.
5. Memories take what the recent messages left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from memsite.errors import InvalidInput
from threads.conf import CONTEXT

#: Number of steps in which unused tokens of memories go to the recent messages.
_STEPS: Final = 4
_ROUNDING: Final = 1e-9  # of a sum of shares

#: Parts that may exceed their share, in order of precedence; for each, whose unused share it takes first.
_TAKERS: Final[Mapping[str, tuple[str, ...]]] = {
    "current_input": ("recent_messages", "retrieved", "summary", "system_prompt"),
    "system_prompt": ("recent_messages", "retrieved", "summary", "current_input"),
    "summary": ("system_prompt", "recent_messages", "retrieved", "current_input"),
    "retrieved": ("current_input", "recent_messages", "system_prompt", "summary"),
    "recent_messages": ("system_prompt", "summary", "retrieved", "current_input"),
}


@dataclass(frozen=True, slots=True)
class TokenStats:
    """Token counts of a context's parts. The parts are disjoint and add up to the total.

    The count of a part is the growth of the total when the part is added, in this order.
    """

    system_prompt: int
    requirements: int
    summary: int
    task_state: int
    recent_messages: int
    retrieved: int
    current_input: int

    @property
    def total(self) -> int:
        """Total number of tokens."""
        briefing = self.system_prompt + self.requirements + self.summary + self.task_state
        return briefing + self.recent_messages + self.retrieved + self.current_input

    def as_json(self) -> dict[str, int]:
        """Return the counts by part, and `total`."""
        return {**asdict(self), "total": self.total}


@dataclass(frozen=True, slots=True)
class Flow:
    """Tokens of one part's share that another part used."""

    source: str
    target: str
    tokens: int


@dataclass(frozen=True, slots=True)
class ContextBudget:
    """Token budgets of the parts, each ≥ 0. They add up to the window; `reserved` is outside it.

    `summary` is the budget of the summary and the task state together, `system_prompt` that of the system
    prompt and the requirements.
    """

    system_prompt: int
    summary: int
    retrieved: int
    recent_messages: int
    current_input: int
    reserved: int

    @classmethod
    def of_window(cls, max_tokens: int, wanted: Mapping[str, float] | None = None) -> ContextBudget:
        """Return the budget of a window.

        Args:
            max_tokens: Input tokens of the window, ≥ 1.
            wanted: Shares of parts, in [0, 1], in place of the site's; the recent messages have what remains.

        Raises:
            InvalidInput: If the shares add up to more than 1.
        """
        shares = {
            "system_prompt": CONTEXT.system_prompt_share,
            "summary": CONTEXT.summary_share,
            "retrieved": CONTEXT.retrieved_share,
            "current_input": CONTEXT.input_share,
            **(wanted or {}),
        }
        if sum(shares.values()) > 1 + _ROUNDING:
            raise InvalidInput(
                "The shares of the parts, with the site's for those not given, add up to more than 1.",
                {"shares": shares},
            )
        parts = {part: int(max_tokens * share) for part, share in shares.items()}
        reserved = min(int(max_tokens * CONTEXT.reserved_share), CONTEXT.reserved_tokens)
        return cls(**parts, recent_messages=max_tokens - sum(parts.values()), reserved=reserved)

    def for_summary(self, system_prompt: int) -> int:
        """Return the tokens for task state and summary, given the tokens of the system prompt."""
        return self.summary + max(0, self.system_prompt - system_prompt)

    def for_memories(self, current_input: int) -> int:
        """Return the tokens for memories beside an input of `current_input` tokens.

        This is before unused tokens of the recent messages are added.
        """
        return self.retrieved + max(0, self.current_input - current_input)

    @property
    def least_recent(self) -> int:
        """Tokens that even the best memories leave to the newest messages."""
        return self.recent_messages // 2

    def flows(self, used: TokenStats) -> tuple[Flow, ...]:
        """Return which part's unused share went to which other part.

        The tokens of a part are its budget − tokens given + tokens taken.
        """
        spent = {
            **asdict(used),
            "system_prompt": used.system_prompt + used.requirements,
            "summary": used.summary + used.task_state,
        }
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
        """Return the budgets by part."""
        return asdict(self)


def compute_memory_reserve(memories: int, most: int) -> int:
    """Return the tokens that the recent messages must leave for memories.

    Args:
        memories: Tokens that the chosen memories take.
        most: Tokens of the memories' part.

    Returns:
        `memories` rounded up to a quarter of `most`; unchanged if it exceeds `most`.
    """
    step = max(1, -(-most // _STEPS))
    return memories if memories > most else min(most, -(-memories // step) * step)

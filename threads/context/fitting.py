"""Select the newest messages of a thread that fit into a context. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from threads.context.layout import DEPTH
from threads.prompt import (
    Count,
    Format,
    Message,
    make_counter,
    pair_tool_results,
    select_sendable,
    split_into_units,
    trim_messages,
)

#: At most 1/8 of the messages that fit may be given up for a stable first message.
_SLACK: Final = 8


@dataclass(frozen=True, slots=True)
class NewestMessages:
    """The newest messages of a thread, from which runs of any size can be taken.

    Attributes:
        units: Runs of messages that must not be split, oldest first.
        shape: Format of the context.
        count: Function that returns the tokens of a message in this format.
        costs: Upper bounds of the tokens of units, by index. Filled when needed, each counted once.
    """

    units: tuple[tuple[Message, ...], ...]
    shape: Format
    count: Count
    costs: dict[int, int] = field(default_factory=dict)

    @classmethod
    def from_messages(cls, messages: Sequence[Message], *, shape: Format, count: Count) -> NewestMessages:
        """Create from messages, oldest first, with their DEPTH. `count` counts a rendered message."""
        units = tuple(tuple(unit) for unit in split_into_units(pair_tool_results(messages)))
        return cls(units, shape, make_counter(shape, count))

    def all(self) -> tuple[Message, ...]:
        """Return all messages that the format can represent."""
        return self._from(0)

    def select_fitting(self, room: int) -> tuple[Message, ...]:
        """Return the newest consecutive messages that take at most `room` tokens.

        A tool call stays with its results. If not all messages fit, the first one has a depth that is a
        multiple of a power of two: the largest power that gives up at most an eighth of what fits. So the
        first message stays the same while messages are added, and consecutive contexts share their beginning.
        If the newest message alone is too long, it is cut.
        """
        first = self._first_fitting(room)
        if self.units and first == len(self.units):
            return tuple(select_sendable(self.shape, trim_messages(self.units[-1], room, count=self.count)))
        return self._from(self._steady(first) if first else 0)

    def _from(self, first: int) -> tuple[Message, ...]:
        return tuple(
            select_sendable(self.shape, [message for unit in self.units[first:] for message in unit])
        )

    def _first_fitting(self, room: int) -> int:
        """Return the index of the first unit such that all from there on fit; `len(units)` if none fits."""
        for place in range(len(self.units) - 1, -1, -1):
            room -= self._cost(place)
            if room < 0:
                return place + 1
        return 0

    def _cost(self, place: int) -> int:
        if place not in self.costs:
            self.costs[place] = sum(map(self.count, self.units[place]))
        return self.costs[place]

    def _steady(self, first: int) -> int:
        """Return the first unit from `first` on whose depth is a multiple of the step."""
        step, fitting = 1, sum(map(len, self.units[first:]))
        while step * 2 * _SLACK <= fitting:
            step *= 2
        begins = -(-self.units[first][0][DEPTH] // step) * step
        places = range(first, len(self.units))
        return next((place for place in places if self.units[place][0][DEPTH] >= begins), first)

"""Which of a thread's newest messages go into a context, and from where on. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from threads.context.layout import DEPTH
from threads.prompt import Count, Format, Message, counter, paired, sendable, split_into_units, trim

#: A beginning may lie later than it must by this part of the messages that fit.
_SLACK: Final = 8


@dataclass(frozen=True, slots=True)
class Newest:
    """A thread's newest messages, to be fitted into rooms of any size.

    units: runs of messages that must not be split, oldest first; costs: tokens of each, at most, of those
    that were counted: once each, and only where one is that might fit.
    """

    units: tuple[tuple[Message, ...], ...]
    shape: Format
    count: Count
    costs: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, messages: Sequence[Message], *, shape: Format, count: Count) -> Newest:
        """messages: oldest first, with their DEPTH. count: tokens of a message as the shape has it."""
        units = tuple(tuple(unit) for unit in split_into_units(paired(messages)))
        return cls(units, shape, counter(shape, count))

    def all(self) -> tuple[Message, ...]:
        """All that the shape can carry."""
        return self._from(0)

    def within(self, room: int) -> tuple[Message, ...]:
        """The newest that cost at most `room` tokens, without gaps, as the shape can carry them.

        A tool call stays with its results. Where not all of them fit, the first one lies at a depth that is
        a multiple of a power of two, the largest that gives up at most an eighth of what fits: so it stays
        the first while messages are added, and a context begins as the one before it. A newest message that
        is too long alone is cut.
        """
        first = self._first_fitting(room)
        if self.units and first == len(self.units):
            return tuple(sendable(self.shape, trim(self.units[-1], room, count=self.count)))
        return self._from(self._steady(first) if first else 0)

    def _from(self, first: int) -> tuple[Message, ...]:
        return tuple(sendable(self.shape, [message for unit in self.units[first:] for message in unit]))

    def _first_fitting(self, room: int) -> int:
        """The unit from which on all fit; the number of units where not even the last does."""
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
        """The first unit from there on whose depth is a multiple of the step."""
        step, fitting = 1, sum(map(len, self.units[first:]))
        while step * 2 * _SLACK <= fitting:
            step *= 2
        begins = -(-self.units[first][0][DEPTH] // step) * step
        places = range(first, len(self.units))
        return next((place for place in places if self.units[place][0][DEPTH] >= begins), first)

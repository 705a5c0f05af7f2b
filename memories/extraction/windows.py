"""The part of a conversation that a model reads at once: a few messages, long ones in parts. Pure.

A window contains at most 500 characters of a user's message and 1,000 of an assistant's. The rest goes into
the next window, so that nothing is dropped. Each message keeps the offset up to which it was read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memories.values import Utterance
from memsite.llm.tokens import count_tokens

#: Messages per window: five exchanges.
MOST_MESSAGES: Final = 10
MOST_TOKENS: Final = 4_000
#: Characters of one message per window, by role.
MOST_CHARACTERS: Final = {"user": 500, "assistant": 1_000}
#: Below both limits, a call is not worth its cost. A Chinese, Japanese or Korean character counts as three.
LEAST_ASKED: Final = {"user": 20, "assistant": 50}
_WIDE: Final = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
_WIDTH: Final = 3
#: Where a long message may be cut, best first.
_SEAMS: Final = (
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?;])\s|(?<=[。！？；])"),
    re.compile(r"(?<=[,，、])"),
    re.compile(r"\s"),
)


@dataclass(frozen=True, slots=True)
class Unread:
    """A message, and the number of its characters that a model has read."""

    utterance: Utterance
    start: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """The part of a message in a window.

    Attributes:
        start: Offset of the part in the message.
        end: Offset up to which the message is read after this window; None for all of it.
    """

    utterance: Utterance
    start: int
    text: str
    end: int | None

    @property
    def rest(self) -> str:
        """The message from `start` to its end, including what is beyond this window."""
        return self.utterance.content[self.start :]


@dataclass(frozen=True, slots=True)
class Window:
    """Messages for one call.

    Attributes:
        turns: Messages to read, in order.
        earlier: Earlier messages that were read already, as context.
    """

    turns: tuple[Turn, ...]
    earlier: tuple[Utterance, ...] = ()

    def is_worth_asking(self) -> bool:
        """Return whether there is enough text for a call. Otherwise the rules read the window."""
        return any(
            sum(_weight(turn.text) for turn in self.turns if turn.utterance.role == role) >= least
            for role, least in LEAST_ASKED.items()
        )


def window_of(unread: Sequence[Unread], earlier: Sequence[Utterance] = ()) -> Window:
    """Return the next window: at least one message, at most ten and about 4,000 tokens."""
    turns: list[Turn] = []
    tokens = 0
    for one in unread[:MOST_MESSAGES]:
        turn = _turn(one)
        tokens += count_tokens(turn.text)
        if turns and tokens > MOST_TOKENS:
            break
        turns.append(turn)
    return Window(tuple(turns), tuple(earlier))


def _turn(unread: Unread) -> Turn:
    rest = unread.utterance.content[unread.start :]
    most = MOST_CHARACTERS[unread.utterance.role]
    if len(rest) <= most:
        return Turn(unread.utterance, unread.start, rest.strip(), None)
    length = _cut(rest, most)
    return Turn(unread.utterance, unread.start, rest[:length].strip(), unread.start + length)


def _cut(text: str, most: int) -> int:
    """Return where to cut: after the last separator in the second half, else in the middle of a word."""
    for seam in _SEAMS:
        places = [match.end() for match in seam.finditer(text, most // 2, most)]
        if places:
            return places[-1]
    return most


def _weight(text: str) -> int:
    return len(text) + (_WIDTH - 1) * len(_WIDE.findall(text))

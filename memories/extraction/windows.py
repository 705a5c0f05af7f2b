"""What a model is given to read at once: a few messages, each as far as it goes in. Pure.

Of a message a user wrote at most 500 characters go into a window, of an assistant's at most 1,000; what is
cut goes into the next one, so that nothing is dropped. A message keeps the place up to which it was read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memories.values import Utterance
from memsite.llm.tokens import count_tokens

#: Messages of a window: five rounds.
MOST_MESSAGES: Final = 10
MOST_TOKENS: Final = 4_000
#: Characters of one message in one window, by its role.
MOST_CHARACTERS: Final = {"user": 500, "assistant": 1_000}
#: Under both of these nothing worth a call was said. A character of Chinese, Japanese or Korean counts three.
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
    """A message, and how many of its characters a model has read: 0 for none."""

    utterance: Utterance
    start: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """A message's part in a window. end: the place up to which it is read then, None for all of it."""

    utterance: Utterance
    start: int
    text: str
    end: int | None

    @property
    def rest(self) -> str:
        """The message from where it was read to, its end beyond this window included."""
        return self.utterance.content[self.start :]


@dataclass(frozen=True, slots=True)
class Window:
    """turns: what is to be read, in order; earlier: what was said before, read already, for context only."""

    turns: tuple[Turn, ...]
    earlier: tuple[Utterance, ...] = ()

    def is_worth_asking(self) -> bool:
        """Whether there is enough in it for a model; too little is left to the rules."""
        return any(
            sum(_weight(turn.text) for turn in self.turns if turn.utterance.role == role) >= least
            for role, least in LEAST_ASKED.items()
        )


def window_of(unread: Sequence[Unread], earlier: Sequence[Utterance] = ()) -> Window:
    """The next window: of the first messages as many as ten, and about 4,000 tokens; at least one."""
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
    """Where to cut: at the last seam of the second half, else in the middle of a word."""
    for seam in _SEAMS:
        places = [match.end() for match in seam.finditer(text, most // 2, most)]
        if places:
            return places[-1]
    return most


def _weight(text: str) -> int:
    return len(text) + (_WIDTH - 1) * len(_WIDE.findall(text))

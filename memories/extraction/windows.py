"""The part of a conversation that a model reads at once: a few messages, long ones in parts. Pure.

A window contains at most 500 characters of a user's message and 1,000 of an assistant's. The rest goes into
the next window, so that nothing is dropped. Each message keeps the offset up to which it was read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memories.conf import EXTRACTION
from memories.values import Utterance
from memsite.llm.tokens import count_tokens
from memsite.values import MessageRole

_WIDE: Final = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
_WIDTH: Final = 3  # a Chinese, Japanese or Korean character counts as so many
#: Where a long message may be cut, best first.
_SEAMS: Final = (
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?;])\s|(?<=[。！？；])"),
    re.compile(r"(?<=[,，、])"),
    re.compile(r"\s"),
)


@dataclass(frozen=True, slots=True)
class UnreadMessage:
    """A message, and the number of its characters that a model has read."""

    utterance: Utterance
    start: int = 0


@dataclass(frozen=True, slots=True)
class WindowPart:
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
class ExtractionWindow:
    """Messages for one call.

    Attributes:
        parts: Messages to read, in order.
        earlier: Earlier messages that were read already, as context.
    """

    parts: tuple[WindowPart, ...]
    earlier: tuple[Utterance, ...] = ()

    def is_worth_asking(self) -> bool:
        """Return whether there is enough text for a call. Otherwise the rules read the window."""
        least_by_role = {
            MessageRole.USER: EXTRACTION.user_least,
            MessageRole.ASSISTANT: EXTRACTION.assistant_least,
        }
        return any(
            sum(_weight(turn.text) for turn in self.parts if turn.utterance.role == role) >= least
            for role, least in least_by_role.items()
        )


def make_window(unread: Sequence[UnreadMessage], earlier: Sequence[Utterance] = ()) -> ExtractionWindow:
    """Return the next window: at least one message; messages and tokens are limited by settings."""
    turns: list[WindowPart] = []
    tokens = 0
    for one in unread[: EXTRACTION.window_messages]:
        turn = _make_part(one)
        tokens += count_tokens(turn.text)
        if turns and tokens > EXTRACTION.window_tokens:
            break
        turns.append(turn)
    return ExtractionWindow(tuple(turns), tuple(earlier))


def _make_part(unread: UnreadMessage) -> WindowPart:
    rest = unread.utterance.content[unread.start :]
    is_user = unread.utterance.role == MessageRole.USER
    most = EXTRACTION.user_characters if is_user else EXTRACTION.assistant_characters
    if len(rest) <= most:
        return WindowPart(unread.utterance, unread.start, rest.strip(), None)
    length = _cut(rest, most)
    return WindowPart(unread.utterance, unread.start, rest[:length].strip(), unread.start + length)


def _cut(text: str, most: int) -> int:
    """Return where to cut: after the last separator in the second half, else in the middle of a word."""
    for seam in _SEAMS:
        places = [match.end() for match in seam.finditer(text, most // 2, most)]
        if places:
            return places[-1]
    return most


def _weight(text: str) -> int:
    return len(text) + (_WIDTH - 1) * len(_WIDE.findall(text))

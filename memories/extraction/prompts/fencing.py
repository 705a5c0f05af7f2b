"""Fence messages as data: one JSON object per line, between two random marks. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memories.gate import redact_together
from memories.text import fence_lines

#: Invisible characters: controls, text directions, zero-width characters and tag characters.
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)


@dataclass(frozen=True, slots=True)
class FencedMessage:
    """A message as a model sees it.

    Attributes:
        id: Short name that the answer cites.
        role: Role of the message.
        at: Time of the message.
        text: Content, or the part of it that belongs to the window.
        earlier: Whether it is only context.
    """

    id: str
    role: str
    at: datetime
    text: str
    earlier: bool = False

    def as_json(self, text: str) -> str:
        """Return one line of JSON. Line breaks are escaped, so that no text can imitate a line of its own."""
        shown = {"id": self.id, "role": self.role, "said": f"{self.at:%Y-%m-%d %H:%M %A}", "text": text}
        return json.dumps(shown | ({"earlier": True} if self.earlier else {}), ensure_ascii=False)


def fence_messages(lines: Sequence[FencedMessage], mark: str) -> str:
    """Return the lines between `<messages MARK>` and `</messages MARK>`, with all secrets redacted."""
    clean = redact_together([_UNSEEN.sub("", line.text) for line in lines])
    return fence_lines(
        "messages", [line.as_json(text) for line, text in zip(lines, clean, strict=True)], mark
    )

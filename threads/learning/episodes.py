"""Make the episodes that mirror a message in long-term memory. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memories.values import EPISODIC, Candidate
from threads.conf import EPISODE_CHARACTERS, EPISODE_PARTS
from threads.prompt import split_text, without_fenced

WRITTEN_BY: Final = "thread"


@dataclass(frozen=True, slots=True)
class Said:
    """One redacted message.

    Attributes:
        reference: `message:<id>`.
        session: `<thread id>:<session number>`.
    """

    reference: str
    role: str
    content: str
    speaker: str
    session: str
    at: datetime

    @property
    def own_words(self) -> str:
        """The content without fenced memories."""
        return without_fenced(self.content).strip()


def episodes_from(said: Said) -> list[Candidate]:
    """Return the episodes that mirror a message: one, or several parts of a long message, in order.

    A part has at most 4,000 characters and a message at most 16 parts. The rest is in the transcript only,
    and the metadata of the last part has `cut`. Empty if the message has no words of its own.
    """
    parts = split_text(said.own_words, EPISODE_CHARACTERS)
    kept = parts[:EPISODE_PARTS]
    return [
        Candidate(
            content=part,
            layer=EPISODIC,
            kind="conversation",
            speaker=said.speaker,
            session=said.session,
            occurred_at=said.at,
            sources=(said.reference,),
            written_by=WRITTEN_BY,
            metadata=_metadata(said.role, number, len(parts)),
        )
        for number, part in enumerate(kept, start=1)
    ]


def _metadata(role: str, number: int, parts: int) -> dict[str, str | int | bool]:
    metadata: dict[str, str | int | bool] = {"role": role}
    if parts > 1:
        metadata |= {"part": number, "parts": parts}
    if number == EPISODE_PARTS < parts:
        metadata["cut"] = True
    return metadata

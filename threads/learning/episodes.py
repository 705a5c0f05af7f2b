"""Turn messages into what long-term memory reads: redacted, without the fenced memories they contain.

Episodes mirror a message in long-term memory; an utterance is the same message as extraction reads it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from memories.gate import redact_text
from memories.values import Candidate, Kind, Layer, Utterance, Writer
from memsite.values import MessageRole
from threads.compaction import load_whole_content
from threads.conf import EPISODE_CHARACTERS, EPISODE_PARTS, REDACTED_MARGIN, SOURCE_CHARACTERS
from threads.models import Message
from threads.prompt import remove_fenced, split_text
from threads.visibility import ASSISTANT, make_reference


@dataclass(frozen=True, slots=True)
class SourceMessage:
    """One redacted message.

    Attributes:
        reference: `message:<id>`.
        session: `<thread id>:<session number>`.
    """

    reference: str
    role: MessageRole
    content: str
    speaker: str
    session: str
    at: datetime

    @property
    def own_words(self) -> str:
        """The content without fenced memories."""
        return remove_fenced(self.content).strip()


def list_source_messages(
    messages: Iterable[Message], user: str, *, most: int = SOURCE_CHARACTERS
) -> list[SourceMessage]:
    """Return the redacted form of these messages.

    Args:
        messages: The messages.
        user: The user's name as a speaker.
        most: Characters of each that are needed. Reading more of a long message costs seconds and is no use.
    """
    rows = list(messages)
    whole = load_whole_content(rows, owner=rows[0].owner_id) if rows else {}
    return [
        SourceMessage(
            reference=make_reference(message.pk),
            role=MessageRole(message.role),
            content=_redact_beginning(whole[message.pk], most),
            speaker=user if message.role == MessageRole.USER else ASSISTANT,
            session=f"{message.thread_id}:{message.session_number}",
            at=message.created_at,
        )
        for message in rows
    ]


def _redact_beginning(text: str, most: int) -> str:
    """Return the redacted beginning of a text.

    A secret that is cut short is not recognised, so more is redacted than is kept.
    """
    if len(text) <= most + REDACTED_MARGIN:
        return redact_text(text).text
    return redact_text(text[: most + REDACTED_MARGIN]).text[:-REDACTED_MARGIN]


def make_utterance(message: SourceMessage) -> Utterance:
    """Return the utterance that extraction reads: the speaker's own words, as far as episodes store them."""
    return Utterance(
        reference=message.reference,
        role=message.role,
        content=message.own_words[: EPISODE_CHARACTERS * EPISODE_PARTS],
        at=message.at,
        speaker=message.speaker,
        session=message.session,
    )


def build_episodes(message: SourceMessage) -> list[Candidate]:
    """Return the episodes that mirror a message: one, or several parts of a long message, in order.

    A part has at most 4,000 characters and a message at most 16 parts. The rest is in the transcript only,
    and the metadata of the last part has `cut`. `parts` counts those of the text that was read. Empty if the
    message has no words of its own.
    """
    parts = split_text(message.own_words, EPISODE_CHARACTERS)
    kept = parts[:EPISODE_PARTS]
    return [
        Candidate(
            content=part,
            layer=Layer.EPISODIC,
            kind=Kind.CONVERSATION,
            speaker=message.speaker,
            session=message.session,
            occurred_at=message.at,
            sources=(message.reference,),
            written_by=Writer.THREAD,
            metadata=_metadata(message.role, number, len(parts)),
        )
        for number, part in enumerate(kept, start=1)
    ]


def _metadata(role: MessageRole, number: int, parts: int) -> dict[str, str | int | bool]:
    metadata: dict[str, str | int | bool] = {"role": role}
    if parts > 1:
        metadata |= {"part": number, "parts": parts}
    if number == EPISODE_PARTS < parts:
        metadata["cut"] = True
    return metadata

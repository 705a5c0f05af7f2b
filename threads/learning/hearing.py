"""Turn messages into utterances: redacted, with the user's name, without the fenced memories they contain."""

from __future__ import annotations

from collections.abc import Iterable

from memories.gate import redact
from memories.values import Utterance
from threads.compaction import whole_of
from threads.conf import EPISODE_CHARACTERS, EPISODE_PARTS
from threads.learning.episodes import Said
from threads.models import Message
from threads.visibility import ASSISTANT, reference_to


def heard(messages: Iterable[Message], user: str) -> list[Said]:
    """Return the redacted form of these messages. `user` is the user's name as a speaker."""
    rows = list(messages)
    whole = whole_of(rows, owner=rows[0].owner_id) if rows else {}
    return [
        Said(
            reference=reference_to(message.pk),
            role=message.role,
            # Redact before any cut: a secret that is cut short is no longer recognised.
            content=redact(whole[message.pk]).text,
            speaker=user if message.role == "user" else ASSISTANT,
            session=f"{message.thread_id}:{message.session_number}",
            at=message.created_at,
        )
        for message in rows
    ]


def utterance(said: Said) -> Utterance:
    """Return the utterance that extraction reads: the speaker's own words, as far as episodes store them."""
    return Utterance(
        reference=said.reference,
        role=said.role,
        content=said.own_words[: EPISODE_CHARACTERS * EPISODE_PARTS],
        at=said.at,
        speaker=said.speaker,
        session=said.session,
    )

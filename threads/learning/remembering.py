"""Remember a message because the person says so, in its own words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from memories.extraction import read_unstated
from memories.storage import MemoryFilter, list_learnt_from, list_memories
from memories.values import Candidate, Layer, Status, Writer
from memories.writing import write_candidates
from memsite.errors import InvalidInput
from threads.learning.episodes import list_source_messages
from threads.models import Message
from threads.visibility import get_speaker_name, make_reference

#: Characters of a memory written like this; a longer message is cut.
MOST_CHARACTERS: Final = 1_000
_ELLIPSIS: Final = "…"
_STATES_NOTHING: Final = "it only asks or greets, and states nothing"
#: What messages taught, without the episodes that mirror them.
LEARNT: Final = MemoryFilter(
    status=(Status.ACTIVE, Status.PENDING, Status.DISPUTED), layer=(Layer.SEMANTIC, Layer.PROCEDURAL)
)


@dataclass(frozen=True, slots=True)
class VerbatimOutcome:
    """The result of `remember_verbatim`.

    Attributes:
        is_learnt_already: Whether something was learnt from the message already; then nothing is written.
        reason: Why the text was not kept; empty if it was.
        batch_id: The batch that undoes it; None if nothing was written.
    """

    is_learnt_already: bool
    reason: str = ""
    batch_id: UUID | None = None


def remember_verbatim(message: Message) -> VerbatimOutcome:
    """Write a message's text as a fact, unless something was learnt from it already or it states nothing.

    Raises:
        InvalidInput: If the thread is temporary, or the message has no text.
        NotAllowed: If the person switched memory off.
    """
    if message.thread.is_temporary:
        raise InvalidInput("Nothing of a temporary thread is remembered.")
    owner = message.owner_id
    reference = make_reference(message.pk)
    ids = list_learnt_from([reference], owner=owner)
    if ids and list_memories(LEARNT, owner=owner).filter(id__in=ids).exists():
        return VerbatimOutcome(is_learnt_already=True)
    (source,) = list_source_messages([message], get_speaker_name(owner))
    text = " ".join(source.own_words.split())
    if not text:
        raise InvalidInput("This message has no words to remember.")
    if read_unstated(text) is not None:
        return VerbatimOutcome(is_learnt_already=False, reason=_STATES_NOTHING)
    if len(text) > MOST_CHARACTERS:
        text = text[: MOST_CHARACTERS - len(_ELLIPSIS)].rstrip() + _ELLIPSIS
    candidate = Candidate(
        text, speaker=source.speaker, session=source.session, sources=(reference,), written_by=Writer.PERSON
    )
    written = write_candidates([candidate], owner=owner, actor="person")
    outcome = written.outcomes[0]
    if outcome.memory is None:
        return VerbatimOutcome(is_learnt_already=False, reason=outcome.reason)
    return VerbatimOutcome(is_learnt_already=False, batch_id=written.batch_id)

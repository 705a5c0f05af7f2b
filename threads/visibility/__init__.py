"""Which messages a memory came from, and which memories a branch of a thread may see."""

from threads.visibility.provenance import (
    ASSISTANT,
    episodes_of,
    learnt_only_from,
    messages_named,
    reference_to,
    speaker_name,
)
from threads.visibility.surroundings import Threads

__all__ = [
    "ASSISTANT",
    "Threads",
    "episodes_of",
    "learnt_only_from",
    "messages_named",
    "reference_to",
    "speaker_name",
]

"""Find the messages that a memory came from, and the memories that a branch may see."""

from threads.visibility.memory_sources import ThreadSources
from threads.visibility.provenance import (
    ASSISTANT,
    get_speaker_name,
    list_episodes,
    list_memories_only_from,
    make_reference,
    parse_references,
)

__all__ = [
    "ASSISTANT",
    "ThreadSources",
    "get_speaker_name",
    "list_episodes",
    "list_memories_only_from",
    "make_reference",
    "parse_references",
]

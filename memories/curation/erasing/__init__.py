"""Erase memories for good, and find related memories.

erase              a memory with all its wordings; returns a receipt
take_away          the same for given rows, within a batch
wordings           the wordings of one memory
came_of            what was learnt or concluded only from given memories
everything         all that is held of a person, some of it at a time
"""

from memories.curation.erasing.erase import (
    NOT_REACHED,
    SCRUB,
    Receipt,
    erase_memories,
    erase_memory,
    erase_rows,
)
from memories.curation.erasing.everything import UNREACHABLE, count_stored_memories, erase_some_memories
from memories.curation.erasing.lineage import list_derived, list_earlier_wordings, list_wordings

__all__ = [
    "NOT_REACHED",
    "SCRUB",
    "UNREACHABLE",
    "Receipt",
    "count_stored_memories",
    "erase_memories",
    "erase_memory",
    "erase_rows",
    "erase_some_memories",
    "list_derived",
    "list_earlier_wordings",
    "list_wordings",
]

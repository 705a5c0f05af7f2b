"""Erase memories for good, and find related memories.

erase        one memory with all its wordings, or given rows within a batch; returns a receipt
everything   all memories of a person, some of them at a time
lineage      the wordings of one memory, and the memories derived only from given ones
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
from memories.curation.erasing.lineage import list_copies, list_derived, list_earlier_wordings, list_wordings

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
    "list_copies",
    "list_derived",
    "list_earlier_wordings",
    "list_wordings",
]

"""Erase memories for good, and find related memories.

erase              a memory with all its wordings; returns a receipt
take_away          the same for given rows, within a batch
wordings           the wordings of one memory
came_of            what was learnt or concluded only from given memories
"""

from memories.curation.erasing.erase import NOT_REACHED, SCRUB, Receipt, erase, take_away
from memories.curation.erasing.lineage import came_of, earlier_wordings, wordings

__all__ = [
    "NOT_REACHED",
    "SCRUB",
    "Receipt",
    "came_of",
    "earlier_wordings",
    "erase",
    "take_away",
    "wordings",
]

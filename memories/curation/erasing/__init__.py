"""Erasing for good, and which memories hang together.

erase              a memory in all its wordings, with a receipt
take_away          the same for chosen rows, within a batch
wordings           of one memory; came_of: what was learnt or concluded from others
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

"""Letting go: the relevance law, what runs each night, gc, the episodic cap, purge, and "forget about …".

law        the numbers and the formula, without a database
verdicts   the same in SQL: what the night says of each memory
sweeping   one set-based change of one owner's memories, with its events: a batch that can be undone
nightly    expiry, the law, low-value cleanup, the cap, for every owner
"""

from memories.maintenance.forgetting import about, cap, gc, law, nightly, purge, scrubbing, verdicts
from memories.maintenance.forgetting.about import Listed, Match, Wish

__all__ = [
    "Listed",
    "Match",
    "Wish",
    "about",
    "cap",
    "gc",
    "law",
    "nightly",
    "purge",
    "scrubbing",
    "verdicts",
]

"""Forget memories: the relevance law, the nightly pass, gc, the episodic cap, purge, and "forget about …".

law        the numbers and the formula, without a database
verdicts   the same in SQL: what the nightly pass does with each memory
sweeping   one set-based change of one owner's memories, with its events: a batch that can be undone
nightly    expiry, the law, low-value cleanup and the cap, for every owner
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

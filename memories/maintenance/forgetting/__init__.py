"""Forget memories: the relevance law, the nightly pass, gc, the episodic cap, purge, and "forget about …".

law              the numbers and the formula, without a database
verdicts         the same in SQL: what the nightly pass does with each memory
set_changes      one change of many memories of one owner, with its events: a batch that can be undone
nightly          expiry, the law, low-value cleanup and the cap, for every owner
cap              the limit of the number of episodes
gc               the collection of old and unused memories on request
forget_request   "forget about …", in two steps
purge            the erasure of memories that were forgotten a year ago
scrubbing        the removal of erased bytes from the data files
"""

from memories.maintenance.forgetting import cap, forget_request, gc, law, nightly, purge, scrubbing, verdicts
from memories.maintenance.forgetting.forget_request import ForgetMatch, ForgetPreview, ForgetRequest

__all__ = [
    "ForgetMatch",
    "ForgetPreview",
    "ForgetRequest",
    "cap",
    "forget_request",
    "gc",
    "law",
    "nightly",
    "purge",
    "scrubbing",
    "verdicts",
]

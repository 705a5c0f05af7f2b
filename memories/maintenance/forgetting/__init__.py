"""Forget memories: the relevance law, the nightly pass, gc, the episodic cap, purge, and "forget about …".

law        the numbers and the formula, without a database
verdicts   the same in SQL: what the nightly pass does with each memory
sweeping   one set-based change of one owner's memories, with its events: a batch that can be undone
nightly    expiry, the law, low-value cleanup and the cap, for every owner
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

"""The relevance law: how a memory fades while it is not used. Numbers and formula, no database.

    relevance_now = exp(-λ · days since last use) · (1 + ln(1 + access_count)) · importance

The last use is the last access or the creation, whichever is later; restoring a memory counts as a use.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, Literal

from memories.conf import FORGETTING
from memories.values import Lifespan

#: Limits against underflow: beyond this decay, the exponential is practically 0, and so is an importance
#: below the least. PostgreSQL raises an error for a product too small to distinguish from 0.
MOST_DECAY: Final = 100.0
LEAST_IMPORTANCE: Final = 1e-9

Vitality = Literal["in_use", "steady", "fading"]


def rates() -> Mapping[Lifespan, float]:
    """Return λ by lifespan, per day. `core` memories do not fade."""
    return {
        Lifespan.CORE: 0.0,
        Lifespan.LONG: FORGETTING.long_rate,
        Lifespan.WORKING: FORGETTING.working_rate,
        Lifespan.TEMPORARY: FORGETTING.temporary_rate,
    }


def compute_relevance(*, days: float, access_count: int, importance: float, lifespan: Lifespan) -> float:
    """Return how relevant a memory is now: 0 or more; above 1 only if it is used often.

    Args:
        days: Days since its last use; negative values count as 0.
        access_count: The number of accesses.
        importance: From 0 to 1.
        lifespan: The lifespan.
    """
    decay = min(MOST_DECAY, rates()[lifespan] * max(0.0, days))
    weight = 0.0 if importance < LEAST_IMPORTANCE else importance
    return math.exp(-decay) * (1 + math.log1p(access_count)) * weight


def classify_vitality(relevance: float) -> Vitality:
    """Return `in_use` above one threshold (0.7), `fading` below another (0.3), else `steady`."""
    if relevance > FORGETTING.in_use_over:
        return "in_use"
    return "fading" if relevance < FORGETTING.fading_under else "steady"

"""The relevance law: how a memory fades while nobody uses it. Numbers and formula, no database.

    relevance_now = exp(-λ · days since last use) · (1 + ln(1 + access_count)) · importance

Last use is the later of last access and creation; somebody's restoring a memory counts as a use.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, Literal

#: λ by lifespan, per day. What is `core` does not fade.
RATES: Final[Mapping[str, float]] = {"core": 0.0, "long": 0.01, "working": 0.07, "temporary": 0.2}
#: Past this, e to the minus of it is as good as 0; so is an importance under the least. PostgreSQL takes a
#: product too small to be told from 0 for an error.
MOST_DECAY: Final = 100.0
LEAST_IMPORTANCE: Final = 1e-9

FORGOTTEN_UNDER: Final = 0.1
FADING_UNDER: Final = 0.3
IN_USE_OVER: Final = 0.7
#: Fading memories weigh this share of their base importance, until they are used again.
LOWERED_TO: Final = 0.8

#: Low-value cleanup: unused for so many days, less important, and used fewer times than this.
CLEANUP_DAYS: Final = 90
CLEANUP_IMPORTANCE: Final = 0.3
CLEANUP_USES: Final = 2

#: Days after which what was forgotten is erased.
PURGE_DAYS: Final = 365

Vitality = Literal["in_use", "steady", "fading"]


def relevance_now(*, days: float, access_count: int, importance: float, lifespan: str) -> float:
    """How relevant a memory is now, ≥ 0; over 1 only for what is used often.

    days: since its last use, a future one counting as now. importance: [0, 1].
    Raises KeyError for an unknown lifespan.
    """
    decay = min(MOST_DECAY, RATES[lifespan] * max(0.0, days))
    weight = 0.0 if importance < LEAST_IMPORTANCE else importance
    return math.exp(-decay) * (1 + math.log1p(access_count)) * weight


def vitality(relevance: float) -> Vitality:
    """`in_use` over 0.7, `fading` under 0.3, else `steady`."""
    if relevance > IN_USE_OVER:
        return "in_use"
    return "fading" if relevance < FADING_UNDER else "steady"

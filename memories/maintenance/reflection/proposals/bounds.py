"""How much one job may change on a model's word."""

from __future__ import annotations

from uuid import UUID

from memories.maintenance.reflection.conf import RETIRED_AT_LEAST, RETIRED_SHARE
from memories.storage import standing


def may_retire(*, owner: UUID) -> int:
    """Memories that one model-proposed job may retire: 5 % of those that stand, or 20, whichever is more."""
    return max(RETIRED_AT_LEAST, int(standing(owner=owner).count() * RETIRED_SHARE))

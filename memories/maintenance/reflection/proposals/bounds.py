"""The limit of what one job may change because of a model's answer."""

from __future__ import annotations

from uuid import UUID

from memories.maintenance.reflection.conf import RETIRED_AT_LEAST, RETIRED_SHARE
from memories.storage import list_active_memories


def may_retire(*, owner: UUID) -> int:
    """Return how many memories one job may retire: 5 % of the active ones, but at least 20."""
    return max(RETIRED_AT_LEAST, int(list_active_memories(owner=owner).count() * RETIRED_SHARE))

"""The threads part of the overview page."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from memsite.web.overview import OverviewPart
from threads.storage import list_threads

_NEWEST: Final = 4


def load_overview_part(*, owner: UUID) -> OverviewPart:
    """Return the threads changed last."""
    rows = list(list_threads(owner=owner).order_by("-updated_at", "-id")[:_NEWEST])
    return OverviewPart("threads/_overview.html", {"threads": rows}, is_empty=not rows)

"""The parts that threads add to other pages: on the overview, and the periods of retention."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memsite.web.overview import OverviewPart
from memsite.web.settings_parts import Retention
from threads.conf import TEMPORARY_LIFETIME
from threads.storage import list_threads

_NEWEST: Final = 4


def load_overview_part(*, owner: UUID) -> OverviewPart:
    """Return the threads changed last."""
    rows = list(list_threads(owner=owner).order_by("-updated_at", "-id")[:_NEWEST])
    return OverviewPart("threads/_overview.html", {"threads": rows}, is_empty=not rows)


def name_threads(ids: Collection[UUID], *, owner: UUID) -> dict[UUID, str]:
    """Return the title of each of these threads that the owner has. One query."""
    rows = list_threads(owner=owner).filter(pk__in=ids)
    return {pk: title or _("Untitled") for pk, title in rows.values_list("pk", "title")}


def list_retentions() -> tuple[Retention, ...]:
    """Return how long threads, and what models were sent in them, are kept."""
    hours = TEMPORARY_LIFETIME // timedelta(hours=1)
    temporary = ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    return (
        Retention(_("Threads and messages"), _("Until you delete them")),
        Retention(_("Messages of temporary threads"), temporary),
        Retention(_("What a model was sent for an answer"), _("As long as its thread")),
    )

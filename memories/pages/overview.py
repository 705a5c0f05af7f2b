"""The parts that memories add to other pages: on the overview, and the periods of retention."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from uuid import UUID

from django.db.models.functions import Left
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memories.conf import FORGETTING
from memories.maintenance import site
from memories.pages.cards import load_cards
from memories.pages.first_memory import StatementForm
from memories.pages.listing.list_query import LEARNT, STATES
from memories.storage import MemoryFilter, count_memories, list_memories
from memories.values import Status
from memsite.accounts.preferences import get_preferences
from memsite.web.overview import OverviewPart
from memsite.web.settings_parts import Retention, format_days

_NEWEST: Final = 5
_FIRST_WORDS: Final = 200  # characters


def load_overview_part(*, owner: UUID) -> OverviewPart:
    """Return counts by layer and the newest learnt memories, or the newest of all if none is learnt."""
    counts = count_memories(owner=owner)
    learnt = LEARNT if any(layer in counts.layers for layer in LEARNT) else ()
    newest = list_memories(MemoryFilter(status=STATES["standing"], layer=learnt), owner=owner)
    form = StatementForm()
    if not counts.statuses:
        form.fields["statement"].widget.attrs["autofocus"] = True
    facts = {
        "layers": counts.layers,
        "pending": counts.statuses.get(Status.PENDING, 0),
        "disputed": counts.statuses.get(Status.DISPUTED, 0),
        "newest": load_cards(list(newest.order_by("-created_at", "-id")[:_NEWEST]), owner=owner),
        "preferences": get_preferences(owner),
        "is_empty": not counts.statuses,
        "form": form,
    }
    return OverviewPart("memories/_overview.html", facts, is_empty=not counts.statuses)


def name_memories(ids: Collection[UUID], *, owner: UUID) -> dict[UUID, str]:
    """Return the beginning of the text of each of these memories that the owner has. One query."""
    rows = list_memories(owner=owner).filter(pk__in=ids)
    return dict(rows.values_list("pk", Left("content", _FIRST_WORDS)))


def list_retentions() -> tuple[Retention, ...]:
    """Return how long memories, and the reports on them, are kept."""
    erased = ngettext(
        "%(count)d day, then they are erased with their history",
        "%(count)d days, then they are erased with their history",
        FORGETTING.erased_days,
    )
    return (
        Retention(_("Memories"), _("Until you forget or erase them, or they fade from disuse")),
        Retention(_("Forgotten memories"), erased % {"count": FORGETTING.erased_days}),
        Retention(_("Erased memories"), _("Gone at once. A keyed hash stays, so that they do not come back")),
        Retention(_("Reports"), format_days(site.KEPT_DAYS)),
    )

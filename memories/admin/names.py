"""Name the models and fields of long-term memory for staff, in their language."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from memories.models import Memory, MemoryLink, Report, SiteReport
from memsite.accounts.audited_admin import name_model

name_model(
    Memory,
    _("memory"),
    _("memories"),
    id=_("id"),
    owner=_("owner"),
    content=_("text"),
    category=_("category"),
    tags=_("tags"),
    participants=_("participants"),
    subject=_("subject"),
    predicate=_("predicate"),
    object=_("object"),
    single_valued=_("one value at a time"),
    speaker=_("speaker"),
    session=_("session"),
    turn=_("turn"),
    occurred_at=_("happened"),
    importance=_("importance"),
    confidence=_("confidence"),
    pinned=_("pinned"),
    sensitive=_("sensitive"),
    occurrence_count=_("times said"),
    access_count=_("times used"),
    last_accessed_at=_("last used"),
    valid_from=_("true since"),
    valid_until=_("true until"),
    ended_at=_("end learnt"),
    retired_at=_("no longer believed since"),
    forgotten_at=_("forgotten since"),
    reflected_at=_("reflected on"),
    metadata=_("metadata"),
    created_at=_("remembered"),
    updated_at=_("last changed"),
)
name_model(MemoryLink, _("conflict"), _("conflicts"), owner=_("owner"), created_at=_("since"))
name_model(
    Report,
    _("report"),
    _("reports"),
    owner=_("owner"),
    kind=_("kind"),
    day=_("day"),
    score=_("score"),
    created_at=_("made"),
)
name_model(
    SiteReport,
    _("site report"),
    _("site reports"),
    day=_("day"),
    score=_("score"),
    created_at=_("made"),
)

"""Change single memories from the pages.

Each view accepts POST. It answers htmx with the changed row, and other requests with a redirect back.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memories import curation
from memories.curation import ChangeResult
from memories.pages.cards import load_cards
from memories.storage import get_memory
from memories.values import Status
from memsite.web.requests import get_owner, get_return_url, notify

#: The actor of a signed-in person's changes, as events record it.
PERSON: Final = "person"


@login_required
@require_POST
def forget_memory(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    """Forget one memory."""
    changed = curation.forget_memories([memory_id], owner=get_owner(request), actor=PERSON)
    return _done(request, changed, _("Forgotten. It is kept aside and can be restored."))


@login_required
@require_POST
def restore_memory(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    """Restore one memory."""
    changed = curation.restore_memories([memory_id], owner=get_owner(request), actor=PERSON)
    return _done(request, changed, _("Restored."))


@login_required
@require_POST
def confirm_memory(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    """Confirm a pending memory, or say of an active one that it is still true."""
    owner = get_owner(request)
    was_pending = get_memory(memory_id, owner=owner).status == Status.PENDING
    changed = curation.confirm_memories([memory_id], owner=owner, actor=PERSON)
    return _done(request, changed, _("Remembered.") if was_pending else _("Noted: it is still true."))


@login_required
@require_POST
def pin_memory(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    """Pin or unpin a memory."""
    owner = get_owner(request)
    pinned = not get_memory(memory_id, owner=owner).pinned
    changed = curation.edit_memory(memory_id, {"pinned": pinned}, owner=owner, actor=PERSON)
    return _done(request, changed, _("Pinned.") if pinned else _("No longer pinned."))


def undo_url(batch_id: UUID) -> str:
    """Return the URL whose POST undoes this batch."""
    return reverse("undo_batch", args=[batch_id])


def _done(request: HttpRequest, changed: ChangeResult, text: str) -> HttpResponse:
    notify(request, text, undo_url=undo_url(changed.batch_id))
    memory = changed.memories[0]
    if request.headers.get("HX-Request"):
        (card,) = load_cards([memory], owner=get_owner(request))
        return render(request, "memories/acts/_changed.html", {"card": card})
    return redirect(get_return_url(request, reverse("memory", args=[memory.pk])))

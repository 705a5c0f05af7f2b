"""Ask for confirmation before erasing one memory for good, or forgetting all memories."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from memories.curation import bulk, erasing
from memories.pages.acts import PERSON, undo_url
from memories.pages.acts.forms import ClearForm
from memories.storage import get_memory, list_active_memories
from memsite.accounts.models import User
from memsite.web.requests import get_owner, notify


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def erase_memory(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    """Ask for confirmation; on POST, erase every wording and show the receipt."""
    owner = get_owner(request)
    if request.method != "POST":
        return render(request, "memories/acts/erase.html", {"memory": get_memory(memory_id, owner=owner)})
    receipt = erasing.erase_memory(memory_id, owner=owner, actor=PERSON)
    return render(request, "memories/acts/erased.html", {"receipt": receipt})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def forget_all(request: HttpRequest) -> HttpResponse:
    """Forget all active memories, once the person has typed their name. One batch, which can be undone."""
    user = cast("User", request.user)
    rows = list_active_memories(owner=user.pk)
    form = ClearForm(request.POST or None, expected=user.username)
    if form.is_valid():
        ids = list(rows.values_list("id", flat=True))
        forgotten = bulk.forget_many(ids, owner=user.pk, actor=PERSON)
        text = ngettext("%d memory forgotten.", "%d memories forgotten.", forgotten.count) % forgotten.count
        notify(request, text, undo_url=undo_url(forgotten.batch_id) if forgotten.batch_id else "")
        return redirect("memories")
    facts = {"form": form, "count": rows.count()}
    return render(request, "memories/acts/clear.html", facts, status=422 if form.errors else 200)

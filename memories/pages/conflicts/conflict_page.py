"""Show the disputes, and one dispute with its sides on a time axis; apply the person's answer."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memories.pages.acts import undo_url
from memories.pages.conflicts.answers import answer_dispute
from memories.pages.conflicts.disputes import load_dispute, load_disputes
from memories.pages.conflicts.time_axis import build_axis
from memories.storage import get_memory
from memsite.errors import Conflict
from memsite.web.requests import get_owner, get_return_url, notify

_PAGE: Final = 20


@login_required
@require_safe
def list_conflicts(request: HttpRequest) -> HttpResponse:
    """Show the disputes, the newest first."""
    given = request.GET.get("start", "")
    start = int(given[:6]) if given.isascii() and given.isdigit() else 0
    disputes, count = load_disputes(owner=get_owner(request), start=start, most=_PAGE)
    following = start + _PAGE if start + _PAGE < count else None
    facts = {"disputes": disputes, "count": count, "next": following}
    return render(request, "memories/conflicts/conflicts.html", facts)


@login_required
@require_safe
def show_conflict(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    """Show the dispute that this memory is in, or that it is settled."""
    owner = get_owner(request)
    dispute = load_dispute(memory_id, owner=owner)
    if dispute is None:
        facts = {"memory": get_memory(memory_id, owner=owner)}
        return render(request, "memories/conflicts/settled.html", facts)
    axis = build_axis([*dispute.sides], now=timezone.now())
    return render(request, "memories/conflicts/conflict.html", {"dispute": dispute, "axis": axis})


@login_required
@require_POST
def answer_conflict(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    """Apply `answer` to the dispute that this memory is in. A notice offers to undo it."""
    owner = get_owner(request)
    dispute = load_dispute(memory_id, owner=owner)
    if dispute is None:
        raise Conflict("This has been settled already.")
    posted = request.POST
    changed = answer_dispute(
        dispute, posted.get("answer", ""), since=posted.get("since", "").strip(), owner=owner
    )
    notify(request, _("Decided."), undo_url=undo_url(changed.batch_id))
    left = next((side for side in dispute.sides if load_dispute(side.memory.pk, owner=owner)), None)
    default = reverse("conflict", args=[left.memory.pk]) if left else reverse("conflicts")
    return redirect(get_return_url(request, default))

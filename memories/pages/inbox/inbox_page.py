"""Show the inbox, and decide what waits there: keep, reject, edit, merge, or always keep a kind.

Each act answers htmx with the inbox as it is then, and other requests with a redirect to it.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memories import curation
from memories.curation import ChangeResult, bulk
from memories.maintenance import mark_as_distinct
from memories.models.labels import KIND_LABELS, get_label
from memories.pages.acts import PERSON, undo_url
from memories.pages.inbox.kinds import KEPT_KINDS, ask_again, keep_always, refuse_kinds
from memories.pages.inbox.waiting import PENDING, load_inbox
from memories.pages.listing.bulk_acts import announce
from memories.pages.listing.selection import Selection
from memories.storage import get_memory
from memsite.errors import InvalidInput
from memsite.web.requests import get_owner, get_return_url, notify

_LONGEST: Final = 20_000


@login_required
@require_safe
def show_inbox(request: HttpRequest) -> HttpResponse:
    """Show everything that waits for the person."""
    return render(request, "memories/inbox/inbox.html", {"inbox": load_inbox(owner=get_owner(request))})


@login_required
@require_POST
def keep_pending(request: HttpRequest) -> HttpResponse:
    """Keep one, the ticked or all pending memories."""
    owner = get_owner(request)
    ids = Selection.of(request.POST).list_ids(owner=owner, filters=PENDING)
    announce(request, "keep", bulk.keep_many(ids, owner=owner, actor=PERSON))
    return _answer(request)


@login_required
@require_POST
def reject_pending(request: HttpRequest) -> HttpResponse:
    """Reject one, the ticked or all pending memories: they are forgotten, and can be restored."""
    owner = get_owner(request)
    ids = Selection.of(request.POST).list_ids(owner=owner, filters=PENDING)
    announce(request, "reject", bulk.forget_many(ids, owner=owner, actor=PERSON))
    return _answer(request)


@login_required
@require_POST
def edit_pending(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    """Keep a memory in the person's own words."""
    content = request.POST.get("content", "").strip()
    if not content or len(content) > _LONGEST:
        raise InvalidInput(_("Write what should be remembered."), {"content": "missing"})
    owner = get_owner(request)
    changed = _keep_in_words(memory_id, content, owner=owner)
    notify(request, _("Saved and kept."), undo_url=undo_url(changed.batch_id))
    return _answer(request)


@login_required
@require_POST
def merge_proposed(request: HttpRequest) -> HttpResponse:
    """Merge memories that may be one, with the person's words if any are given."""
    owner = get_owner(request)
    ids = Selection.of(request.POST).list_ids(owner=owner)
    content = request.POST.get("content", "").strip() or None
    changed = curation.merge_memories(ids, content=content, owner=owner, actor=PERSON)
    notify(request, _("Merged."), undo_url=undo_url(changed.batch_id))
    return _answer(request)


@login_required
@require_POST
def keep_separate(request: HttpRequest) -> HttpResponse:
    """Record that memories that may be one are different, so that they are not proposed again."""
    owner = get_owner(request)
    changed = mark_as_distinct(Selection.of(request.POST).list_ids(owner=owner), owner=owner, actor=PERSON)
    notify(request, _("They stay separate."), undo_url=undo_url(changed.batch_id))
    return _answer(request)


@login_required
@require_POST
def always_keep(request: HttpRequest) -> HttpResponse:
    """Keep memories of a kind without approval from now on, and approve those that wait."""
    kind = request.POST.get("kind", "")
    kept = keep_always(kind, owner=get_owner(request))
    text = _("From now on, “%(kind)s” is kept without asking.") % {"kind": get_label(KIND_LABELS, kind)}
    url = reverse("undo_always_keep", args=[kept.batch_id]) if kept.batch_id else reverse("ask_again")
    notify(request, text, undo_url=f"{url}?{urlencode({KEPT_KINDS: kind})}")
    return _answer(request)


@login_required
@require_POST
def undo_always_keep(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """Ask again about a kind, and undo the batch that kept what waited of it."""
    owner = get_owner(request)
    curation.undo_batch(batch_id, owner=owner, actor=PERSON)
    ask_again(request.GET.get(KEPT_KINDS, ""), owner=owner)
    notify(request, _("Undone."))
    return _answer(request)


@login_required
@require_POST
def ask_again_about_kind(request: HttpRequest) -> HttpResponse:
    """Require approval for memories of a kind again."""
    kind = request.POST.get(KEPT_KINDS, "") or request.GET.get(KEPT_KINDS, "")
    ask_again(kind, owner=get_owner(request))
    notify(request, _("“%(kind)s” waits for you again.") % {"kind": get_label(KIND_LABELS, kind)})
    return _answer(request)


@login_required
@require_POST
def choose_refused_kinds(request: HttpRequest) -> HttpResponse:
    """Refuse to learn memories of the ticked kinds from now on."""
    refuse_kinds(request.POST.getlist(KEPT_KINDS), owner=get_owner(request))
    notify(request, _("Saved."))
    return redirect("preferences")


def _keep_in_words(memory_id: UUID, content: str, *, owner: UUID) -> ChangeResult:
    if get_memory(memory_id, owner=owner).content == content:
        return curation.confirm_memories([memory_id], owner=owner, actor=PERSON)
    return curation.rewrite_memory(memory_id, content, owner=owner, actor=PERSON)


def _answer(request: HttpRequest) -> HttpResponse:
    if request.headers.get("HX-Request"):
        return render(
            request, "memories/inbox/_changed.html", {"inbox": load_inbox(owner=get_owner(request))}
        )
    return redirect(get_return_url(request, reverse("inbox")))

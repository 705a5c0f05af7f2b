"""Change the selected memories of the list: keep, forget, pin, tag, change the kind. Undo any change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from memories import curation
from memories.curation import bulk
from memories.curation.bulk import BulkResult
from memories.pages.acts import PERSON, undo_url
from memories.pages.listing.list_page import BULK_KINDS, render_results
from memories.pages.listing.list_query import PAGE_SIZE, ListQuery, parse_tags
from memories.pages.listing.selection import Selection
from memsite.errors import InvalidInput
from memsite.rest.pagination import MAX_PAGE_SIZE
from memsite.web.requests import get_owner, get_return_url, notify

Act = Callable[[list[UUID], QueryDict, UUID], BulkResult]


@login_required
@require_POST
def change_selected(request: HttpRequest, act: str) -> HttpResponse:
    """Apply an act to the selected memories, as one batch that can be undone."""
    owner = get_owner(request)
    ids = Selection.of(request.POST).list_ids(owner=owner)
    announce(request, act, ACTS[act](ids, request.POST, owner))
    return _show_results(request)


@login_required
@require_POST
def undo_batch(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """Undo a whole batch. Answer the list with its new content, and other pages with a redirect back."""
    changed = curation.undo_batch(batch_id, owner=get_owner(request), actor=PERSON)
    left = len(changed.left_out)
    but = ngettext(
        "Undone, but for %d memory that was changed since.",
        "Undone, but for %d memories that were changed since.",
        left,
    )
    notify(request, but % left if left else _("Undone."))
    return _show_results(request, more=len(changed.memories))


def _show_results(request: HttpRequest, *, more: int = 0) -> HttpResponse:
    """Show the list with as many cards as before and so many more, or lead back to where the form was."""
    if request.headers.get("HX-Target") != "results":
        return redirect(get_return_url(request, reverse("memories")))
    query = ListQuery.of(QueryDict(request.POST.get("filter", "").removeprefix("?")))
    return render_results(request, query, size=_parse_size(request.POST.get("loaded", ""), more))


def announce(request: HttpRequest, act: str, result: BulkResult) -> None:
    """Show a notice about what was done, and how many memories stay as they were."""
    text = _describe(act, result.count)
    if result.left_out:
        text += " " + (
            ngettext("%d stays as it is.", "%d stay as they are.", result.left_out) % result.left_out
        )
    notify(request, text, undo_url=undo_url(result.batch_id) if result.batch_id else "")


def _describe(act: str, count: int) -> str:
    if not count:
        return _("Nothing was changed.")
    texts = {
        "keep": ngettext("%d memory kept.", "%d memories kept.", count),
        "forget": ngettext("%d memory forgotten.", "%d memories forgotten.", count),
        "reject": ngettext("%d memory rejected.", "%d memories rejected.", count),
        "pin": ngettext("%d memory pinned.", "%d memories pinned.", count),
        "unpin": ngettext("%d memory no longer pinned.", "%d memories no longer pinned.", count),
        "kind": ngettext("The kind of %d memory changed.", "The kind of %d memories changed.", count),
        "tag": ngettext("%d memory tagged.", "%d memories tagged.", count),
        "untag": ngettext("The tags of %d memory removed.", "The tags of %d memories removed.", count),
    }
    return texts[act] % count


def _keep(ids: list[UUID], _posted: QueryDict, owner: UUID) -> BulkResult:
    return bulk.keep_many(ids, owner=owner, actor=PERSON)


def _forget(ids: list[UUID], _posted: QueryDict, owner: UUID) -> BulkResult:
    return bulk.forget_many(ids, owner=owner, actor=PERSON)


def _pin(ids: list[UUID], _posted: QueryDict, owner: UUID, *, pinned: bool) -> BulkResult:
    return bulk.pin_many(ids, owner=owner, actor=PERSON, pinned=pinned)


def _change_kind(ids: list[UUID], posted: QueryDict, owner: UUID) -> BulkResult:
    kind = posted.get("to_kind", "")
    if kind not in BULK_KINDS:
        raise InvalidInput(_("Choose a kind."), {"to_kind": "unknown"})
    return bulk.change_kind_of_many(ids, kind, owner=owner, actor=PERSON)


def _tag(ids: list[UUID], posted: QueryDict, owner: UUID, *, remove: bool) -> BulkResult:
    tags = parse_tags(posted.getlist("tags"))
    if not tags:
        raise InvalidInput(_("Write a tag first."), {"tags": "none"})
    given = {"remove": tags} if remove else {"add": tags}
    return bulk.tag_many(ids, **given, owner=owner, actor=PERSON)


#: Name of an act in URLs → the act.
ACTS: Final[Mapping[str, Act]] = {
    "keep": _keep,
    "forget": _forget,
    "reject": _forget,
    "pin": partial(_pin, pinned=True),
    "unpin": partial(_pin, pinned=False),
    "kind": _change_kind,
    "tag": partial(_tag, remove=False),
    "untag": partial(_tag, remove=True),
}


def _parse_size(text: str, more: int) -> int:
    """Return how many cards to show: as many as the page has, which the text says, and so many more."""
    loaded = int(text) if text.isascii() and text.isdigit() else 0
    return min(MAX_PAGE_SIZE, max(PAGE_SIZE, loaded + more))

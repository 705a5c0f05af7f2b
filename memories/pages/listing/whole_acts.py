"""Merge the selected memories, or erase them for good. Both show first what will happen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from memories import curation
from memories.curation import ChangeResult, erasing
from memories.models import Memory
from memories.pages.acts import PERSON, undo_url
from memories.pages.acts.forms import ClearForm, MergeForm
from memories.pages.listing.selection import Selection
from memories.storage import get_memories
from memsite.accounts.models import User
from memsite.errors import Conflict, InvalidInput, MemsiteError, RefusedByGate
from memsite.web.requests import get_owner, get_return_url, notify

#: The most memories that become one.
MOST_MERGED: Final = 50
#: How many of the memories to be erased are shown.
_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class MergePreview:
    """The preview of a merge.

    Attributes:
        text: The text; a person may change it.
        note: Why a person must write the text, or why these cannot be merged; empty if neither.
        is_possible: Whether they can be merged at all.
    """

    text: str
    note: str = ""
    is_possible: bool = True


@login_required
@never_cache
@require_POST
def merge_selected(request: HttpRequest) -> HttpResponse:
    """Show the text of the merged memory; once it is posted as `content`, merge."""
    owner = get_owner(request)
    memories = _load_parts(Selection.of(request.POST).list_ids(owner=owner), owner=owner)
    preview = _preview(memories)
    form = MergeForm(request.POST if "content" in request.POST else None, initial={"content": preview.text})
    if form.is_valid() and (changed := _merge(form, memories, owner=owner)):
        notify(request, _("Merged."), undo_url=undo_url(changed.batch_id))
        return redirect(get_return_url(request, reverse("memory", args=[changed.memories[0].pk])))
    facts = {
        "memories": memories,
        "preview": preview,
        "form": form,
        "next": get_return_url(request, reverse("memories")),
    }
    return render(request, "memories/listing/merge.html", facts, status=422 if form.errors else 200)


@login_required
@never_cache
@require_POST
def erase_selected(request: HttpRequest) -> HttpResponse:
    """Ask for the person's user name; once it is typed, erase the selected memories and show the receipt."""
    user = cast("User", request.user)
    selection = Selection.of(request.POST)
    ids = selection.list_ids(owner=user.pk)
    form = ClearForm(request.POST if "name" in request.POST else None, expected=user.username)
    if form.is_valid():
        receipt = erasing.erase_memories(ids, owner=user.pk, actor=PERSON)
        return render(request, "memories/acts/erased.html", {"receipt": receipt})
    shown = get_memories(ids[:_SHOWN], owner=user.pk)
    facts = {
        "form": form,
        "selection": selection,
        "count": len(ids),
        "memories": shown,
        "more": len(ids) - len(shown),
    }
    return render(request, "memories/listing/erase_many.html", facts, status=422 if form.errors else 200)


def _load_parts(ids: Sequence[UUID], *, owner: UUID) -> list[Memory]:
    if len(ids) > MOST_MERGED:
        raise InvalidInput("At most 50 memories become one.", {"ids": "too many"})
    return get_memories(ids, owner=owner)


def _preview(memories: Sequence[Memory]) -> MergePreview:
    try:
        return MergePreview(curation.join_memories(memories))
    except Conflict as error:
        if not all(memory.is_active for memory in memories):
            return MergePreview("", _(error.message), is_possible=False)
        lines = "\n".join(dict.fromkeys(memory.content for memory in memories))
        return MergePreview(lines, _("They do not say quite the same. Write what the one memory should say."))
    except InvalidInput as error:
        return MergePreview("", _(error.message), is_possible=False)


def _merge(form: MergeForm, memories: Sequence[Memory], *, owner: UUID) -> ChangeResult | None:
    ids, content = [memory.pk for memory in memories], form.cleaned_data["content"]
    try:
        return curation.merge_memories(ids, content=content, owner=owner, actor=PERSON)
    except (Conflict, InvalidInput, RefusedByGate) as error:
        form.add_error(None, _(cast("MemsiteError", error).message))
        return None

"""Edit a memory: a new text writes a successor, other fields change in place."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memories import curation
from memories.curation import ChangeResult
from memories.pages.acts import PERSON, undo_url
from memories.pages.acts.forms import EditForm
from memories.storage import get_memory
from memsite.errors import MemsiteError
from memsite.web.requests import get_owner, keep_typed, notify, take_typed


@keep_typed
@require_http_methods(["GET", "HEAD", "POST"])
def edit_memory(request: HttpRequest, memory_id: UUID) -> HttpResponse:
    """Show and process the form of one memory."""
    memory = get_memory(memory_id, owner=get_owner(request))
    form = EditForm(request.POST or None, memory=memory, typed=take_typed(request))
    if form.is_valid() and not form.changed_data:
        return redirect("memory", memory_id)
    if form.is_valid() and (changed := _save(form, owner=get_owner(request))):
        notify(request, _("Saved."), undo_url=undo_url(changed.batch_id))
        return redirect("memory", changed.memories[0].pk)
    return render(
        request,
        "memories/acts/edit.html",
        {"form": form, "memory": memory},
        status=422 if form.errors else 200,
    )


def _save(form: EditForm, *, owner: UUID) -> ChangeResult | None:
    memory_id, changes = form.memory.pk, form.changes()
    try:
        if form.content_changed():
            content = form.cleaned_data["content"]
            return curation.rewrite_memory(memory_id, content, changes, owner=owner, actor=PERSON)
        return curation.edit_memory(memory_id, changes, owner=owner, actor=PERSON)
    except MemsiteError as error:
        form.add_error(None, _(error.message))
        return None

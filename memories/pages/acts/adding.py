"""Add a memory by hand."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memories.pages.acts import PERSON, undo_url
from memories.pages.acts.forms import AddForm
from memories.values import Action
from memories.writing import WriteOutcome, write_candidates
from memsite.errors import MemsiteError
from memsite.web.requests import get_owner, get_return_url, keep_typed, notify, take_typed


@keep_typed
@require_http_methods(["GET", "HEAD", "POST"])
def add_memory(request: HttpRequest) -> HttpResponse:
    """Show and process the form. Errors, and a refusal by the gate, are shown beside it."""
    form = AddForm(request.POST or None, initial=take_typed(request))
    if form.is_valid() and _remember(request, form, owner=get_owner(request)):
        return redirect(get_return_url(request, reverse("memories")))
    return render(request, "memories/acts/add.html", {"form": form}, status=422 if form.errors else 200)


def _remember(request: HttpRequest, form: AddForm, *, owner: UUID) -> bool:
    try:
        written = write_candidates([form.candidate()], owner=owner, actor=PERSON)
    except MemsiteError as error:
        form.add_error(None, _(error.message))
        return False
    outcome = written.outcomes[0]
    if outcome.memory is None:
        form.add_error("content", _("This was not kept: %(reason)s") % {"reason": _(outcome.reason)})
        return False
    notify(request, describe_outcome(outcome), undo_url=undo_url(written.batch_id))
    return True


def describe_outcome(outcome: WriteOutcome) -> str:
    """Return what a write did, for the person who asked for it."""
    return {
        Action.STRENGTHENED: _("You had that already; it counts for more now."),
        Action.KNOWN: _("You had that already."),
        Action.SUPERSEDED: _("Remembered; what it replaces is kept as past."),
        Action.DISPUTED: _("Remembered, but another memory says otherwise."),
        Action.PENDING: _("It waits for your decision: you had forgotten the same before."),
        Action.RESTORED: _("It was forgotten, and is back."),
    }.get(outcome.action, _("Remembered."))

"""Pages of an import: choose a file, preview it, begin, follow, undo."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memsite.accounts.audit import record_own
from memsite.accounts.models import User
from memsite.errors import Conflict, InvalidInput, NotAllowed, TooLarge
from memsite.web.requests import get_owner, notify
from porting import importing
from porting.models import Import, ImportStatus
from porting.pages.forms import ImportForm
from porting.pages.labels import describe_import

PERSON = "person"


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest) -> HttpResponse:
    """Accept files or pasted lines, and redirect to their preview."""
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if form.is_bound and form.is_valid() and (row := _begin(form, get_owner(request))):
        return redirect("import", row.pk)
    return render(request, "porting/begin.html", {"form": form}, status=400 if form.errors else 200)


@login_required
@never_cache
@require_safe
def show(request: HttpRequest, import_id: UUID) -> HttpResponse:
    """Show what an import will bring, how far it is, or what it has brought."""
    row = importing.get_import(import_id, owner=get_owner(request))
    facts = {
        "line": describe_import(row),
        "row": row,
        "preview": row.preview,
        "period": [parse_datetime(row.preview.get(end) or "") for end in ("earliest", "latest")],
    }
    return render(request, "porting/import.html", facts)


@login_required
@require_POST
def start(request: HttpRequest, import_id: UUID) -> HttpResponse:
    """Begin an import that waits."""
    owner = cast("User", request.user)
    row = importing.get_import(import_id, owner=owner.pk)
    try:
        importing.start_import(row.pk, owner=owner.pk)
    except (Conflict, NotAllowed) as error:
        notify(request, _(error.message))
    else:
        record_own(request, owner, "import", row.format)
    return redirect("import", import_id)


@login_required
@require_POST
def cancel(request: HttpRequest, import_id: UUID) -> HttpResponse:
    """Discard an import that waits, or stop one."""
    owner = get_owner(request)
    has_begun = importing.get_import(import_id, owner=owner).status != ImportStatus.WAITING
    try:
        importing.cancel_import(import_id, owner=owner)
    except Conflict as error:
        notify(request, _(error.message))
    return redirect("import", import_id) if has_begun else redirect("data")


@login_required
@require_POST
def undo(request: HttpRequest, import_id: UUID) -> HttpResponse:
    """Undo an import."""
    try:
        row = importing.undo_import(import_id, owner=get_owner(request))
    except Conflict as error:
        notify(request, _(error.message))
    else:
        done = row.status == ImportStatus.UNDONE
        notify(
            request,
            _("The import is undone.") if done else _("The import is being undone. This takes a while."),
        )
    return redirect("import", import_id)


def _begin(form: ImportForm, owner: UUID) -> Import | None:
    """Return the import of a valid form; None if it is refused, with the reason in the form."""
    try:
        return importing.begin_import(form.list_uploads(), form.get_options(), owner=owner, actor=PERSON)
    except (InvalidInput, NotAllowed, TooLarge) as error:
        form.add_error("file" if form.cleaned_data["file"] else "text", _(error.message))
        return None

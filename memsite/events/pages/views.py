"""Pages of webhooks: add one, see what it was sent, test it, switch it off, remove it."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memsite.errors import Conflict, InvalidInput
from memsite.events import webhooks
from memsite.events.models import Webhook, WebhookDelivery
from memsite.events.pages.forms import WebhookForm
from memsite.events.pages.labels import describe_delivery, describe_webhook
from memsite.events.types import DeliveryStatus
from memsite.rest.pagination import PageQuery, paginate
from memsite.rest.parsing import read_query_values
from memsite.web.requests import get_owner, notify

#: A delivery that is due so soon is waited for.
_SOON = timedelta(seconds=10)


@login_required
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]  # allauth has no types
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest) -> HttpResponse:
    """Show the form, or add a webhook. Its secret is shown only in the answer to this POST."""
    form = WebhookForm(request.POST or None)
    if form.is_bound and form.is_valid() and (added := _add(form, get_owner(request))):
        row, secret = added
        webhooks.record_act(request, "add webhook", [row.pk])
        return _show(request, row, secret=secret)
    return render(request, "events/add.html", {"form": form}, status=400 if form.errors else 200)


@login_required
@never_cache
@require_safe
def show(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """Show a webhook and what it was sent."""
    return _show(request, webhooks.get_webhook(webhook_id, owner=get_owner(request)))


@login_required
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]  # allauth has no types
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def renew_secret(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """Make a new secret, which is shown only in the answer to this POST."""
    owner = get_owner(request)
    if request.method != "POST":
        return redirect("webhook", webhooks.get_webhook(webhook_id, owner=owner).pk)
    row, secret = webhooks.rotate_secret(webhook_id, owner=owner)
    webhooks.record_act(request, "renew webhook secret", [row.pk])
    return _show(request, row, secret=secret)


@login_required
@require_POST
def test(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """Send a test."""
    webhooks.add_test(webhook_id, owner=get_owner(request))
    return redirect("webhook", webhook_id)


@login_required
@require_POST
def switch(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """Switch a webhook on or off."""
    changes = webhooks.Changes(enabled=request.POST.get("enabled") == "on")
    row = webhooks.change_webhook(webhook_id, changes, owner=get_owner(request))
    webhooks.record_act(request, "change webhook", [row.pk])
    notify(request, _("The webhook is on.") if row.is_on else _("The webhook is off."))
    return redirect("webhook", webhook_id)


@login_required
@require_POST
def remove(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """Delete a webhook with its deliveries."""
    removed = webhooks.remove_webhook(webhook_id, owner=get_owner(request))
    webhooks.record_act(request, "remove webhook", [removed])
    notify(request, _("The webhook was deleted."))
    return redirect("programs")


@login_required
@require_POST
def retry(request: HttpRequest, webhook_id: UUID, delivery_id: UUID) -> HttpResponse:
    """Try a delivery again now."""
    try:
        webhooks.retry_delivery(webhook_id, delivery_id, owner=get_owner(request))
    except Conflict as error:
        notify(request, _(error.message), level=messages.ERROR)
    return redirect("webhook", webhook_id)


def _add(form: WebhookForm, owner: UUID) -> tuple[Webhook, str] | None:
    """Return the new webhook and its secret; None with an error in the form if it is refused."""
    given = form.cleaned_data
    try:
        return webhooks.add_webhook(given["url"], form.list_types(), form.payload, owner=owner)
    except (Conflict, InvalidInput) as error:
        form.add_error("url", _(error.message))
    return None


def _show(request: HttpRequest, row: Webhook, *, secret: str = "") -> HttpResponse:
    query = PageQuery.model_validate({} if secret else read_query_values(request.GET))
    rows = webhooks.list_deliveries(row.pk, owner=get_owner(request))
    page = paginate(rows, query, {"created_at": "created_at"})
    facts = {
        "line": describe_webhook(row),
        "row": row,
        "secret": secret,
        "deliveries": [describe_delivery(one) for one in page.rows],
        "page": page,
        "is_waiting": any(_is_soon(one) for one in page.rows),
    }
    return render(request, "events/webhook.html", facts)


def _is_soon(row: WebhookDelivery) -> bool:
    return row.status == DeliveryStatus.PENDING and row.next_attempt_at < timezone.now() + _SOON

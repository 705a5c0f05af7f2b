"""Shared parts of the pages' views: the person of a request, what they typed, where to return to, notices."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from memsite.errors import NotAuthenticated


def get_owner(request: HttpRequest) -> UUID:
    """Return the id of the signed-in person. Raises NotAuthenticated if nobody is signed in."""
    owner = request.user.pk
    if owner is None:
        raise NotAuthenticated("Please sign in.")
    return owner


View = Callable[..., HttpResponseBase]
_TYPED: Final = "typed"
#: Seconds within which a form that was posted while signed out is filled in again.
_TYPED_FOR: Final = 3_600
#: Characters of such a form.
_MOST_TYPED: Final = 100_000


def keep_typed(view: View, page: str = "") -> View:
    """Ask visitors to sign in, like `login_required`, and keep a form that they posted until then.

    Args:
        view: The view of the form.
        page: Name of the page that shows the form, if it is another one; it has the view's `thread_id`.
    """

    @wraps(view)
    def answer(request: HttpRequest, *arguments: Any, **keywords: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *arguments, **keywords)
        shown = reverse(page, args=[keywords["thread_id"]]) if page else request.get_full_path()
        if request.method == "POST" and request.accepts("text/html"):
            _keep(request, shown.partition("?")[0])
        to_sign_in = redirect_to_login(shown)
        if request.headers.get("HX-Request"):
            return HttpResponse(headers={"HX-Redirect": to_sign_in["Location"]})
        return to_sign_in

    return answer


def take_typed(request: HttpRequest) -> dict[str, Any]:
    """Return the fields of a form of this page that was posted while signed out; empty if there is none."""
    kept = request.session.get(_TYPED)
    if request.method != "GET" or kept is None or kept["path"] != request.path:
        return {}
    del request.session[_TYPED]
    fields: dict[str, Any] = kept["fields"]
    return fields if time.time() - kept["at"] < _TYPED_FOR else {}


def _keep(request: HttpRequest, path: str) -> None:
    fields = {name: text for name, text in request.POST.items() if name != "csrfmiddlewaretoken"}
    if sum(map(len, fields.values())) <= _MOST_TYPED:
        request.session[_TYPED] = {"path": path, "fields": fields, "at": time.time()}


def get_return_url(request: HttpRequest, default: str) -> str:
    """Return the posted `next` if it is a URL of this site, else `default`."""
    target = request.POST.get("next", "")
    secure = request.is_secure()
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=secure)
    return target if target and safe else default


_UNDO: Final = "undo="


def notify(request: HttpRequest, text: str, *, undo_url: str = "", level: int = messages.SUCCESS) -> None:
    """Show a notice once.

    Args:
        request: The person's request.
        text: The notice.
        undo_url: URL at which a POST undoes the change; "" for none.
        level: Level of Django's messages.
    """
    messages.add_message(request, level, text, extra_tags=f"{_UNDO}{undo_url}" if undo_url else "")


def undo_url_of(extra_tags: str) -> str:
    """Return the undo URL of a message, or ""."""
    return extra_tags.removeprefix(_UNDO) if extra_tags.startswith(_UNDO) else ""

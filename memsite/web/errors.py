"""What is seen when something is wrong: a page, or for htmx a notice; for programs the one JSON shape."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Final

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import get_language_from_request, gettext_lazy, override
from django.utils.translation import gettext as _

from memsite.errors import InvalidInput, MemsiteError, NotAllowed, NotFound, Unavailable
from memsite.web.layout import theme_of

_PROGRAMS: Final = ("/api/", "/v1/", "/mcp")
#: Fields that nobody typed to be read: passwords, codes, and what the page itself put into the form.
_HIDDEN: Final = re.compile(r"(?i)csrf|password|secret|code|^next$|^_|_id$|^id$")
_TITLES: Final[dict[int, Promise]] = {
    400: gettext_lazy("That could not be read"),
    401: gettext_lazy("Please sign in"),
    403: gettext_lazy("Not allowed"),
    404: gettext_lazy("There is nothing here"),
    408: gettext_lazy("Too slow"),
    409: gettext_lazy("It has changed meanwhile"),
    413: gettext_lazy("Too large"),
    422: gettext_lazy("This was not kept"),
    429: gettext_lazy("A little too fast"),
    500: gettext_lazy("Something broke"),
    503: gettext_lazy("Back in a moment"),
}


class ErrorPageMiddleware:
    """Answer an error of `memsite.errors`, or a database away, that a page view let through."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """None hands a bug on to Django, which logs it and asks `server_error`."""
        known = translated(exception)
        return None if known is None else answer(request, known)


def translated(exception: BaseException | None) -> MemsiteError | None:
    """The error of our tree that this is, if it is one a person may be told about."""
    if isinstance(exception, MemsiteError):
        return exception
    if isinstance(exception, (OperationalError, InterfaceError)):
        said = _("The database does not answer. What was saved is safe; please try again shortly.")
        return Unavailable(said)
    return None


def is_for_programs(path: str) -> bool:
    """Whether answers at this path are read by programs, in JSON."""
    return path.startswith(_PROGRAMS)


def bare_page(request: HttpRequest, error: MemsiteError) -> str:
    """The error as a page that needs neither the person nor the database, in the browser's language."""
    with override(get_language_from_request(request)):
        facts = {
            "title": _TITLES.get(error.status, _TITLES[500]),
            "message": _(error.message),
            "status": error.status,
            "theme": theme_of(request),
        }
        return render_to_string("errors/bare.html", facts)


def answer(request: HttpRequest, error: MemsiteError) -> HttpResponse:
    """The error as this caller can read it, with its status."""
    if is_for_programs(request.path):
        return JsonResponse(error.as_json(), status=error.status)
    facts = {
        "title": _TITLES.get(error.status, _TITLES[500]),
        "message": _(error.message),
        "status": error.status,
    }
    if request.headers.get("HX-Request"):
        return _notice(facts, error.status)
    if error.status >= Unavailable.status or type(error) is MemsiteError:
        # Without the request: its user and messages may be what cannot be loaded.
        facts["theme"] = theme_of(request)
        return HttpResponse(render_to_string("errors/bare.html", facts), status=error.status)
    return render(request, "errors/page.html", facts, status=error.status)


def _notice(facts: dict[str, object], status: int) -> HttpResponse:
    response = HttpResponse(render_to_string("errors/_notice.html", facts), status=status)
    response["HX-Retarget"] = "#notices"
    response["HX-Reswap"] = "beforeend"
    response["HX-Push-Url"] = "false"
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """handler400"""
    return answer(request, InvalidInput(_("The request could not be understood.")))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """handler403"""
    return answer(request, NotAllowed(_("This is not for your account.")))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """handler404"""
    return answer(request, NotFound(_("No page has this address, or it is not yours to see.")))


def server_error(request: HttpRequest) -> HttpResponse:
    """handler500. A database that went away outside of any view ends here too, and is no bug."""
    known = translated(sys.exc_info()[1])
    return answer(request, known or MemsiteError(_("The error has been noted. Please try again.")))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django's signature
    """CSRF_FAILURE_VIEW. Gives back what was typed: signing in again in another tab makes a form stale.

    The text is shown to be copied and not sent on: another site may have made the form.
    """
    if request.path.startswith(_PROGRAMS) or request.headers.get("HX-Request"):
        said = _("This form has gone stale. Copy what you typed, reload the page and send it again.")
        return answer(request, NotAllowed(said))
    facts = {
        "title": _TITLES[NotAllowed.status],
        "message": _("This form has gone stale. Reload the page and send it again."),
        "status": NotAllowed.status,
        "typed": [text for name, text in _posted(request) if text.strip() and not _HIDDEN.search(name)],
    }
    return render(request, "errors/stale_form.html", facts, status=NotAllowed.status)


def _posted(request: HttpRequest) -> list[tuple[str, str]]:
    return [(name, text) for name, texts in request.POST.lists() for text in texts]

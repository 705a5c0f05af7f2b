"""Error answers: a page, for htmx a notice, for programs JSON."""

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

from memsite.errors import InvalidInput, MemsiteError, NotAllowed, NotFound, TooManyRequests, Unavailable
from memsite.serving.postgres import is_disk_full
from memsite.web.layout import get_theme

_PROGRAMS: Final = (
    *("/api/", "/v1/", "/mcp", "/.well-known/"),
    *("/oauth/token", "/oauth/revoke", "/oauth/register"),
)
#: Fields that hold no readable text: passwords, codes, and values that the page itself put into the form.
_HIDDEN: Final = re.compile(r"(?i)csrf|password|secret|code|^next$|^_|_id$|^id$")
#: Seconds after which the limits of allauth let somebody try again, nearly always.
_WAIT: Final = 60
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
    """Answer errors of `memsite.errors`, and a lost database, that a page view did not catch."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer an error. None passes a bug on to Django, which logs it and calls `server_error`."""
        translated = translate_for_people(exception)
        return None if translated is None else answer_error(request, translated)


def translate_for_people(exception: BaseException | None) -> MemsiteError | None:
    """Return the error as one that may be shown to people; None for a bug."""
    if isinstance(exception, MemsiteError):
        return exception
    if isinstance(exception, (OperationalError, InterfaceError)):
        if is_disk_full(exception):
            message = _(
                "The disk of this site is full, so nothing can be saved. Whoever runs it has to free space."
            )
            return Unavailable(message)
        message = _("The database does not answer. What was saved is safe; please try again shortly.")
        return Unavailable(message)
    return None


def is_for_programs(path: str) -> bool:
    """Return whether programs read the answers of this path, in JSON."""
    return path.startswith(_PROGRAMS)


def render_bare_page(request: HttpRequest, error: MemsiteError) -> str:
    """Return an error page that needs neither the person nor the database, in the browser's language."""
    with override(get_language_from_request(request)):
        facts = {
            "title": _TITLES.get(error.status, _TITLES[500]),
            "message": _(error.message),
            "status": error.status,
            "theme": get_theme(request),
        }
        return render_to_string("errors/bare.html", facts)


def answer_error(request: HttpRequest, error: MemsiteError) -> HttpResponse:
    """Return the error in the format of this caller, with its status."""
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
        # Without the request, because its user and messages may be what cannot be loaded.
        facts["theme"] = get_theme(request)
        return HttpResponse(render_to_string("errors/bare.html", facts), status=error.status)
    return render(request, "errors/page.html", facts, status=error.status)


def _notice(facts: dict[str, object], status: int) -> HttpResponse:
    response = HttpResponse(render_to_string("errors/_notice.html", facts), status=status)
    response["HX-Retarget"] = "#notices"
    response["HX-Reswap"] = "beforeend"
    response["HX-Push-Url"] = "false"
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """Answer a bad request (handler400)."""
    return answer_error(request, InvalidInput(_("The request could not be understood.")))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """Answer a forbidden request (handler403)."""
    return answer_error(request, NotAllowed(_("This is not for your account.")))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """Answer a request for an unknown page (handler404)."""
    return answer_error(request, NotFound(_("No page has this address, or it is not yours to see.")))


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a bug (handler500), or a database that was lost outside of any view, which is not a bug."""
    translated = translate_for_people(sys.exc_info()[1])
    return answer_error(request, translated or MemsiteError(_("The error has been noted. Please try again.")))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django's signature
    """Answer a failed CSRF check (CSRF_FAILURE_VIEW) and show the text that was typed.

    A form becomes stale when the person signs in again in another tab. The text is shown to be copied and is
    not submitted, because another site may have made the form.
    """
    if request.path.startswith(_PROGRAMS) or request.headers.get("HX-Request"):
        message = _("This form has gone stale. Copy what you typed, reload the page and send it again.")
        return answer_error(request, NotAllowed(message))
    return _give_back(request, NotAllowed(_("This form has gone stale. Reload the page and send it again.")))


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """Answer too many tries to sign in, to sign up or to reset a password, and show what was typed."""
    message = _("Too many tries from here. Please wait a minute, then try again.")
    error = TooManyRequests(message, _WAIT)
    if request.headers.get("HX-Request"):
        response = answer_error(request, error)
    else:
        response = _give_back(request, error)
    response["Retry-After"] = str(error.retry_after)
    return response


def _give_back(request: HttpRequest, error: MemsiteError) -> HttpResponse:
    """Return the page of an error with the text of the form that it refused."""
    facts = {
        "title": _TITLES[error.status],
        "message": error.message,
        "status": error.status,
        "typed": [text for name, text in _posted(request) if text.strip() and not _HIDDEN.search(name)],
    }
    return render(request, "errors/refused_form.html", facts, status=error.status)


def _posted(request: HttpRequest) -> list[tuple[str, str]]:
    return [(name, text) for name, texts in request.POST.lists() for text in texts]

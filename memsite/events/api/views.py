"""The view of the event log: a stream of server-sent events, or a page of JSON."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memsite.errors import InvalidInput, NotAuthenticated
from memsite.events.api import schema
from memsite.events.claims import claim_stream
from memsite.events.reading import (
    LoggedEvent,
    Subject,
    get_log_state,
    load_events,
    make_reset,
    render_event,
)
from memsite.events.stream import RETRY, Admission, OpenStream, StreamStart
from memsite.events.types import RESET, select_types
from memsite.events.watching import watch
from memsite.rest.downloads import AnyAcceptedType
from memsite.rest.openapi import describe_query
from memsite.rest.views import ApiView, get_owner, parse_query
from memsite.serving.streaming import (
    EVENT_STREAM,
    MAY_GO_ON,
    EventStreamResponse,
    encode_event,
    open_streams,
)

_LAST_EVENT_ID: Final = "Last-Event-ID"


class EventsView(ApiView):
    content_negotiation_class = AnyAcceptedType  # `Accept: text/event-stream`; errors are JSON
    http_method_names = ("get", "options")  # a HEAD would wait for the end of a stream

    @extend_schema(
        operation_id="read_events",
        summary="Read events",
        parameters=[
            *describe_query(schema.EventsQuery),
            OpenApiParameter(_LAST_EVENT_ID, int, OpenApiParameter.HEADER, description="Where to resume."),
        ],
        responses={(200, EVENT_STREAM): schema.EventOut, (200, "application/json"): schema.EventsOut},
    )
    def get(self, request: Request) -> Any:  # noqa: ANN401 - DRF's or Django's response
        """Stream the events that follow, or return those after a number with `wait=0`."""
        query = parse_query(schema.EventsQuery, request)
        subject = _get_subject(query, request)
        types = select_types(query.patterns)
        after = _get_position(query, request)
        if not query.wait:
            return Response(_load_page(subject, after, types))
        if MAY_GO_ON not in request.META:
            return Response(status=204)  # this server holds no stream open; tells browsers to stop trying
        place = open_streams.take_place(settings.MEMSITE_EVENT_STREAMS)
        claim = claim_stream(_name_holder(request))
        watch(subject)
        start = _begin(subject, after, types)
        admission = Admission(place, claim, lambda: _check_caller(self, request))
        return EventStreamResponse(OpenStream(start, admission, _encode))


def _get_subject(query: schema.EventsQuery, request: Request) -> Subject:
    if query.users != "all":
        return Subject(get_owner(request))
    application = getattr(request.auth, "application_id", None)
    if application is None or "Memsite-User" in request.headers:
        message = "users=all takes the key of an application, without Memsite-User."
        raise InvalidInput(message, {"users": "not an application"})
    return Subject(application, is_application=True)


def _get_position(query: schema.EventsQuery, request: Request) -> int | None:
    """Return the number after which to read; None if the caller gave none. -1 is in no log."""
    header = request.headers.get(_LAST_EVENT_ID, "").strip()
    if not header:
        return query.after
    return int(header) if header.isascii() and header.isdigit() and len(header) < 19 else -1  # noqa: PLR2004 - of a bigint


def _name_holder(request: Request) -> str:
    key = getattr(request.auth, "pk", None)
    return f"key:{key}" if key else f"person:{get_owner(request)}"


def _load_page(subject: Subject, after: int | None, types: list[str] | None) -> dict[str, Any]:
    """Return a page as JSON. Without a position it begins with the oldest event that is kept."""
    state = get_log_state(subject)
    position = state.first - 1 if after is None else after
    if not state.continues(position):
        return {"results": [make_reset(state)], "last": state.last, "more": False}
    page = load_events(subject, position, types)
    return {"results": [render_event(event) for event in page.events], "last": page.last, "more": page.more}


def _begin(subject: Subject, after: int | None, types: list[str] | None) -> StreamStart:
    """Return the start of a stream. Without a position it sends what happens from now on."""
    state = get_log_state(subject)
    position = state.last if after is None else after
    # The id is for a client that is cut off before its first event.
    opening = b"retry: %d\n" % RETRY
    if state.continues(position):
        return StreamStart(subject, position, opening + b"id: %d\n\n" % position, types)
    reset = encode_event(RESET, make_reset(state), state.last)
    return StreamStart(subject, state.last, opening + b"\n" + reset, types)


def _encode(event: LoggedEvent) -> bytes:
    return encode_event(event.type, render_event(event), event.number)


def _check_caller(view: ApiView, request: Request) -> None:
    """Authenticate the caller of an open stream again.

    Raises:
        MemsiteError: If the key or session is not valid any more, or means somebody else.
    """
    plain = request._request  # noqa: SLF001 - what DRF wraps
    plain.session = type(plain.session)(plain.session.session_key)
    plain.user = get_user(plain)
    authenticators: Any = request.authenticators
    again = Request(plain, authenticators=authenticators)
    if again.user is None or again.user.pk != request.user.pk:
        raise NotAuthenticated("The session is another person's now.")
    view.check_permissions(again)

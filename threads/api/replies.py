"""Views of replies: as a whole in JSON, or as server-sent events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.rendering import format_time
from memsite.rest.downloads import AnyAcceptedType
from memsite.rest.views import ApiView, get_owner, parse_body
from memsite.serving.streaming import MAY_GO_ON
from threads.api.rendering import context_json, message_json
from threads.api.shapes import replies as schema
from threads.api.shapes.streaming import EventStream, WholeStream, collect_on_this_thread
from threads.models import Reply
from threads.replies import (
    Begun,
    Delta,
    Ended,
    Piece,
    ReplyOptions,
    ask_question,
    regenerate_reply,
    stop_replies,
)
from threads.storage import get_thread

_EVENTS: Final = "text/event-stream"


class ReplyView(ApiView):
    content_negotiation_class = (
        AnyAcceptedType  # `Accept: text/event-stream` requests events; errors are JSON
    )

    @extend_schema(
        operation_id="reply",
        summary="Say something and get an answer",
        request=schema.ReplyIn,
        responses={(200, "application/json"): schema.ReplyOut, (200, _EVENTS): schema.ReplyEvent},
    )
    def post(self, request: Request, thread_id: str) -> Any:  # noqa: ANN401 - DRF's or Django's response
        """Reply to a message. With `stream` or `Accept: text/event-stream` as events, else as a whole.

        The events are `begun`, `delta` …, `ended`.
        """
        body, owner = parse_body(schema.ReplyIn, request), get_owner(request)
        get_thread(thread_id, owner=owner)
        begin = _beginning(body, thread_id, owner)
        if body.stream or _EVENTS in request.headers.get("Accept", ""):
            return EventStream(begin, _event)
        if MAY_GO_ON in request.META:
            return WholeStream(begin, _whole)
        return Response(_whole(collect_on_this_thread(begin)))


class StopView(ApiView):
    @extend_schema(
        operation_id="stop_reply", summary="Stop a reply", request=schema.StopIn, responses=schema.StoppedOut
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Stop a running reply, or all of the thread, and keep what is written so far."""
        body = parse_body(schema.StopIn, request)
        stopped = stop_replies(thread_id, body.reply, owner=get_owner(request))
        return Response({"results": [_reply_json(reply) for reply in stopped]})


def _beginning(body: schema.ReplyIn, thread_id: str, owner: UUID) -> Callable[[], AsyncIterator[Piece]]:
    options = ReplyOptions(body.max_tokens, body.max_output_tokens, body.temperature)
    if body.input is not None:
        text = body.input
        return lambda: ask_question(thread_id, text, owner=owner, options=options, client_id=body.client_id)
    message = body.regenerate if isinstance(body.regenerate, UUID) else None
    return lambda: regenerate_reply(thread_id, message, owner=owner, options=options)


def _whole(pieces: Sequence[Piece]) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    for piece in pieces:
        if not isinstance(piece, Delta):
            answer |= _event(piece)[1]
    return answer


def _event(piece: Piece) -> tuple[str, dict[str, Any]]:
    if isinstance(piece, Delta):
        return "delta", {"text": piece.text}
    if isinstance(piece, Begun):
        return "begun", _started_json(piece)
    return "ended", _ended_json(piece)


def _started_json(started: Begun) -> dict[str, Any]:
    context = None if started.context is None else context_json(started.context)
    parts = ("token_stats", "metadata", "citations")
    return {
        "reply": _reply_json(started.reply),
        "question": message_json(started.question),
        **{part: context[part] if context else None for part in parts},
    }


def _ended_json(ended: Ended) -> dict[str, Any]:
    return {
        "reply": _reply_json(ended.reply),
        "message": message_json(ended.answer) if ended.answer is not None else None,
    }


def _reply_json(reply: Reply) -> dict[str, Any]:
    return {
        "id": str(reply.pk),
        "status": str(reply.status),
        "source": reply.source,
        "error": reply.error or None,
        "created_at": format_time(reply.created_at),
        "finished_at": format_time(reply.finished_at),
    }

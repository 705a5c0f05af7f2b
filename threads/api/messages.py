"""Views of messages."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.actors import get_actor
from memsite.errors import InvalidInput
from memsite.rest.openapi import describe_query
from memsite.rest.pagination import page_json, paginate
from memsite.rest.parsing import check_characters
from memsite.rest.views import ApiView, get_owner, parse_body, parse_query
from threads.api.rendering import cut_json, message_json, removed_json, whole_content_json
from threads.api.shapes import reading as reading_schema
from threads.api.shapes import threads as schema
from threads.api.shapes.compaction import MessageQuery
from threads.api.shapes.reading import build_selection
from threads.messages import (
    NewMessage,
    Selection,
    append_messages,
    count_selected_messages,
    load_within_budget,
    removal,
)
from threads.storage import get_message, get_thread, list_messages

SORTS: Final = {"position": "depth"}


class MessagesView(ApiView):
    @extend_schema(
        operation_id="list_messages",
        summary="List messages",
        parameters=describe_query(reading_schema.ReadQuery),
        responses=schema.MessagePage,
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """Return the messages of the current branch, oldest first.

        With `max_tokens`, the newest (or oldest) messages that fit are returned in one page.
        """
        query = parse_query(reading_schema.ReadQuery, request)
        thread = get_thread(thread_id, owner=get_owner(request))
        selection = build_selection(thread, query)
        if query.max_tokens is not None:
            return Response(_fitting_json(selection, query, get_owner(request)))
        rows = list_messages(selection.path, selection.filters, owner=get_owner(request))
        return Response(page_json(paginate(rows, query, SORTS), message_json, request))

    @extend_schema(
        operation_id="append_messages",
        summary="Append messages",
        request=schema.AppendIn,
        responses={201: schema.AppendOut, 200: schema.AppendOut},
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Append one message, or {"messages": […]}, all or none.

        The status is 200 if all client_ids were stored already.
        """
        new, is_many = _new_messages(request)
        appended = append_messages(thread_id, new, owner=get_owner(request))
        results = [message_json(message) for message in appended.messages]
        answer = {"results": results} if is_many else results[0]
        return Response(answer, status=201 if appended.new else 200)

    @extend_schema(
        operation_id="clear_messages",
        summary="Clear messages",
        parameters=describe_query(schema.CountQuery),
        responses={200: schema.RemovedOut},
    )
    def delete(self, request: Request, thread_id: str) -> Response:
        """Delete the messages that match, by default all of the current branch."""
        query, owner = parse_query(schema.CountQuery, request), get_owner(request)
        selection = build_selection(get_thread(thread_id, owner=owner), query)
        removed = removal.delete_selection(thread_id, selection, owner=owner, actor=get_actor(request))
        return Response(removed_json(removed))


class CountView(ApiView):
    @extend_schema(
        operation_id="count_messages",
        summary="Count messages",
        parameters=describe_query(reading_schema.CountingQuery),
        responses=reading_schema.CountedOut,
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """Return how many messages match, by default all of the current branch, and their tokens."""
        query, owner = parse_query(reading_schema.CountingQuery, request), get_owner(request)
        selection = build_selection(get_thread(thread_id, owner=owner), query)
        counted = count_selected_messages(selection, query.chosen(), owner=owner)
        return Response(asdict(counted) | {"is_empty": not counted.count, "encoding": query.chosen()})


class MessageView(ApiView):
    @extend_schema(
        operation_id="get_message",
        summary="Get a message",
        parameters=describe_query(MessageQuery),
        responses=schema.MessageOut,
    )
    def get(self, request: Request, thread_id: str, message: str) -> Response:
        """Return a message by its id, or by its index on the current branch.

        With `full=true` it has its original content.
        """
        query, owner = parse_query(MessageQuery, request), get_owner(request)
        row = get_message(get_thread(thread_id, owner=owner), message)
        return Response(whole_content_json(row) if query.full else message_json(row))

    @extend_schema(
        operation_id="change_message",
        summary="Mark a message",
        request=schema.MessagePatch,
        responses=schema.MessageOut,
    )
    def patch(self, request: Request, thread_id: str, message: str) -> Response:
        """Set whether a message is not to be remembered.

        With `do_not_remember` nothing is learnt from it, and what was learnt from it alone is forgotten.
        """
        unwanted = parse_body(schema.MessagePatch, request).do_not_remember
        row, _ = removal.set_do_not_remember(
            thread_id, message, do_not_remember=unwanted, owner=get_owner(request), actor=get_actor(request)
        )
        return Response(message_json(row))

    @extend_schema(
        operation_id="delete_message", summary="Delete a message", responses={200: schema.RemovedOut}
    )
    def delete(self, request: Request, thread_id: str, message: str) -> Response:
        """Delete a message and its tool results. Messages that follow are attached to the one before it."""
        removed = removal.delete_message(
            thread_id, message, owner=get_owner(request), actor=get_actor(request)
        )
        return Response(removed_json(removed))


def _new_messages(request: Request) -> tuple[list[NewMessage], bool]:
    """Return the messages to append, and whether they came as a batch."""
    if isinstance(request.data, dict) and "messages" in request.data:
        check_characters(request.data["messages"])
        return parse_body(schema.MessagesIn, request).messages, True
    return [parse_body(NewMessage, request)], False


def _fitting_json(selection: Selection, query: reading_schema.ReadQuery, owner: UUID) -> dict[str, Any]:
    if query.cursor:
        raise InvalidInput("max_tokens gives one page and takes no cursor.", {"cursor": "beside max_tokens"})
    most = query.page_size if "page_size" in query.model_fields_set else None
    kept = load_within_budget(
        selection,
        query.max_tokens or 0,
        owner=owner,
        most=most,
        strategy=query.strategy,
        encoding=query.chosen(),
    )
    if query.order == "desc":
        kept.reverse()
    return {"results": [cut_json(cut) for cut in kept], "next": None, "previous": None}

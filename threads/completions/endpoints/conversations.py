"""`/v1/conversations`: threads by OpenAI's names, and the items in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from pydantic import ValidationError

from memsite.errors import InvalidInput
from memsite.rest.errors import convert_validation_error
from memsite.serving.postgres import acting_for
from memsite.serving.streaming import run_in_stream_thread
from threads.completions.endpoints.requests import Answer, Request, authenticate
from threads.completions.endpoints.responses import list_items
from threads.completions.identity import is_retry, read_caller
from threads.completions.preparation import Credential
from threads.completions.responses import (
    find_conversation,
    find_item,
    make_item_id,
    read_item_messages,
    render_chat_messages,
    render_message_items,
    resolve_item,
)
from threads.completions.values import encode_json
from threads.messages import NewMessage, append_messages, change_thread, create_thread, removal
from threads.models import Message, Thread
from threads.storage import get_thread, list_messages, load_path

#: Items that one request may add, and that one page may have.
_MOST_ADDED: Final = 20
_MOST_LISTED: Final = 100
_DEFAULT_LISTED: Final = 20
_LIMIT_DIGITS: Final = 10
_ORDERS: Final = ("asc", "desc")
_METADATA: Final = 16
_KEY_CHARACTERS: Final = 64
_VALUE_CHARACTERS: Final = 512

Body = dict[str, Any]
Make = Callable[[UUID], dict[str, Any]]


async def create_conversation(request: Request) -> Answer:
    """Answer `POST /v1/conversations`."""

    def create(body: Body, owner: UUID) -> dict[str, Any]:
        return _create(_read_metadata(body), body.get("items") or [], owner)

    return await _answer_body(request, create)


async def get_conversation(request: Request, conversation: str) -> Answer:
    """Answer `GET /v1/conversations/{id}`."""
    return await _answer(request, "read", lambda owner: _render(find_conversation(conversation, owner=owner)))


async def change_conversation(request: Request, conversation: str) -> Answer:
    """Answer `POST /v1/conversations/{id}`: set the metadata."""
    return await _answer_body(request, lambda body, owner: _change(conversation, _read_metadata(body), owner))


async def delete_conversation(request: Request, conversation: str) -> Answer:
    """Answer `DELETE /v1/conversations/{id}`: the thread is deleted with everything in it."""
    return await _answer(request, "write", partial(_delete, conversation))


async def add_items(request: Request, conversation: str) -> Answer:
    """Answer `POST /v1/conversations/{id}/items`. Items that a client sends again are added once."""
    is_again = is_retry(request.headers)
    return await _answer_body(
        request, lambda body, owner: _add(conversation, body.get("items"), owner, is_again=is_again)
    )


async def get_items(request: Request, conversation: str) -> Answer:
    """Answer `GET /v1/conversations/{id}/items`."""
    return await _answer(request, "read", partial(_list, conversation, request))


async def get_item(request: Request, conversation: str, item: str) -> Answer:
    """Answer `GET /v1/conversations/{id}/items/{item}`."""
    return await _answer(request, "read", partial(_get_item, conversation, item))


async def delete_item(request: Request, conversation: str, item: str) -> Answer:
    """Answer `DELETE /v1/conversations/{id}/items/{item}`."""
    return await _answer(request, "write", partial(_delete_item, conversation, item))


async def _answer(request: Request, scope: str, make: Make) -> Answer:
    return await _answer_for(await authenticate(request, scope), request, make)


async def _answer_body(request: Request, make: Callable[[Body, UUID], dict[str, Any]]) -> Answer:
    """Answer a request that writes. Its body is parsed for somebody who may write, and for nobody else."""
    credential = await authenticate(request, "write")
    return await _answer_for(credential, request, partial(make, await request.read_body()))


async def _answer_for(credential: Credential, request: Request, make: Make) -> Answer:
    def answer() -> Answer:
        owner = read_caller(request.headers, {}, credential=credential.key).owner
        with acting_for(owner):
            return Answer(encode_json(make(owner)), headers={"Memsite-Owner": str(owner)})

    return await run_in_stream_thread(answer)


def _create(metadata: dict[str, str], items: object, owner: UUID) -> dict[str, Any]:
    with transaction.atomic():
        thread = create_thread(owner=owner, metadata=metadata)
        Thread.objects.filter(owner_id=owner, pk=thread.pk).update(resends_history=False)
        _append(thread, _read_items(items, owner))
    return _render(thread)


def _change(conversation: str, metadata: dict[str, str], owner: UUID) -> dict[str, Any]:
    thread = find_conversation(conversation, owner=owner)
    return _render(change_thread(thread.pk, {"metadata": metadata}, owner=owner))


def _delete(conversation: str, owner: UUID) -> dict[str, Any]:
    thread = find_conversation(conversation, owner=owner)
    removal.delete_thread(thread.pk, owner=owner)
    return {"id": conversation, "object": "conversation.deleted", "deleted": True}


def _add(conversation: str, items: object, owner: UUID, *, is_again: bool) -> dict[str, Any]:
    thread = find_conversation(conversation, owner=owner)
    new = _read_items(items, owner)
    with transaction.atomic():
        thread = get_thread(thread.pk, owner=owner, lock=True)  # the first attempt may be underway
        added = _find_newest(thread, new) if is_again else ()
        added = added or _append(thread, new)
    return list_items(_render_items(added, owner), has_more=False)


def _find_newest(thread: Thread, new: Sequence[NewMessage]) -> Sequence[Message]:
    """Return the newest messages of a conversation if they are these; else none."""
    rows = list_messages(load_path(thread.current_branch), owner=thread.owner_id).order_by("-depth")
    newest = list(rows[: len(new)])[::-1]
    stored = [(row.role, row.content, row.tool_calls or None, row.tool_call_id or None) for row in newest]
    given = [(one.role, one.content or "", one.calls_json(), one.tool_call_id) for one in new]
    return newest if stored == given else ()


def _append(thread: Thread, new: Sequence[NewMessage]) -> Sequence[Message]:
    return append_messages(thread.pk, new, owner=thread.owner_id).messages if new else ()


def _read_items(items: object, owner: UUID) -> list[NewMessage]:
    if not isinstance(items, list) or len(items) > _MOST_ADDED:
        raise InvalidInput(f"items is a list of at most {_MOST_ADDED} items.", {"items": "not so many items"})
    messages = read_item_messages(items, lambda item: resolve_item(item, owner=owner))
    try:
        return [NewMessage.model_validate(_make_storable(one)) for one in messages]
    except ValidationError as error:
        raise convert_validation_error(error) from None


def _make_storable(message: dict[str, Any]) -> dict[str, Any]:
    role = "system" if message["role"] == "developer" else message["role"]
    return {**message, "role": role}


def _list(conversation: str, request: Request, owner: UUID) -> dict[str, Any]:
    thread = find_conversation(conversation, owner=owner)
    order, limit = request.query.get("order", "desc"), request.query.get("limit", str(_DEFAULT_LISTED))
    if order not in _ORDERS:
        raise InvalidInput("order is asc or desc.", {"order": "unknown"})
    if not (
        len(limit) < _LIMIT_DIGITS and limit.isascii() and limit.isdigit() and 1 <= int(limit) <= _MOST_LISTED
    ):
        raise InvalidInput(f"limit is a number from 1 to {_MOST_LISTED}.", {"limit": "out of range"})
    rows = list_messages(load_path(thread.current_branch), owner=owner)
    after = request.query.get("after")
    skipped = ""
    if after:
        _, message = find_item(after, owner=owner, thread=thread)
        skipped = after
        rows = rows.filter(**{"depth__lte" if order == "desc" else "depth__gte": message.depth})
    found = list(rows.order_by("-depth" if order == "desc" else "depth")[: int(limit) + _MOST_LISTED])
    items = _render_items(found, owner, is_reversed=order == "desc")
    if skipped:
        places = [place for place, item in enumerate(items) if item["id"] == skipped]
        items = items[places[0] + 1 :] if places else items
    return list_items(items[: int(limit)], has_more=len(items) > int(limit))


def _get_item(conversation: str, item: str, owner: UUID) -> dict[str, Any]:
    thread = find_conversation(conversation, owner=owner)
    identifier, message = find_item(item, owner=owner, thread=thread)
    items = render_message_items(render_chat_messages([message], owner=owner)[0], identifier.row)
    return next((one for one in items if one["id"] == item), items[0])


def _delete_item(conversation: str, item: str, owner: UUID) -> dict[str, Any]:
    thread = find_conversation(conversation, owner=owner)
    _, message = find_item(item, owner=owner, thread=thread)
    removal.delete_message(thread.pk, message.pk, owner=owner)
    return _render(thread)


def _render(thread: Thread) -> dict[str, Any]:
    return {
        "id": make_item_id("conv", thread.pk),
        "object": "conversation",
        "created_at": int(thread.created_at.timestamp()),
        "metadata": thread.metadata or {},
    }


def _render_items(rows: Sequence[Message], owner: UUID, *, is_reversed: bool = False) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    for row, message in zip(rows, render_chat_messages(rows, owner=owner), strict=True):
        rendered = render_message_items(message, row.pk)
        items += reversed(rendered) if is_reversed else rendered
    return items


def _read_metadata(body: dict[str, Any]) -> dict[str, str]:
    metadata = body.get("metadata") or {}
    if not isinstance(metadata, dict) or len(metadata) > _METADATA:
        raise InvalidInput(f"metadata has at most {_METADATA} pairs.", {"metadata": "not so many pairs"})
    for key, value in metadata.items():
        fits = isinstance(value, str) and len(key) <= _KEY_CHARACTERS and len(value) <= _VALUE_CHARACTERS
        if not fits or "\x00" in key + value:
            raise InvalidInput("A pair of metadata is two short texts.", {"metadata": "not a pair"})
    return metadata

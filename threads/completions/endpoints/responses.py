"""`/v1/responses`: OpenAI's Responses, answered by chat completions of the model server."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.conf import settings

from memsite.accounts.models import ApiKey
from memsite.errors import NotFound
from memsite.llm.chat import Usage
from memsite.serving.postgres import acting_for
from memsite.serving.streaming import run_in_stream_thread
from memsite.values import new_id
from threads.completions.endpoints.chat import describe_memory_use, prepare_for_client, read_budget
from threads.completions.endpoints.errors import describe_error
from threads.completions.endpoints.model_list import choose_model
from threads.completions.endpoints.requests import (
    Answer,
    EventAnswer,
    Request,
    authenticate,
)
from threads.completions.identity import is_retry, read_caller
from threads.completions.preparation import ChatRequest, Credential, PreparedRequest
from threads.completions.responses import (
    ResponseOptions,
    ResponseWriter,
    Unsupported,
    find_reply,
    list_client_tools,
    make_item_id,
    place_after_response,
    place_in_conversation,
    read_item_messages,
    read_options,
    render_chat_messages,
    render_message_items,
    render_response,
    resolve_item,
    translate_request,
)
from threads.completions.running import RunningRequest, make_chunk
from threads.completions.values import Placement, encode_json
from threads.messages import removal
from threads.models import Reply, ReplyStatus

_OPENAI: Final = "api.openai.com"


async def create_response(request: Request) -> Answer | EventAnswer:
    """Answer `POST /v1/responses`."""
    credential = await authenticate(request, "write")
    options = read_options(await request.read_body())
    model = await choose_model(options.body.get("model"))
    limit = "max_completion_tokens" if _OPENAI in settings.OPENAI_BASE_URL else "max_tokens"
    fields = translate_request(options, output_limit=limit)
    chat = await run_in_stream_thread(_make_chat, request, options, credential, model, fields)
    running = RunningRequest(await prepare_for_client(chat))
    response = _Response(running, options, model)
    try:
        if options.is_streamed:
            await running.begin()
            return EventAnswer(response.events(), running.end, running.prepared.headers)
        await running.read_whole()
    except BaseException:
        await running.end()
        raise
    described = response.render("completed") | {"memsite": describe_memory_use(running.prepared)}
    return Answer(encode_json(described), headers=running.prepared.headers)


async def get_response(request: Request, response: str) -> Answer:
    """Answer `GET /v1/responses/{id}`."""
    credential = await authenticate(request, "read")
    return await run_in_stream_thread(_answer_for_owner, request, credential, partial(_load, response))


async def delete_response(request: Request, response: str) -> Answer:
    """Answer `DELETE /v1/responses/{id}`: the answer leaves its thread."""
    credential = await authenticate(request, "write")
    return await run_in_stream_thread(_answer_for_owner, request, credential, partial(_delete, response))


async def list_input_items(request: Request, response: str) -> Answer:
    """Answer `GET /v1/responses/{id}/input_items`."""
    credential = await authenticate(request, "read")
    return await run_in_stream_thread(_answer_for_owner, request, credential, partial(_list_input, response))


async def cancel_response(request: Request, response: str) -> Answer:
    """Answer `POST /v1/responses/{id}/cancel`: only responses in the background can be cancelled."""
    credential = await authenticate(request, "write")
    await run_in_stream_thread(_answer_for_owner, request, credential, partial(_load, response))
    raise Unsupported("Only a response in the background can be cancelled.", {"background": "unsupported"})


class _Response:
    """A response that is being written."""

    def __init__(self, running: RunningRequest, options: ResponseOptions, model: str) -> None:
        self._running = running
        self._options = options
        self._model = model
        self._created = int(time.time())
        reply = running.prepared.reply
        # Without `store` nobody can load the response: its id is that of no row.
        self._row: UUID = reply.pk if reply is not None and options.is_stored else new_id()
        self._writer = ResponseWriter(self._row, list_client_tools(options.body))

    async def events(self) -> AsyncGenerator[bytes, None]:
        """Yield the typed events of the response."""
        write = self._writer.write
        yield write("response.created", response=self.render("in_progress"))
        yield write("response.in_progress", response=self.render("in_progress"))
        while (arrived := await self._running.next_events()) is not None:
            for event in arrived:
                if not event.data:
                    yield event.raw
                    continue
                for piece in self._writer.add_chunk(event.data):
                    yield piece
        await self._running.end()
        for piece in self._finish():
            yield piece

    def render(self, status: str) -> dict[str, Any]:
        """Return the response as it is now."""
        collected, prepared = self._running.collected, self._running.prepared
        is_open = status == "in_progress"
        return render_response(
            make_item_id("resp", self._row),
            self._options,
            model=self._model,
            created=self._created,
            status=status,
            output=[] if is_open else self._writer.list_output(collected),
            usage=None if is_open else collected.usage or Usage(0, 0),
            finish_reason=collected.finish_reason,
            error=self._describe_failure() if status == "failed" else None,
            conversation=_name_conversation(prepared, self._options),
        )

    def _finish(self) -> Sequence[bytes]:
        running, write = self._running, self._writer.write
        if running.error is not None or running.collected.error is not None:
            return [write("response.failed", response=self.render("failed"))]
        ends: list[bytes] = []
        if running.whole is not None:  # of a server that does not stream
            ends += self._writer.add_chunk(json.dumps(make_chunk(running.whole)))
        ends += self._writer.finish()
        response = self.render("completed")
        return [*ends, write(f"response.{response['status']}", response=response)]

    def _describe_failure(self) -> dict[str, Any]:
        error = self._running.error
        described = describe_error(error)["error"] if error is not None else self._running.collected.error
        message = described.get("message") if isinstance(described, dict) else described
        return {"code": "server_error", "message": str(message)}


def _make_chat(
    request: Request, options: ResponseOptions, credential: Credential, model: str, fields: dict[str, Any]
) -> ChatRequest:
    """Return the request in the chat format. References to stored items are replaced by their messages."""
    given = options.body.get("input")
    own = _read_owner(request, options, credential) if _has_references(given) else None

    def resolve(item: str) -> Sequence[dict[str, Any]]:
        if own is None:
            raise NotFound(f"There is no item {item!r}.")
        with acting_for(own):
            return resolve_item(item, owner=own)

    messages = read_item_messages([] if given is None else given, resolve)
    if instructions := options.body.get("instructions"):
        messages.insert(0, {"role": "system", "content": str(instructions)})

    def place(owner: UUID) -> Placement:
        if options.previous:
            return place_after_response(options.previous, messages, owner=owner)
        is_again = is_retry(request.headers)
        return place_in_conversation(options.conversation, messages, owner=owner, is_retry=is_again)

    return ChatRequest(
        request.headers,
        {**fields, "messages": messages},
        credential,
        model,
        read_budget(request),
        place=place if options.previous or options.conversation else None,
        named=_without_places(options) | {"messages": messages},
    )


def _without_places(options: ResponseOptions) -> dict[str, Any]:
    """Return the request without the fields that `place` reads."""
    places = {"conversation", "previous_response_id"}
    return {name: value for name, value in options.body.items() if name not in places}


def _has_references(given: object) -> bool:
    items = given if isinstance(given, list) else ()
    return any(isinstance(item, dict) and item.get("type") == "item_reference" for item in items)


def _read_owner(request: Request, options: ResponseOptions, credential: Credential) -> UUID:
    return read_caller(request.headers, _without_places(options), credential=credential.key).owner


def _name_conversation(prepared: PreparedRequest, options: ResponseOptions) -> str:
    if not options.conversation or prepared.question is None:
        return ""
    return make_item_id("conv", prepared.question.thread.pk)


def _answer_for_owner(
    request: Request, credential: Credential, answer: Callable[[UUID], dict[str, Any]]
) -> Answer:
    """Return what `answer` makes for the person whom the request means."""
    key: ApiKey = credential.key
    owner = read_caller(request.headers, {}, credential=key).owner
    with acting_for(owner):
        return Answer(encode_json(answer(owner)), headers={"Memsite-Owner": str(owner)})


def _load(response: str, owner: UUID) -> dict[str, Any]:
    reply = find_reply(response, owner=owner)
    output: list[dict[str, Any]] = []
    finish = ""
    if reply.answer is not None:
        message = render_chat_messages([reply.answer], owner=owner)[0]
        output = render_message_items(message, reply.pk)
        finish = str(reply.answer.state.get("finish_reason") or "")
    return render_response(
        response,
        ResponseOptions({}),
        model="",
        created=int(reply.created_at.timestamp()),
        status=_name_status(reply),
        output=output,
        finish_reason=finish,
        error={"code": "server_error", "message": reply.error} if reply.error else None,
    )


def _name_status(reply: Reply) -> str:
    if reply.status == ReplyStatus.RUNNING:
        return "in_progress"
    if reply.status == ReplyStatus.DONE:
        return "completed"
    return "failed" if reply.answer is None else "incomplete"


def _delete(response: str, owner: UUID) -> dict[str, Any]:
    reply = find_reply(response, owner=owner)
    if reply.answer is not None:
        removal.delete_message(reply.thread_id, reply.answer.pk, owner=owner)
    Reply.objects.filter(owner_id=owner, pk=reply.pk).delete()
    return {"id": response, "object": "response", "deleted": True}


def _list_input(response: str, owner: UUID) -> dict[str, Any]:
    reply = find_reply(response, owner=owner)
    message = render_chat_messages([reply.question], owner=owner)[0]
    items = render_message_items(message, reply.question.pk)
    return list_items(items, has_more=False)


def list_items(items: Sequence[dict[str, Any]], *, has_more: bool) -> dict[str, Any]:
    """Return a page of items in OpenAI's shape."""
    return {
        "object": "list",
        "data": list(items),
        "first_id": items[0]["id"] if items else None,
        "last_id": items[-1]["id"] if items else None,
        "has_more": has_more,
    }

"""`POST /v1/chat/completions`: the client's request with memories, the server's answer as it came."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Any, Final

from memsite.errors import InvalidInput
from memsite.serving.streaming import run_in_long_thread
from threads.completions.endpoints.errors import describe_error
from threads.completions.endpoints.model_list import choose_model
from threads.completions.endpoints.requests import (
    Answer,
    EventAnswer,
    Request,
    authenticate,
)
from threads.completions.preparation import ChatRequest, PreparedRequest, prepare_request
from threads.completions.running import RunningRequest
from threads.completions.values import encode_json

BUDGET_HEADER: Final = "Memsite-Budget"
_DIGITS: Final = 9

#: Tasks that end requests whose client left early. The event loop keeps no reference to its tasks.
_ending: Final[set[asyncio.Task[None]]] = set()


async def complete_chat(request: Request) -> Answer | EventAnswer:
    """Answer a request of the chat format."""
    credential = await authenticate(request, "write")
    body = await request.read_body()
    model = await choose_model(body.get("model"))
    chat = ChatRequest(request.headers, body, credential, model, read_budget(request))
    prepared = await prepare_for_client(chat)
    running = RunningRequest(prepared)
    try:
        if chat.is_streamed:
            await running.begin()
            return EventAnswer(_relay(running), running.end, prepared.headers)
        whole = await running.read_whole()
    except BaseException:
        await running.end()
        raise
    return Answer(encode_json(whole | {"memsite": describe_memory_use(prepared)}), headers=prepared.headers)


async def prepare_for_client(chat: ChatRequest) -> PreparedRequest:
    """Return the prepared request. If the client leaves meanwhile, its reply is ended once it has begun."""
    preparing = asyncio.create_task(run_in_long_thread(prepare_request, chat))
    try:
        return await asyncio.shield(preparing)
    except asyncio.CancelledError:
        ending = asyncio.create_task(_end(preparing))
        _ending.add(ending)
        ending.add_done_callback(_ending.discard)
        raise


async def _end(preparing: asyncio.Task[PreparedRequest]) -> None:
    with suppress(Exception):  # of a request that could not be prepared: no client is left to answer
        await RunningRequest(await preparing).end()


def read_budget(request: Request) -> int | None:
    """Return the most tokens of memories that a client wants; None if it does not say.

    Raises:
        InvalidInput: If the header is no number.
    """
    given = request.headers.get(BUDGET_HEADER)
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and len(given) <= _DIGITS):
        raise InvalidInput(f"{BUDGET_HEADER} is a number of tokens.", {BUDGET_HEADER: "not a number"})
    return int(given)


def describe_memory_use(prepared: PreparedRequest) -> dict[str, Any]:
    """Return what a whole answer says about memory."""
    return {
        "thread": str(prepared.question.thread.pk) if prepared.question is not None else None,
        "citations": [str(one) for one in prepared.block.citations],
        "respected": [str(one) for one in prepared.block.respected],
        "memory_tokens": prepared.block.tokens,
    }


async def _relay(running: RunningRequest) -> AsyncGenerator[bytes, None]:
    async with aclosing(running.pieces()) as pieces:
        async for piece in pieces:
            yield piece
    if running.error is not None:
        yield b"data: " + encode_json(describe_error(running.error)) + b"\n\n"

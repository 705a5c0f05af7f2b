"""A scripted server that speaks OpenAI's protocol on loopback: chat completions and embeddings.

    with LLMServer() as server:
        server.script(status(429), answer("Hello"))   # one step per request, in order
        client = openai.OpenAI(base_url=server.url, api_key="test")
        ...
        assert server.requests[0].body["model"] == "any"

When no step is left, chat answers "ok" (or what `server.reply` returns), and embeddings answer vectors made
from the words of each text (`word_vector`), so that similar texts have similar vectors.

A model that always does the same, or judges each prompt, is a `reply`: a function of the request that returns
the text. `always` sets the step for all requests without a step of their own:

    server.reply = lambda request: json.dumps({"same": "Berlin" in request.prompt})
    server.always(status(500))

Tests that go through the site use the fixture `models_configured` (tests/conftest.py): this server, set as
the model of both slots. Steps for chat: `answer`, `json_answer`, `fenced`, `thinking`, `stream`, `refusing`;
for failures `status`, `html`, `prose`, `half_json`, `payload`, `no_choices`, `error_with_200`, `hang`,
`drip`, `cut`, `broken_stream`, `dripping_stream`. `raw_stream` sends any bytes.
"""

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from types import TracebackType
from typing import Any, Self

from tests.llm_wire import DIMENSIONS, USAGE, completion, embeddings, events, make_server, word_vector


@dataclass(frozen=True)
class Request:
    """A client's request.

    Attributes:
        path: Without the query.
        headers: Names in lower case.
        body: The parsed JSON.
    """

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def is_chat(self) -> bool:
        return self.path.endswith("/chat/completions")

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages of a chat request."""
        return list(self.body.get("messages", []))

    @property
    def prompt(self) -> str:
        """All text of a chat request's messages, with a blank line between them."""
        return "\n\n".join(str(message.get("content") or "") for message in self.messages)

    @property
    def texts(self) -> list[str]:
        """The texts of an embeddings request."""
        given = self.body["input"]
        return [given] if isinstance(given, str) else list(given)


@dataclass
class Exchange:
    """One request and the functions to answer it."""

    request: Request
    closing: threading.Event
    reply: Callable[[Request], str]
    _handler: BaseHTTPRequestHandler = field(repr=False)

    def send(self, body: bytes, *, status: int = 200, kind: str = "application/json", **headers: str) -> None:
        """Send a whole answer; write `_` for `-` in header names."""
        self.start(status=status, kind=kind, content_length=str(len(body)), **headers)
        self.write(body)

    def send_json(self, body: object, *, status: int = 200, **headers: str) -> None:
        self.send(json.dumps(body).encode(), status=status, **headers)

    def start(self, *, status: int = 200, kind: str = "application/json", **headers: str) -> None:
        """Send only the head of an answer."""
        self._handler.send_response(status)
        self._handler.send_header("Content-Type", kind)
        for name, value in headers.items():
            self._handler.send_header(name.replace("_", "-"), value)
        self._handler.end_headers()

    def write(self, data: bytes) -> None:
        self._handler.wfile.write(data)
        self._handler.wfile.flush()


Step = Callable[[Exchange], None]


class LLMServer:
    """The server, used as a context manager.

    Attributes:
        url: Base URL; ends in `/v1`.
        requests: All chat and embeddings requests received, in order.
        models: The models it lists; None if it has no list.
        model_lists: How often the list was requested.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.reply: Callable[[Request], str] = lambda _: "ok"
        self.models: Sequence[str] | None = None
        self.model_lists = 0
        self._steps: list[Step] = []
        self._otherwise: Step = _default
        self._closing = threading.Event()
        self._http = make_server(self.handle, self.list_models)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def script(self, *steps: Step) -> None:
        """Answer the next requests by these steps, one each."""
        self._steps.extend(steps)

    def always(self, step: Step) -> None:
        """Answer by this step whenever no other step is left."""
        self._otherwise = step

    @property
    def chats(self) -> list[Request]:
        """The chat requests received, in order."""
        return [request for request in self.requests if request.is_chat]

    def list_models(self) -> Sequence[str] | None:
        """Count a request of the models, and return them."""
        self.model_lists += 1
        return self.models

    def handle(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        headers = {name.lower(): value for name, value in handler.headers.items()}
        request = Request(handler.path.partition("?")[0], headers, body)
        self.requests.append(request)
        step = self._steps.pop(0) if self._steps else self._otherwise
        step(Exchange(request, self._closing, self.reply, handler))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


# Steps: whole answers.


def answer(
    text: str, *, finish: str | None = "stop", usage: dict[str, object] | None = USAGE, **message: object
) -> Step:
    """Send a chat completion with this text, streamed if requested.

    `usage=None` omits the usage. Other fields of the message (tool_calls …) are sent as given.
    """

    def step(exchange: Exchange) -> None:
        if exchange.request.body.get("stream"):
            stream(text, finish=finish, usage=usage)(exchange)
        else:
            _complete(exchange, text, message, finish, usage)

    return step


def json_answer(body: object) -> Step:
    """Send a chat completion whose text is this JSON."""
    return answer(json.dumps(body, ensure_ascii=False))


def fenced(body: object, before: str = "Here you are:", after: str = "Anything else?") -> Step:
    """Send the JSON in a code fence, with text before and after."""
    return answer(f"{before}\n```json\n{json.dumps(body, ensure_ascii=False, indent=2)}\n```\n{after}")


def thinking(text: str, thought: str = 'Perhaps {"memories": []}?') -> Step:
    """Send the text after a `<think>` part."""
    return answer(f"<think>\n{thought}\n</think>\n\n{text}")


def prose() -> Step:
    """Answer in words where JSON was requested."""
    return answer("Sure! I would say that the user likes tea {and} coffee.")


def no_choices() -> Step:
    """Send a completion without choices."""
    return payload({"id": "chatcmpl-1", "object": "chat.completion", "choices": [], "usage": USAGE})


def error_with_200(code: object = None) -> Step:
    """Send an error with a status of success."""
    return payload({"error": {"message": "scripted failure", "code": code}})


def refusing(*parameters: str, then: Step | None = None) -> Step:
    """Send status 400 to a request with one of these parameters, else do `then` or reply."""

    def step(exchange: Exchange) -> None:
        for name in parameters:
            if name in exchange.request.body:
                error = {"message": f"Unsupported parameter: {name}", "param": name, "code": "unsupported"}
                exchange.send_json({"error": error}, status=400)
                return
        (then or _default)(exchange)

    return step


def vectors(rows: Sequence[Sequence[float]], *, indexes: Sequence[int] | None = None) -> Step:
    """Send these embedding vectors, with these indexes."""
    return lambda exchange: exchange.send_json(embeddings(rows, indexes))


def payload(body: object) -> Step:
    """Send status 200 with any JSON: an error with a status of success, empty choices …"""
    return lambda exchange: exchange.send_json(body)


def status(code: int, message: str = "scripted failure", **headers: str) -> Step:
    """Send an error in OpenAI's shape; write `_` for `-` in header names: status(429, retry_after="1")."""
    body = {"error": {"message": message, "type": "scripted", "code": "scripted_failure", "param": None}}
    return lambda exchange: exchange.send_json(body, status=code, **headers)


def html(code: int = 200) -> Step:
    """Send an error page as a proxy does."""
    return lambda exchange: exchange.send(
        b"<html><body>Bad gateway</body></html>", status=code, kind="text/html"
    )


def half_json() -> Step:
    """Send a complete body of JSON that stops in the middle; not a chat's text."""
    return lambda exchange: exchange.send(b'{"object": "list", "data": [{"index": 0, "embed')


# Steps: embeddings that are wrong.


def wrong_count(extra: int = 1) -> Step:
    """Send so many vectors too many; too few if negative."""

    def step(exchange: Exchange) -> None:
        count = len(exchange.request.texts) + extra
        exchange.send_json(embeddings([[1.0] * DIMENSIONS] * count))

    return step


def wrong_dimensions(dimensions: int) -> Step:
    """Send vectors of the wrong length."""
    return lambda exchange: exchange.send_json(embeddings([[1.0] * dimensions] * len(exchange.request.texts)))


def not_a_number(value: float = float("nan")) -> Step:
    """Send vectors with a NaN (or infinity) in them."""
    row = [value] + [1.0] * (DIMENSIONS - 1)
    return lambda exchange: exchange.send_json(embeddings([row] * len(exchange.request.texts)))


# Steps: connections that fail.


def hang() -> Step:
    """Send no answer until the server closes."""
    return _pause


def drip(every: float = 0.02) -> Step:
    """Send an endless answer byte by byte, so that no single read times out."""

    def step(exchange: Exchange) -> None:
        exchange.start(content_length="1000000")
        while not exchange.closing.wait(every):
            exchange.write(b" ")

    return step


def cut() -> Step:
    """Close the connection in the middle of an answer."""

    def step(exchange: Exchange) -> None:
        exchange.start(content_length="1000")
        exchange.write(b'{"data": [')

    return step


# Steps: streams.


def stream(
    *pieces: str,
    finish: str | None = "stop",
    then_hang: bool = False,
    usage: dict[str, object] | None = USAGE,
) -> Step:
    """Stream a completion of these pieces; without an end if `finish` is None.

    The usage is sent last if the request asks for it; None omits it.
    """

    def step(exchange: Exchange) -> None:
        exchange.start(kind="text/event-stream")
        for event in events(exchange.request.body, pieces, finish, usage):
            exchange.write(event)
        if then_hang:
            _pause(exchange)

    return step


def broken_stream(*pieces: str) -> Step:
    """Stream these pieces, then close the connection."""

    def step(exchange: Exchange) -> None:
        exchange.start(kind="text/event-stream", content_length="1000000")
        for event in events(exchange.request.body, pieces, None, None):
            exchange.write(event)

    return step


def dripping_stream(*pieces: str, every: float = 0.02) -> Step:
    """Stream these pieces, then nothing but comments, for ever."""

    def step(exchange: Exchange) -> None:
        exchange.start(kind="text/event-stream")
        for event in events(exchange.request.body, pieces, None, None):
            exchange.write(event)
        while not exchange.closing.wait(every):
            exchange.write(b": still here\n\n")

    return step


def raw_stream(*blocks: bytes, pause: float = 0.0) -> Step:
    """Stream these bytes as they are, with so many seconds before each but the first."""

    def step(exchange: Exchange) -> None:
        exchange.start(kind="text/event-stream")
        for place, block in enumerate(blocks):
            if place and exchange.closing.wait(pause):
                return
            exchange.write(block)

    return step


def _default(exchange: Exchange) -> None:
    request = exchange.request
    if not request.is_chat:
        exchange.send_json(embeddings([word_vector(text) for text in request.texts]))
    else:
        answer(exchange.reply(request))(exchange)


def _complete(
    exchange: Exchange,
    text: str,
    message: dict[str, object],
    finish: str | None,
    usage: dict[str, object] | None,
) -> None:
    choice: dict[str, object] = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": text, **message},
    }
    body = completion(exchange.request.body, "chat.completion", [choice])
    exchange.send_json(body if usage is None else body | {"usage": usage})


def _pause(exchange: Exchange) -> None:
    exchange.closing.wait(60)

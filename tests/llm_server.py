"""A scripted server that speaks OpenAI's protocol on loopback: chat completions and embeddings.

    with LLMServer() as server:
        server.script(status(429), answer("Hello"))   # one step a request, in order
        client = openai.OpenAI(base_url=server.url, api_key="test")
        ...
        assert server.requests[0].body["model"] == "any"

With no step left, chat answers "ok" (or what `server.reply` gives) and embeddings answer vectors
made from the words of each text (`word_vector`), so that like texts are alike.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, ClassVar, Self

DIMENSIONS = 8


@dataclass(frozen=True)
class Request:
    """What a client sent. path: without query; headers: names in lower case; body: its JSON."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def is_chat(self) -> bool:
        return self.path.endswith("/chat/completions")

    @property
    def texts(self) -> list[str]:
        """The texts of an embeddings request."""
        given = self.body["input"]
        return [given] if isinstance(given, str) else list(given)


@dataclass
class Exchange:
    """One request and the means to answer it."""

    request: Request
    closing: threading.Event
    reply: Callable[[Request], str]
    _handler: BaseHTTPRequestHandler = field(repr=False)

    def send(self, body: bytes, *, status: int = 200, kind: str = "application/json", **headers: str) -> None:
        """Answer whole; header names are written with `_` for `-`."""
        self.start(status=status, kind=kind, content_length=str(len(body)), **headers)
        self.write(body)

    def send_json(self, body: object, *, status: int = 200, **headers: str) -> None:
        self.send(json.dumps(body).encode(), status=status, **headers)

    def start(self, *, status: int = 200, kind: str = "application/json", **headers: str) -> None:
        """Send the head of an answer only."""
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
    """The server; a context manager. url: base URL, ends in `/v1`. requests: all received, in order."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.reply: Callable[[Request], str] = lambda _: "ok"
        self._steps: list[Step] = []
        self._closing = threading.Event()
        handler = type("Handler", (_Handler,), {"llm": self})
        self._http = _QuietServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def script(self, *steps: Step) -> None:
        """Answer the next requests by these steps, one each."""
        self._steps.extend(steps)

    def handle(self, request: Request, handler: BaseHTTPRequestHandler) -> None:
        self.requests.append(request)
        step = self._steps.pop(0) if self._steps else _default
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


def answer(text: str, **message: object) -> Step:
    """A chat completion with this text; other fields of the message (tool_calls …) as given."""
    return lambda exchange: _complete(exchange, text, message)


def vectors(rows: Sequence[Sequence[float]], *, indexes: Sequence[int] | None = None) -> Step:
    """An embeddings answer with these vectors, numbered as given."""
    return lambda exchange: exchange.send_json(_embeddings(rows, indexes))


def payload(body: object) -> Step:
    """Status 200 with any JSON: an error in disguise, empty choices …"""
    return lambda exchange: exchange.send_json(body)


def status(code: int, message: str = "scripted failure", **headers: str) -> Step:
    """A failure in OpenAI's shape; header names with `_` for `-`: status(429, retry_after="1")."""
    body = {"error": {"message": message, "type": "scripted", "code": "scripted_failure", "param": None}}
    return lambda exchange: exchange.send_json(body, status=code, **headers)


def html(code: int = 200) -> Step:
    """What a proxy's error page looks like."""
    return lambda exchange: exchange.send(
        b"<html><body>Bad gateway</body></html>", status=code, kind="text/html"
    )


def half_json() -> Step:
    """JSON that stops in the middle, though the answer is complete."""
    return lambda exchange: exchange.send(b'{"object": "list", "data": [{"index": 0, "embed')


# Steps: embeddings that are wrong.


def wrong_count(extra: int = 1) -> Step:
    """As many vectors too many; too few where negative."""

    def step(exchange: Exchange) -> None:
        count = len(exchange.request.texts) + extra
        exchange.send_json(_embeddings([[1.0] * DIMENSIONS] * count))

    return step


def wrong_dimensions(dimensions: int) -> Step:
    """Right but for the vectors' length."""
    return lambda exchange: exchange.send_json(
        _embeddings([[1.0] * dimensions] * len(exchange.request.texts))
    )


def not_a_number(value: float = float("nan")) -> Step:
    """Vectors with a NaN (or infinity) in them."""
    row = [value] + [1.0] * (DIMENSIONS - 1)
    return lambda exchange: exchange.send_json(_embeddings([row] * len(exchange.request.texts)))


# Steps: connections that fail.


def hang() -> Step:
    """No answer until the server closes."""
    return _pause


def drip(every: float = 0.02) -> Step:
    """An answer that comes byte by byte and never ends, so that no single read times out."""

    def step(exchange: Exchange) -> None:
        exchange.start(content_length="1000000")
        while not exchange.closing.wait(every):
            exchange.write(b" ")

    return step


def cut() -> Step:
    """A connection that closes in the middle of an answer."""

    def step(exchange: Exchange) -> None:
        exchange.start(content_length="1000")
        exchange.write(b'{"data": [')

    return step


# Steps: streams.


def stream(*pieces: str, finish: str | None = "stop", then_hang: bool = False) -> Step:
    """A streamed completion of these pieces; without its end where finish is None."""

    def step(exchange: Exchange) -> None:
        exchange.start(kind="text/event-stream")
        for event in _events(exchange.request, pieces, finish):
            exchange.write(event)
        if then_hang:
            _pause(exchange)

    return step


def word_vector(text: str) -> list[float]:
    """A made-up vector: the sum over the words of ±1 in each place, by their hash; never zero."""
    total = [0.5] * DIMENSIONS
    for word in text.lower().split():
        digest = hashlib.sha256(word.encode()).digest()
        total = [value + (1 if byte % 2 else -1) for value, byte in zip(total, digest, strict=False)]
    return total


def _default(exchange: Exchange) -> None:
    request = exchange.request
    if not request.is_chat:
        exchange.send_json(_embeddings([word_vector(text) for text in request.texts]))
    elif request.body.get("stream"):
        stream(exchange.reply(request))(exchange)
    else:
        _complete(exchange, exchange.reply(request), {})


def _complete(exchange: Exchange, text: str, message: dict[str, object]) -> None:
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": text, **message},
    }
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    exchange.send_json(_completion(exchange.request, "chat.completion", [choice]) | {"usage": usage})


def _completion(request: Request, kind: str, choices: list[dict[str, object]]) -> dict[str, object]:
    model = request.body.get("model", "")
    return {"id": "chatcmpl-1", "object": kind, "created": 0, "model": model, "choices": choices}


def _events(request: Request, pieces: Sequence[str], finish: str | None) -> Iterator[bytes]:
    deltas: list[dict[str, object]] = [
        {"delta": {"content": piece}, "finish_reason": None} for piece in pieces
    ]
    if finish:
        deltas.append({"delta": {}, "finish_reason": finish})
    for delta in deltas:
        chunk = _completion(request, "chat.completion.chunk", [{"index": 0, **delta}])
        yield f"data: {json.dumps(chunk)}\n\n".encode()
    if finish:
        yield b"data: [DONE]\n\n"


def _embeddings(rows: Sequence[Sequence[float]], indexes: Sequence[int] | None = None) -> dict[str, object]:
    numbered = zip(indexes or range(len(rows)), rows, strict=True)
    data = [{"object": "embedding", "index": index, "embedding": list(row)} for index, row in numbered]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "data": data, "model": "scripted", "usage": usage}


def _pause(exchange: Exchange) -> None:
    exchange.closing.wait(60)


class _Handler(BaseHTTPRequestHandler):
    llm: ClassVar[LLMServer]

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length) or b"{}")
        headers = {name.lower(): value for name, value in self.headers.items()}
        with suppress(OSError):  # the client may be gone
            self.llm.handle(Request(self.path.partition("?")[0], headers, body), self)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

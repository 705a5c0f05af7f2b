"""The bodies of OpenAI's protocol, as the scripted server sends them, and its plain HTTP."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSIONS = 8
USAGE: dict[str, object] = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def word_vector(text: str) -> list[float]:
    """Return a vector made from the words: ±1 per word and dimension, by its hash, summed; never zero."""
    total = [0.5] * DIMENSIONS
    for word in text.lower().split():
        digest = hashlib.sha256(word.encode()).digest()
        total = [value + (1 if byte % 2 else -1) for value, byte in zip(total, digest, strict=False)]
    return total


def completion(asked: Mapping[str, Any], kind: str, choices: list[dict[str, object]]) -> dict[str, object]:
    """Return a completion, or a chunk of one, by its kind."""
    model = asked.get("model", "")
    return {"id": "chatcmpl-1", "object": kind, "created": 0, "model": model, "choices": choices}


def events(
    asked: Mapping[str, Any], pieces: Sequence[str], finish: str | None, usage: dict[str, object] | None
) -> Iterator[bytes]:
    """Yield the events of a streamed completion; without an end if `finish` is None."""
    deltas: list[dict[str, object]] = [
        {"delta": {"content": piece}, "finish_reason": None} for piece in pieces
    ]
    if finish:
        deltas.append({"delta": {}, "finish_reason": finish})
    for delta in deltas:
        chunk = completion(asked, "chat.completion.chunk", [{"index": 0, **delta}])
        yield f"data: {json.dumps(chunk)}\n\n".encode()
    if finish and usage and (asked.get("stream_options") or {}).get("include_usage"):
        last = completion(asked, "chat.completion.chunk", []) | {"usage": usage}
        yield f"data: {json.dumps(last)}\n\n".encode()
    if finish:
        yield b"data: [DONE]\n\n"


def embeddings(rows: Sequence[Sequence[float]], indexes: Sequence[int] | None = None) -> dict[str, object]:
    """Return an embeddings answer with these vectors."""
    numbered = zip(indexes or range(len(rows)), rows, strict=True)
    data = [{"object": "embedding", "index": index, "embedding": list(row)} for index, row in numbered]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "data": data, "model": "scripted", "usage": usage}


def _send_models(handler: BaseHTTPRequestHandler, models: Sequence[str] | None) -> None:
    """Send a list of models; 404 for None."""
    data = [{"id": name, "object": "model", "created": 1, "owned_by": "scripted"} for name in models or ()]
    body = json.dumps({"object": "list", "data": data}).encode()
    handler.send_response(404 if models is None else 200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def make_server(
    answer_post: Callable[[BaseHTTPRequestHandler, dict[str, Any]], None],
    list_models: Callable[[], Sequence[str] | None],
) -> ThreadingHTTPServer:
    """Return a server on loopback that passes a post on with its JSON, and answers a get with the models."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = json.loads(self.rfile.read(length) or b"{}")
            with suppress(OSError):  # the client may have disconnected
                answer_post(self, body)

        def do_GET(self) -> None:
            with suppress(OSError):
                _send_models(self, list_models())

        def log_message(self, *args: object) -> None:
            """Log nothing."""

    return _QuietServer(("127.0.0.1", 0), Handler)


class _QuietServer(ThreadingHTTPServer):
    """A server whose threads do not keep the process from ending."""

    daemon_threads = True
    block_on_close = False

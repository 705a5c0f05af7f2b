"""The bodies of OpenAI's protocol, as the scripted server sends them."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
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

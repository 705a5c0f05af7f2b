"""A model server that needs no script: it does what a request asks, as far as a rule can.

It calls the tool that `tool_choice` names, fills in the schema of `response_format`, stops at `stop`, and
repeats what was said otherwise. Models whose name begins with `fails-` or `flaky-` answer with the status
that follows: always, or twice before each answer.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.llm_server import Exchange, LLMServer, Step, raw_stream, status, vectors
from tests.llm_wire import completion, word_vector

MODEL = "scripted"
#: The model of the site's own small tasks fails, so that rules do them, and the programs' requests are alone.
SMALL_TASKS = "fails-503"
MODELS = (
    MODEL,
    "scripted-other",
    SMALL_TASKS,
    "fails-400",
    "fails-429",
    "fails-500",
    "flaky-429",
    "flaky-500",
)
USAGE = {
    "prompt_tokens": 10,
    "completion_tokens": 5,
    "total_tokens": 15,
    "prompt_tokens_details": {"cached_tokens": 4},
    "completion_tokens_details": {"reasoning_tokens": 2},
}
_FAILURES_OF_FLAKY = 2
_QUOTED = re.compile(r"'([^']+)'")


@contextmanager
def scripted_upstream() -> Iterator[LLMServer]:
    """Serve the model server within the block."""
    with LLMServer() as server:
        server.models = MODELS
        server.always(_make_step())
        yield server


def _make_step() -> Step:
    failures: Counter[str] = Counter()

    def step(exchange: Exchange) -> None:
        request = exchange.request
        model = str(request.body.get("model"))
        kind, _, code = model.partition("-")
        if not request.is_chat:
            vectors([word_vector(text) for text in request.texts])(exchange)
        elif kind == "fails" or (kind == "flaky" and failures[model] < _FAILURES_OF_FLAKY):
            failures[model] += 1
            status(int(code))(exchange)
        else:
            failures[model] = 0
            _answer(exchange, request.body)

    return step


def _answer(exchange: Exchange, body: Mapping[str, Any]) -> None:
    message = _make_message(body)
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    if body.get("stream"):
        raw_stream(*_make_chunks(body, message, finish))(exchange)
        return
    choices = [
        {"index": place, "message": {"role": "assistant", **message}, "finish_reason": finish}
        for place in range(body.get("n") or 1)
    ]
    exchange.send_json(completion(body, "chat.completion", choices) | {"usage": USAGE})


def _make_message(body: Mapping[str, Any]) -> dict[str, Any]:
    said = _last_text(body, "user")
    tool = _choose_tool(body)
    if tool is not None:
        arguments = fill_schema(tool.get("parameters") or {}, said)
        function = {"name": tool["name"], "arguments": json.dumps(arguments, ensure_ascii=False)}
        return {"content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
    shape = body.get("response_format") or {}
    if shape.get("type") == "json_schema":
        return {"content": json.dumps(fill_schema(shape["json_schema"].get("schema") or {}, said))}
    if shape.get("type") == "json_object":
        return {"content": json.dumps({name: f"The {name}." for name in _QUOTED.findall(said)})}
    return {"content": _cut(_make_text(body, said), body.get("stop"))}


def _make_text(body: Mapping[str, Any], said: str) -> str:
    if body["messages"][-1]["role"] == "tool":
        return f"The tool says: {_last_text(body, 'tool')}"
    if said.startswith("What do you know"):
        return f"I was told: {_last_text(body, 'system') or _last_text(body, 'developer')}"
    return f"I hear you say: {said}"


def _last_text(body: Mapping[str, Any], role: str) -> str:
    content = next((one.get("content") for one in reversed(body["messages"]) if one["role"] == role), "")
    if isinstance(content, list):
        return " ".join(str(part.get("text") or f"[{part.get('type')}]") for part in content)
    return str(content or "")


def _choose_tool(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the tool to call: the named one, or the first if one must be or the user has just spoken."""
    tools = {tool["function"]["name"]: tool["function"] for tool in body.get("tools") or ()}
    choice = body.get("tool_choice") or "auto"
    if isinstance(choice, Mapping):
        return tools.get(choice["function"]["name"])
    is_due = choice == "required" or (choice == "auto" and body["messages"][-1]["role"] == "user")
    return next(iter(tools.values()), None) if is_due else None


def fill_schema(
    schema: Mapping[str, Any], said: str, name: str = "", root: Mapping[str, Any] | None = None
) -> Any:
    """Return a value that fits a JSON schema: numbers and quoted texts are those that were said."""
    root = root or schema
    if "$ref" in schema:
        return fill_schema(root["$defs"][schema["$ref"].rpartition("/")[2]], said, name, root)
    if schema.get("anyOf"):
        return fill_schema(schema["anyOf"][0], said, name, root)
    if schema.get("type") == "array":
        return [fill_schema(schema.get("items") or {"type": "string"}, said, name, root)]
    if schema.get("type", "object") == "object" and "enum" not in schema:
        fields = schema.get("properties") or {}
        return {field: fill_schema(one, said, field, root) for field, one in fields.items()}
    return _make_value(schema, said, name)


def _make_value(schema: Mapping[str, Any], said: str, name: str) -> object:
    numbers, quoted = re.findall(r"\d+", said), _QUOTED.findall(said)
    made = {
        "integer": int((numbers or ["1"])[0]),
        "number": int((numbers or ["1"])[0]),
        "boolean": True,
        "string": (quoted or [f"the {name}"])[0],
    }
    return schema["enum"][0] if "enum" in schema else made.get(str(schema["type"]))


def _cut(text: str, stop: object) -> str:
    for end in [stop] if isinstance(stop, str) else stop if isinstance(stop, list) else ():
        text = text.partition(end)[0] or text
    return text


def _make_chunks(body: Mapping[str, Any], message: Mapping[str, Any], finish: str) -> Iterator[bytes]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    if message.get("content"):
        deltas += [{"content": piece} for piece in re.findall(r"\s*\S+\s*?", message["content"])]
    for index, call in enumerate(message.get("tool_calls") or ()):
        named = call["function"] | {"arguments": ""}
        deltas.append({"tool_calls": [{"index": index, **call, "function": named}]})
        text = call["function"]["arguments"]
        pieces = (text[: len(text) // 2], text[len(text) // 2 :])
        deltas += [{"tool_calls": [{"index": index, "function": {"arguments": one}}]} for one in pieces]
    for delta in deltas:
        yield _render(
            completion(body, "chat.completion.chunk", [{"index": 0, "delta": delta, "finish_reason": None}])
        )
    yield _render(
        completion(body, "chat.completion.chunk", [{"index": 0, "delta": {}, "finish_reason": finish}])
    )
    if (body.get("stream_options") or {}).get("include_usage"):
        yield _render(completion(body, "chat.completion.chunk", []) | {"usage": USAGE})
    yield b"data: [DONE]\n\n"


def _render(chunk: Mapping[str, Any]) -> bytes:
    return f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode()

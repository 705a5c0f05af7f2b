"""The client agrees with the site's OpenAPI schema: every path has a method, every result has its fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from inspect import Parameter, signature
from typing import Any

import httpx
import pytest

from memsite import AsyncMemsite, Memsite, MemsiteError, results
from memsite.wire import Resource
from memsite.wire.operations import steps, stream

#: Operations without a method, with the reason.
_BY_PERSON = "the person sets up applications, on the page or by their own calls"
LEFT_OUT: dict[str, str] = {
    "GET /api/applications": _BY_PERSON,
    "PATCH /api/applications/{application_id}": _BY_PERSON,
}
#: Results and the schema's names of them, where they differ by more than `Out`.
NAMES = {
    "Batch": "BatchOut",
    "BatchItem": "BatchItemOut",
    "Branch": "BranchOut",
    "Citation": "CitationOut",
    "Context": "ContextOut",
    "Event": "EventOut",
    "EventPage": "EventsOut",
    "Import": "ImportOut",
    "IssuedKey": "IssuedKeyOut",
    "Memory": "MemoryOut",
    "Message": "MessageOut",
    "Reply": "ReplyOut",
    "SearchResult": "SearchOut",
    "Stats": "StatsOut",
    "Summary": "SummaryOut",
    "TaskState": "TaskStateOut",
    "Thread": "ThreadOut",
    "Usage": "UsageOut",
    "Written": "WrittenOut",
}


def methods() -> Iterator[tuple[str, Any]]:
    client = Memsite("http://site", "msk_x")
    for group in vars(client).values():
        if isinstance(group, Resource):
            for name, described in vars(type(group)).items():
                if isinstance(described, (steps, stream)):
                    yield f"{type(group).__name__}.{name}", getattr(group, name)


def request_of(name: str, tmp_path: Any) -> tuple[str, str]:
    """Return the method and path of the first request of a client's method; each argument is its own name."""
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(418, json={"code": "teapot", "message": "No."})

    group, _, method = name.partition(".")
    client = Memsite("http://site", "msk_x", retries=0, transport=httpx.MockTransport(answer))
    resource = next(one for one in vars(client).values() if type(one).__name__ == group)
    called = getattr(resource, method)
    file = tmp_path / "file"
    file.write_bytes(b"{}")
    arguments = {
        parameter.name: file if parameter.name in {"file", "to"} else _argument(parameter)
        for parameter in signature(called).parameters.values()
        if parameter.default is Parameter.empty
        and parameter.kind not in {Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL}
        and parameter.name not in {"self", "resource"}
    }
    with suppress(MemsiteError):
        outcome = called(**arguments)
        next(iter(outcome))
    return seen[0].method, seen[0].url.path


def _argument(parameter: Parameter) -> Any:
    return (
        ["x"]
        if parameter.name in {"memories", "messages", "ids"} and "Mapping" not in str(parameter)
        else ([{}] if parameter.name in {"memories", "messages"} else f"{{{parameter.name}}}")
    )


@pytest.fixture(scope="module")
def covered(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, str]]:
    """The methods and paths that the client has, with {} for each part that varies."""
    folder = tmp_path_factory.mktemp("files")
    requests = [request_of(name, folder) for name, _ in methods()]
    return {(method, _normal(path)) for method, path in requests}


def _normal(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path.replace("%7B", "{").replace("%7D", "}"))


def test_no_path_is_without_a_method(schema: dict[str, Any], covered: set[tuple[str, str]]) -> None:
    missing = [
        f"{method.upper()} {path}"
        for path, operations in schema["paths"].items()
        for method in operations
        if method != "parameters"
        and path.startswith("/api/")
        and (method.upper(), _normal(path)) not in covered
    ]
    assert [name for name in missing if name not in LEFT_OUT] == []


def test_reasons_are_for_paths_that_exist(schema: dict[str, Any]) -> None:
    present = {f"{m.upper()} {path}" for path, operations in schema["paths"].items() for m in operations}
    assert set(LEFT_OUT) <= present


@pytest.mark.parametrize("name", sorted(NAMES))
def test_results_have_the_fields_of_the_schema(schema: dict[str, Any], name: str) -> None:
    kind = getattr(results, name)
    ours = {field.name for field in fields(kind)}
    theirs = set(schema["components"]["schemas"][NAMES[name]]["properties"])

    assert theirs == ours


def test_both_clients_have_the_same_methods() -> None:
    def groups(client: Any) -> set[str]:
        return {name for name, value in vars(client).items() if isinstance(value, Resource)}

    assert groups(Memsite("http://site", "x")) == groups(AsyncMemsite("http://site", "x"))

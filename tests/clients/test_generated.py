"""A client that a generator makes from the API's description has every operation, and works."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import httpx
import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from openapi_python_client import generate
from openapi_python_client.config import Config, ConfigFile, MetaType

from memsite.accounts.keys import issue_key
from memsite.accounts.models import User

_PACKAGE: Final = "generated_client"
_METHODS: Final = frozenset({"get", "post", "put", "patch", "delete"})


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    """The description, as it is served."""
    whole: dict[str, Any] = json.loads(
        json.dumps(SchemaGenerator().get_schema(request=None, public=True), default=str)
    )
    return whole


@pytest.fixture(scope="module")
def generated(description: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The generated package, which can be imported."""
    folder = tmp_path_factory.mktemp("generated")
    source = folder / "openapi.json"
    source.write_text(json.dumps(description), encoding="utf-8")
    config = Config.from_sources(
        ConfigFile(post_hooks=[]),
        MetaType.NONE,
        document_source=source,
        file_encoding="utf-8",
        overwrite=True,
        output_path=folder / _PACKAGE,
    )
    generate(config=config)
    sys.path.insert(0, str(folder))
    yield folder / _PACKAGE
    sys.path.remove(str(folder))
    for name in [one for one in sys.modules if one.partition(".")[0] == _PACKAGE]:
        del sys.modules[name]


def answer(request: httpx.Request) -> httpx.Response:
    """Let Django's test client answer a request of the generated one."""
    response = Client().generic(
        request.method,
        request.url.raw_path.decode(),
        request.content,
        content_type=request.headers.get("Content-Type", ""),
        headers=dict(request.headers),
    )
    return httpx.Response(response.status_code, headers=dict(response.items()), content=response.content)


def connect(key: str) -> Any:
    """Return the generated client of a key."""
    transport = {"transport": httpx.MockTransport(answer)}
    return load("client").AuthenticatedClient(base_url="http://testserver", token=key, httpx_args=transport)


def load(name: str) -> ModuleType:
    return importlib.import_module(f"{_PACKAGE}.{name}")


def test_every_operation_is_in_the_generated_client(description: dict[str, Any], generated: Path) -> None:
    described = {
        operation["operationId"]
        for operations in description["paths"].values()
        for method, operation in operations.items()
        if method in _METHODS
    }
    modules = {path.stem for path in (generated / "api").rglob("*.py")} - {"__init__"}
    assert modules == described


@pytest.mark.usefixtures("generated")
@pytest.mark.django_db
def test_generated_client_writes_and_reads(alice: User) -> None:
    client = connect(issue_key(alice, name="generated")[1])
    models = load("models")
    body = models.MemoryIn(content="The user lives in Turin.")
    written = load("api.memories.add_memory").sync(client=client, body=body)
    assert written.memory.content == "The user lives in Turin."
    listed = load("api.memories.list_memories").sync(client=client)
    assert [one.id for one in listed.results] == [written.memory.id]
    thread = load("api.threads.create_thread").sync(client=client, body=models.ThreadIn(title="Trip"))
    state = models.TaskStateIn(current_goal="Book a train")
    replace = load("api.threads.put_task_state").sync_detailed
    assert replace(thread.id, client=client, body=state).status_code == 200
    assert load("api.threads.get_task_state").sync(thread.id, client=client).current_goal == "Book a train"


@pytest.mark.usefixtures("generated")
@pytest.mark.django_db
def test_generated_client_is_told_what_is_wrong() -> None:
    refused = load("api.memories.list_memories").sync(client=connect("msk_nobody"))
    assert refused.code == "not_authenticated"

"""Everything taken away and brought back over HTTP."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any, cast

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import StreamingHttpResponse
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from memsite.accounts.models import AuditEntry, User
from memsite.jobs import run_due_jobs
from tests.api.asking import add
from tests.conftest import KeyClient
from tests.porting.samples import chatgpt_conversation, mem0_rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_data_directory(settings: Settings, tmp_path: Path) -> None:
    settings.MEMSITE_DATA_DIR = tmp_path


def send(client: APIClient, content: Any, query: str = "") -> Any:
    """Send a body as it is, without saying of what type it is."""
    raw: Any = content if isinstance(content, bytes) else json.dumps(content).encode()
    return client.generic(
        "POST", f"/api/memories/import?{query}", raw, content_type="application/octet-stream"
    )


def contents(client: APIClient) -> set[str]:
    return {one["content"] for one in client.get("/api/memories").json()["results"]}


def test_export_is_one_archive(alice: User, client_of: KeyClient) -> None:
    client = client_of(alice, scopes=("read", "write", "admin"))
    add(client, "Alice sails.")
    client.post("/api/threads", {"title": "Sea"})
    response = client.get("/api/export")
    raw = cast("StreamingHttpResponse", response).getvalue()
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert (response["Content-Type"], manifest["counts"]["memories"]) == ("application/zip", 1)
    assert AuditEntry.objects.filter(owner=alice, act="export", subject="everything").exists()


def test_export_needs_the_admin_scope(alice_api: APIClient) -> None:
    assert alice_api.get("/api/export").status_code == 403


def test_dry_run_says_what_is_there_and_keeps_nothing(alice_api: APIClient, tmp_path: Path) -> None:
    found = send(alice_api, mem0_rows(), "format=auto&dry_run=true")
    assert (found.status_code, found.json()["memories"], found.json()["format"]) == (200, 2, "mem0")
    assert not alice_api.get("/api/imports").json()["results"]
    assert not list(tmp_path.glob("imports/*"))


def test_import_is_queued_done_and_undone(alice_api: APIClient) -> None:
    queued = send(alice_api, mem0_rows())
    assert (queued.status_code, set(queued.json())) == (202, {"job", "import"})
    url = f"/api/imports/{queued.json()['import']}"
    run_due_jobs()
    done = alice_api.get(url).json()
    assert (done["status"], done["created"], done["progress"]) == ("done", 2, {"done": 2, "total": 2})
    assert contents(alice_api) == {"Likes green tea", "Has a sister called Ana"}
    assert alice_api.post(f"{url}/undo").json()["status"] == "undone"
    assert contents(alice_api) == set()


def test_form_of_several_files_is_imported(alice_api: APIClient) -> None:
    shards = [
        SimpleUploadedFile(f"conversations-00{n}.json", json.dumps([chatgpt_conversation(f"c{n}")]).encode())
        for n in range(2)
    ]
    queued = alice_api.post("/api/memories/import?learn=none", {"file": shards}, format="multipart")
    run_due_jobs()
    done = alice_api.get(f"/api/imports/{queued.json()['import']}").json()
    assert (done["status"], done["threads"], done["messages"]) == ("done", 2, 6)


@pytest.mark.parametrize(
    ("content", "query", "status"),
    [
        (b"", "", 400),
        (b"<html></html>", "", 400),
        (b"[{", "dry_run=true", 400),
        (b"{}", "format=nonsense", 400),
        (b"likes tea", "nonsense=1", 400),
        (b"\x00\xff\x00", "", 400),
        (b'{"data_files": []}', "", 400),
    ],
)
def test_what_cannot_be_imported_is_refused(
    alice_api: APIClient, content: bytes, query: str, status: int
) -> None:
    response = send(alice_api, content, query)
    assert (response.status_code, set(response.json())) == (status, {"code", "message", "detail"})
    assert contents(alice_api) == set()


def test_file_over_the_limit_is_too_large(alice_api: APIClient, settings: Settings) -> None:
    settings.MEMSITE_MAX_IMPORT_MB = 1
    assert send(alice_api, b"x" * (1024**2 + 1)).status_code == 413


def test_key_that_only_reads_imports_nothing(alice: User, client_of: KeyClient) -> None:
    assert send(client_of(alice, scopes=("read",)), mem0_rows()).status_code == 403


def test_import_of_another_is_not_found(alice_api: APIClient, bob_api: APIClient) -> None:
    url = f"/api/imports/{send(alice_api, mem0_rows()).json()['import']}"
    for method, path in (("get", url), ("post", f"{url}/undo"), ("post", f"{url}/cancel")):
        assert getattr(bob_api, method)(path).status_code == 404
    assert not bob_api.get("/api/imports").json()["results"]


def test_import_is_cancelled(alice_api: APIClient) -> None:
    url = f"/api/imports/{send(alice_api, mem0_rows()).json()['import']}"
    assert alice_api.post(f"{url}/undo").status_code == 409
    assert alice_api.post(f"{url}/cancel").json()["status"] == "cancelled"
    run_due_jobs()
    assert contents(alice_api) == set()


def test_export_of_one_is_imported_by_another(alice: User, bob: User, client_of: KeyClient) -> None:
    alice_api, bob_api = (client_of(one, scopes=("read", "write", "admin")) for one in (alice, bob))
    add(alice_api, "Alice sails.", tags=["海"])
    raw = cast("StreamingHttpResponse", alice_api.get("/api/export")).getvalue()
    send(bob_api, raw)
    run_due_jobs()
    assert contents(bob_api) == {"Alice sails."}


def test_person_downloads_with_the_session(alice_browser: Client) -> None:
    assert alice_browser.get("/api/export").status_code == 200

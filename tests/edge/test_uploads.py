"""Uploads are read into a file, of signed-in callers only, a few at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memsite.edge.uploads import UploadedBodies, Uploads
from memsite.errors import NotAuthenticated
from memsite.serving.streaming import BODY_FILE
from tests.edge.asking import Echo, ask, scope

PATH = "/api/memories/import"
LONGEST = 1000


class FileEcho:
    """An application that answers 200 and records what is in the file."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.scopes: list[Any] = []

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        self.scopes.append(scope)
        self.bodies.append(scope[BODY_FILE].read())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


async def somebody(_scope: Any) -> str:
    return "alice"


async def nobody(_scope: Any) -> str:
    raise NotAuthenticated("Sign in.")


def uploaded(folder: Path, identify: Any = somebody) -> tuple[UploadedBodies, FileEcho, Echo]:
    inner, others = FileEcho(), Echo()
    uploads = Uploads(paths={PATH}, longest=LONGEST, folder=folder)
    return UploadedBodies(inner, others, uploads, identify=identify), inner, others


def test_upload_arrives_as_a_file_with_its_length(tmp_path: Path) -> None:
    application, inner, _ = uploaded(tmp_path / "imports")
    assert (
        ask(application, scope(("Transfer-Encoding", "chunked"), path=PATH), [b"abc", b"def"]).status == 200
    )
    assert inner.bodies == [b"abcdef"]
    assert dict(inner.scopes[0]["headers"])[b"content-length"] == b"6"
    assert not list((tmp_path / "imports").iterdir())


def test_other_requests_are_no_uploads(tmp_path: Path) -> None:
    application, inner, others = uploaded(tmp_path)
    ask(application, scope(path="/api/memories"), [b"abc"])
    assert (inner.bodies, others.bodies) == ([], [b"abc"])


def test_too_large_upload_is_refused_announced_or_not(tmp_path: Path) -> None:
    application, inner, _ = uploaded(tmp_path)
    assert ask(application, scope(("Content-Length", "1001"), path=PATH)).status == 413
    parts = [b"x" * 600, b"x" * 600]
    assert ask(application, scope(("Transfer-Encoding", "chunked"), path=PATH), parts).status == 413
    assert inner.bodies == []


def test_upload_of_nobody_is_refused_before_it_is_read(tmp_path: Path) -> None:
    application, inner, _ = uploaded(tmp_path / "imports", nobody)
    assert ask(application, scope(path=PATH), [b"abc"]).status == 401
    assert inner.bodies == []
    assert not (tmp_path / "imports").exists()

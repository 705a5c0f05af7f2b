"""The speed of a busy machine is not tested here: the first search of a process compiles its loops."""

from __future__ import annotations

import pytest

from memories.mcp import application, server


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "_AUTHENTICATION_SECONDS", 300.0)
    monkeypatch.setattr(server, "_LONGEST", 300.0)

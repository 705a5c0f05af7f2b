from __future__ import annotations

import pytest

from memsite.edge import refusals


@pytest.fixture(autouse=True)
def short_drain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait after a refusal: test clients send nothing more."""
    monkeypatch.setattr(refusals, "_DRAIN_PAUSE", 0.02)

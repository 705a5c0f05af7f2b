from __future__ import annotations

import pytest

from memsite.edge import refusals


@pytest.fixture(autouse=True)
def short_drain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Test clients send nothing more after a refusal: do not wait for it."""
    monkeypatch.setattr(refusals, "_DRAIN_PAUSE", 0.02)

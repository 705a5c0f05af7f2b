"""Fixtures of the tests with the bundled sentence model."""

from __future__ import annotations

import pytest
from pytest_django.fixtures import Settings


@pytest.fixture
def slow_but_sure(settings: Settings) -> None:
    """Wait for the vector of a question, however busy the machine is."""
    settings.MEMSITE_EMBEDDING = "local"
    settings.MEMSITE_EMBEDDING_BUDGET_MS = 10_000

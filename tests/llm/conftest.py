from collections.abc import Iterator

import pytest

from memsite.llm.chat import retry
from tests.llm_server import LLMServer


@pytest.fixture
def llm_server() -> Iterator[LLMServer]:
    with LLMServer() as server:
        yield server


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry without pauses."""
    monkeypatch.setattr(retry, "WAIT_INITIAL", 0.0)
    monkeypatch.setattr(retry, "WAIT_JITTER", 0.0)

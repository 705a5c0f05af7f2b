"""A client of `/v1` for each person, which calls the site's application without a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.llm.chat import close_clients
from memsite.serving.streaming import OwnLoop
from tests.threads.completions.calling import Caller
from threads.completions.endpoints.model_list import server_models

CallerOf = Callable[..., Caller]


@pytest.fixture
def loop() -> Iterator[OwnLoop]:
    with OwnLoop() as loop:
        yield loop
        loop.run(close_clients())


@pytest.fixture(autouse=True)
def no_listed_models() -> Iterator[None]:
    yield
    server_models.forget()


@pytest.fixture
def caller_of(loop: OwnLoop) -> CallerOf:
    """Return a client with a key of this person."""

    def make(person: User, *scopes: str) -> Caller:
        _, key = issue_key(person, name="v1", scopes=scopes or ("read", "write"))
        return Caller(loop, key)

    return make


@pytest.fixture
def alice_v1(alice: User, caller_of: CallerOf) -> Caller:
    return caller_of(alice)


@pytest.fixture
def bob_v1(bob: User, caller_of: CallerOf) -> Caller:
    return caller_of(bob)

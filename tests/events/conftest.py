"""A receiver of webhooks, and Alice's client that may manage them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rest_framework.test import APIClient

from memsite.accounts.models import User
from tests.events.receiver import Receiver

Add = Callable[..., dict[str, Any]]


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """A receiver whose host the operator has named."""
    with Receiver() as found:
        settings.MEMSITE_WEBHOOK_HOSTS = [f"127.0.0.1:{found.port}"]
        yield found


@pytest.fixture
def alice_admin(alice: User, client_of: Callable[..., APIClient]) -> APIClient:
    return client_of(alice, scopes=("read", "write", "admin"))


@pytest.fixture
def add(alice_admin: APIClient, receiver: Receiver) -> Add:
    """Add a webhook of Alice's that leads to the receiver; return the answer."""

    def add_webhook(**fields: Any) -> dict[str, Any]:
        response = alice_admin.post("/api/webhooks", {"url": receiver.url, **fields})
        assert response.status_code == 201, response.content
        return dict(response.json())

    return add_webhook

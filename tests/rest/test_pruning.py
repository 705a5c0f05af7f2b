from __future__ import annotations

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from memsite.rest.models import RequestCount
from memsite.rest.pruning import prune

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sixty_a_minute(settings: Settings) -> None:
    settings.MEMSITE_RATE_LIMIT = (60, 60)


def test_counts_of_windows_that_are_over_are_removed_whoever_was_counted(alice_api: APIClient) -> None:
    with time_machine.travel("2026-03-01T12:00:00Z", tick=False):
        alice_api.get("/api/memories")
        Client().get("/api/memories")
    assert sorted(row.caller.split(":")[0] for row in RequestCount.objects.all()) == ["address", "person"]
    with time_machine.travel("2026-03-01T12:01:00Z", tick=False):
        assert prune() == 2


def test_counts_of_the_present_window_stay(alice_api: APIClient) -> None:
    with time_machine.travel("2026-03-01T12:00:10Z", tick=False):
        alice_api.get("/api/memories")
    with time_machine.travel("2026-03-01T12:00:50Z", tick=False):
        assert prune() == 0


def test_counts_of_another_length_of_window_are_removed(alice_api: APIClient, settings: Settings) -> None:
    alice_api.get("/api/memories")
    settings.MEMSITE_RATE_LIMIT = (60, 3600)
    assert prune() == 1


def test_without_a_limit_no_count_is_left(alice_api: APIClient, settings: Settings) -> None:
    alice_api.get("/api/memories")
    settings.MEMSITE_RATE_LIMIT = None
    assert prune() == 1

"""/healthz and /readyz."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from memsite.jobs.models import Heartbeat
from memsite.values import new_id
from memsite.web.health import health


@pytest.fixture(autouse=True)
def _forget_migrated() -> None:
    health.is_migrated_cached.cache_clear()


def beat(*, seconds_ago: float) -> None:
    at = timezone.now() - timedelta(seconds=seconds_ago)
    Heartbeat.objects.create(worker=new_id(), place="test", process=1, process_started=1, at=at)


def reason(client: Client) -> str:
    response = client.get("/readyz")
    assert response.status_code == 503
    return str(json.loads(response.content)["reason"])


def test_healthz_answers_without_a_database(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_ready_with_a_worker_that_beats(client: Client, db: None) -> None:
    beat(seconds_ago=1)
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json()["status"] == "ok"


def test_not_ready_before_a_worker_ran(client: Client, db: None) -> None:
    assert "worker" in reason(client)


def test_not_ready_when_the_worker_fell_silent(client: Client, db: None) -> None:
    beat(seconds_ago=60)
    assert "worker" in reason(client)


def test_not_ready_without_its_migrations(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    beat(seconds_ago=1)
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_: [("memories.0009", False)])
    assert "migrate" in reason(client)


def test_not_ready_while_the_database_is_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> list[str]:
        raise OperationalError("connection refused")

    monkeypatch.setattr(health, "is_migrated_cached", lambda: True)
    monkeypatch.setattr(health, "list_newer_migrations", away)
    assert "database" in reason(client)


def test_not_ready_on_data_of_a_newer_version(client: Client, db: None) -> None:
    beat(seconds_ago=1)
    MigrationRecorder(connection).record_applied("memories", "9999_later")
    assert "newer than this version" in reason(client)
    assert "memories.9999_later" in reason(client)

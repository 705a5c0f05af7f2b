"""/healthz and /readyz."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from memsite.accounts.models import User
from memsite.jobs.models import Heartbeat
from memsite.serving import data_folder
from memsite.values import new_id
from memsite.web.health import health, native_health


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


def test_full_disk_is_named_with_what_to_do(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    beat(seconds_ago=60)
    monkeypatch.setattr(data_folder, "FULL_BELOW", 10**18)
    assert "is full: free some space" in reason(client)


def test_read_only_data_directory_is_named_with_what_to_do(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    beat(seconds_ago=1)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "cannot be written: make it writable" in reason(client)


def test_status_page_says_that_the_disk_is_full(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(alice)
    assert "disk full" not in client.get("/status/").content.decode()
    monkeypatch.setattr(data_folder, "FULL_BELOW", 10**18)
    assert "free some space there" in client.get("/status/").content.decode()


def test_disk_is_named_although_the_database_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    hanging = threading.Event()
    monkeypatch.setattr(native_health, "_look", hanging.wait)
    monkeypatch.setattr(native_health, "READY_WITHIN", 0.1)
    monkeypatch.setattr(data_folder, "FULL_BELOW", 10**18)
    try:
        status, data = asyncio.run(native_health._readiness())  # noqa: SLF001 - ASGI around it adds nothing
    finally:
        hanging.set()
    assert status == 503
    assert "is full: free some space" in data["reason"]


def test_not_ready_on_data_of_a_newer_version(client: Client, db: None) -> None:
    beat(seconds_ago=1)
    MigrationRecorder(connection).record_applied("memories", "9999_later")
    assert "newer than this version" in reason(client)
    assert "memories.9999_later" in reason(client)

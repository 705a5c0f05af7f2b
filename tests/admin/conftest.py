"""Memories of two people, and the steps of staff: choose rows of a list, confirm a preview."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import Permission
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client

from memories.models import Event, Memory
from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import AuditEntry, User

MEMORIES = "/admin/memories/memory/"
DISPUTES = "/admin/memories/memorylink/"


def remember(owner: User, content: str, *, pending: bool = False, **fields: Any) -> Memory:
    """Write a memory of an owner."""
    candidate = Candidate(content, **fields)
    written = write_candidates([candidate], owner=owner.pk, actor="person", pending=pending)
    memory = written.outcomes[0].memory
    assert memory is not None
    return memory


def dispute(owner: User) -> tuple[Memory, Memory]:
    """Write two memories that cannot both be true: one home each, since the same day."""
    home: dict[str, Any] = {
        "subject": "Anna",
        "predicate": "lives in",
        "valid_from": datetime(2026, 1, 1, tzinfo=UTC),
    }
    first = remember(owner, "Anna lives in Graz.", object="Graz", **home)
    second = remember(owner, "Anna lives in Linz.", object="Linz", **home)
    return first, second


def choose(client: Client, action: str, *rows: Model, at: str = MEMORIES, **fields: str) -> HttpResponse:
    """Choose an action of a list for these rows."""
    form = {"action": action, "_selected_action": [str(row.pk) for row in rows], **fields}
    return client.post(at, form)  # type: ignore[return-value]  # the test client's own kind


def confirm(client: Client, act: str, *rows: Model, **fields: str) -> HttpResponse:
    """Confirm the preview of an act on these memories."""
    form = {"ids": ",".join(str(row.pk) for row in rows), "confirmed": fields.get("kind", "yes"), **fields}
    return client.post(f"{MEMORIES}acts/{act}/", form)  # type: ignore[return-value]  # as above


def page_of(response: HttpResponse) -> str:
    return response.content.decode()


def statuses(*memories: Memory) -> list[str]:
    """Return the statuses of the memories as they are stored now."""
    stored = {row.pk: row for row in Memory.objects.filter(pk__in=[memory.pk for memory in memories])}
    return [stored[memory.pk].status for memory in memories]


def acts_on(owner: User) -> list[tuple[str, str, str]]:
    """Return (actor, act, subject) of an owner's audit, the oldest first."""
    return list(AuditEntry.objects.filter(owner=owner).order_by("pk").values_list("actor", "act", "subject"))


def last_batch(owner: User) -> UUID:
    """Return the batch of the latest change of an owner's memories."""
    return Event.objects.filter(owner=owner).latest("sequence").batch_id


def staff(name: str, *permissions: str) -> Client:
    """Sign in new staff with these permissions only."""
    person = User.objects.create_user(name, password=f"{name}-secret-1", is_staff=True)
    person.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def dana(db: None) -> Client:
    """Staff who may look at memories and jobs, and change nothing."""
    return staff("dana", "view_memory", "view_job", "view_apikey")


@pytest.fixture
def erin(db: None) -> Client:
    """Staff without any permission."""
    return staff("erin")

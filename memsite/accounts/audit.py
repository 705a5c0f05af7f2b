"""The record of what staff looked at and did. Its owner reads it; nobody edits it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from memsite.accounts.models import AuditEntry

LOOK: Final = "look"


def record(actor: str, act: str, subject: str, seen: Iterable[tuple[UUID, UUID]]) -> None:
    """One entry for each owner among the rows.

    act: `look` or the name of what was done; subject: what kind of rows; seen: (owner, row) ids.
    """
    rows: dict[UUID, list[UUID]] = {}
    for owner, row in seen:
        rows.setdefault(owner, []).append(row)
    AuditEntry.objects.bulk_create(
        AuditEntry(owner_id=owner, actor=actor, act=act, subject=subject, subject_ids=ids)
        for owner, ids in rows.items()
    )

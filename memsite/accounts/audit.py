"""The audit record: what staff looked at and did, and what was done with the account itself.

Its owner reads it; nobody edits it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from ipaddress import ip_address
from typing import Final, cast
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from rest_framework.request import Request

from memsite.accounts.keys import KEY_START
from memsite.accounts.models import ApiKey, AuditEntry, User

LOOK: Final = "look"
UNDO: Final = "undo"
#: The acts that `record_own` writes.
OWN_ACTS: Final = frozenset(
    {
        *("sign in", "issue key", "revoke key", "export", "import", "change name"),
        *("add webhook", "change webhook", "remove webhook", "renew webhook secret"),
        "change application",
        *("connect program", "disconnect program"),
        *("request deletion", "call off deletion", "delete data"),
    }
)
#: Repeated looks of one person at the same rows within this time count as one look.
ONE_LOOK: Final = timedelta(minutes=10)


def record(
    actor: str,
    act: str,
    subject: str,
    seen: Iterable[tuple[UUID, UUID]],
    *,
    batch_id: UUID | None = None,
    undone: UUID | None = None,
) -> None:
    """Write one entry for each owner among the rows.

    A look at rows that the actor looked at or acted on recently adds no entry, because the admin shows the
    list again after each act.

    Args:
        actor: The user name of the person who acted.
        act: `look`, or the name of the act.
        subject: The kind of rows, in the plural.
        seen: (owner, row) ids.
        batch_id: The batch of the act, by which the owner or the staff can undo it.
        undone: For an undo, the batch that was undone.
    """
    rows: dict[UUID, list[UUID]] = {}
    for owner, row in seen:
        rows.setdefault(owner, []).append(row)
    if act == LOOK:
        rows = _not_seen_lately(actor, subject, rows)
    AuditEntry.objects.bulk_create(
        AuditEntry(
            owner_id=owner,
            actor=actor,
            act=act,
            subject=subject,
            subject_ids=ids,
            batch_id=batch_id,
            detail=str(undone or ""),
        )
        for owner, ids in rows.items()
    )


def record_own(
    request: HttpRequest | Request, person: User, act: str, subject: str, ids: Sequence[UUID] = ()
) -> AuditEntry:
    """Write an entry for an act of a person, or of a program with their key, on the account itself."""
    key = getattr(request, "auth", None)
    device = (
        f"{KEY_START}{key.prefix}…" if isinstance(key, ApiKey) else request.META.get("HTTP_USER_AGENT", "")
    )
    return AuditEntry.objects.create(
        owner=person,
        actor=person.get_username(),
        act=act,
        subject=subject,
        subject_ids=list(ids),
        address=get_address(request),
        detail="".join(sign for sign in device if sign.isprintable())[:200],
    )


def record_caller(
    request: HttpRequest | Request, act: str, subject: str, ids: Sequence[UUID] = ()
) -> AuditEntry:
    """Write an entry for an act of whoever the request acts for."""
    return record_own(request, cast("User", request.user), act, subject, ids)


def find_undone(entries: Collection[AuditEntry]) -> set[tuple[UUID, UUID]]:
    """Return (owner, batch) of those entries whose batch the staff undid later. Makes one query."""
    batches = [str(entry.batch_id) for entry in entries if entry.batch_id is not None]
    undos = AuditEntry.objects.filter(
        owner__in={entry.owner_id for entry in entries}, act=UNDO, detail__in=batches
    )
    return {(owner, UUID(batch)) for owner, batch in undos.values_list("owner_id", "detail")}


def list_batches(*, start: int, most: int) -> list[AuditEntry]:
    """Return the acts of staff that have a batch, the newest first, one for each owner. One query."""
    entries = AuditEntry.objects.filter(batch_id__isnull=False).select_related("owner")
    return list(entries.order_by("-batch_id", "id")[start : start + most])


def list_owners_of_batch(batch_id: UUID) -> list[UUID]:
    """Return whose memories an act of staff changed, by the id of its batch."""
    owners = AuditEntry.objects.filter(batch_id=batch_id).values_list("owner_id", flat=True)
    return sorted(set(owners))


def get_address(request: HttpRequest | Request) -> str | None:
    """Return the caller's IP address, or None if the connection has none."""
    address = str(request.META.get("REMOTE_ADDR", ""))
    try:
        return str(ip_address(address))
    except ValueError:
        return None


def _not_seen_lately(actor: str, subject: str, rows: dict[UUID, list[UUID]]) -> dict[UUID, list[UUID]]:
    """Return the rows without those in an entry of the same actor from the last ten minutes."""
    lately = AuditEntry.objects.filter(
        owner__in=rows, actor=actor, subject=subject, created_at__gt=timezone.now() - ONE_LOOK
    )
    seen = {(owner, row) for owner, ids in lately.values_list("owner_id", "subject_ids") for row in ids}
    new = {owner: [row for row in ids if (owner, row) not in seen] for owner, ids in rows.items()}
    return {owner: ids for owner, ids in new.items() if ids}

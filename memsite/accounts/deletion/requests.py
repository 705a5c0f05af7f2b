"""A person requests the deletion of their data, calls it off, or has it carried out at once; its receipt."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from memsite.accounts.deletion.mails import queue_request_mail
from memsite.accounts.deletion.people import check_other_administrator
from memsite.accounts.deletion.running import queue_deletion
from memsite.accounts.deletion.stored_data import list_unreachable
from memsite.accounts.models import DeletionRequest, DeletionScope, User
from memsite.errors import Conflict, NotFound
from memsite.web.layout import Banner

#: For how long a requested deletion can be called off.
GRACE: Final = timedelta(days=7)
_NEWEST: Final = 10  # ended deletions that are listed
_FIRST: Final = ("memories", "threads", "messages")  # on a receipt


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of a deletion: the number of deleted rows by name, and the copies that remain."""

    id: UUID
    scope: str
    requested_at: datetime
    finished_at: datetime | None
    erased: dict[str, int]
    not_reached: list[str]

    def as_json(self) -> dict[str, Any]:
        """Return the receipt as JSON."""
        return {
            "id": str(self.id),
            "scope": self.scope,
            "requested_at": self.requested_at.isoformat(),
            "finished_at": self.finished_at and self.finished_at.isoformat(),
            "erased": self.erased,
            "not_reached": self.not_reached,
        }


def request_deletion(person: User, scope: DeletionScope) -> DeletionRequest:
    """Request a deletion: it is carried out after `GRACE`, unless it is called off before.

    Raises:
        Conflict: If a deletion is pending already; for the account of the only administrator.
    """
    if scope == DeletionScope.ACCOUNT:
        check_other_administrator(person)
    now = timezone.now()
    try:
        with transaction.atomic():
            requested = DeletionRequest.objects.create(
                owner=person, scope=scope, requested_at=now, due_at=now + GRACE
            )
            queue_request_mail(requested)
    except IntegrityError:
        raise Conflict("A deletion is pending already. Call it off first.") from None
    return requested


def find_open_deletion(*, owner: UUID) -> DeletionRequest | None:
    """Return the person's deletion that is pending or under way, if there is one. One query."""
    return DeletionRequest.objects.filter(owner_id=owner, called_off_at=None, finished_at=None).first()


def load_deletion_banner(*, owner: UUID) -> Banner | None:
    """Return the banner that says when a person's data are deleted; None if no deletion is pending."""
    pending = find_open_deletion(owner=owner)
    return Banner("accounts/_deletion_banner.html", {"deletion": pending}) if pending else None


def list_ended_deletions(*, owner: UUID) -> list[DeletionRequest]:
    """Return the person's deletions that were carried out, the newest first."""
    rows = DeletionRequest.objects.filter(owner_id=owner).exclude(finished_at=None)
    return list(rows.order_by("-finished_at")[:_NEWEST])


def call_off_deletion(*, owner: UUID) -> DeletionRequest:
    """Call off the pending deletion. Nothing has been deleted.

    Raises:
        NotFound: If none is pending.
        Conflict: If it has begun.
    """
    with transaction.atomic():
        pending = DeletionRequest.objects.select_for_update().filter(owner_id=owner)
        found = pending.filter(called_off_at=None, finished_at=None).first()
        if found is None:
            raise NotFound("No deletion is pending.")
        if found.begun_at is not None:
            raise Conflict("The deletion has begun and can no longer be called off.")
        found.called_off_at = timezone.now()
        found.save(update_fields=["called_off_at"])
    return found


def hasten_deletion(person: User) -> DeletionRequest:
    """Delete the account now instead of after the grace period. Nobody can sign in to it from now on.

    Raises:
        NotFound: If no deletion of the account is pending.
        Conflict: For the account of the only administrator.
    """
    check_other_administrator(person)
    with transaction.atomic():
        pending = DeletionRequest.objects.select_for_update().filter(
            owner=person, scope=DeletionScope.ACCOUNT, called_off_at=None, finished_at=None
        )
        found = pending.first()
        if found is None:
            raise NotFound("No deletion is pending.")
        found.due_at = timezone.now()
        found.save(update_fields=["due_at"])
        User.objects.filter(pk=person.pk).update(is_active=False)
        queue_deletion(found.pk, owner=person.pk)
    return found


def make_receipt(deletion_id: UUID, *, owner: UUID) -> Receipt:
    """Return the receipt of a deletion that has begun.

    Raises:
        NotFound: If the person has no such deletion.
    """
    row = DeletionRequest.objects.filter(owner_id=owner, pk=deletion_id).exclude(begun_at=None).first()
    if row is None:
        raise NotFound("There is no such receipt.")
    erased = dict(sorted(row.erased.items(), key=_place_on_receipt))
    return Receipt(row.pk, row.scope, row.requested_at, row.finished_at, erased, list_unreachable())


def _place_on_receipt(counted: tuple[str, int]) -> tuple[int, str]:
    name, _count = counted
    return _FIRST.index(name) if name in _FIRST else len(_FIRST), name

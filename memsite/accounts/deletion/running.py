"""Carry out deletions whose time has come, in steps of one transaction each.

A step erases some rows and adds their number to the request. A killed process leaves whole steps; the next
job goes on. The request is locked in each step, so that two jobs take turns and it cannot be called off in
the middle of one.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memsite.accounts.applications import list_end_users
from memsite.accounts.deletion.mails import mail_account_receipt, queue_receipt_mail
from memsite.accounts.deletion.people import check_other_administrator, delete_locked, delete_person
from memsite.accounts.deletion.stored_data import Counted, erase_some_data
from memsite.accounts.models import AuditEntry, DeletionRequest, DeletionScope, User
from memsite.jobs import enqueue
from memsite.serving.postgres import across_owners, acting_for

#: Seconds after which a job leaves the rest to the next one. A job may take 60.
_SECONDS = 40.0


def carry_out_due() -> int:
    """Queue every deletion whose time has come, also those that were interrupted. Return how many."""
    due = list_due_deletions()
    for owner, deletion_id in due:
        queue_deletion(deletion_id, owner=owner)
    return len(due)


@across_owners()
def list_due_deletions() -> list[tuple[UUID, UUID]]:
    """Return (owner, request) of the deletions whose time has come. Across owners: for the schedule only."""
    due = DeletionRequest.objects.filter(called_off_at=None, finished_at=None, due_at__lte=timezone.now())
    return list(due.order_by("due_at").values_list("owner_id", "id"))


def queue_deletion(deletion_id: UUID, *, owner: UUID) -> None:
    """Queue the job that carries out a deletion. It is a job of the site, because the owner's are deleted."""
    enqueue(
        "memsite.accounts.deletion.running.carry_out",
        deletion_id,
        owner,
        unique_key=f"deletion:{deletion_id}",
    )


def carry_out(deletion_id: str, owner_id: str) -> None:
    """Carry out a deletion, or as much of it as there is time for: the task of `queue_deletion`.

    Raises:
        Conflict: For the account of the only administrator.
    """
    deletion, owner = UUID(deletion_id), UUID(owner_id)
    until = time.monotonic() + _SECONDS
    with acting_for(owner):
        while _take_step(deletion, owner):
            if time.monotonic() >= until:
                queue_deletion(deletion, owner=owner)
                return


def _take_step(deletion: UUID, owner: UUID) -> bool:
    """Erase some rows, or finish. Return whether something is left to do."""
    with transaction.atomic():
        row = DeletionRequest.objects.select_for_update().filter(owner_id=owner, pk=deletion).first()
        if row is None or not row.is_open or row.due_at > timezone.now():
            return False
        if row.begun_at is None:
            _begin(row)
        erased = _erase_some(row)
        if erased:
            row.erased = dict(Counter(row.erased) + Counter(erased))
            row.save(update_fields=["erased"])
            return True
        if row.scope == DeletionScope.MEMORIES:
            _finish(row)
            return False
    mail_account_receipt(row)  # before the address is gone; the mail server must not hold a transaction
    delete_person(User.objects.get(pk=owner))
    return False


def _begin(row: DeletionRequest) -> None:
    person = User.objects.get(pk=row.owner_id)
    if row.scope == DeletionScope.ACCOUNT:
        check_other_administrator(person)
        User.objects.filter(pk=person.pk).update(is_active=False)
    row.begun_at = timezone.now()
    row.save(update_fields=["begun_at"])


def _erase_some(row: DeletionRequest) -> Mapping[str, int]:
    erased = erase_some_data(owner=row.owner_id)
    if erased or row.scope == DeletionScope.MEMORIES:
        return erased
    return _erase_some_of_end_user(row.owner)


def _erase_some_of_end_user(person: User) -> Mapping[str, int]:
    """Erase some rows of an end user of the person's applications, or the end user without any."""
    end_user = list_end_users(person).select_for_update(of=("self",)).order_by("pk").first()
    if end_user is None:
        return {}
    with acting_for(end_user.pk):
        erased = erase_some_data(owner=end_user.pk)
    if erased:
        return erased
    delete_locked(end_user)
    return {Counted.END_USERS: 1}


def _finish(row: DeletionRequest) -> None:
    row.finished_at = timezone.now()
    row.save(update_fields=["finished_at"])
    AuditEntry.objects.create(
        owner_id=row.owner_id,
        actor=row.owner.get_username(),
        act="delete data",
        subject="memories",
        subject_ids=[],
    )
    queue_receipt_mail(row)

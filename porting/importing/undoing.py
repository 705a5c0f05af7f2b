"""Undo an import: its memories, its threads, and the messages that it added to other threads."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memories.curation.porting import take_back_batch
from memsite.accounts.preferences import withdraw_preferences
from memsite.errors import Conflict, NotFound
from memsite.jobs import enqueue, hold_lease
from memsite.values import parse_id
from porting.conf import JOB_SECONDS, LEASE_SECONDS, TURN_SECONDS
from porting.importing.begin import get_import
from porting.importing.files import remove_files
from porting.importing.parts import ACTOR
from porting.models import Import, ImportedThread, ImportStatus
from porting.values import Format
from threads.messages import removal
from threads.models import Message

TASK: Final = "porting.tasks.undo_import"
_IN_REQUEST: Final = 8.0  # seconds


def undo_import(import_id: str | UUID, *, owner: UUID) -> Import:
    """Undo an import. A job does what takes long; the status becomes `undone` when all is done.

    Memories and threads that the person changed since stay.

    Raises:
        NotFound: If the owner has no such import.
        Conflict: If it is underway, or was not begun.
    """
    row = get_import(import_id, owner=owner)
    if row.status == ImportStatus.UNDONE:
        return row
    if not row.can_be_undone:
        raise Conflict("An import can be undone when it has ended. Cancel it first.")
    if not _undo(row, _IN_REQUEST):
        _queue(row)
    return row


def continue_undo(import_id: UUID, *, owner: UUID) -> str:
    """Undo the rest of an import, in a job. Return the status."""
    row = get_import(import_id, owner=owner)
    if row.can_be_undone and not _undo(row, TURN_SECONDS):
        _queue(row)
    return str(row.status)


def _queue(row: Import) -> None:
    key = f"undo-import:{row.pk}"
    job = enqueue(TASK, row.pk, row.owner_id, owner=row.owner_id, unique_key=key, timeout=JOB_SECONDS)
    row.job_id = job.pk
    row.save(update_fields=["job_id"])


def _undo(row: Import, seconds: float) -> bool:
    """Undo for up to `seconds`. Return whether all is done."""
    until = time.monotonic() + seconds
    with hold_lease(f"import:{row.owner_id}", LEASE_SECONDS):
        left = int(row.counts.get("left_out", 0))
        if "removed" not in row.counts:
            prefix = "" if row.format == Format.MEMSITE else f"{row.format}:"
            taken = take_back_batch(row.batch_id, prefix, owner=row.owner_id, actor=ACTOR)
            left += taken.left_out
            row.counts = {**row.counts, "removed": taken.removed, "left_out": left}
            row.save(update_fields=["counts"])
        written = ImportedThread.objects.filter(owner_id=row.owner_id, source=row).order_by("-id")
        while (one := written.first()) is not None:
            with transaction.atomic():
                left += not _remove_thread(one)
                one.delete()
                row.counts = {**row.counts, "left_out": left}
                row.save(update_fields=["counts"])
            if time.monotonic() > until and written.exists():
                return False
    if chosen := row.options.get("preferences"):
        withdraw_preferences(row.owner_id, chosen)
    row.status, row.finished_at, row.warnings = ImportStatus.UNDONE, timezone.now(), []
    row.save(update_fields=["status", "finished_at", "warnings"])
    remove_files(row.pk)
    return True


def _remove_thread(written: ImportedThread) -> bool:
    """Delete a thread, or the messages that were added to it. Return whether all of it could go."""
    owner, thread_id = written.owner_id, written.thread_id
    ours = {parsed for one in written.message_ids if (parsed := parse_id(one)) is not None}
    if written.is_new:
        others = Message.objects.filter(owner_id=owner, thread_id=thread_id).exclude(pk__in=ours)
        if others.exists():
            _hand_over(written, set(others.values_list("id", flat=True)))
            return False
        with suppress(NotFound):
            removal.delete_thread(thread_id, owner=owner, actor=ACTOR)
        return True
    for message_id in sorted(ours, reverse=True):
        with suppress(NotFound):
            removal.delete_message(thread_id, message_id, owner=owner, actor=ACTOR)
    return True


def _hand_over(written: ImportedThread, others: set[UUID]) -> None:
    """If only newer imports added to a thread, let the undoing of the last of them take all of it back."""
    rows = ImportedThread.objects.filter(owner_id=written.owner_id, thread_id=written.thread_id)
    newer = list(rows.exclude(source_id=written.source_id).order_by("id"))
    theirs = {parsed for row in newer for one in row.message_ids if (parsed := parse_id(one)) is not None}
    if newer and others <= theirs:
        heir = newer[0]
        heir.is_new, heir.message_ids = True, [*written.message_ids, *heir.message_ids]
        heir.save(update_fields=["is_new", "message_ids"])

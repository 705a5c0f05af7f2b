"""Accept files, preview them, and queue their import."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memsite.accounts.preferences import get_preferences
from memsite.errors import Conflict, NotAllowed, NotFound
from memsite.jobs import enqueue
from memsite.jobs.models import Job, Status
from memsite.values import parse_id
from porting.conf import JOB_SECONDS, LISTED
from porting.importing.files import StoredFiles, Upload, remove_files, store_files
from porting.importing.preview import Preview, preview_documents
from porting.models import Import, ImportStatus
from porting.values import Format, Learn

TASK: Final = "porting.tasks.run_import"
_ERROR: Final = 500  # characters


@dataclass(frozen=True, slots=True)
class Options:
    """The options of an import.

    Attributes:
        format: The only format to accept; `AUTO` for any.
        threads: Whether conversations are imported, or only memories.
        learn: What is learnt from conversations.
    """

    format: Format = Format.AUTO
    threads: bool = True
    learn: Learn = Learn.RULES


def look_at_files(uploads: Sequence[Upload], options: Options, *, owner: UUID) -> Preview:
    """Return the preview of files, and store nothing.

    Raises:
        NotAllowed: If the owner's memory is off.
        InvalidInput: If nothing in them can be imported.
        TooLarge: If they are too large.
    """
    _check_memory(owner)
    stored = store_files(uploads)
    try:
        with stored.open() as documents:
            return preview_documents(documents, options.format, owner=owner)
    finally:
        remove_files(stored.number)


def begin_import(uploads: Sequence[Upload], options: Options, *, owner: UUID, actor: str) -> Import:
    """Keep files, look at them, and store an import that waits for `start_import`.

    An earlier import of the owner that still waits is discarded.

    Raises:
        NotAllowed: If the owner's memory is off.
        InvalidInput: If nothing in the files can be imported.
        TooLarge: If they are too large.
    """
    _check_memory(owner)
    stored = store_files(uploads)
    try:
        with stored.open() as documents:
            preview = preview_documents(documents, options.format, owner=owner)
        return _store(stored, preview, options, owner=owner, actor=actor)
    except BaseException:
        remove_files(stored.number)
        raise


def start_import(import_id: str | UUID, *, owner: UUID) -> Job:
    """Queue the job of an import that waits to be started.

    Raises:
        NotFound: If the owner has no such import.
        Conflict: If it does not wait, or another import of the owner is underway.
    """
    _check_memory(owner)
    with transaction.atomic():
        row = get_import(import_id, owner=owner, lock=True)
        if row.status != ImportStatus.WAITING:
            raise Conflict("This import has begun already.")
        underway = [ImportStatus.QUEUED, ImportStatus.RUNNING]
        if Import.objects.filter(owner_id=owner, status__in=underway).exists():
            raise Conflict("Another import is underway. Wait until it has ended.")
        row.status, row.preview = ImportStatus.QUEUED, {}
        job = queue_job(row)
        row.save(update_fields=["status", "preview", "job_id"])
        return job


def queue_job(row: Import) -> Job:
    """Queue the job that works on an import, and note its id on the row, which the caller saves."""
    key, owner = f"import:{row.pk}", row.owner_id
    job = enqueue(TASK, row.pk, owner, owner=owner, unique_key=key, timeout=JOB_SECONDS)
    row.job_id = job.pk
    return job


def cancel_import(import_id: str | UUID, *, owner: UUID) -> Import:
    """End an import. What it has written stays, and can be undone.

    Raises:
        NotFound: If the owner has no such import.
        Conflict: If it has ended.
    """
    with transaction.atomic():
        row = get_import(import_id, owner=owner, lock=True)
        if not row.is_underway and row.status != ImportStatus.WAITING:
            raise Conflict("This import has ended.")
        row.status, row.preview, row.finished_at = ImportStatus.CANCELLED, {}, timezone.now()
        row.save(update_fields=["status", "preview", "finished_at"])
        transaction.on_commit(lambda: remove_files(row.pk))
        return row


def get_import(import_id: str | UUID, *, owner: UUID, lock: bool = False) -> Import:
    """Return the owner's import of this id.

    Raises:
        NotFound: If there is none.
    """
    identifier = import_id if isinstance(import_id, UUID) else parse_id(import_id)
    rows = Import.objects.filter(owner_id=owner)
    if lock:
        rows = rows.select_for_update(no_key=True)
    row = rows.filter(pk=identifier).first() if identifier is not None else None
    if row is None:
        raise NotFound("There is no such import.")
    return _settle(row)


def list_imports(*, owner: UUID, most: int = 20) -> list[Import]:
    """Return the owner's imports of the last 90 days, newest first."""
    rows = Import.objects.filter(owner_id=owner, created_at__gt=timezone.now() - LISTED)
    return [_settle(row) for row in rows.order_by("-created_at", "-id")[:most]]


def _settle(row: Import) -> Import:
    """Mark an import as failed if its job failed for good, so that it can be undone."""
    if not row.is_underway or row.job_id is None:
        return row
    job = Job.objects.filter(pk=row.job_id, owner_id=row.owner_id).first()
    if job is not None and job.status in (Status.FAILED, Status.DEAD):
        row.status, row.error, row.finished_at = ImportStatus.FAILED, job.error[:_ERROR], timezone.now()
        row.save(update_fields=["status", "error", "finished_at"])
    return row


def _check_memory(owner: UUID) -> None:
    if not get_preferences(owner).memory_on:
        raise NotAllowed("Memory is switched off for this person.")


def _store(stored: StoredFiles, preview: Preview, options: Options, *, owner: UUID, actor: str) -> Import:
    waiting = Import.objects.filter(owner_id=owner, status=ImportStatus.WAITING)
    with transaction.atomic():
        for row in waiting:
            cancel_import(row.pk, owner=owner)
        return Import.objects.create(
            id=stored.number,
            owner_id=owner,
            format=preview.format,
            status=ImportStatus.WAITING,
            options={"threads": options.threads, "learn": str(options.learn)},
            files=list(stored.names),
            preview=preview.as_json(),
            total=preview.total,
            warnings=preview.warnings,
            actor=actor,
        )

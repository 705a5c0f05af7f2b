"""Tables of imports: one row for each, and one for each thread that it wrote."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned, OwnedPart, within_owner
from memsite.values import TextEnum, new_id


class ImportStatus(TextEnum):
    """The state of an import. `WAITING`: the person has seen the preview and has not decided."""

    WAITING = "waiting"
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    UNDONE = "undone"


class Import(Owned):
    """One import of one or several files.

    The files are in the data directory while they are needed. Learnt texts are in memories and threads, never
    here; the preview, which has some, is cleared when the import begins.

    Attributes:
        options: {"threads", "learn"}.
        files: Names of the files as they were uploaded.
        preview: What `importing.preview` found.
        total: Number of items in the files.
        done: Number of items that were written or left out, in the order of the files.
        counts: Number of threads, messages and memories by what became of them.
        warnings: [{"where", "why"}], the first hundred.
        batch_id: The batch of all memories that it writes.
        job_id: The job that works on it.
    """

    format = models.CharField(max_length=16)
    status = models.CharField(max_length=12, choices=ImportStatus.choices())
    options = models.JSONField(default=dict)
    files = models.JSONField(default=list)
    preview = models.JSONField(default=dict)
    total = models.IntegerField(default=0)
    done = models.IntegerField(default=0)
    counts = models.JSONField(default=dict)
    warnings = models.JSONField(default=list)
    error = models.CharField(max_length=500, blank=True, default="")
    batch_id = models.UUIDField(default=new_id)
    job_id = models.UUIDField(null=True)
    actor = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta(Owned.Meta):
        constraints: ClassVar = [*Owned.Meta.constraints]
        indexes: ClassVar = [models.Index(fields=["owner", "created_at"], name="porting_import_created")]

    def __str__(self) -> str:
        return f"{self.format} of {self.created_at:%Y-%m-%d}"

    @property
    def is_underway(self) -> bool:
        """Whether a job works on it or will."""
        return self.status in (ImportStatus.QUEUED, ImportStatus.RUNNING)

    @property
    def can_be_undone(self) -> bool:
        """Whether it has ended and may have written something."""
        return self.status in (ImportStatus.DONE, ImportStatus.FAILED, ImportStatus.CANCELLED)


class ImportedThread(OwnedPart):
    """A thread that an import created or added to. `message_ids`: the messages that it wrote."""

    source = within_owner(Import)
    thread_id = models.UUIDField()
    is_new = models.BooleanField()
    message_ids = models.JSONField(default=list)

    class Meta(OwnedPart.Meta):
        constraints: ClassVar = [*OwnedPart.Meta.constraints]
        indexes: ClassVar = [models.Index(fields=["owner", "source"], name="porting_importedthread_source")]

    def __str__(self) -> str:
        return f"{self.thread_id} by {self.source_id}"

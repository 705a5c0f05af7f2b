"""Delete files that no import needs: of previews nobody decided on, and of killed processes."""

from __future__ import annotations

from django.utils import timezone

from memsite.serving.postgres import across_owners
from porting.conf import LISTED, WAITS
from porting.importing.files import list_stored, remove_files
from porting.models import Import, ImportStatus


@across_owners()
def sweep() -> int:
    """End imports that wait for over a day, forget those of long ago, and return how many folders went."""
    now = timezone.now()
    overdue = Import.objects.filter(status=ImportStatus.WAITING, created_at__lt=now - WAITS)
    overdue.update(status=ImportStatus.CANCELLED, preview={}, finished_at=now)
    ended = Import.objects.filter(finished_at__lt=now - LISTED)
    ended.delete()
    stored = list_stored()
    kept = [ImportStatus.WAITING, ImportStatus.QUEUED, ImportStatus.RUNNING]
    needed = set(Import.objects.filter(pk__in=stored, status__in=kept).values_list("id", flat=True))
    gone = [number for number in stored if number not in needed]
    for number in gone:
        remove_files(number)
    return len(gone)

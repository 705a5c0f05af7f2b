"""Delete imports and files: what no import needs any more, and all imports of a person."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memsite.serving.postgres import across_owners
from porting.conf import LISTED, WAITS
from porting.importing.files import list_stored, remove_files
from porting.models import Import, ImportStatus

_ERASED_AT_ONCE: Final = 200
#: The name under which a deletion counts imports.
_COUNTED: Final = "imports"


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


def count_imports(*, owner: UUID) -> Mapping[str, int]:
    """Return how many imports a person has. One query."""
    return {_COUNTED: Import.objects.filter(owner_id=owner).count()}


def erase_some_imports(*, owner: UUID) -> Mapping[str, int]:
    """Delete some imports of a person with their files, and return how many.

    One that is underway writes nothing more: its next part finds no row and is rolled back.
    """
    own = Import.objects.filter(owner_id=owner)
    numbers = list(own.values_list("id", flat=True)[:_ERASED_AT_ONCE])
    if not numbers:
        return {}
    own.filter(pk__in=numbers).delete()
    for number in numbers:
        transaction.on_commit(partial(remove_files, number))
    return {_COUNTED: len(numbers)}

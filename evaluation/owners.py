"""Temporary owners: created for one measurement and erased with everything that was written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from django.utils import timezone

from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.serving.postgres import acting_for
from memsite.values import new_id

PREFIX: Final = "evaluation-"
#: Age at which the owner of a killed run is certainly unused.
_STRAY_AFTER: Final = timedelta(hours=12)


@contextmanager
def create_temporary_owner(*, learns: bool = False) -> Iterator[User]:
    """Yield a person who cannot sign in; delete the person in the end.

    Args:
        learns: Whether what is extracted from messages is active at once; otherwise it waits.
    """
    owner = User(username=f"{PREFIX}{new_id().hex}")
    owner.set_unusable_password()
    owner.save(force_insert=True)
    try:
        with acting_for(owner.pk):
            set_preferences(owner.pk, auto_extract=learns)
            yield owner
    finally:
        erase_owner(owner)


def erase_owner(owner: User) -> None:
    """Delete the person and all their rows."""
    with acting_for(owner.pk):
        owner.delete()


def sweep_strays() -> int:
    """Erase the owners that killed runs left behind; return how many."""
    strays = User.objects.filter(username__startswith=PREFIX, date_joined__lt=timezone.now() - _STRAY_AFTER)
    found = list(strays)
    for owner in found:
        erase_owner(owner)
    return len(found)

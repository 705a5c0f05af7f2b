"""Somebody to remember for, made for one measurement and erased with everything that was written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from django.utils import timezone

from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.ids import new_id

PREFIX: Final = "evaluation-"
#: A run that was killed leaves its owner behind; after this long nobody can be using it any more.
_STRAY_AFTER: Final = timedelta(hours=12)


@contextmanager
def throw_away_owner() -> Iterator[User]:
    """A person who cannot sign in and for whom nothing is derived; gone afterwards, whatever happens."""
    owner = User(username=f"{PREFIX}{new_id().hex}")
    owner.set_unusable_password()
    owner.save(force_insert=True)
    try:
        set_preferences(owner.pk, auto_extract=False)
        yield owner
    finally:
        erase(owner)


def erase(owner: User) -> None:
    """Take the person away, and with them every row that is theirs."""
    owner.delete()


def sweep_strays() -> int:
    """Erase the owners that killed runs left behind; how many there were."""
    strays = User.objects.filter(username__startswith=PREFIX, date_joined__lt=timezone.now() - _STRAY_AFTER)
    found = list(strays)
    for owner in found:
        erase(owner)
    return len(found)

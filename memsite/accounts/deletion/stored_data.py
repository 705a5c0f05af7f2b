"""Register the data that other apps store for a person, so that a deletion can count and erase them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol
from uuid import UUID

from memsite.accounts.models import DeletionScope, User
from memsite.values import TextEnum


class CountRows(Protocol):
    """Counts what a person would miss, by name."""

    def __call__(self, *, owner: UUID) -> Mapping[str, int]: ...


class EraseSome(Protocol):
    """Erases some rows of a person in the present transaction, and returns how many, by name.

    It returns nothing when nothing is left. One call takes a second or two at most, so that a deletion which
    is interrupted goes on where it was.
    """

    def __call__(self, *, owner: UUID) -> Mapping[str, int]: ...


@dataclass(frozen=True, slots=True)
class StoredData:
    """The data that one app stores for a person.

    Attributes:
        unreachable: Copies that no statement reaches at once; listed on every receipt.
    """

    count: CountRows
    erase_some: EraseSome
    unreachable: tuple[str, ...] = ()


_registered: Final[list[StoredData]] = []


class Counted(TextEnum):
    """The names under which rows of accounts are counted."""

    KEYS = "API keys"
    APPLICATIONS = "applications"
    END_USERS = "end users"


def register_stored_data(stored: StoredData) -> None:
    """Include the data of an app in deletions. Call once, from `AppConfig.ready()`.

    An app that refers to rows of another registers after it: its rows are erased first.
    """
    _registered.append(stored)


def count_data(person: User, scope: DeletionScope) -> dict[str, int]:
    """Return what a deletion of this scope would delete, by name. Rows that others are made of only."""
    counts = {name: count for stored in _registered for name, count in stored.count(owner=person.pk).items()}
    if scope == DeletionScope.ACCOUNT:
        counts[Counted.KEYS] = person.api_keys.count()
        counts[Counted.APPLICATIONS] = person.applications.count()
        counts[Counted.END_USERS] = User.objects.filter(application__owner=person).count()
    return {name: count for name, count in counts.items() if count}


def erase_some_data(*, owner: UUID) -> Mapping[str, int]:
    """Erase some rows of a person in the present transaction. Return how many, by name; none at the end."""
    for stored in reversed(_registered):
        erased = stored.erase_some(owner=owner)
        if erased:
            return erased
    return {}


def list_unreachable() -> list[str]:
    """Return the copies that no deletion reaches at once."""
    return list(dict.fromkeys(place for stored in _registered for place in stored.unreachable))

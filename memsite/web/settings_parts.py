"""Parts of the settings pages that the apps above add: the pages know neither memories nor threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import ngettext


class SettingsPage(StrEnum):
    """The pages of the settings that take parts of other apps."""

    MEMORY = "memory"
    DATA = "data"
    PROGRAMS = "programs"
    PRIVACY = "privacy"
    STATUS = "status"


@dataclass(frozen=True, slots=True)
class SettingsPart:
    """One part of a settings page.

    Attributes:
        template: Name of its template, which begins with a `<section class="surface" …>` and an `<h2>`.
        context: What the template reads as `part`, in addition to the page's own variables.
    """

    template: str
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Retention:
    """The period for which the site keeps one kind of data.

    Attributes:
        what: What is kept, in the plural.
        how_long: The period and what ends it, as a phrase.
    """

    what: str | Promise
    how_long: str | Promise


class MakePart(Protocol):
    """Builds one part of a page for a person."""

    def __call__(self, *, owner: UUID) -> SettingsPart: ...


class ListRetentions(Protocol):
    """Returns how long an app keeps its data, from the values of the present settings."""

    def __call__(self) -> tuple[Retention, ...]: ...


_makers: Final[dict[SettingsPage, list[MakePart]]] = {page: [] for page in SettingsPage}
_retentions: Final[list[ListRetentions]] = []


def register_settings_part(page: SettingsPage, maker: MakePart) -> None:
    """Add a part to a page. Call once, from `AppConfig.ready()`. Parts appear in the order of their apps."""
    _makers[page].append(maker)


def make_settings_parts(page: SettingsPage, *, owner: UUID) -> list[SettingsPart]:
    """Return every part that is registered for a page, made for this person."""
    return [make(owner=owner) for make in _makers[page]]


def register_retentions(list_retentions: ListRetentions) -> None:
    """Add lines to the table of how long data are kept. Call once, from `AppConfig.ready()`."""
    _retentions.append(list_retentions)


def list_retentions() -> list[Retention]:
    """Return the lines of all apps: first those of the uppermost apps, which people know best."""
    return [line for list_of_app in reversed(_retentions) for line in list_of_app()]


def format_days(days: int) -> str:
    """Return a period in days, in the language of the page."""
    return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}

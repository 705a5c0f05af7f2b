"""The navigation of every page.

The apps above add the pages, which are known here only by name, and count what waits there. A page without
a URL is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol
from uuid import UUID

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Entry:
    """One page in the navigation.

    Attributes:
        prefixes: The entry is marked current for every URL under these, besides its own.
    """

    name: str
    label: Promise
    icon: str
    prefixes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """An entry for one request.

    Attributes:
        count: How much waits on its page; None if nothing is counted there.
    """

    name: str
    url: str
    label: Promise
    icon: str
    current: bool
    count: int | None = None

    @property
    def short_count(self) -> str:
        """The count as it is shown: "" for none, "99+" for a hundred or more."""
        if not self.count:
            return ""
        return str(self.count) if self.count <= _MOST_SHOWN else f"{_MOST_SHOWN}+"


class Count(Protocol):
    """Counts what waits for a person on one page."""

    def __call__(self, *, owner: UUID) -> int: ...


_MOST_SHOWN: Final = 99
_counts: Final[dict[str, Count]] = {}


MAIN: Final = (
    Entry("home", _("Overview"), "home"),
    Entry("threads", _("Threads"), "thread", ("/threads/",)),
    Entry("memories", _("Memories"), "memory", ("/memories/", "/conflicts/", "/timeline/", "/graph/")),
    Entry("inbox", _("Inbox"), "inbox", ("/inbox/",)),
)
SETTINGS: Final = (
    Entry("preferences", _("Memory"), "memory", ("/settings/memory/",)),
    Entry("data", _("Data"), "data", ("/settings/data/",)),
    Entry(
        "programs",
        _("Programs"),
        "app",
        ("/settings/programs/", "/settings/keys/", "/settings/applications/"),
    ),
    Entry("account", _("Account"), "user", ("/settings/account/", "/accounts/")),
    Entry("privacy", _("Privacy"), "eye", ("/settings/privacy/", "/settings/audit/", "/status/")),
)
#: URL prefixes of the settings pages: our own and allauth's.
SETTINGS_PREFIXES: Final = ("/settings/", "/accounts/", "/status/")


def build_links(entries: tuple[Entry, ...], request: HttpRequest) -> list[Link]:
    """Return the entries that have a URL; the one that contains the request's page is marked current."""
    found = []
    for entry in entries:
        try:
            url = reverse(entry.name)
        except NoReverseMatch:
            continue
        current = request.path == url or request.path.startswith(entry.prefixes)
        count = _counts.get(entry.name)
        waiting = count(owner=request.user.pk) if count and request.user.is_authenticated else None
        found.append(Link(entry.name, url, entry.label, entry.icon, current, waiting))
    return found


def register_count(name: str, count: Count) -> None:
    """Show a count beside the entry of this name. Call once, from `AppConfig.ready()`."""
    _counts[name] = count

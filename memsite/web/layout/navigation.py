"""The navigation of every page.

The apps above add the pages, which are known here only by name. A page without a URL is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Entry:
    """One page in the navigation.

    Attributes:
        prefix: The entry is marked current for every URL under this one; "" for its own URL alone.
    """

    name: str
    label: Promise
    icon: str
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """An entry for one request."""

    url: str
    label: Promise
    icon: str
    current: bool


MAIN: Final = (
    Entry("home", _("Overview"), "home"),
    Entry("memories", _("Memories"), "memory", "/memories/"),
    Entry("threads", _("Threads"), "thread", "/threads/"),
)
SETTINGS: Final = (
    Entry("preferences", _("Preferences"), "sliders"),
    Entry("api_keys", _("API keys"), "key", "/settings/keys/"),
    Entry("applications", _("Applications"), "app", "/settings/applications/"),
    Entry("account_email", _("Email addresses"), "mail"),
    Entry("account_change_password", _("Password"), "lock"),
    Entry("mfa_index", _("Second factor"), "shield", "/accounts/2fa/"),
    Entry("usersessions_list", _("Sessions"), "clock"),
    Entry("audit", _("Who looked"), "eye"),
    Entry("status", _("Status"), "info"),
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
        current = request.path == url or (bool(entry.prefix) and request.path.startswith(entry.prefix))
        found.append(Link(url, entry.label, entry.icon, current))
    return found

"""The browsers in which a person is signed in: list them, and sign them out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from allauth.usersessions.models import UserSession
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.translation import gettext as _

from memsite.accounts.models import User
from memsite.errors import NotFound

# The name in a browser's description of itself, and how it is shown. The first that occurs is used: most
# browsers also name those that they descend from.
_BROWSERS: Final = (
    (r"Edg\w*/", "Edge"),
    (r"OPR/", "Opera"),
    (r"SamsungBrowser/", "Samsung Internet"),
    (r"(Firefox|FxiOS)/", "Firefox"),
    (r"(Chrome|CriOS)/", "Chrome"),
    (r"Version/.*Safari/", "Safari"),
)
_SYSTEMS: Final = (
    (r"iPhone", "iPhone"),
    (r"iPad", "iPad"),
    (r"Android", "Android"),
    (r"Windows", "Windows"),
    (r"Macintosh", "macOS"),
    (r"CrOS", "ChromeOS"),
    (r"Linux", "Linux"),
)


@dataclass(frozen=True, slots=True)
class SignedInBrowser:
    """One browser in which a person is signed in.

    Attributes:
        device: Browser and system in words, or what the browser says of itself.
        is_current: Whether the present request comes from it.
    """

    id: int
    device: str
    address: str
    since: datetime
    is_current: bool


def list_sessions(person: User, current_key: str | None) -> list[SignedInBrowser]:
    """Return the browsers in which a person is signed in: the present one first, then the newest.

    Args:
        person: The person.
        current_key: The key of the present session.
    """
    rows = UserSession.objects.filter(user=person).order_by("-created_at", "-pk")
    valid = _list_valid_keys(person, [row.session_key for row in rows])
    found = [_describe(row, current_key) for row in rows if row.session_key in valid]
    return sorted(found, key=lambda one: not one.is_current)


def end_session(session_id: int, *, person: User) -> str:
    """Sign out one browser. Return its device in words.

    Raises:
        NotFound: If the person has no such session.
    """
    row = UserSession.objects.filter(user=person, pk=session_id).first()
    if row is None:
        raise NotFound("There is no such session.")
    row.end()
    return describe_device(row.user_agent)


def end_other_sessions(person: User, current_key: str | None) -> int:
    """Sign out every browser but the present one. Return how many sessions ended."""
    others = UserSession.objects.filter(user=person).exclude(session_key=current_key)
    Session.objects.filter(session_key__in=list(others.values_list("session_key", flat=True))).delete()
    return int(others.delete()[0])


def describe_device(user_agent: str) -> str:
    """Return browser and system in words, as "Firefox on Windows"; if unknown, the description itself."""
    browser = _find_name(_BROWSERS, user_agent)
    system = _find_name(_SYSTEMS, user_agent)
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or user_agent or _("Unknown browser")


def _find_name(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for pattern, name in names if re.search(pattern, user_agent)), "")


def _describe(row: UserSession, current_key: str | None) -> SignedInBrowser:
    device = describe_device(row.user_agent)
    return SignedInBrowser(row.pk, device, row.ip, row.created_at, row.session_key == current_key)


def _list_valid_keys(person: User, keys: list[str]) -> set[str]:
    """Return the keys of sessions that neither expired nor ended with a change of the password."""
    rows = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    present = {person.get_session_auth_hash(), *person.get_session_auth_fallback_hash()}
    return {row.session_key for row in rows if row.get_decoded().get(HASH_SESSION_KEY) in present}

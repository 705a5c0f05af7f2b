"""The banner on every page while a deletion is pending or under way."""

from __future__ import annotations

from uuid import UUID

from memsite.accounts.deletion.requests import find_open_deletion
from memsite.web.layout import Banner


def load_deletion_banner(*, owner: UUID) -> Banner | None:
    """Return the banner that says when a person's data are deleted; None if no deletion is pending."""
    pending = find_open_deletion(owner=owner)
    return Banner("accounts/_deletion_banner.html", {"deletion": pending}) if pending else None

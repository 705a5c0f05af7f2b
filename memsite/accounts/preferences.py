"""A person's choices about their memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from memsite.accounts.models import Preferences


def get_preferences(owner_id: UUID) -> Preferences:
    """Return the person's preferences; unsaved defaults if they never chose. One query."""
    return Preferences.objects.filter(owner_id=owner_id).first() or Preferences(owner_id=owner_id)


def set_preferences(
    owner_id: UUID,
    *,
    memory_on: bool | None = None,
    auto_extract: bool | None = None,
    citations_on: bool | None = None,
    kept_kinds: Sequence[str] | None = None,
    refused_kinds: Sequence[str] | None = None,
    language: str | None = None,
) -> Preferences:
    """Change the given preferences; keep the others."""
    given = {
        "memory_on": memory_on,
        "auto_extract": auto_extract,
        "citations_on": citations_on,
        "kept_kinds": None if kept_kinds is None else list(dict.fromkeys(kept_kinds)),
        "refused_kinds": None if refused_kinds is None else list(dict.fromkeys(refused_kinds)),
        "language": language,
    }
    changes = {name: value for name, value in given.items() if value is not None}
    row, _ = Preferences.objects.update_or_create(owner_id=owner_id, defaults=changes)
    return row


def withdraw_preferences(owner_id: UUID, given: Mapping[str, Any]) -> None:
    """Return to the defaults, if the person has chosen nothing since these preferences were set for them."""
    Preferences.objects.filter(owner_id=owner_id, memory_on=True, **given).delete()

"""The kinds of memories that a person always keeps without asking, and those that are never learnt."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final
from uuid import UUID

from memories.curation import bulk
from memories.curation.bulk import BulkResult
from memories.pages.acts import PERSON
from memories.pages.inbox.waiting import PENDING
from memories.pages.listing.selection import MOST_SELECTED
from memories.storage import list_memories
from memories.values import KINDS, Kind, Layer
from memsite.accounts.preferences import get_preferences, set_preferences
from memsite.errors import InvalidInput
from memsite.web.settings_parts import SettingsPart

#: Name of the field of forms and URLs.
KEPT_KINDS: Final = "kind"
#: Kinds that may wait or be refused, in the order of their layers.
LEARNT_KINDS: Final[tuple[Kind, ...]] = tuple(
    dict.fromkeys(kind for layer, kinds in KINDS.items() if layer != Layer.EPISODIC for kind in kinds)
)


def keep_always(kind: str, *, owner: UUID) -> BulkResult:
    """Keep memories of a kind without asking from now on, and confirm those that wait.

    Raises:
        InvalidInput: If there is no such kind.
    """
    _check_kinds([kind])
    chosen = get_preferences(owner)
    refused = [other for other in chosen.refused_kinds if other != kind]
    set_preferences(owner, kept_kinds=[*chosen.kept_kinds, kind], refused_kinds=refused)
    rows = list_memories(replace(PENDING, kind=(kind,)), owner=owner).order_by("id")
    ids = list(rows.values_list("id", flat=True)[:MOST_SELECTED])
    return bulk.keep_many(ids, owner=owner, actor=PERSON)


def ask_again(kind: str, *, owner: UUID) -> None:
    """Require approval for memories of a kind again."""
    kinds = get_preferences(owner).kept_kinds
    set_preferences(owner, kept_kinds=[other for other in kinds if other != kind])


def refuse_kinds(kinds: Collection[str], *, owner: UUID) -> None:
    """Refuse to learn memories of exactly these kinds from now on. Stored memories stay.

    Raises:
        InvalidInput: If there is no such kind.
    """
    _check_kinds(kinds)
    kept = [kind for kind in get_preferences(owner).kept_kinds if kind not in kinds]
    set_preferences(owner, kept_kinds=kept, refused_kinds=list(kinds))


def load_kinds_part(*, owner: UUID) -> SettingsPart:
    """Return the part of the memory settings about kinds."""
    chosen = get_preferences(owner)
    choices = [(kind, kind in chosen.refused_kinds) for kind in LEARNT_KINDS]
    return SettingsPart("memories/inbox/_kinds.html", {"choices": choices, "kept": chosen.kept_kinds})


def _check_kinds(kinds: Collection[str]) -> None:
    if not set(kinds) <= set(LEARNT_KINDS):
        raise InvalidInput("There is no such kind.", {"kind": "unknown"})

"""Keep kinds of memories without asking, by the person's preference."""

from __future__ import annotations

from dataclasses import replace
from typing import Final
from uuid import UUID

from memories.curation import bulk
from memories.curation.bulk import BulkResult
from memories.pages.acts import PERSON
from memories.pages.inbox.waiting import PENDING
from memories.pages.listing.selection import MOST_SELECTED
from memories.storage import list_memories
from memories.values import KINDS, Layer
from memsite.accounts.preferences import get_preferences, set_preferences
from memsite.errors import InvalidInput

#: Name of the field of forms and URLs.
KEPT_KINDS: Final = "kind"
#: Kinds that may wait.
_KINDS: Final = frozenset(kind for layer, kinds in KINDS.items() if layer != Layer.EPISODIC for kind in kinds)


def keep_always(kind: str, *, owner: UUID) -> BulkResult:
    """Keep memories of a kind without asking from now on, and confirm those that wait.

    Raises:
        InvalidInput: If there is no such kind.
    """
    if kind not in _KINDS:
        raise InvalidInput("There is no such kind.", {"kind": "unknown"})
    set_preferences(owner, kept_kinds=[*get_preferences(owner).kept_kinds, kind])
    rows = list_memories(replace(PENDING, kind=(kind,)), owner=owner).order_by("id")
    ids = list(rows.values_list("id", flat=True)[:MOST_SELECTED])
    return bulk.keep_many(ids, owner=owner, actor=PERSON)


def ask_again(kind: str, *, owner: UUID) -> None:
    """Let memories of a kind wait again."""
    kinds = get_preferences(owner).kept_kinds
    set_preferences(owner, kept_kinds=[other for other in kinds if other != kind])

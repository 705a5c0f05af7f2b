"""Show in the memory settings which memories every answer respects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from memories.models import Memory
from memories.storage import list_requirements
from memories.text import RequirementTag
from memsite.web.settings_parts import SettingsPart

_MOST_SHOWN: Final = 20


def load_requirements_part(*, owner: UUID) -> SettingsPart:
    """Return the part of the memory settings about requirements."""
    rows = list_requirements(owner=owner)
    facts = {tag.value: _choose(rows, tag) for tag in RequirementTag}
    tags = [tag.value for tag in RequirementTag]
    return SettingsPart("memories/listing/_requirements.html", {**facts, "tags": tags})


def _choose(rows: Sequence[Memory], tag: RequirementTag) -> list[Memory]:
    """Return the first rows of a tag, without those that have one which is listed before."""
    first = (next(one for one in RequirementTag if one in row.tags) for row in rows)
    return [row for row, one in zip(rows, first, strict=True) if one == tag][:_MOST_SHOWN]

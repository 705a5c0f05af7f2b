"""Show in the memory settings which memories every answer respects."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from memories.storage import list_requirements
from memories.text import RequirementTag
from memsite.web.settings_parts import SettingsPart

_MOST_SHOWN: Final = 20


def load_requirements_part(*, owner: UUID) -> SettingsPart:
    """Return the part of the memory settings about requirements."""
    rows = list_requirements(owner=owner)
    facts = {
        "always": [row for row in rows if RequirementTag.ALWAYS in row.tags][:_MOST_SHOWN],
        "diet": [row for row in rows if RequirementTag.ALWAYS not in row.tags][:_MOST_SHOWN],
        "tags": [tag.value for tag in RequirementTag],
    }
    return SettingsPart("memories/listing/_requirements.html", facts)

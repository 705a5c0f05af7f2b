"""The Chinese rules, in the order they are tried: the first that fits wins."""

from __future__ import annotations

from typing import Final

from memories.extraction.chinese.rules.rules_body import TOOLS_BODY_KIN
from memories.extraction.chinese.rules.rules_craft import SKILLS_PROJECTS_STATIONS
from memories.extraction.chinese.rules.rules_life import NAMES_TASTES_HOME_WORK

RULES: Final = (*NAMES_TASTES_HOME_WORK, *TOOLS_BODY_KIN, *SKILLS_PROJECTS_STATIONS)

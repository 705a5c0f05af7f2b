"""The Chinese rules, in the order they are tried: the first that fits applies."""

from typing import Final

from memories.extraction.chinese.rules.patterns import Rule
from memories.extraction.chinese.rules.rules_body import TOOLS_BODY_KIN
from memories.extraction.chinese.rules.rules_craft import SKILLS_PROJECTS_STATIONS
from memories.extraction.chinese.rules.rules_life import NAMES_TASTES_HOME_WORK

RULES: Final = (*NAMES_TASTES_HOME_WORK, *TOOLS_BODY_KIN, *SKILLS_PROJECTS_STATIONS)

__all__ = ["RULES", "Rule"]

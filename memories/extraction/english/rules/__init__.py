"""The English rules by verb. The first rule of a verb that matches applies."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from memories.extraction.english.rules.patterns import Rule, pattern
from memories.extraction.english.rules.rules_body import BODY_KIN_PROJECTS_PLANS
from memories.extraction.english.rules.rules_craft import TOOLS_SKILLS_LESSONS
from memories.extraction.english.rules.rules_life import TASTES_HOME_WORK

__all__ = ["RULES", "Rule", "pattern"]


def _by_verb() -> Mapping[str, tuple[Rule, ...]]:
    table: dict[str, list[Rule]] = defaultdict(list)
    for verbs, rule in (*TASTES_HOME_WORK, *TOOLS_SKILLS_LESSONS, *BODY_KIN_PROJECTS_PLANS):
        for verb in verbs:
            table[verb].append(rule)
    return {verb: tuple(rules) for verb, rules in table.items()}


RULES: Final = _by_verb()

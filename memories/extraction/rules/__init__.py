"""Extraction by rules, in English and Chinese."""

from memories.extraction.rules.by_rules import extract_by_rules
from memories.extraction.rules.clause_reader import asks_to_remember, is_in_role_play, list_own_sentences
from memories.extraction.rules.unstated import Unstated, read_unstated

__all__ = [
    "Unstated",
    "asks_to_remember",
    "extract_by_rules",
    "is_in_role_play",
    "list_own_sentences",
    "read_unstated",
]

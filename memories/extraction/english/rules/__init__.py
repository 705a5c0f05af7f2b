"""The rules of English, as patterns with what each says."""

from memories.extraction.english.rules.patterns import Rule, pattern
from memories.extraction.english.rules.rules import RULES

__all__ = ["RULES", "Rule", "pattern"]

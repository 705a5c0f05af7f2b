"""The rules of Chinese, as patterns with what each says."""

from memories.extraction.chinese.rules.patterns import Rule
from memories.extraction.chinese.rules.rules import RULES

__all__ = ["RULES", "Rule"]

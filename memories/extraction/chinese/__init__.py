"""Reading Chinese: clauses, whose they are, what they tell."""

from memories.extraction.chinese import dates
from memories.extraction.chinese.clauses import chinese_clauses
from memories.extraction.chinese.learning import learn_chinese
from memories.extraction.chinese.scopes import chinese_scope

__all__ = ["chinese_clauses", "chinese_scope", "dates", "learn_chinese"]

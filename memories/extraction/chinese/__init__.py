"""Read Chinese: clauses, their subjects, and the statements that they make."""

from memories.extraction.chinese.clauses import split_chinese_clauses
from memories.extraction.chinese.learning import find_chinese_statement
from memories.extraction.chinese.scopes import find_chinese_scope
from memories.extraction.chinese.scopes import turns_role_play as turns_chinese_role_play

__all__ = [
    "find_chinese_scope",
    "find_chinese_statement",
    "split_chinese_clauses",
    "turns_chinese_role_play",
]

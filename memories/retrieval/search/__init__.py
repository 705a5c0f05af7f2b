"""The search itself, with the database and the caches.

rankings      the ranking for the queries of a search, made or kept
echoes        turns that add nothing to a fact
fields        the memories that an answer in the query's field of life must respect
search        the memories that a search may find, and the page of its result
"""

from memories.retrieval.search.echoes import (
    adds_little,
    adds_nothing,
    is_only_question,
    is_reply,
    repeats_fact,
)
from memories.retrieval.search.search import begin_query, search_memories

__all__ = [
    "adds_little",
    "adds_nothing",
    "begin_query",
    "is_only_question",
    "is_reply",
    "repeats_fact",
    "search_memories",
]

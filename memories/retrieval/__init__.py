"""Search: rank the memories of one owner for a query, in memory.

cache         the indexes of owners in this process, kept up to date with the database
index         one owner's memories: rows, postings of words and names, vectors
query         the words, names and times of a query
signals       the scores of all memories for a query, and their fusion
ranking       the order of the memories; everything up to here works without a database
eligibility   the memories that a search may find
values        the query and the result of a search
explaining    why a memory was found
estimates     what sentence vectors tell: how much a memory matters, what is outdated
search        the search itself, with the database and the caches
warming       a first search at the start of a process
"""

from memories.retrieval.cache import index_cache
from memories.retrieval.index import pack_tokens
from memories.retrieval.query import asks_for_talk
from memories.retrieval.ranking import get_least_relevance
from memories.retrieval.search import (
    adds_little,
    adds_nothing,
    begin_query,
    is_only_question,
    is_reply,
    repeats_fact,
    search_memories,
)
from memories.retrieval.values import Diagnostics, Hit, SearchOrder, SearchQuery, SearchResult
from memories.retrieval.warming import warm_up

__all__ = [
    "Diagnostics",
    "Hit",
    "SearchOrder",
    "SearchQuery",
    "SearchResult",
    "adds_little",
    "adds_nothing",
    "asks_for_talk",
    "begin_query",
    "get_least_relevance",
    "index_cache",
    "is_only_question",
    "is_reply",
    "pack_tokens",
    "repeats_fact",
    "search_memories",
    "warm_up",
]

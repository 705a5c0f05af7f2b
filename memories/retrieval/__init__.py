"""Search: rank the memories of one owner for a query, in memory.

`analysis` and `query` read text. `rows` and `index` hold the memories of an owner. `keyword`, `vector` and
`graph` are the three ways to match them; `structure` adds conversations and `dates` adds times. `fusion`,
`relevance` turns the signals into one scale, `ranking` into one order, without a database; `search` adds the
database and the cache, and `explaining` says why a memory was found.
"""

from memories.retrieval.cache import index_cache
from memories.retrieval.echoes import is_only_question, is_reply, repeats_fact
from memories.retrieval.index import pack_tokens
from memories.retrieval.search import Hit, SearchQuery, SearchResult, search_memories
from memories.retrieval.warming import warm_up

__all__ = [
    "Hit",
    "SearchQuery",
    "SearchResult",
    "index_cache",
    "is_only_question",
    "is_reply",
    "pack_tokens",
    "repeats_fact",
    "search_memories",
    "warm_up",
]

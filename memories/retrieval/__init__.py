"""Recall: one owner's memories ranked for a query, in memory and without a database.

`analysis` and `query` read text, `rows` and `index` hold an owner's memories, `keyword`, `vector` and
`graph` are the three arms, `structure` and `dates` what conversation and calendar add, `fusion`,
`relevance` and `weighing` turn signals into one order, `ranking` is the door to all of it.
"""

from memories.retrieval.cache import index_cache
from memories.retrieval.echoes import only_asks, repeats
from memories.retrieval.index import pack_tokens
from memories.retrieval.search import Hit, SearchQuery, SearchResult, search
from memories.retrieval.warming import warm_up

__all__ = [
    "Hit",
    "SearchQuery",
    "SearchResult",
    "index_cache",
    "only_asks",
    "pack_tokens",
    "repeats",
    "search",
    "warm_up",
]

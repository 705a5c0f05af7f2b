"""One owner's memories in memory: rows, postings and vectors."""

from memories.retrieval.index import keyword, vector
from memories.retrieval.index.arrays import (
    AROUND_SIMILARITY,
    Postings,
    compute_best_of_session,
    inherit_from_question,
    kernels,
    sum_around_turns,
)
from memories.retrieval.index.graph import EntityField, hub_limit
from memories.retrieval.index.index import ROLES, OwnerIndex
from memories.retrieval.index.keyword import Match, idf
from memories.retrieval.index.lineage import FormerRows
from memories.retrieval.index.rows import IndexRows
from memories.retrieval.index.tokens import TokenSpace, pack_tokens
from memories.retrieval.index.vector import compute_content_cosine

__all__ = [
    "AROUND_SIMILARITY",
    "ROLES",
    "EntityField",
    "FormerRows",
    "IndexRows",
    "Match",
    "OwnerIndex",
    "Postings",
    "TokenSpace",
    "compute_best_of_session",
    "compute_content_cosine",
    "hub_limit",
    "idf",
    "inherit_from_question",
    "kernels",
    "keyword",
    "pack_tokens",
    "sum_around_turns",
    "vector",
]

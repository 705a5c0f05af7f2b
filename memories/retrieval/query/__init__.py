"""The parts of a query: its words, its concepts, the times that it mentions, and whether it asks of now."""

from memories.retrieval.query.concepts import Kinship, compute_kinship
from memories.retrieval.query.query import Query, parse_query
from memories.retrieval.query.scope import wants_current
from memories.retrieval.query.windows import score_times

__all__ = [
    "Kinship",
    "Query",
    "compute_kinship",
    "parse_query",
    "score_times",
    "wants_current",
]

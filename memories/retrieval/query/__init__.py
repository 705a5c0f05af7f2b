"""The parts of a query: its words, its concepts, and the times that it mentions."""

from memories.retrieval.query.concepts import Kinship, compute_kinship
from memories.retrieval.query.query import Query, parse_query
from memories.retrieval.query.windows import score_times

__all__ = [
    "Kinship",
    "Query",
    "compute_kinship",
    "parse_query",
    "score_times",
]

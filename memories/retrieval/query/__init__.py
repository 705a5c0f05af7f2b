"""The parts of a query: its words, its concepts, the times that it mentions, and whether it asks of now."""

from memories.retrieval.query.concepts import Kinship, compute_kinship
from memories.retrieval.query.query import Query, parse_query
from memories.retrieval.query.scope import (
    asks_about_past,
    asks_about_self,
    asks_for_talk,
    is_question,
    list_named_others,
    wants_current,
)
from memories.retrieval.query.windows import score_times

__all__ = [
    "Kinship",
    "Query",
    "asks_about_past",
    "asks_about_self",
    "asks_for_talk",
    "compute_kinship",
    "is_question",
    "list_named_others",
    "parse_query",
    "score_times",
    "wants_current",
]

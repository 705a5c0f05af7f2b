"""Estimates from sentence vectors, fitted by `training`.

network     the form of what is fitted
relevance   how much a memory matters to an input
outdated    which statements that answer a question a newer one makes outdated
fields      which inputs and memories are of a field of life
"""

from memories.retrieval.estimates.fields import find_fields, find_members
from memories.retrieval.estimates.network import Network, Projection
from memories.retrieval.estimates.outdated import (
    OUTDATED_FILE,
    STATEMENTS,
    OutdatedModel,
    Statements,
    find_replacements,
)
from memories.retrieval.estimates.relevance import (
    RELEVANCE_FILE,
    RelevanceModel,
    estimate_need,
    estimate_relevance,
)

__all__ = [
    "OUTDATED_FILE",
    "RELEVANCE_FILE",
    "STATEMENTS",
    "Network",
    "OutdatedModel",
    "Projection",
    "RelevanceModel",
    "Statements",
    "estimate_need",
    "estimate_relevance",
    "find_fields",
    "find_members",
    "find_replacements",
]

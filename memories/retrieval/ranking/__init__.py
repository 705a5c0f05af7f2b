"""Rank the memories of one owner: order them by fused score, relevance and priors. Works without a database.

ranking     the entry point: the best memories for a query
relevance   the fused scores on the reference scale
outdated    what a newer memory makes outdated for the question
former      what is no longer so, and what answers in its place
priors      what reorders near-equal memories
weighing    the weights of the fusion
parts       what is shown of a result's ranking
"""

from memories.retrieval.ranking.outdated import keeps_relevance, was_restated
from memories.retrieval.ranking.ranking import RankedMemories, rank_memories
from memories.retrieval.ranking.relevance import get_least_relevance

__all__ = ["RankedMemories", "get_least_relevance", "keeps_relevance", "rank_memories", "was_restated"]

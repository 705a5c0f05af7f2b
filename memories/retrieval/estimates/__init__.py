"""Estimates from sentence vectors, fitted beforehand: what needs memory, and what is outdated."""

from memories.retrieval.estimates.need import NEED_FILE, estimate_need, expect_cosine
from memories.retrieval.estimates.outdated import (
    OUTDATED_FILE,
    STATEMENTS,
    OutdatedModel,
    compare_all,
    compute_pair_features,
    find_replacements,
)

__all__ = [
    "NEED_FILE",
    "OUTDATED_FILE",
    "STATEMENTS",
    "OutdatedModel",
    "compare_all",
    "compute_pair_features",
    "estimate_need",
    "expect_cosine",
    "find_replacements",
]

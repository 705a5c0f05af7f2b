"""Arrays of an index: postings, columns that grow, and the compiled loops over them."""

from memories.retrieval.index.arrays import kernels
from memories.retrieval.index.arrays.columns import Coded
from memories.retrieval.index.arrays.growing import Growing
from memories.retrieval.index.arrays.postings import Postings, unpack_rows
from memories.retrieval.index.arrays.structure import (
    AROUND,
    AROUND_SIMILARITY,
    Turns,
    compute_best_of_session,
    inherit_from_question,
    kernel_arrays,
    sum_around_turns,
)

__all__ = [
    "AROUND",
    "AROUND_SIMILARITY",
    "Coded",
    "Growing",
    "Postings",
    "Turns",
    "compute_best_of_session",
    "inherit_from_question",
    "kernel_arrays",
    "kernels",
    "sum_around_turns",
    "unpack_rows",
]

"""Arrays of an index: postings, columns that grow, and the compiled loops over them."""

from memories.retrieval.index.arrays import kernels
from memories.retrieval.index.arrays.columns import Coded
from memories.retrieval.index.arrays.growing import Growing
from memories.retrieval.index.arrays.postings import Postings, unpack_rows
from memories.retrieval.index.arrays.structure import (
    AROUND,
    AROUND_SIMILARITY,
    Turns,
    best_of_session,
    inherited,
    kernel_arrays,
    summed_around,
)

__all__ = [
    "AROUND",
    "AROUND_SIMILARITY",
    "Coded",
    "Growing",
    "Postings",
    "Turns",
    "best_of_session",
    "inherited",
    "kernel_arrays",
    "kernels",
    "summed_around",
    "unpack_rows",
]

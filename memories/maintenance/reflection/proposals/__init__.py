"""The proposals of reflection, and the record of their results."""

from memories.maintenance.reflection.proposals import record
from memories.maintenance.reflection.proposals.proposals import (
    ACTOR,
    Compression,
    MovedMeanwhile,
    ProposedMemory,
    ReflectionKind,
    ReflectionProposal,
    ReflectionRequest,
    Source,
    TooManyRetired,
    get_update_times,
    make_reference,
    may_retire,
)
from memories.maintenance.reflection.proposals.record import RunResult, list_runs

__all__ = [
    "ACTOR",
    "Compression",
    "MovedMeanwhile",
    "ProposedMemory",
    "ReflectionKind",
    "ReflectionProposal",
    "ReflectionRequest",
    "RunResult",
    "Source",
    "TooManyRetired",
    "get_update_times",
    "list_runs",
    "make_reference",
    "may_retire",
    "record",
]

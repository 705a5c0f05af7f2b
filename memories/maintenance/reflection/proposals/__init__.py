"""What reflection proposes, and the record of what came of it."""

from memories.maintenance.reflection.proposals import record
from memories.maintenance.reflection.proposals.bounds import may_retire
from memories.maintenance.reflection.proposals.proposals import (
    ACTOR,
    FALLBACK,
    KINDS,
    LLM,
    Compression,
    Finding,
    Kind,
    MovedMeanwhile,
    Proposal,
    Request,
    Source,
    TooMuch,
    kind_of,
    reference_to,
    seen,
)
from memories.maintenance.reflection.proposals.record import Done, runs

__all__ = [
    "ACTOR",
    "FALLBACK",
    "KINDS",
    "LLM",
    "Compression",
    "Done",
    "Finding",
    "Kind",
    "MovedMeanwhile",
    "Proposal",
    "Request",
    "Source",
    "TooMuch",
    "kind_of",
    "may_retire",
    "record",
    "reference_to",
    "runs",
    "seen",
]

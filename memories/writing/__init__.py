"""The write path: prepare a draft, match it with what is stored, resolve conflicts, and apply."""

from memories.writing import conflicts, drafting, learning, similar_pairs
from memories.writing.batch_state import load_believed
from memories.writing.conflicts import ConflictRuling
from memories.writing.drafting import STATED_CONFIDENCE, load_names
from memories.writing.learning import MOST_CHARACTERS, MOST_GIVEN, GivenMessage
from memories.writing.pipeline import (
    WriteOutcome,
    WriteResult,
    keep_lasting_quotations,
    write_candidates,
)
from memories.writing.placement import CHANGES_NOTHING, JUDGED
from memories.writing.similar import get_cosine
from memories.writing.successors import LONGEST, build_successor

__all__ = [
    "CHANGES_NOTHING",
    "JUDGED",
    "LONGEST",
    "MOST_CHARACTERS",
    "MOST_GIVEN",
    "STATED_CONFIDENCE",
    "ConflictRuling",
    "GivenMessage",
    "WriteOutcome",
    "WriteResult",
    "build_successor",
    "conflicts",
    "drafting",
    "get_cosine",
    "keep_lasting_quotations",
    "learning",
    "load_believed",
    "load_names",
    "similar_pairs",
    "write_candidates",
]

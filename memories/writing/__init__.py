"""The write path: prepare a draft, match it with what is stored, resolve conflicts, and apply."""

from memories.writing import conflicts, drafting, judging, learning
from memories.writing.conflicts import Ruling
from memories.writing.drafting import STATED_CONFIDENCE, names_of
from memories.writing.known import believed
from memories.writing.learning import MOST_CHARACTERS, MOST_GIVEN, Given
from memories.writing.near import cosine_at
from memories.writing.pipeline import Outcome, Written, remember
from memories.writing.placing import JUDGED
from memories.writing.successors import LONGEST, successor

__all__ = [
    "JUDGED",
    "LONGEST",
    "MOST_CHARACTERS",
    "MOST_GIVEN",
    "STATED_CONFIDENCE",
    "Given",
    "Outcome",
    "Ruling",
    "Written",
    "believed",
    "conflicts",
    "cosine_at",
    "drafting",
    "judging",
    "learning",
    "names_of",
    "remember",
    "successor",
]

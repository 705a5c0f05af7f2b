"""Find the active memories that a statement of change ends, by its relation or by its words."""

from memories.writing.changes.readings import get_search_words, may_tell_of_change
from memories.writing.changes.relations import (
    affected_slots,
    denies,
    is_named,
    list_replacing_slots,
    may_replace,
    replaces,
    tells_of_change,
)
from memories.writing.changes.rulings import ends_by_words, find_corrected, word_change
from memories.writing.changes.state_tables import LONGEST
from memories.writing.changes.states import Change, find_change

__all__ = [
    "LONGEST",
    "Change",
    "affected_slots",
    "denies",
    "ends_by_words",
    "find_change",
    "find_corrected",
    "get_search_words",
    "is_named",
    "list_replacing_slots",
    "may_replace",
    "may_tell_of_change",
    "replaces",
    "tells_of_change",
    "word_change",
]

"""What a person does to their memories. Each verb is one batch in one transaction, and can be undone.

edit, rewrite      fields in place; new words as a successor
confirm, pin       a pending memory is right; one is kept at hand
forget, restore    let go, and bring back
merge              several become one that loses nothing
resolve            of a dispute, the side that is right
undo               take a whole batch back
"""

from memories.curation import erasing
from memories.curation.changed import Changed
from memories.curation.erasing import SCRUB, Receipt, came_of, earlier_wordings, take_away
from memories.curation.feedback import weigh_feedback
from memories.curation.history import HistoryEntry, history
from memories.curation.keeping import confirm, forget, restore
from memories.curation.resolving import RESOLVED, How, resolve
from memories.curation.rewording import EDITABLE, Mode, edit, pin, rewrite
from memories.curation.undoing import undo
from memories.curation.uniting import merge

__all__ = [
    "EDITABLE",
    "RESOLVED",
    "SCRUB",
    "Changed",
    "HistoryEntry",
    "How",
    "Mode",
    "Receipt",
    "came_of",
    "confirm",
    "earlier_wordings",
    "edit",
    "erasing",
    "forget",
    "history",
    "merge",
    "pin",
    "resolve",
    "restore",
    "rewrite",
    "take_away",
    "undo",
    "weigh_feedback",
]

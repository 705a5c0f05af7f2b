"""Change memories for a person. Each function is one batch in one transaction and can be undone.

edit, rewrite      change fields in place; write a new text as a successor
confirm, pin       approve a pending memory; pin a memory
forget, restore    hide memories from searches; bring them back
merge              unite several memories without losing anything
resolve            decide a dispute
undo               take a whole batch back
"""

from memories.curation import erasing
from memories.curation.changed import Changed
from memories.curation.erasing import SCRUB, Receipt, came_of, earlier_wordings, take_away
from memories.curation.feedback import weigh_feedback
from memories.curation.history import HistoryEntry, history
from memories.curation.keeping import confirm, forget, restore
from memories.curation.resolving import RESOLVED, How, decide, resolve
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
    "decide",
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

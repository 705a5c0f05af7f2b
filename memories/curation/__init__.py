"""What a person does to their memories. Each verb is one batch in one transaction, and can be undone.

edit, rewrite      fields in place; new words as a successor
confirm, pin       a pending memory is right; one is kept at hand
forget, restore    let go, and bring back
merge              several become one that loses nothing
resolve            of a dispute, the side that is right
undo               take a whole batch back
"""

from memories.curation.changed import Changed
from memories.curation.feedback import weigh_feedback
from memories.curation.keeping import confirm, forget, restore
from memories.curation.resolving import resolve
from memories.curation.rewording.editing import edit, pin
from memories.curation.rewording.fields import EDITABLE, Mode
from memories.curation.rewording.rewriting import rewrite
from memories.curation.undoing import undo
from memories.curation.uniting import merge

__all__ = [
    "EDITABLE",
    "Changed",
    "Mode",
    "confirm",
    "edit",
    "forget",
    "merge",
    "pin",
    "resolve",
    "restore",
    "rewrite",
    "undo",
    "weigh_feedback",
]

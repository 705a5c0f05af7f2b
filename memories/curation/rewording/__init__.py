"""New wordings and changed fields of a memory, as successors or in place."""

from memories.curation.rewording.editing import edit, pin
from memories.curation.rewording.fields import EDITABLE, Mode
from memories.curation.rewording.identity import reidentify, settle
from memories.curation.rewording.rewriting import rewrite

__all__ = [
    "EDITABLE",
    "Mode",
    "edit",
    "pin",
    "reidentify",
    "rewrite",
    "settle",
]

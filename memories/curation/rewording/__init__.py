"""New wordings and changed fields of a memory, as successors or in place."""

from memories.curation.rewording.editing import change_row, change_tags, edit_memory
from memories.curation.rewording.fields import EDITABLE, Mode
from memories.curation.rewording.identity import apply_conflicts, reidentify
from memories.curation.rewording.rewriting import rewrite_memory

__all__ = [
    "EDITABLE",
    "Mode",
    "apply_conflicts",
    "change_row",
    "change_tags",
    "edit_memory",
    "reidentify",
    "rewrite_memory",
]

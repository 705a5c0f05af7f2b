"""Change memories for a person. Each function is one batch in one transaction and can be undone.

state              write what a person states about themselves
edit, rewrite      change fields in place; write a new text as a successor
confirm            approve a pending memory
forget, restore    hide memories from searches; bring them back
merge              unite several memories without losing anything
resolve            apply_decision a dispute
bulk               the same for many memories, and their kind and tags
undo               take a whole batch back
porting            write memories as records, write records back, take an import back
"""

from memories.curation import bulk, erasing, porting
from memories.curation.change_result import ChangeResult
from memories.curation.disputes import RESOLVED, How, apply_decision, resolve_dispute
from memories.curation.erasing import SCRUB, Receipt, erase_rows, list_derived, list_earlier_wordings
from memories.curation.feedback import weigh_feedback
from memories.curation.history import (
    Connection,
    HistoryEntry,
    Role,
    StatedRelation,
    WordingChain,
    count_memories_of_batch,
    find_erasure,
    list_connections,
    list_history,
    list_stated_relations,
    load_wording_chain,
)
from memories.curation.merging import join_memories, merge_memories
from memories.curation.rewording import EDITABLE, Mode, edit_memory, rewrite_memory
from memories.curation.stating import LONGEST_STATEMENT, remember_statement
from memories.curation.status_changes import confirm_memories, forget_memories, restore_memories
from memories.curation.undo import undo_batch

__all__ = [
    "EDITABLE",
    "LONGEST_STATEMENT",
    "RESOLVED",
    "SCRUB",
    "ChangeResult",
    "Connection",
    "HistoryEntry",
    "How",
    "Mode",
    "Receipt",
    "Role",
    "StatedRelation",
    "WordingChain",
    "apply_decision",
    "bulk",
    "confirm_memories",
    "count_memories_of_batch",
    "edit_memory",
    "erase_rows",
    "erasing",
    "find_erasure",
    "forget_memories",
    "join_memories",
    "list_connections",
    "list_derived",
    "list_earlier_wordings",
    "list_history",
    "list_stated_relations",
    "load_wording_chain",
    "merge_memories",
    "porting",
    "remember_statement",
    "resolve_dispute",
    "restore_memories",
    "rewrite_memory",
    "undo_batch",
    "weigh_feedback",
]

"""Change memories for a person. Except for erasing, each function is one batch, which can be undone.

stating            remember what a person states about themselves
rewording          change fields in place; write a new text as a successor
status_changes     confirm, forget and restore memories
merging            unite several memories without losing a detail
disputes           apply a person's decision on a dispute
feedback           adjust the importance by the ratings of citations
bulk               confirm, forget, restore, pin, tag many memories, or change their kind
undo               undo a whole batch
history            return the events and the connections of a memory
erasing            destroy memories with all their wordings
porting            write memories as records, write records back, undo that
change_result      the result of a batch of changes
"""

from memories.curation import bulk, erasing, porting
from memories.curation.change_result import ChangeResult
from memories.curation.disputes import RESOLVED, How, apply_decision, resolve_dispute
from memories.curation.erasing import (
    SCRUB,
    Receipt,
    erase_rows,
    list_copies,
    list_derived,
    list_earlier_wordings,
)
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
    "list_copies",
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

"""Write all memories of an owner as plain records, write such records back, and take an import back."""

from memories.curation.porting.records import (
    EventRecord,
    LinkRecord,
    MemoryRecord,
    SourceRecord,
    list_event_records,
    list_link_records,
    list_memory_records,
)
from memories.curation.porting.restoring import WrittenRecords, write_link_records, write_memory_records
from memories.curation.porting.taking_back import TakenBack, take_back_batch

__all__ = [
    "EventRecord",
    "LinkRecord",
    "MemoryRecord",
    "SourceRecord",
    "TakenBack",
    "WrittenRecords",
    "list_event_records",
    "list_link_records",
    "list_memory_records",
    "take_back_batch",
    "write_link_records",
    "write_memory_records",
]

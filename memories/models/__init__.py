"""The tables of long-term memory. Every one belongs to an owner; truth is the memory, the rest is derived."""

from memories.models.access import MemoryAccess
from memories.models.embedding import MemoryEmbedding
from memories.models.erasure import Erasure
from memories.models.event import Event
from memories.models.graph import Entity, Mention, Relation
from memories.models.ledger import Ledger
from memories.models.link import MemoryLink
from memories.models.memory import Memory
from memories.models.report import Report
from memories.models.source import MemorySource

__all__ = [
    "Entity",
    "Erasure",
    "Event",
    "Ledger",
    "Memory",
    "MemoryAccess",
    "MemoryEmbedding",
    "MemoryLink",
    "MemorySource",
    "Mention",
    "Relation",
    "Report",
]

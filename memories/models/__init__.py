"""The tables of long-term memory.

Every table belongs to an owner, except those about the whole site. Memories are the truth; other rows are
derived from them or describe them.
"""

from memories.models.bookkeeping import Erasure, GraphRebuild, Ledger, MemoryAccess, Renormalisation
from memories.models.embedding import EmbeddingSwitch, MemoryEmbedding, SentenceVector
from memories.models.event import Event, EventType
from memories.models.given import GivenMessages
from memories.models.graph import Entity, Mention, Relation
from memories.models.link import LinkKind, MemoryLink, MemorySource
from memories.models.memory import IS_ACTIVE, IS_REQUIREMENT, Memory
from memories.models.reflection import Reflection
from memories.models.report import Report, ReportKind, SiteReport, today

__all__ = [
    "IS_ACTIVE",
    "IS_REQUIREMENT",
    "EmbeddingSwitch",
    "Entity",
    "Erasure",
    "Event",
    "EventType",
    "GivenMessages",
    "GraphRebuild",
    "Ledger",
    "LinkKind",
    "Memory",
    "MemoryAccess",
    "MemoryEmbedding",
    "MemoryLink",
    "MemorySource",
    "Mention",
    "Reflection",
    "Relation",
    "Renormalisation",
    "Report",
    "ReportKind",
    "SentenceVector",
    "SiteReport",
    "today",
]

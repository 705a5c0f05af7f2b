"""The tables of long-term memory. Every one belongs to an owner; truth is the memory, the rest is derived."""

from memories.models.access import MemoryAccess
from memories.models.embedding import EmbeddingSwitch, MemoryEmbedding
from memories.models.erasure import Erasure
from memories.models.event import Event
from memories.models.given import GivenMessages
from memories.models.graph import Entity, GraphRebuild, Mention, Relation
from memories.models.ledger import Ledger
from memories.models.link import MemoryLink, MemorySource
from memories.models.memory import Memory
from memories.models.reflection import Reflection
from memories.models.renormalisation import Renormalisation
from memories.models.report import Report, SiteReport

__all__ = [
    "EmbeddingSwitch",
    "Entity",
    "Erasure",
    "Event",
    "GivenMessages",
    "GraphRebuild",
    "Ledger",
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
    "SiteReport",
]

"""Several memories compressed into one that keeps every fact."""

from memories.maintenance.reflection.compression.compression_proposal import (
    get_requested_memories,
    propose_compression,
)
from memories.maintenance.reflection.compression.compression_storage import build_candidate, store_compression

__all__ = [
    "build_candidate",
    "get_requested_memories",
    "propose_compression",
    "store_compression",
]

"""Several memories compressed into one that keeps every fact."""

from memories.maintenance.reflection.compression import compression_proposal, compression_storage

__all__ = ["compression_proposal", "compression_storage"]

"""Several memories compressed into one that keeps every fact."""

from memories.maintenance.reflection.compression import compress, compressing

__all__ = ["compress", "compressing"]

"""Patterns of how a person works, found in several memories."""

from memories.maintenance.reflection.patterns.patterns import propose_patterns

__all__ = [
    "propose_patterns",
]

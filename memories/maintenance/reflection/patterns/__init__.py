"""Patterns of how a person works, found in several memories."""

from memories.maintenance.reflection.patterns import patterns

__all__ = ["patterns"]

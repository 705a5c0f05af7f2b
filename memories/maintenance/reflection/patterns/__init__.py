"""Patterns of how a person works, found in several memories."""

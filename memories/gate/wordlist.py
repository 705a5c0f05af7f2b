"""Lists of words written as running text."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text, separated by white space."""
    return frozenset(text.split())

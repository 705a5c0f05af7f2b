"""The names in a sentence that the graph of entities may hang on."""

from __future__ import annotations

from collections.abc import Iterable

from memories.text import MOST, names_in


def entities_in(sentence: str, named: Iterable[str] = ()) -> tuple[str, ...]:
    """The names in `sentence` after `named`, which the rules already know; no repeats, at most twelve."""
    found = [name for name in named if name]
    found += [name for name in names_in(sentence) if not any(name in known for known in found)]
    return tuple(dict.fromkeys(found))[:MOST]

"""Find the names in a sentence that become entities of the graph."""

from __future__ import annotations

from collections.abc import Iterable

from memories.text import MOST, names_in


def entities_in(sentence: str, named: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names in a sentence, without repeats, at most twelve.

    Args:
        sentence: The sentence.
        named: Names that a rule has found already; they come first.
    """
    found = [name for name in named if name]
    found += [name for name in names_in(sentence) if not any(name in known for known in found)]
    return tuple(dict.fromkeys(found))[:MOST]

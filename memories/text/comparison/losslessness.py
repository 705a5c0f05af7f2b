"""Check whether a text written from other texts keeps their exact details and adds none.

Numbers, dates and times are compared by value, names by spelling, negations by the words they negate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from memories.text.comparison.names import find_certain_names, find_names
from memories.text.comparison.reading import Reading, read_text
from memories.text.comparison.words import LONGEST, Token, covers, fold
from memories.text.normalisation import normalise


def find_lost_details(sources: Sequence[str], result: str) -> frozenset[str]:
    """Return the exact details of the sources that the result lacks.

    Details are labelled `number 8080`, `name Anna` or `negation pork`. A date or number must be kept in full
    precision. The result is `length` if a text exceeds 4,000 characters and cannot be read whole, so that
    nothing unread counts as kept. It is empty if nothing is lost.
    """
    if len(result) > LONGEST or any(len(source) > LONGEST for source in sources):
        return frozenset({"length"})
    kept = read_text(result)
    missing = {
        _label(quantity)
        for source in sources
        for quantity in _uncovered(read_text(source).quantities, kept.quantities)
    }
    missing |= {f"name {name}" for source in sources for name in _unnamed(find_names(source), [result])}
    for source in sources:
        missing |= _denials_lost(read_text(source), kept)
    return frozenset(missing)


def find_invented_details(sources: Sequence[str], result: str) -> frozenset[str]:
    """Return the exact details of the result that no source has, labelled as in `find_lost_details`.

    Empty if there are none.
    """
    if any(len(source) > LONGEST for source in sources):
        return frozenset({"length"})
    return Sources(sources).invented(result)


#: Details that free prose words otherwise.
_FREE: Final = frozenset({"name", "negation"})
_ONE: Final = frozenset({"number 1", "number 1 times"})


class Sources:
    """Texts that others are compared with, read once. Only the first 4,000 characters of each are read."""

    def __init__(self, texts: Iterable[str]) -> None:
        cut = [text[:LONGEST] for text in texts]
        self._readings = [read_text(text) for text in cut]
        self._quantities = [detail for reading in self._readings for detail in reading.quantities]
        self._sought = [_Sought(text) for text in cut]

    def invented_in_prose(self, result: str) -> frozenset[str]:
        """Return the names, numbers and dates of a text in free words that none of the sources has.

        Labelled as in `invented`. Negations are not compared, what may be a common word is no name, and 一个
        or 一次 is no number.
        """
        names = {f"name {name}" for name in _absent(find_certain_names(result), self._sought)}
        others = {one for one in self.invented(result) if one.split(" ", 1)[0] not in _FREE}
        return frozenset(names | (others if "1" in result else others - _ONE))

    def invented(self, result: str) -> frozenset[str]:
        """Return the exact details of a text that none of the sources has, labelled as in `invented`."""
        if len(result) > LONGEST:
            return frozenset({"length"})
        written = read_text(result)
        added = {_label(quantity) for quantity in _uncovered(written.quantities, self._quantities)}
        added |= {f"name {name}" for name in _absent(find_names(result), self._sought)}
        return frozenset(added | _denials_added(self._readings, written))


def _label(detail: Token) -> str:
    return f"{detail.kind} {detail.key} {detail.unit}".rstrip()


def _uncovered(details: Iterable[Token], kept: Sequence[Token]) -> list[Token]:
    exact = {(one.kind, one.key, one.unit) for one in kept}
    others = {(one.kind, one.key, one.unit): one for one in kept}.values()
    missing = {(each.kind, each.key, each.unit): each for each in details}
    return [
        detail
        for key, detail in missing.items()
        if key not in exact and not any(covers(one, detail) for one in others)
    ]


def _unnamed(names: dict[str, str], texts: Sequence[str]) -> list[str]:
    """Return the names that occur in none of the texts."""
    return _absent(names, [_Sought(text) for text in texts])


def _absent(names: dict[str, str], texts: Sequence[_Sought]) -> list[str]:
    return [name for key, name in names.items() if not any(text.has(key, name) for text in texts)]


class _Sought:
    """A text in which names are looked up."""

    def __init__(self, text: str) -> None:
        self._keys = read_text(text).keys
        self._folded = fold(text)
        self._words = f" {normalise(self._folded)} "

    def has(self, key: str, spelling: str) -> bool:
        if key in self._keys:
            return True
        if not key.isascii() and " " not in key:
            return key in self._folded or spelling in self._folded
        return f" {normalise(spelling)} " in self._words


def _denied(reading: Reading) -> dict[str, bool]:
    """Map each content key to whether its clauses negate it, without keys that occur both ways."""
    ways = {key: {each.negative for each in manners} for key, manners in reading.manners.items()}
    return {key: way.pop() for key, way in ways.items() if len(way) == 1}


def _denials_lost(source: Reading, kept: Reading) -> set[str]:
    before, after = _denied(source), _denied(kept)
    denied = [key for key, negative in before.items() if negative]
    flipped = {key for key, negative in before.items() if key in after and after[key] != negative}
    if denied and not any(any(each.negative for each in kept.manners.get(key, ())) for key in denied):
        flipped.update(denied[-1:])
    return {f"negation {key}" for key in flipped}


def _denials_added(sources: Sequence[Reading], written: Reading) -> set[str]:
    added = set()
    for key, negative in _denied(written).items():
        negatives = [each.negative for reading in sources for each in reading.manners.get(key, ())]
        if negative and negatives and not any(negatives):
            added.add(f"negation {key}")
    return added

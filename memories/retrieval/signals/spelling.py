"""Guess the intended spelling of query words that no memory of the owner holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from string import ascii_lowercase
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index import Postings
from memories.text import hash_term

GUESS_SHARE: Final = 0.5  # weight of a guess relative to a word found as spelled
_SHORTEST: Final = 5  # letters; shorter words have too many neighbours
# letters; a longer run is not a word, and it has thousands of neighbours of its own length
_LONGEST: Final = 40


def replace_unknown_words(
    postings: Postings, terms: Sequence[str], hashes: NDArray[np.uint32]
) -> tuple[NDArray[np.uint32], list[float]]:
    """Replace each word that no memory holds by its most frequent neighbour.

    A neighbour differs by one inserted, omitted or replaced letter, or by two swapped letters (Damerau 1964).
    A word without neighbours stays, so that it still counts as not found.

    Args:
        postings: The owner's terms.
        terms: Terms of the query.
        hashes: Hashes of `terms`.

    Returns:
        The hashes, and the weight of each: 1, or GUESS_SHARE for a guess.
    """
    chosen, shares = hashes.copy(), [1.0] * len(terms)
    for place in np.flatnonzero(postings.find(hashes) < 0).tolist():
        guess = _guess(postings, terms[place])
        if guess is not None:
            chosen[place] = guess
            shares[place] = GUESS_SHARE
    return chosen, shares


def _guess(postings: Postings, word: str) -> int | None:
    if not _SHORTEST <= len(word) <= _LONGEST or not (word.isascii() and word.isalpha()):
        return None
    places = postings.find(_list_similar_spellings(word))
    places = places[places >= 0]
    if not places.size:
        return None
    return int(postings.keys[places[np.argmax(postings.row_counts()[places])]])


@lru_cache(maxsize=1024)
def _list_similar_spellings(word: str) -> NDArray[np.uint32]:
    """Return the hashes of all neighbours. Computing them takes a millisecond."""
    return np.array([hash_term(other) for other in _neighbours(word)], dtype=np.uint32)


def _neighbours(word: str) -> Iterator[str]:
    """Yield all neighbours with the same first letter.

    Slips in the first letter are rare, and words that differ in it are many.
    """
    for place in range(1, len(word) + 1):
        head, tail = word[:place], word[place:]
        for letter in ascii_lowercase:
            yield head + letter + tail
            if tail:
                yield head + letter + tail[1:]
        if tail:
            yield head + tail[1:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]

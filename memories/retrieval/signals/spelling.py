"""Words the owner never used: what they may be a slip of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from string import ascii_lowercase
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index import Postings
from memories.text import term_hash

GUESS_SHARE: Final = 0.5  # what a guess counts for beside a word found as it was spelt
_SHORTEST: Final = 5  # letters; shorter words have too many neighbours
_LONGEST: Final = 40  # letters; a longer run is no word, and has thousands of neighbours as long as itself


def with_guesses(
    postings: Postings, terms: Sequence[str], hashes: NDArray[np.uint32]
) -> tuple[NDArray[np.uint32], list[float]]:
    """The hashes and their shares, with a word no memory holds replaced by its commonest neighbour.

    A neighbour is one letter inserted, left out, replaced, or two swapped (Damerau 1964). A word with no
    neighbour stays, so that it still counts as not found.
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
    places = postings.find(_near(word))
    places = places[places >= 0]
    if not places.size:
        return None
    return int(postings.keys[places[np.argmax(postings.row_counts()[places])]])


@lru_cache(maxsize=1024)
def _near(word: str) -> NDArray[np.uint32]:
    """Hashes of all neighbours; making them takes a millisecond."""
    return np.array([term_hash(other) for other in _neighbours(word)], dtype=np.uint32)


def _neighbours(word: str) -> Iterator[str]:
    """All one slip away whose first letter is the same: slips there are rare, and words with another many."""
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

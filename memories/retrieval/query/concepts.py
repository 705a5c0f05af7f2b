"""Related words: synonyms and kinds. A swim is an exercise; 老婆 and 太太 both mean wife.

The list is `concepts.txt`. It is applied to queries only, so nothing derived from it is stored and it can be
changed freely.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index import Postings, idf
from memories.text import hash_term, is_unspaced, list_terms, split_pieces, stem_word

Float32 = NDArray[np.float32]
Phrase = tuple[int, ...]

#: Weight of a synonym relative to the word itself.
ALIKE: Final = 0.8
KIND_OF: Final = 1.0  # the query names the kind, the memory a member of it
NAMED_KIND: Final = 0.15  # the query names a member, the memory the kind
COVERS: Final = 0.7  # share of a word's weight that a synonym counts for in `covered`
_LONGEST: Final = 4  # characters of a word of an unspaced script
#: A listed character that is a measure word or part of another word here: 这家, 大家, 这块.
_NO_WORD = re.compile("[这那一两每某各大人专玩买卖商独厂]家|[这那一两每某][头块件条口]")


@dataclass(frozen=True, slots=True, eq=False)
class Related:
    """The words related to one word of the query.

    Attributes:
        word: The word as listed: a stem, several joined by +, or a word of a script without spaces.
        own: Term hashes of the word itself.
        hashes: Related single terms, lowest weight first.
        worth: Weight of each of these terms.
        phrases: Related phrases of several terms, all of which a row must hold, each with its weight.
    """

    word: str
    own: Phrase
    hashes: NDArray[np.uint32]
    worth: Float32
    phrases: tuple[tuple[Phrase, float], ...]


@dataclass(frozen=True, slots=True)
class Kinship:
    """Matches of related words.

    Attributes:
        score: (n,) Σ weight · idf of the concepts that a row matches.
        covered: (n,) Sum of the idf of query words that a row does not hold but matches by a related word.
    """

    score: Float32
    covered: Float32


def find_related_words(text: str, terms: Iterable[str]) -> tuple[Related, ...]:
    """Return the related words of each listed word in a normalised query.

    Args:
        text: The query.
        terms: Its terms from `list_terms`.
    """
    held = set(terms)
    words = _groups_by_word()
    # a character or bigram of a run without spaces may be part of another word: only whole words count
    found = [word for word in held if word in words and not is_unspaced(word)]
    found += [word for word, parts in _compounds() if held.issuperset(parts)]
    for piece in split_pieces(text):
        if is_unspaced(piece):
            found += _longest_words(piece, words)
    return tuple(_related(word) for word in dict.fromkeys(found))


def compute_kinship(postings: Postings, concepts: Iterable[Related], rows: int, size: int) -> Kinship:
    """Score all rows.

    Args:
        postings: The owner's terms.
        concepts: Related words of the query.
        rows: Number of rows.
        size: Number of rows for the idf.
    """
    score, covered, touched = np.zeros((3, rows), dtype=np.float32)
    for concept in concepts:
        holders = _touch(postings, concept, touched)
        if not holders.size:
            continue
        worth = touched[holders]
        score[holders] += worth * np.float32(idf(size, holders.size))
        own = postings.find(np.array(concept.own, dtype=np.uint32))
        mass = sum(idf(size, int(postings.row_counts()[place]) if place >= 0 else 0) for place in own)
        for place in own[own >= 0]:
            touched[postings.rows(int(place))[0]] = 0
        covered[holders] += np.float32(COVERS * mass) * touched[holders]
        touched[holders] = 0
    return Kinship(score, covered)


def _touch(postings: Postings, concept: Related, touched: Float32) -> NDArray[np.int64]:
    """Write the weight of each row for a concept into `touched`, and return the rows without repeats."""
    places = postings.find(concept.hashes)
    present = places >= 0
    sizes = postings.row_counts()[places[present]]
    rows = postings.rows_of(places[present])
    # the highest weight comes last and overwrites lower ones
    touched[rows] = np.repeat(concept.worth[present], sizes)
    for phrase, worth in concept.phrases:
        holders = _holding_all(postings, phrase)
        touched[holders] = np.maximum(touched[holders], np.float32(worth))
    return np.flatnonzero(touched)


def _holding_all(postings: Postings, phrase: Phrase) -> NDArray[np.int64]:
    """Return the rows that hold every term of a phrase."""
    places = postings.find(np.array(phrase, dtype=np.uint32))
    if (places < 0).any():
        return np.empty(0, dtype=np.int64)
    rows = postings.rows(int(places[0]))[0]
    for place in places[1:]:
        rows = np.intersect1d(rows, postings.rows(int(place))[0], assume_unique=True)
    return rows


@cache
def _compounds() -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the listed words that consist of several terms, with these terms."""
    return tuple((word, frozenset(word.split("+"))) for word in _groups_by_word() if "+" in word)


@lru_cache(maxsize=4096)
def _related(word: str) -> Related:
    worth: dict[Phrase, float] = {}
    for names, members, is_name in _groups_by_word()[word]:
        for other in names:
            _raise(worth, _phrase(other), ALIKE if is_name else NAMED_KIND)
        for other in members if is_name else ():
            _raise(worth, _phrase(other), KIND_OF)
    own = _phrase(word)
    worth.pop(own, None)
    single = sorted((value, phrase[0]) for phrase, value in worth.items() if len(phrase) == 1)
    return Related(
        word=word,
        own=own,
        hashes=np.array([term for _, term in single], dtype=np.uint32),
        worth=np.array([value for value, _ in single], dtype=np.float32),
        phrases=tuple((phrase, value) for phrase, value in worth.items() if len(phrase) > 1),
    )


def _raise(worth: dict[Phrase, float], phrase: Phrase, value: float) -> None:
    worth[phrase] = max(worth.get(phrase, 0.0), value)


def _phrase(word: str) -> Phrase:
    """Return the hashes of a listed word: a stem, several joined by +, or a word of an unspaced script."""
    if not is_unspaced(word):
        return tuple(hash_term(part) for part in word.split("+"))
    if len(word) == 1:
        return (hash_term(word),)
    pairs = [first + second for first, second in pairwise(word)]
    indexed = [pair for pair in pairs if pair in list_terms(word)]
    return tuple(map(hash_term, indexed or pairs))


def _longest_words(piece: str, words: Mapping[str, object]) -> list[str]:
    """Return the listed words in a run of an unspaced script, from the left, the longest match first."""
    found, start = [], 0
    while start < len(piece):
        for size in range(min(_LONGEST, len(piece) - start), 0, -1):
            if piece[start : start + size] in words and not (
                size == 1 and _NO_WORD.fullmatch(piece[max(start - 1, 0) : start + 1])
            ):
                found.append(piece[start : start + size])
                start += size - 1
                break
        start += 1
    return found


_Group = tuple[tuple[str, ...], tuple[str, ...], bool]


@cache
def _groups_by_word() -> dict[str, list[_Group]]:
    """Return the groups of each listed word: names, members, and whether the word is a name of the group."""
    groups: dict[str, list[_Group]] = defaultdict(list)
    listed = Path(__file__).with_name("concepts.txt").read_text(encoding="utf-8")
    for line in listed.splitlines():
        if line and not line.startswith("#"):
            left, _, right = line.partition("|")
            names, members = (tuple(map(_as_listed, side.split())) for side in (left, right))
            for word in names:
                groups[word].append((names, members, True))
            for word in members:
                groups[word].append((names, members, False))
    return dict(groups)


def _as_listed(word: str) -> str:
    return word if is_unspaced(word) else "+".join(map(stem_word, word.lower().split("+")))

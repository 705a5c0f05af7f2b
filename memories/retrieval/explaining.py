"""Say in plain words why a memory was found, and which of the memories found contradict each other. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from uuid import UUID

from memories.models import Memory
from memories.retrieval.query import Query
from memories.text import (
    STOP_CHARACTERS,
    find_identifiers,
    hash_term,
    is_unspaced,
    list_piece_terms,
    list_terms,
    split_pieces,
    stem_word,
    unify,
)
from memories.values import Layer, Status

_MOST_REASONS: Final = 3
_MOST_WORDS: Final = 4
_MOST_CONFLICTS: Final = 3
_QUOTED: Final = 80  # characters of a memory's text
#: Shares, from 0 to 1, from which a part of the ranking is a reason.
_LEAST_SIMILARITY: Final = 0.5
_LEAST_LINK: Final = 0.1
_LEAST_TIME: Final = 0.12
_LEAST_NEIGHBOUR: Final = 0.25


def reason_of(memory: Memory, query: Query, breakdown: Mapping[str, float]) -> str:
    """Return why a memory was found, strongest reasons first.

    Args:
        memory: The memory.
        query: The query that found it.
        breakdown: Share of each part of the ranking; see `ranking.RankedMemories`.
    """
    exact = _exact(memory, query)
    if exact:
        return exact
    if breakdown.get("outdated", 0) > 0:
        return "a newer memory may replace it"
    replacing = ["it may replace an older memory"] if breakdown.get("replaces", 0) > 0 else []
    reasons = [*replacing, *_worded(memory, query), *_ranked(memory, query, breakdown)]
    if breakdown["similarity"] > _LEAST_SIMILARITY:
        reasons.append("close in meaning")
    return "; ".join(reasons[:_MOST_REASONS]) or "the nearest there is"


def _exact(memory: Memory, query: Query) -> str:
    """Return which identifiers of the query the memory contains; empty if none."""
    if not query.identifiers.size:
        return ""
    held = set(find_identifiers(memory.content))
    searched = {piece.lower(): piece for piece in split_pieces(unify(query.text))}
    shared = [piece for key, piece in searched.items() if key in held]
    return f"contains exactly {_list(shared)}" if shared else ""


def _worded(memory: Memory, query: Query) -> Iterator[str]:
    """Yield the words that query and memory share, and those of the query that it has a related word for."""
    held = set(list_terms(memory.content))
    shared = list(dict.fromkeys(_shared(query.meaning, held)))
    if shared:
        yield f"shares {_list(shared)}"
    hashes = {hash_term(term) for term in held}
    kin = [
        concept.word
        for concept in query.related
        if not hashes.issuperset(concept.own)
        and (
            not hashes.isdisjoint(concept.hashes.tolist())
            or any(hashes.issuperset(phrase) for phrase, _ in concept.phrases)
        )
    ]
    if kin:
        yield f"has words related to {_list(_spell_as_query(word, query) for word in kin)}"


def _shared(text: str, held: set[str]) -> Iterator[str]:
    for piece in split_pieces(text):
        if is_unspaced(piece):
            yield from _runs(piece, held)
        elif not held.isdisjoint(list_piece_terms(piece)):
            yield piece


def _runs(piece: str, held: set[str]) -> Iterator[str]:
    """Yield the parts of a run without spaces whose bigrams are all held, else the held characters."""
    pairs = [piece[at : at + 2] in held for at in range(len(piece) - 1)]
    found, at = False, 0
    while at < len(pairs):
        end = at
        while end < len(pairs) and pairs[end]:
            end += 1
        if end > at:
            found = True
            yield piece[at : end + 1]
        at = end + 1
    if not found:
        yield from (one for one in piece if one in held and one not in STOP_CHARACTERS)


def _spell_as_query(word: str, query: Query) -> str:
    """Return a listed word as the query spells it: the list has stems."""
    if is_unspaced(word):
        return word
    stems = word.split("+")
    pieces = [piece for piece in split_pieces(query.meaning) if stem_word(piece.lower()) in stems]
    return " ".join(dict.fromkeys(pieces)) or word.replace("+", " ")


def _ranked(memory: Memory, query: Query, breakdown: Mapping[str, float]) -> Iterator[str]:
    """Yield the reasons of the ranking: speaker, time, links between names, neighbouring messages."""
    if query.speaker and query.speaker == memory.speaker:
        yield f"said by {memory.speaker}"
    if breakdown["time"] > _LEAST_TIME:
        yield "is of the time asked about" if query.windows else "names a time"
    if breakdown["graph"] > _LEAST_LINK:
        yield "about what the question names"
    if memory.layer == Layer.EPISODIC and breakdown["structure"] > max(
        _LEAST_NEIGHBOUR, breakdown["keyword"]
    ):
        yield "stands near other matches in its conversation"


def _list(words: Iterable[str]) -> str:
    chosen = [f'"{word}"' for word in words][:_MOST_WORDS]
    return " and ".join([", ".join(chosen[:-1]), chosen[-1]] if len(chosen) > 1 else chosen)


def warning_of(memories: Sequence[Memory]) -> str:
    """Return a sentence for each conflict of these memories; empty if there is none.

    A sentence names the subject and predicate and both values, or quotes both texts if the memories are no
    triples.
    """
    pairs: dict[frozenset[object], str] = {}
    for memory in memories:
        for other in memory.opponents:
            pairs.setdefault(
                frozenset((memory.pk, other.memory_id)),
                _conflict(memory, (other.object, other.content)),
            )
    sentences = list(pairs.values())
    more = len(sentences) - _MOST_CONFLICTS
    return " ".join(
        [*sentences[:_MOST_CONFLICTS], *([f"There are {more} more conflicts."] if more > 0 else [])]
    )


def _conflict(memory: Memory, other: tuple[str, str]) -> str:
    theirs, text = other
    if memory.subject and memory.predicate and memory.object and theirs:
        about = f"{memory.subject} {memory.predicate.replace('_', ' ')}"
        return f'Two memories disagree on "{about}": "{_cut(memory.object)}" or "{_cut(theirs)}".'
    return f'Two memories disagree: "{_cut(memory.content)}" and "{_cut(text)}".'


def _cut(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"


def list_disputed_ids(memories: Sequence[Memory]) -> tuple[UUID, ...]:
    """Return the ids of the disputed memories among those found, and of their opponents, found or not."""
    found = [memory for memory in memories if memory.status == Status.DISPUTED]
    others = [opponent.memory_id for memory in found for opponent in memory.opponents]
    return tuple(dict.fromkeys([*(memory.pk for memory in found), *others]))

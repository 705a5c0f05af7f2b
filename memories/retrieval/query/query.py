"""Parse a query: its terms, names, times and the kind of answer it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.query import dates
from memories.retrieval.query.concepts import Related, related
from memories.retrieval.query.windows import Window
from memories.text import analysis, unify

#: Speakers that are roles, not names. The word "user" in a query names nobody.
ROLES: Final = frozenset({"user", "assistant", "system", "tool", "ai", "用户", "助手"})
_WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|week|season)|\bhow long ago\b|\bhow long\b"
    r"|什么时候|何时|哪一?[天年月周]|几[月号点]|多久|多长时间|什么日子|哪个月",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """A parsed query.

    Attributes:
        text: The query as given.
        meaning: The query without the names of known speakers. This text is embedded.
        terms: Distinct terms of `meaning`.
        hashes: uint32 hashes of `terms`, in the same order.
        identifiers: Hashes of identifiers, which only match in their exact spelling.
        speaker: The known speaker that the query names, if it names exactly one.
        subject: The first known speaker that the query names, if it names several.
        related: Words related to those of the query.
        windows: Time windows that the query mentions.
        asks_when: Whether the query asks for a time.
    """

    text: str
    meaning: str
    terms: tuple[str, ...]
    hashes: NDArray[np.uint32]
    identifiers: NDArray[np.uint32]
    speaker: str | None
    subject: str | None
    related: tuple[Related, ...]
    windows: tuple[Window, ...]
    asks_when: bool


def parse_query(text: str, speakers: Iterable[str], now: datetime) -> Query:
    """Parse a query.

    Args:
        text: The query.
        speakers: Speakers of the owner's memories.
        now: Aware time from which relative dates such as "last March" are counted.
    """
    clean = unify(text)
    named, meaning = _without_names(clean, list(speakers))
    terms = tuple(dict.fromkeys(analysis.terms_of(meaning)))
    return Query(
        text=text,
        meaning=meaning,
        terms=terms,
        hashes=_hashes(terms),
        identifiers=_hashes(tuple(dict.fromkeys(analysis.identifiers(clean)))),
        speaker=named[0] if len(named) == 1 else None,
        subject=named[0] if len(named) > 1 else None,
        related=related(meaning, terms),
        windows=dates.windows_in(clean, now),
        asks_when=_WHEN.search(clean) is not None,
    )


def _without_names(text: str, speakers: Sequence[str]) -> tuple[list[str], str]:
    """Return the known speakers that a text names, in text order, and the text without them.

    The text is unchanged if nothing else would be left of it.
    """
    named: dict[str, int] = {}
    rest = text
    for speaker in sorted(speakers, key=len, reverse=True):
        for alias in _aliases(speaker, speakers):
            pattern = _name_pattern(alias)
            where = pattern.search(rest)
            if where:
                named[speaker] = (pattern.search(text) or where).start()
                rest = pattern.sub(" ", rest)
                break
    return sorted(named, key=named.__getitem__), " ".join(rest.split()) if analysis.terms_of(rest) else text


def _aliases(speaker: str, speakers: Sequence[str]) -> list[str]:
    """Return the speaker's name, and its first word if no other speaker shares it."""
    name = unify(speaker).strip()
    if not name or name.lower() in ROLES:
        return []
    first = name.split()[0]
    shared = sum(other.split()[:1] == [first] for other in speakers)
    return [name, first] if first != name and shared == 1 else [name]


def _name_pattern(name: str) -> re.Pattern[str]:
    if analysis.is_unspaced(name):
        return re.compile(re.escape(name))
    return re.compile(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", re.IGNORECASE)


def _hashes(terms: Sequence[str]) -> NDArray[np.uint32]:
    return np.array([analysis.term_hash(term) for term in terms], dtype=np.uint32)

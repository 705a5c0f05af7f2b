"""Parse a query: its terms, names, times and the kind of answer it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index import ROLES
from memories.retrieval.query import dates
from memories.retrieval.query.concepts import Related, find_related_words
from memories.retrieval.query.windows import TimeWindow
from memories.text import STOP_CHARACTERS, find_identifiers, hash_term, is_unspaced, list_terms, unify

#: Words for the owner. They say as little as "I": most memories contain them. 用户 is kept in 用户量 and
#: other words about the users of a product.
_OWNER = re.compile(
    r"\b(?:(?:the|this)\s{1,3}user(?:['’]s)?|user['’]s)(?!\w)"
    r"|(?:[这该]个?)?用户的?(?![量数组名群端体界反画增需登注协手权表])",
    re.IGNORECASE,
)
#: A measure word of a question has no content: 哪家公司.
_MEASURE = re.compile("(?<=[哪几])[家位件块条头口台间部张本]")
#: Words with which somebody asks for what is remembered. The answer does not contain them: "what do you know
#: about my dentist" asks for the dentist alone.
_ASKING = re.compile(
    r"\b(?:"
    r"(?:what|everything|anything|something|all) (?:else )?(?:(?:do|did|can|could) )?"
    r"you (?:still |already )?(?:know|remember|recall)"
    r"|(?:do|can|could|would|will) you (?:still |please )?(?:know|remember|recall|remind me|tell me)"
    r"|(?:please )?(?:tell|remind) me(?: again)?(?= (?:about|of|what|who|where|when|which|how|if|whether)\b)"
    r"|(?:what|anything|everything) (?:have |did )?I (?:ever |already )?"
    r"(?:told|tell|said|say|mentioned|mention)(?: to)?(?: you)?"
    r"|(?:did|have) I (?:ever |already )?(?:tell|told|mention|mentioned)(?: to)? you"
    r")(?: anything| something| everything)?(?: (?:about|of|regarding)\b)?(?!\w)"
    r"|你(?:还|都)?(?:能|可以)?(?:知道|记得|记不记得|知不知道|了解|晓得)(?:些?什么|哪些|多少)?"
    r"|(?:告诉|提醒)(?:一下)?我(?:一下)?|我(?:以前|之前)?[跟和对]你[说提讲](?:起?过)?(?:些?什么)?"
    r"|关于|有关",
    re.IGNORECASE,
)
#: Questions about one's job that have no word for it.
_JOB = re.compile(r"\bfor a living\b", re.IGNORECASE)
#: Weight in the coverage of a query of characters and bigrams that are probably no words.
_PART_WORTH: Final = 0.2
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
        meaning: The query without the names of known speakers. The tokens of this text are compared.
        gist: `meaning` without the times that it mentions. Of this text the sentence vector is made: a memory
            of that time seldom names it.
        terms: Distinct terms of `meaning`.
        hashes: uint32 hashes of `terms`, in the same order.
        worth: Weight of each term in the share of the query that a memory covers. Of a run without spaces, a
            character that is no listed word and a bigram with a function character weigh less.
        identifiers: Hashes of identifiers, which only match in their exact spelling.
        speaker: The known speaker that the query names, if it names exactly one.
        subject: The first known speaker that the query names, if it names several.
        related: Words related to those of the query.
        windows: Time windows that the query mentions.
        years: Years that the query asks about; see `dates.years_in`.
        asks_when: Whether the query asks for a time.
        time: When the question is put, in seconds.
    """

    text: str
    meaning: str
    gist: str
    terms: tuple[str, ...]
    hashes: NDArray[np.uint32]
    worth: NDArray[np.float32]
    identifiers: NDArray[np.uint32]
    speaker: str | None
    subject: str | None
    related: tuple[Related, ...]
    windows: tuple[TimeWindow, ...]
    years: frozenset[int]
    asks_when: bool
    time: float


def parse_query(text: str, speakers: Iterable[str], now: datetime) -> Query:
    """Parse a query.

    Args:
        text: The query.
        speakers: Speakers of the owner's memories.
        now: Aware time from which relative dates such as "last March" are counted.
    """
    clean = unify(text)
    named, meaning = _without_names(_JOB.sub("as a job", clean), list(speakers))
    meaning = _or_whole(_ASKING.sub(" ", meaning), meaning)
    meaning = _or_whole(_MEASURE.sub("", _OWNER.sub(" ", meaning)), meaning)
    terms = tuple(dict.fromkeys(list_terms(meaning)))
    hashes, kin = _hashes(terms), find_related_words(meaning, terms)
    windows = dates.find_time_windows(clean, now)
    return Query(
        text=text,
        meaning=meaning,
        gist=_or_whole(dates.remove_times(meaning, now), meaning) if windows else meaning,
        terms=terms,
        hashes=hashes,
        worth=_worth(terms, hashes, kin),
        identifiers=_hashes(tuple(dict.fromkeys(find_identifiers(clean)))),
        speaker=named[0] if len(named) == 1 else None,
        subject=named[0] if len(named) > 1 else None,
        related=kin,
        windows=windows,
        years=dates.years_in(clean, windows, now),
        asks_when=_WHEN.search(clean) is not None,
        time=now.timestamp(),
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
    return sorted(named, key=named.__getitem__), _or_whole(rest, text)


def _or_whole(rest: str, text: str) -> str:
    """Return the rest of a text, or the whole text if the rest has no terms."""
    return " ".join(rest.split()) if list_terms(rest) else text


def _worth(terms: Sequence[str], hashes: NDArray[np.uint32], kin: Sequence[Related]) -> NDArray[np.float32]:
    """Return the weight of each term in the coverage; 1 for all if none of them is certainly a word."""
    words = {hashed for concept in kin for hashed in concept.own}
    parts = [
        is_unspaced(term) and hashed not in words and (len(term) == 1 or not STOP_CHARACTERS.isdisjoint(term))
        for term, hashed in zip(terms, hashes.tolist(), strict=True)
    ]
    return np.array([1 if not part or all(parts) else _PART_WORTH for part in parts], dtype=np.float32)


def _aliases(speaker: str, speakers: Sequence[str]) -> list[str]:
    """Return the speaker's name, and its first word if no other speaker shares it."""
    name = unify(speaker).strip()
    if not name or name.lower() in ROLES:
        return []
    first = name.split()[0]
    shared = sum(other.split()[:1] == [first] for other in speakers)
    return [name, first] if first != name and shared == 1 else [name]


def _name_pattern(name: str) -> re.Pattern[str]:
    if is_unspaced(name):
        return re.compile(re.escape(name))
    return re.compile(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", re.IGNORECASE)


def _hashes(terms: Sequence[str]) -> NDArray[np.uint32]:
    return np.array([hash_term(term) for term in terms], dtype=np.uint32)

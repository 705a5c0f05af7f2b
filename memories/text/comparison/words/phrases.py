"""Phrases with a meaning of their own: no longer, used to, would like, give up."""

from __future__ import annotations

from typing import Final

from memories.text.comparison.words.english import MINE, SELF, words
from memories.text.comparison.words.tokens import Token

#: Sequence of keys → the keys that replace it.
_PHRASES: Final[dict[tuple[str, ...], tuple[str, ...]]] = {
    ("the", "user", "'s"): (MINE,),
    ("the", "user"): (SELF,),
    ("user", "'s"): (MINE,),
    ("no", "longer"): ("nolonger",),
    ("would", "like", "to"): ("want", "to"),
    ("would", "love", "to"): ("want", "to"),
    ("going", "to"): ("will",),
    ("have", "to"): ("haveto",),
    ("have", "get"): ("have",),
    ("give", "up"): ("quit",),
    ("stay", "away", "from"): ("avoid",),
    ("keep", "away", "from"): ("avoid",),
    ("instead", "of"): ("over",),
    ("rather", "than"): ("over",),
    ("work", "for"): ("work", "at"),
    ("in", "front", "of"): ("before",),
    ("not", "any", "longer"): ("nolonger",),
    ("can", "not", "stand"): ("hate",),
    ("can", "not", "bear"): ("hate",),
    ("a", "lot", "of"): ("many",),
    ("lot", "of"): ("many",),
    ("lots", "of"): ("many",),
    ("free", "of"): ("without",),
    ("and", "then"): ("then",),
    ("in", "order", "to"): ("to",),
    ("a", "few"): ("some",),
    ("a", "little"): ("slightly",),
    ("every", "other"): ("alternate",),
    ("every", "second"): ("alternate",),
    **{
        (kin, "in", "law"): (f"{kin}inlaw",)
        for kin in ["brother", "sister", "mother", "father", "son", "daughter"]
    },
    ("new", "york", "city"): ("nyc",),
    ("united", "states"): ("usa",),
    ("united", "kingdom"): ("uk",),
}
_LONGEST: Final = max(map(len, _PHRASES))
#: First key of phrases → their second keys.
_SECOND: Final = {
    first: frozenset(keys[1] for keys in _PHRASES if keys[0] == first) for first, *_ in _PHRASES
}
_BE: Final = words("am is are was were be been 's 'm")
_ARTICLES: Final = words("a an one two three")
_ANY: Final = words("a an each every any new this no admin root")
#: Keys that neighbouring words may change. `to` also changes the word after it.
_TURNED: Final = _SECOND.keys() | words("user use to named called name call")
_LIKING: Final = words("like love enjoy prefer hate start stop continue dislike quit")


def join_phrases(tokens: list[Token]) -> list[Token]:
    """Replace phrases by one key, the user by `SELF`, and liking to swim by liking swimming."""
    joined: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.key not in _TURNED and not (joined and joined[-1].key == "to"):
            joined.append(token)
            place += 1
            continue
        length = _phrase(tokens, place) if token.key in _SECOND else 0
        if length:
            keys = _PHRASES[tuple(each.key for each in tokens[place : place + length])]
            kept = [token] if len(keys) == 1 else tokens[place : place + len(keys)]
            joined += [each._replace(key=key) for each, key in zip(kept, keys, strict=True)]
            place += length
            continue
        joined.append(_single(tokens, place, joined))
        place += 1
    return [token for token in joined if token.key]


def _phrase(tokens: list[Token], place: int) -> int:
    after = tokens[place + 1].key if place + 1 < len(tokens) else ""
    if after not in _SECOND[tokens[place].key] or tokens[place].spelling.lower() == "each":
        return 0
    for length in range(min(_LONGEST, len(tokens) - place), 1, -1):
        if tuple(token.key for token in tokens[place : place + length]) in _PHRASES:
            return length
    return 0


def _single(tokens: list[Token], place: int, joined: list[Token]) -> Token:
    token = tokens[place]
    before = joined[-1] if joined else None
    if token.key == "user" and not token.form:
        return token if before and before.key in _ANY else token._replace(key=SELF)
    if (
        token.key == "use"
        and token.form == "ed"
        and [each.key for each in tokens[place + 1 : place + 2]] == ["to"]
    ):
        return token if before and before.key in _BE else token._replace(key="usedto", form="")
    return token if before is None else _after(token, before, joined)


def _is_owned(joined: list[Token]) -> bool:
    """Return whether the last thing is owned: a dog called Rex, not my wife called Rex."""
    keys = [token.key for token in joined[-6:-1]]
    return "have" in keys and not _ARTICLES.isdisjoint(keys[keys.index("have") :])


def _after(token: Token, before: Token, joined: list[Token]) -> Token:
    lower = token.spelling.lower()
    if lower == "named" or (lower == "called" and (before.key in _BE or _is_owned(joined))):
        return token._replace(key="name", form="")
    if before.key == "to" and len(joined) > 1 and joined[-2].key in _LIKING and not token.form:
        joined.pop()
        return token._replace(form="ing")
    if token.key == "to" and before.key != "prefer" and any(each.key == "prefer" for each in joined[-6:-1]):
        return token._replace(key="over")
    return token

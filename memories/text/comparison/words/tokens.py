"""Split a text into tokens: words by base form, quantities by value, both with their spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from memories.text.analysis import UNSPACED
from memories.text.comparison.words import chinese, english, quantities
from memories.text.comparison.words.lexicon import SYNONYMS_ZH
from memories.text.comparison.words.quantities import Quantity

#: Characters that are read. The rest of a longer text is compared character by character only.
LONGEST: Final = 4000
#: Kinds of tokens that are not quantities.
WORD: Final = "word"
NAME: Final = "name"
SIGN: Final = "sign"
BREAK: Final = "break"


class Token(NamedTuple):
    """One unit of a text.

    Attributes:
        key: Value that is compared.
        kind: `word`, `name` (a capitalised word within a sentence, or an identifier), `sign`, `break` (the
            end of a clause), or the kind of a quantity.
        unit: Unit of a quantity.
        form: ``, `s`, `ed` or `ing`.
        one: Whether an article or `one` precedes it.
        spelling: Spelling in the text.
        initial: Whether it is the first token of its sentence.
        chinese: Whether it is Chinese.
    """

    key: str
    kind: str
    unit: str = ""
    form: str = ""
    one: bool = False
    spelling: str = ""
    initial: bool = False
    chinese: bool = False


_LETTER: Final = rf"[^\W\d_{UNSPACED}]"
_LEAD: Final = re.compile(
    rf"(?P<digit>(?:(?<![\w)])[-\u2212+(])?[$€£¥]?\d)|(?P<chinese>[{UNSPACED}])"
    rf"|(?P<word>{_LETTER})|(?P<end>[.;!?,:\n，。；！？：、…]+)|(?P<space>[\s\"'“”‘’()\[\]{{}}（）【】《》「」*_`]+|-)|(?P<sign>[^\w\s]+|\w)"
)
_CHUNK: Final = re.compile(
    rf"{_LETTER}(?:{_LETTER}|\d|[_.\-@:/'’+&?=%](?={_LETTER}|\d|/)){{0,400}}(?:\+\+|#(?!\w))?"
)
_DIGIT_CHUNK: Final = re.compile(rf"[+\-\u2212($€£¥]*\d(?:{_LETTER}|\d|[_.\-@:/](?={_LETTER}|\d)){{0,400}}")
#: English words followed by white space or the end of a clause only; most texts consist mainly of these.
_WORDS: Final = re.compile(r"[A-Za-z]{1,400}(?: +[A-Za-z]{1,400}){0,30}(?=[ ,;!\n]|[.?](?!\S)|$)")
_STRETCH: Final = re.compile(rf"[{UNSPACED}]{{1,4000}}")
_NAME_AND_NUMBER: Final = re.compile(r"([^\W\d_]{2,})[-_]?(\d+(?:\.\d+)*)")
_VERSION: Final = re.compile(r"[vV]\d")
_SENTENCE_END: Final = frozenset(".!?:\n。！？：…")
_MIXED: Final = re.compile(r"[_@:/\d]|[a-z][A-Z]|\.[^\W_]|(?:\+\+|#)$")


def split_tokens(text: str) -> list[Token]:
    """Return the tokens of a folded text in order. Linear in its length."""
    found: list[Token] = []
    place, initial = 0, True
    text = text[:LONGEST]
    while place < len(text):
        character = text[place]
        if character == " ":
            place += 1
            continue
        words = _WORDS.match(text, place) if character.isascii() and character.isalpha() else None
        if words is not None:
            place, initial = _bare_words(words, found, initial)
            if place == words.end():
                continue
        match = _LEAD.match(text, place)
        # pragma: no cover - the pattern takes any character - the pattern matches any character
        if match is None:
            break
        kind = match.lastgroup or "sign"
        if kind in _READERS:
            place = _READERS[kind](text, place, found, initial)
            initial = False
            continue
        place = match.end()
        if kind == "end":
            found += _ending(match.group())
            initial = initial or not _SENTENCE_END.isdisjoint(match.group())
    return found


@lru_cache(maxsize=256)
def _ending(marks: str) -> tuple[Token, ...]:
    """Return the tokens for the end of a clause. A question mark is kept as a sign."""
    end = Token(marks[0], BREAK)
    return (end, Token("?", SIGN)) if "?" in marks else (end,)


def _bare_words(match: re.Match[str], found: list[Token], initial: bool) -> tuple[int, bool]:  # noqa: FBT001 - `initial` is part of every reader's signature
    """Read plain words up to the first that may begin a quantity. Return the next position and `initial`."""
    place = match.start()
    for word in match.group().split(" "):
        if word:
            tokens = _bare_word(word, initial)
            if not tokens:
                return place, initial
            found += tokens
            initial = False
        place += len(word) + 1
    return place - 1, initial


@lru_cache(maxsize=16384)
def _bare_word(word: str, initial: bool) -> tuple[Token, ...]:  # noqa: FBT001 - `initial` is part of every reader's signature
    """Return the tokens of a word of plain letters.

    None if it may begin a quantity, which later words decide.
    """
    lower = word.lower()
    if lower in quantities.LEADING_WORDS:
        return ()
    if lower in english.CONTRACTIONS:
        return tuple(_contracted(word, lower, initial))
    return (_plain(word, lower, initial),)


def _digit(text: str, place: int, found: list[Token], initial: bool) -> int:  # noqa: FBT001 - one signature for all
    del initial
    quantity = quantities.from_digit(text, place)
    if quantity is not None:
        return _take(quantity, text, place, found)
    match = _DIGIT_CHUNK.match(text, place)
    end = match.end() if match else place + 1
    found.append(Token(text[place:end].lower(), NAME, spelling=text[place:end]))
    return end


def _word(text: str, place: int, found: list[Token], initial: bool) -> int:  # noqa: FBT001 - `initial` is part of every reader's signature
    match = _CHUNK.match(text, place)
    chunk = match.group() if match else text[place]
    lower = chunk.lower()
    if _VERSION.match(chunk):
        quantity = quantities.from_digit(text, place)
        if quantity is not None:
            return _take(quantity, text, place, found)
    if lower.partition("-")[0].partition(".")[0] in quantities.LEADING_WORDS:
        quantity = quantities.from_word(text, place)
        if quantity is not None:
            return _take(quantity, text, place, found)
    if lower in english.CONTRACTIONS:
        found.extend(_contracted(chunk, lower, initial))
    elif chunk.isalpha():
        found.append(_plain(chunk, lower, initial))
    else:
        found += _compound(chunk, lower, initial)
    return place + len(chunk)


@lru_cache(maxsize=8192)
def _plain(chunk: str, lower: str, initial: bool) -> Token:  # noqa: FBT001 - `initial` is part of every reader's signature
    is_capitalised = chunk[0] != lower[0]
    shouted = len(chunk) > 1 and chunk.isupper()
    if lower in english.SELVES:
        return Token(english.SELVES[lower], WORD, spelling=chunk)
    if (is_capitalised and not initial) or shouted:
        key = "usa" if chunk == "US" else english.SYNONYMS.get(lower, lower)
        return Token(key, NAME, spelling=chunk, initial=initial)
    base, form = english.form(lower)
    return Token(base, WORD, form=form, spelling=chunk, initial=initial)


@lru_cache(maxsize=4096)
def _compound(chunk: str, lower: str, initial: bool) -> tuple[Token, ...]:  # noqa: FBT001 - `initial` is part of every reader's signature
    """Return the tokens of a word with other characters: contractions, hyphens, identifiers, addresses."""
    split = _NAME_AND_NUMBER.fullmatch(chunk)
    if "'" in chunk or "’" in chunk:
        return tuple(_contracted(chunk, lower, initial))
    if "@" in chunk or "://" in chunk or lower.startswith("www."):
        return (Token(lower.rstrip("./"), NAME, spelling=chunk),)
    if split and not (split[1].isupper() and "-" in chunk):
        name = _plain(split[1], split[1].lower(), initial and split[1].islower())
        return name, Token(split[2], quantities.NUMBER, spelling=split[2])
    if not _MIXED.search(chunk):
        return tuple(_hyphenated(chunk, initial))
    return tuple(_identifier(chunk, lower, initial))


def _hyphenated(chunk: str, initial: bool) -> Iterator[Token]:  # noqa: FBT001 - `initial` is part of every reader's signature
    for number, part in enumerate(re.split(r"[-&+.=?%]+", chunk)):
        if part and number and part.lower() == "free":
            yield Token("without", WORD, spelling=part)
        elif part:
            plain = _plain(part, part.lower(), initial and number == 0)
            yield plain._replace(form="") if number else plain


def _identifier(chunk: str, lower: str, initial: bool) -> Iterator[Token]:  # noqa: FBT001 - `initial` is part of every reader's signature
    """Yield an identifier whole, a port apart from its host, and alternatives one by one."""
    host, colon, port = chunk.rpartition(":")
    parts = chunk.split("/")
    if colon and port.isdigit() and "/" not in host:
        yield Token(host.lower(), NAME, spelling=host)
        yield Token(port, quantities.NUMBER, spelling=port)
    elif len(parts) > 1 and all(part.isalpha() for part in parts):
        for part in parts:
            yield _plain(part, part.lower(), initial)
    else:
        yield Token(english.SYNONYMS.get(lower, lower), NAME, spelling=chunk)


def _contracted(chunk: str, lower: str, initial: bool) -> Iterator[Token]:  # noqa: FBT001 - `initial` is part of every reader's signature
    head = chunk.replace("’", "'").partition("'")[0]
    for number, part in enumerate(english.expand(lower)):
        spelling = head if number == 0 and part == head.lower() else part
        yield from _parts(spelling, part, initial and number == 0)


def _parts(text: str, part: str, initial: bool) -> Iterator[Token]:  # noqa: FBT001 - `initial` is part of every reader's signature
    if part.isalpha():
        yield _plain(text, part, initial)
    elif part:
        yield Token(part, WORD, spelling=text)


def _chinese(text: str, place: int, found: list[Token], initial: bool) -> int:  # noqa: FBT001 - `initial` is part of every reader's signature
    del initial
    match = _STRETCH.match(text, place)
    end = match.end() if match else place + 1
    while place < end:
        if text[place] in quantities.LEADING_CHARACTERS:
            quantity = quantities.from_character(text, place)
            if quantity is not None:
                return _take(quantity, text, place, found)
        word = chinese.words_at(text, place, end)
        if word == "每周" and quantities.from_character(text, place + 1) is not None:
            word = "每"
        key = SYNONYMS_ZH.get(word, word)
        found.append(Token(key, WORD, spelling=word, chinese=True))
        place += len(word)
    return place


def _sign(text: str, place: int, found: list[Token], initial: bool) -> int:  # noqa: FBT001 - `initial` is part of every reader's signature
    del initial
    match = _LEAD.match(text, place)
    end = match.end() if match else place + 1
    found.append(Token(text[place:end], SIGN, spelling=text[place:end]))
    return end


def _take(quantity: Quantity, text: str, place: int, found: list[Token]) -> int:
    found.append(
        Token(quantity.key, quantity.kind, quantity.unit, spelling=text[place : quantity.end].strip())
    )
    return max(quantity.end, place + 1)


_READERS: Final = {"digit": _digit, "word": _word, "chinese": _chinese, "sign": _sign}

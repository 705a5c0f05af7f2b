"""Split text into terms: the one tokeniser for index and query, in English and Chinese.

English words are stemmed (Snowball) and function words dropped. Scripts written without spaces yield
characters and bigrams. Identifiers (port numbers, versions, error codes, addresses, file names, snake_case,
camelCase) yield the whole and their parts. A term is stored as the CRC-32 of its UTF-8 text: with 50,000
distinct terms, one owner in three has a colliding pair, which hardly any query contains.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import Stemmer
from numpy.typing import NDArray

from memories.text.cues import find_cues
from memories.text.normalisation import in_form, unify
from memories.text.vocabulary import CLITICS, IRREGULAR, STOP_BIGRAMS, STOP_CHARACTERS, STOP_WORDS

#: Scripts written without spaces: CJK, kana, hangul, Thai.
UNSPACED: Final = (
    "\u0e00-\u0e7f\u2e80-\u2fdf\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)

_LETTER = rf"[^\W{UNSPACED}]"
_RUN = re.compile(
    rf"[{UNSPACED}]+|{_LETTER}(?:{_LETTER}|[.\-@:/'’+&](?={_LETTER})|,(?=\d\d\d))*(?:\+\+|#(?!\w))?"
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_NOT_IDENTIFIER = re.compile(
    r"\d+(?:st|nd|rd|th|am|pm|s|x|k|h|km|kg|min|mins|%)?|\d+(?:[-/:.,]\d+){0,2}(?:am|pm)?|\d+(?:-[a-z]+)+",
    re.IGNORECASE,
)
_VERSION = re.compile(r"\d+(?:\.\d+)+|\d{3,}")
_STRUCTURED = re.compile(r"[_@]|[^\W\d_]\.[^\W_]|\d[^\W\d_]|[^\W\d_]-?\d|[a-z][A-Z]|/|(?:\+\+|#)$")
_PART_LENGTH: Final = 16_384  # characters
_SPACE: Final = re.compile(r"\s")
#: Characters. Longer pieces hardly repeat, and a cache of them would have no limit in bytes.
_LONGEST_CACHED: Final = 64
_snowball = Stemmer.Stemmer("english").stemWord


@dataclass(frozen=True, slots=True)
class Analysis:
    """The part of a text that the index stores.

    Attributes:
        terms: Packed little-endian uint32 hashes, repeated for term frequency.
        length: Number of content words; two characters of an unspaced script count as one.
        cues: Bits of `cues.Cue` and the number of names in the text (`cues.count_names`).
    """

    terms: bytes
    length: int
    cues: int


def hash_term(term: str) -> int:
    """Return the CRC-32 of the term's UTF-8 text, in [0, 2³²)."""
    return zlib.crc32(term.encode("utf-8", "surrogatepass"))


def stem_word(word: str) -> str:
    """Return the stem of a lower-case English word. Irregular forms are mapped to their base form first."""
    stemmed: str = _snowball(IRREGULAR.get(word, word))
    return stemmed


def split_pieces(text: str) -> list[str]:
    """Split a unified text into words, whole identifiers and runs of an unspaced script."""
    return _RUN.findall(text)


def is_unspaced(piece: str) -> bool:
    """Return whether a piece belongs to a script written without spaces."""
    first = piece[0]
    return first >= "\u0e00" and not _spaced(first)


def analyse_text(text: str) -> Analysis:
    """Compute the terms, length and cues of a text. Takes about 30 µs for 20 words.

    A text may become eighteen times as long when it is unified, so it is read in parts.
    """
    clean = unify(text)
    packed: list[bytes] = []
    words = 0.0
    for part in parts_of(clean):
        for piece in _RUN.findall(part):
            found, weight = _packed(piece)
            packed.append(found)
            words += weight
    return Analysis(b"".join(packed), int(words + 0.5), find_cues(clean))


def packed_terms(text: str) -> bytes:
    """Return the packed term hashes of a text of any length, as `Analysis.terms`.

    A long text is read in parts, so that other threads run meanwhile.
    """
    return b"".join(_packed(piece)[0] for part in parts_of(unify(text)) for piece in _RUN.findall(part))


def parts_of(text: str) -> Iterator[str]:
    """Split a text into parts of some 16,000 characters at white space or, if there is none, anywhere."""
    start = 0
    while start < len(text):
        end = start + _PART_LENGTH
        seam = _SPACE.search(text, end, end + _PART_LENGTH)
        end = seam.start() if seam else end
        yield text[start:end]
        start = end


def analyse_texts(texts: Iterable[str]) -> list[Analysis]:
    """Analyse each text, in order."""
    return [analyse_text(text) for text in texts]


def list_terms(text: str) -> list[str]:
    """Return the terms of a text as strings, in order and with repeats, for queries and explanations."""
    return [term for piece in split_pieces(unify(text)) for term in list_piece_terms(piece)]


def unpack_terms(blob: bytes) -> NDArray[np.uint32]:
    """Return the hashes in packed bytes."""
    return np.frombuffer(blob, dtype="<u4").astype(np.uint32, copy=False)


def find_identifiers(text: str) -> list[str]:
    """Return the identifiers in a text, in lower case. They match only in their exact spelling."""
    return [piece.lower() for piece in split_pieces(unify(text)) if is_identifier(piece)]


def is_identifier(piece: str) -> bool:
    """Return whether a piece is an identifier: 5432, v2.1.0, ERR_42, a@b.org, main.py, userId.

    Years, times, ordinals, small numbers and hyphenated words are not identifiers.
    """
    if is_unspaced(piece) or "'" in piece or "’" in piece:
        return False
    if _VERSION.fullmatch(piece):
        return not _YEAR.fullmatch(piece)
    if _NOT_IDENTIFIER.fullmatch(piece):
        return False
    return bool(_STRUCTURED.search(piece)) and not _is_alternative(piece)


def _is_alternative(piece: str) -> bool:
    """Return whether a piece is two words joined by a slash, such as and/or."""
    return (
        "/" in piece
        and all(part.isalpha() and part.islower() for part in piece.split("/"))
        and (piece.count("/") == 1)
    )


def _packed(piece: str) -> tuple[bytes, float]:
    """Return the packed term hashes of a piece, and the number of content words it counts for."""
    return _packed_again(piece) if len(piece) <= _LONGEST_CACHED else _pack(piece)


def _pack(piece: str) -> tuple[bytes, float]:
    found = b"".join([hash_term(term).to_bytes(4, "little") for term in _list_terms(piece)])
    if is_unspaced(piece):
        return found, 0.5 * sum(character not in STOP_CHARACTERS for character in piece)
    return found, float(bool(found))


def list_piece_terms(piece: str) -> Sequence[str]:
    """Return the terms of one piece, as they are hashed."""
    return _listed_again(piece) if len(piece) <= _LONGEST_CACHED else _list_terms(piece)


def _list_terms(piece: str) -> Sequence[str]:
    if is_unspaced(piece):
        return _unspaced_terms(piece)
    if piece.isalpha() and (piece.islower() or piece[1:].islower() or piece.isupper() or len(piece) == 1):
        return _word_terms(piece)
    return _compound_terms(piece)


_packed_again: Final = lru_cache(maxsize=65536)(_pack)  # of texts that are written
_listed_again: Final = lru_cache(maxsize=16384)(_list_terms)  # of queries, and of memories that they find


def _spaced(character: str) -> bool:
    return re.match(rf"[^{UNSPACED}]", character) is not None


def _unspaced_terms(run: str) -> list[str]:
    """Return characters, then bigrams, without those made of function characters alone."""
    singles = [character for character in run if character not in STOP_CHARACTERS]
    doubles = [run[i : i + 2] for i in range(len(run) - 1)]
    return singles + [pair for pair in doubles if not _is_empty_pair(pair)]


def _is_empty_pair(pair: str) -> bool:
    return pair in STOP_BIGRAMS or (pair[0] in STOP_CHARACTERS and pair[1] in STOP_CHARACTERS)


def _word_terms(word: str) -> list[str]:
    """Return the stem of a word, or nothing for a function word.

    Acronyms spelled like one (US, IT) are kept.
    """
    lower = _fold(word.lower())
    if lower in STOP_WORDS:
        return [lower] if word.isupper() and len(word) > 1 else []
    return [stem_word(lower)]


def _compound_terms(piece: str) -> list[str]:
    """Return the parts of a piece and, if there are several, the whole."""
    head, mark, tail = piece.replace("’", "'").partition("'")
    if mark and tail.lower() in CLITICS:
        return list(list_piece_terms(head))
    whole = _fold(piece.replace(",", "").lower())
    parts = _PART.findall(_fold(piece.replace(",", "")))
    terms = [term for part in parts for term in _word_terms(part)]
    return terms if terms == [whole] or "'" in piece else [*terms, whole]


def _fold(word: str) -> str:
    """Remove accents."""
    if word.isascii():
        return word
    marks = in_form("NFKD", word)
    return "".join(character for character in marks if not unicodedata.combining(character))

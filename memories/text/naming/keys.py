"""The identity of names, and their packed form in the index."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from memories.text.normalisation import normalise

#: Key of the person whose memories these are.
OWNER: Final = "user"
_OWNER_NAMES: Final = frozenset(
    {"user", "the user", "i", "me", "my", "myself", "用户", "我", "本人", "使用者"}
)
_POSSESSIVE = re.compile(r"(?:['’]s|(?<=s)['’])\s*$", re.IGNORECASE)
_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
LONGEST_KEY: Final = 255  # characters, the size of the column
_MOST_WORDS: Final = 4
_MOST_CHARACTERS: Final = 8


@lru_cache(maxsize=16384)
def make_name_key(name: str) -> str:
    """Return the identity of a name.

    Width, case, spacing, punctuation, a final 's and traditional characters do not matter; signs that
    distinguish things (C++, C#) do. Every name of the user gives `OWNER`. The key may be empty.
    """
    return _key(normalise(_POSSESSIVE.sub("", name)))


def pack_names(names: Iterable[str]) -> bytes:
    """Pack the uint32 hashes (CRC-32) of names' keys, little-endian, without repeats and empty keys."""
    keys = dict.fromkeys(key for key in map(make_name_key, names) if key)
    return b"".join(hash_name(key).to_bytes(4, "little") for key in keys)


def hash_name(key: str) -> int:
    """Return the CRC-32 of a key's UTF-8 text, in [0, 2³²)."""
    return zlib.crc32(key.encode("utf-8", "surrogatepass"))


def unpack_hashes(packed: bytes) -> frozenset[int]:
    """Return the hashes in packed bytes."""
    whole = len(packed) // 4 * 4
    return frozenset(int.from_bytes(packed[at : at + 4], "little") for at in range(0, whole, 4))


def list_name_candidates(text: str) -> Iterator[str]:
    """Yield the key of every part of a text that could be a name: up to 4 words or 8 Chinese characters."""
    folded = normalise(text)
    runs = _RUN.findall(folded)
    words = _RUN.sub(" ", folded).split() if runs else folded.split()
    for size in range(1, _MOST_WORDS + 1):
        for start in range(len(words) - size + 1):
            yield _key(" ".join(words[start : start + size]))
    for run in runs:
        for size in range(1, _MOST_CHARACTERS + 1):
            for start in range(len(run) - size + 1):
                yield _key(run[start : start + size])
    if runs and words:
        yield from map(_key, folded.split())


def _key(folded: str) -> str:
    key = folded[:LONGEST_KEY].strip()
    return OWNER if key in _OWNER_NAMES else key

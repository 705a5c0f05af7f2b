"""Turn a text into the ids of pieces, as XLM-RoBERTa's tokeniser does."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memsite.llm.embedding.sentences.loops import Pieces, fill_table, find_best_pieces
from memsite.llm.embedding.sentences.weights import Vocabulary

Int32 = NDArray[np.int32]

#: Written in pieces for a space.
_SPACE: Final = "\u2581"
_SPACES: Final = re.compile(" +")
#: By how much an unknown character is less probable than the least probable piece.
_UNKNOWN_PENALTY: Final = 10.0
#: Bytes after the first of a character in UTF-8 are 10xxxxxx.
_HIGH_BITS: Final = 0xC0
_FOLLOWING: Final = 0x80


class Tokeniser:
    """Splits texts into the most probable pieces. It may be used from several threads at once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        table = np.full(1 << (2 * vocabulary.scores.size - 1).bit_length(), -1, dtype=np.int32)
        fill_table(vocabulary.text, vocabulary.starts, table)
        self._pieces = Pieces(
            vocabulary.text,
            vocabulary.starts,
            vocabulary.scores,
            table,
            longest=int(np.diff(vocabulary.starts.astype(np.int64)).max()),
            unknown=vocabulary.unknown,
            unknown_score=float(vocabulary.scores.min()) - _UNKNOWN_PENALTY,
        )

    def list_ids(self, text: str, most: int) -> Int32:
        """Return the ids of a text's pieces, begin and end included: the first `most` at most."""
        spaced = _SPACES.sub(" ", f" {text.translate(self._vocabulary.replacements)}")
        content = np.frombuffer(spaced.replace(" ", _SPACE).encode("utf-8", "replace"), dtype=np.uint8)
        leading = np.flatnonzero((content & _HIGH_BITS) != _FOLLOWING)
        characters = np.append(leading, content.size).astype(np.int32)
        found = np.empty(leading.size, dtype=np.int32)
        count = find_best_pieces(self._pieces, content, characters, found)
        begin, end = self._vocabulary.begin, self._vocabulary.end
        return np.concatenate([[begin], found[:count][::-1][: most - 2], [end]]).astype(np.int32)

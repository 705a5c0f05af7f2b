"""The default embedding model: WordLlama's static token vectors, read from its wheel, without network or
torch.

The `wordllama` package is not imported, because importing it configures the root logger and loads code that
only training needs. Its two files are read in place (256 dimensions, 32,000 tokens of the Llama 2 tokeniser,
MIT licence).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from memsite.llm.embedding.embedding import LOCAL_MODEL, Float32
from memsite.llm.embedding.profiles import get_profile

_WEIGHTS: Final = Path("weights", "l2_supercat_256.safetensors")
_TOKENIZER: Final = Path("tokenizers", "l2_supercat_tokenizer_config.json")
_FIRST_BYTE: Final = 3  # ids 3 to 258 are the bytes 0 to 255 of text outside the vocabulary
_LAST_BYTE: Final = 258
_BARE_SPACE: Final = 29871  # the tokeniser puts it before every text that does not begin with a Latin word
_WORD: Final = 64  # characters; a longer string is not a word worth caching
_PART: Final = 1_024  # characters; the tokeniser lets no other thread run while it reads a part
_SPECIAL: Final = "<"  # <s>, </s> and <unk> are removed from a text before tokenising
_CHINESE: Final = re.compile("[\u3400-\u9fff]")
_RARE: Final = 8192  # rows for characters outside the vocabulary, which include most of written Chinese
_RARE_NORM: Final = 12.0  # about that of a content word, so that a shared rare character counts as one


class LocalEmbedder:
    """A `TokenEmbedder`: a text's vector is the mean of its tokens' vectors, scaled to unit length.

    Two things are changed for Chinese. The mean of all Chinese tokens is subtracted from each of them;
    otherwise any two Chinese texts would be similar. With this, a question is told apart from unrelated text
    in 94 of 100 pairs instead of 87. Characters outside the vocabulary, which the tokeniser would spell in
    meaningless bytes, each get one of 8,192 fixed random vectors, so they are similar only to themselves.
    """

    model: Final = LOCAL_MODEL
    dimensions: Final = 256
    profile: Final = get_profile(model)

    @cached_property
    def token_vectors(self) -> Float32:
        """(40192, 256): the vocabulary, then the rare characters."""
        vocabulary = load_file(str(_folder() / _WEIGHTS))["embedding.weight"].astype(np.float32)
        chinese = [row for token, row in self._tokenizer.get_vocab().items() if _CHINESE.search(token)]
        vocabulary[chinese] -= vocabulary[chinese].mean(axis=0)
        drawn = np.random.default_rng(20240501).standard_normal((_RARE, self.dimensions), dtype=np.float32)
        rare = drawn * (_RARE_NORM / np.linalg.norm(drawn, axis=1, keepdims=True))
        return np.concatenate([vocabulary, rare])

    def token_ids(self, texts: Sequence[str]) -> list[NDArray[np.uint32]]:
        """Return the token ids of each text, in order; none for blank text."""
        return [self._ids(text) for text in texts]

    def embed(self, texts: Sequence[str]) -> Float32:
        """Return vectors of shape (len(texts), 256): unit rows, all zero for blank text."""
        return self.embed_tokens(self.token_ids(texts))

    def embed_tokens(self, token_ids: Sequence[NDArray[np.uint32]]) -> Float32:
        """Return the vectors of texts given by their token ids.

        Tokenising takes most of the time of `embed`, so callers keep the ids.
        """
        vectors = np.zeros((len(token_ids), self.dimensions), dtype=np.float32)
        token_vectors = self.token_vectors
        for row, ids in enumerate(token_ids):
            if ids.size:  # same as `token_vectors[ids].mean(axis=0)`, in half the time
                vectors[row] = np.add.reduce(token_vectors.take(ids, axis=0), axis=0) / ids.size
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        return vectors

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        tokenizer = Tokenizer.from_file(str(_folder() / _TOKENIZER))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def _ids(self, text: str) -> NDArray[np.uint32]:
        words = text.split()
        if text.isascii() and _SPECIAL not in text and len(max(words, key=len, default="")) <= _WORD:
            return np.array([token for word in words for token in self._word_ids(word)], dtype=np.uint32)
        return np.array([token for part in _parts(words) for token in self._part_ids(part)], dtype=np.uint32)

    def _part_ids(self, part: str) -> Sequence[int]:
        clean = unicodedata.normalize("NFKC", part).encode("utf-8", "ignore").decode()
        found = self._encoded(" ".join(clean.split()))
        return found if clean.isascii() else _join_bytes(found)

    @cached_property
    def _word_ids(self) -> Callable[[str], tuple[int, ...]]:
        """Return the ids of one word, cached, since a few thousand words make up most texts."""
        return lru_cache(maxsize=16384)(self._encoded)

    def _encoded(self, clean: str) -> tuple[int, ...]:
        found = self._tokenizer.encode(clean, add_special_tokens=False).ids
        return tuple(token for token in found if token != _BARE_SPACE)


def _parts(words: Sequence[str]) -> Iterator[str]:
    """Yield the words in texts of at most 1,024 characters. A longer word is cut.

    No token of the vocabulary spans two words, so only the tokens of a word that is cut may change.
    """
    pending: list[str] = []
    length = 0
    for word in words:
        for at in range(0, len(word), _PART):
            piece = word[at : at + _PART]
            if pending and length + len(piece) > _PART:
                yield " ".join(pending)
                pending, length = [], 0
            pending.append(piece)
            length += len(piece) + 1
    yield " ".join(pending)


def _folder() -> Path:
    """Return the folder of the installed wheel; ModuleNotFoundError if it is not installed."""
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("wordllama is not installed: run `make install`", name="wordllama")
    return Path(spec.origin).parent


def _join_bytes(ids: Sequence[int]) -> list[int]:
    """Replace each run of byte tokens with one token per character that the bytes spell."""
    joined: list[int] = []
    pending = bytearray()
    for token in [*ids, _BARE_SPACE]:
        if _FIRST_BYTE <= token <= _LAST_BYTE:
            pending.append(token - _FIRST_BYTE)
            continue
        if pending:
            joined += _rare_tokens(bytes(pending))
            pending.clear()
        joined.append(token)
    return joined[:-1]


def _rare_tokens(spelt: bytes) -> list[int]:
    """Return one token per character; bytes that are not UTF-8 (half a character at a cut) are left out."""
    first_rare = 32000
    return [first_rare + ord(character) % _RARE for character in spelt.decode("utf-8", "ignore")]

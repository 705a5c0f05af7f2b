"""Embeddings from any server that speaks OpenAI's protocol."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import openai
from numpy.typing import NDArray

from memsite.llm import tokens
from memsite.llm.chat import bodies, retry
from memsite.llm.embedding.embedding import IDENTITY, Float32, SimilarityProfile

BATCH_TEXTS: Final = 256
#: Most tokens of a request; OpenAI's own limit is 300,000, by its own count.
BATCH_TOKENS: Final = 200_000
#: Longer texts are cut; OpenAI's models accept 8,192.
TEXT_TOKENS: Final = 8_191


class OpenAIEmbedder:
    """An `Embedder` that sends texts to a server, in batches of at most 256.

    Args:
        model: Name of the model on the server.
        base_url: Up to and including `/v1`; empty for OpenAI's own.
        api_key: Empty for servers that need none.
        timeout: Seconds for each try of a request (see `retry.call_with_retries`).
        dimensions: Required length of vectors; None to learn it from the first answer.
        profile: The map from the model's cosines to the reference scale.
    """

    def __init__(
        self,
        *,
        model: str,
        base_url: str = "",
        api_key: str = "",
        timeout: float = 30.0,
        dimensions: int | None = None,
        profile: SimilarityProfile = IDENTITY,
    ) -> None:
        self.model = model
        self.profile = profile
        self._address = base_url or None
        self._api_key = api_key or "unset"  # the client requires one; servers without keys ignore it
        self._timeout = timeout
        self._dimensions = dimensions
        self._connected: tuple[int, openai.OpenAI] | None = None

    @property
    def dimensions(self) -> int:
        """Length of a vector; asks the server once if it is not known. May raise ModelError."""
        if self._dimensions is None:
            self.embed(["dimensions"])
        if self._dimensions is None:
            raise AssertionError("unreachable: an answer without vectors is refused")
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Float32:
        """Embed texts; long text is cut.

        Returns:
            Shape (len(texts), dimensions); rows of length 1, all zero for blank text. Never a part of the
            vectors.

        Raises:
            ModelError: If the server fails, or does not return as many finite vectors of the right length as
                there are texts.
        """
        spoken = [place for place, text in enumerate(texts) if text.strip()]
        rows = [self._embed_batch(batch) for batch in split_batches(texts[place] for place in spoken)]
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        if rows:
            vectors[spoken] = np.concatenate(rows)
        return vectors

    def _embed_batch(self, batch: list[str]) -> NDArray[np.float64]:
        body = retry.call_with_retries(
            lambda deadline: self._request(batch, deadline), attempt_seconds=self._timeout
        )
        vectors = read_vectors(body, len(batch))
        found = vectors.shape[1]
        if self._dimensions is not None and self._dimensions != found:
            raise retry.bad_answer_error(f"vectors of {found} dimensions instead of {self._dimensions}")
        self._dimensions = found
        return vectors

    def _request(self, batch: list[str], deadline: retry.Deadline) -> bytes:
        try:
            with self._client().embeddings.with_streaming_response.create(
                model=self.model, input=batch, encoding_format="float", timeout=deadline.remaining()
            ) as response:
                return bodies.read_body(response.iter_bytes(), deadline)
        except Exception as error:  # noqa: BLE001 - `as_model_error` sorts the errors
            raise retry.as_model_error(error) from None  # the cause may quote headers

    def _client(self) -> openai.OpenAI:
        # A forked process must not share a connection with its parent.
        if self._connected is None or self._connected[0] != os.getpid():
            client = openai.OpenAI(base_url=self._address, api_key=self._api_key, max_retries=0)
            self._connected = (os.getpid(), client)
        return self._connected[1]


def split_batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield texts, each cut to 8,191 tokens, in lists of at most 256 texts and 200,000 tokens; keep the
    order.
    """
    batch: list[str] = []
    size = 0
    for text in texts:
        ids = tokens.encode(text, "cl100k_base")
        cut = text if len(ids) <= TEXT_TOKENS else tokens.decode(ids[:TEXT_TOKENS], "cl100k_base")
        length = min(len(ids), TEXT_TOKENS)
        if batch and (len(batch) == BATCH_TEXTS or size + length > BATCH_TOKENS):
            yield batch
            batch, size = [], 0
        batch.append(cut)
        size += length
    if batch:
        yield batch


def read_vectors(body: bytes, count: int) -> NDArray[np.float64]:
    """Parse the JSON of an answer.

    Returns:
        Shape (count, dimensions); rows of length 1, in the order of the request.

    Raises:
        ModelError: Unless there are `count` finite, nonzero vectors of equal length.
    """
    try:
        data = json.loads(body)["data"]
        vectors = np.array([entry["embedding"] for entry in _in_order(data)], dtype=np.float64)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise retry.bad_answer_error("it holds no embeddings") from None
    if len(vectors) != count:
        raise retry.bad_answer_error(f"{len(vectors)} vectors for {count} texts")
    if vectors.ndim != 2 or not vectors.shape[1]:  # noqa: PLR2004 - texts by dimensions
        raise retry.bad_answer_error("its vectors are not rows of numbers")
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.all(np.isfinite(lengths)) or not np.all(lengths):
        raise retry.bad_answer_error("a vector is not finite or has no length")
    unit: NDArray[np.float64] = vectors / lengths
    return unit


def _in_order(data: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the entries sorted by `index`, or in their own order if it is missing; ValueError for a wrong
    one.
    """
    indexes = [entry.get("index", place) for place, entry in enumerate(data)]
    if sorted(indexes) != list(range(len(data))):
        raise ValueError("indexes are not 0, 1, 2 …")
    return sorted(data, key=lambda entry: int(entry.get("index", 0)))

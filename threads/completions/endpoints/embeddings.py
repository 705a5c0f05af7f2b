"""`POST /v1/embeddings`: vectors of the site's own embedding model."""

from __future__ import annotations

import base64
from typing import Any, Final

from memsite.errors import InvalidInput
from memsite.llm.embedding import get_embedder
from memsite.llm.tokens import count_tokens
from memsite.serving.streaming import run_in_long_thread
from threads.completions.endpoints.requests import Answer, Request, authenticate
from threads.completions.values import encode_json

#: Texts of one request, and their characters together.
_MOST_TEXTS: Final = 2_048
_MOST_CHARACTERS: Final = 1_000_000
_FORMATS: Final = ("float", "base64")


async def make_embeddings(request: Request) -> Answer:
    """Answer a request of OpenAI's embeddings."""
    await authenticate(request, "read")
    body = await request.read_body()
    texts = _read_texts(body.get("input"))
    encoding = body.get("encoding_format") or "float"
    if encoding not in _FORMATS:
        raise InvalidInput("encoding_format is float or base64.", {"encoding_format": "unknown"})
    return await run_in_long_thread(_embed, texts, body.get("dimensions"), encoding)


def _embed(texts: list[str], dimensions: object, encoding: str) -> Answer:
    embedder = get_embedder()
    vectors = embedder.embed(texts)
    if dimensions is not None and dimensions != vectors.shape[1]:
        message = f"The vectors of this site's embedding model have {vectors.shape[1]} dimensions."
        raise InvalidInput(message, {"dimensions": vectors.shape[1]})
    little = vectors.astype("<f4")
    rows: list[Any] = (
        [base64.b64encode(row.tobytes()).decode() for row in little]
        if encoding == "base64"
        else little.tolist()
    )
    tokens = sum(map(count_tokens, texts))
    return Answer(
        encode_json(
            {
                "object": "list",
                "data": [
                    {"object": "embedding", "index": place, "embedding": row}
                    for place, row in enumerate(rows)
                ],
                "model": embedder.model,
                "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
            }
        )
    )


def _read_texts(given: object) -> list[str]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts or not all(isinstance(one, str) for one in texts):
        raise InvalidInput("input is a text or a list of texts.", {"input": "not texts"})
    if len(texts) > _MOST_TEXTS or sum(map(len, texts)) > _MOST_CHARACTERS:
        raise InvalidInput(
            f"input has at most {_MOST_TEXTS} texts and {_MOST_CHARACTERS} characters.", {"input": "too long"}
        )
    return texts

"""`POST /v1/embeddings`: vectors of the site's own embedding model."""

from __future__ import annotations

import base64
from typing import Any, Final

from memsite.errors import InvalidInput
from memsite.llm.embedding import get_embedder
from memsite.llm.tokens import count_tokens, decode
from memsite.serving.streaming import run_in_long_thread
from threads.completions.endpoints.requests import Answer, Request, authenticate
from threads.completions.values import encode_json

#: Texts of one request, and their characters together.
_MOST_TEXTS: Final = 2_048
_MOST_CHARACTERS: Final = 1_000_000
_FORMATS: Final = ("float", "base64")
#: Of the tokens that clients send in place of texts, as LangChain does: that of OpenAI's embedding models.
_ENCODING: Final = "cl100k_base"


async def make_embeddings(request: Request) -> Answer:
    """Answer a request of OpenAI's embeddings."""
    await authenticate(request, "read")
    body = await request.read_body()
    encoding = body.get("encoding_format") or "float"
    if encoding not in _FORMATS:
        raise InvalidInput("encoding_format is float or base64.", {"encoding_format": "unknown"})
    return await run_in_long_thread(_embed, body.get("input"), body.get("dimensions"), encoding)


def _embed(given: object, dimensions: object, encoding: str) -> Answer:
    texts = _read_texts(given)
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
    """Return the texts of a request: a text, its tokens, or a list of either."""
    parts: list[Any] = given if isinstance(given, list) and not _is_tokens(given) else [given]
    if not parts or not all(isinstance(one, str) or _is_tokens(one) for one in parts):
        raise InvalidInput("input is a text, its tokens, or a list of either.", {"input": "not texts"})
    texts = [one if isinstance(one, str) else decode(one, _ENCODING) for one in parts]
    if len(texts) > _MOST_TEXTS or sum(map(len, texts)) > _MOST_CHARACTERS:
        raise InvalidInput(
            f"input has at most {_MOST_TEXTS} texts and {_MOST_CHARACTERS} characters.", {"input": "too long"}
        )
    return texts


def _is_tokens(value: object) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(one, int) and not isinstance(one, bool) for one in value)

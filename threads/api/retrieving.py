"""Views that search within a thread and count tokens."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memsite.errors import InvalidInput
from memsite.llm.simple_tokenizer import LATIN_TOKENS, SimpleTokenizer
from memsite.llm.tokens import count_message_tokens, count_tokens, get_encoding
from memsite.rest.views import ApiView, get_owner, parse_body
from threads.api.rendering import message_json
from threads.api.shapes import reading as schema
from threads.api.shapes.reading import build_selection
from threads.messages import RetrievalResult, retrieve_messages
from threads.storage import get_thread


class RetrieveView(ApiView):
    scopes: ClassVar[dict[str, str]] = {"POST": "read"}

    @extend_schema(
        operation_id="retrieve_messages",
        summary="Retrieve within a thread",
        request=schema.RetrieveIn,
        responses=schema.RetrieveOut,
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Return the messages most similar to a query, best first, each with its scores."""
        body, owner = parse_body(schema.RetrieveIn, request), get_owner(request)
        thread = get_thread(thread_id, owner=owner)
        found = retrieve_messages(
            thread,
            body.query,
            owner=owner,
            selection=build_selection(thread, body),
            limit=body.limit,
            threshold=body.threshold,
        )
        return Response(_retrieved_json(found))


class TokensView(ApiView):
    scopes: ClassVar[dict[str, str]] = {"POST": "read"}

    @extend_schema(
        operation_id="count_tokens",
        summary="Count tokens",
        request=schema.TokensIn,
        responses=schema.TokensOut,
    )
    def post(self, request: Request) -> Response:
        """Count the tokens of a text or of messages.

        Counts are exact in an encoding or a model's, and estimates with `simple`.
        """
        return Response(_counted_json(parse_body(schema.TokensIn, request)))


def _retrieved_json(found: RetrievalResult) -> dict[str, Any]:
    return {
        "results": [
            message_json(hit.message)
            | {
                "score": round(hit.score, 4),
                "similarity": round(hit.similarity, 4),
                "words": round(hit.words, 4),
            }
            for hit in found.hits
        ],
        "searched": found.searched,
        "total": found.total,
        "degraded": found.degraded or None,
    }


def _counted_json(body: schema.TokensIn) -> dict[str, Any]:
    encoding = body.encoding or (get_encoding(body.model) if body.model else schema.DEFAULT)
    simple = SimpleTokenizer(body.tokens_per_character or LATIN_TOKENS) if encoding == "simple" else None
    counts = [_count(message, encoding, simple) for message in body.messages or ()]
    return {
        "tokens": sum(counts) if body.text is None else _count(body.text, encoding, simple),
        "messages": None if body.messages is None else counts,
        "encoding": encoding,
        "is_estimate": simple is not None,
    }


def _count(text: str | dict[str, Any], encoding: str, simple: SimpleTokenizer | None) -> int:
    if isinstance(text, str):
        return simple.count_tokens(text) if simple else count_tokens(text, encoding)
    if not isinstance(text.get("content"), (str, list, type(None))):
        raise InvalidInput("A message's content is a text or a list of parts.", {"messages": "content"})
    return simple.count_message_tokens(text) if simple else count_message_tokens(text, encoding)

"""The tools `search` and `fetch`, in the shapes that ChatGPT demands."""

from __future__ import annotations

from typing import Annotated, Any, Final

import orjson
from django.conf import settings
from django.urls import reverse
from pydantic import Field

from memories.mcp.arguments import MAX_CONTENT, MAX_QUERY, UNKNOWN, Id, Text, resolve_ids
from memories.mcp.callers import Caller
from memories.mcp.rendering import Answer, make_row
from memories.models import Memory
from memories.ports import hidden
from memories.retrieval import SearchQuery, search_memories
from memories.storage import get_memory
from memories.text import neutralise_text
from memories.values import Status
from memsite.errors import InvalidInput, NotFound
from memsite.rest.parsing import Body

_RESULTS: Final = 10
_TITLE_CHARACTERS: Final = 80


class SearchArguments(Body):
    """The arguments of the tool `search`."""

    query: Annotated[Text, Field(min_length=1, max_length=MAX_QUERY)]


class FetchArguments(Body):
    """The arguments of the tool `fetch`."""

    id: Id


def search(arguments: SearchArguments, caller: Caller) -> Answer:
    """Return the id, title and page of the memories that answer a query, best first."""
    if not arguments.query.strip():
        raise InvalidInput("query says nothing.")
    query = SearchQuery(query=arguments.query, top_k=_RESULTS)
    result = search_memories(query, owner=caller.owner, hidden=hidden(None, owner=caller.owner))
    return _as_json({"results": [_describe(hit.memory) for hit in result.hits]})


def fetch(arguments: FetchArguments, caller: Caller) -> Answer:
    """Return one memory, whole.

    Raises:
        NotFound: If the owner has no such memory, or has forgotten it.
    """
    memory = get_memory(resolve_ids([arguments.id], owner=caller.owner)[0], owner=caller.owner)
    if memory.status == Status.FORGOTTEN:
        raise NotFound(UNKNOWN)
    described = _describe(memory)
    row = make_row(memory)
    metadata = {name: str(row[name]) for name in row if name not in {"id", "text"}}
    text = neutralise_text(memory.content, MAX_CONTENT)
    return _as_json(
        {
            "id": described["id"],
            "title": described["title"],
            "text": text,
            "url": described["url"],
            "metadata": metadata,
        }
    )


def _describe(memory: Memory) -> dict[str, str]:
    return {
        "id": str(memory.pk),
        "title": neutralise_text(memory.content, _TITLE_CHARACTERS),
        "url": f"{settings.MEMSITE_PUBLIC_URL}{reverse('memory', args=[memory.pk])}",
    }


def _as_json(value: dict[str, Any]) -> Answer:
    return Answer(orjson.dumps(value).decode(), value)

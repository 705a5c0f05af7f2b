"""Select the memories for reflection: active, stated by somebody, visible outside any thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from memories import ports
from memories.maintenance.reflection.conf import (
    EPISODES_AT_ONCE,
    MOST_LOOKED_AT,
    RECENT,
    TOPIC,
    TOPIC_RELEVANCE,
)
from memories.maintenance.reflection.proposals import ReflectionRequest
from memories.models import Memory
from memories.retrieval import SearchQuery, search_memories
from memories.storage import get_memories, list_active_memories
from memories.values import Layer, Status

#: Written by inference. Reflection never uses such memories as a source.
INFERRED = Q(metadata__contains={"inferred": True})


def list_statements(*, owner: UUID) -> QuerySet[Memory]:
    """Return the memories that may be reflected on.

    Memories hidden on some branch of a thread are excluded, because a result would reveal them on other
    branches.
    """
    hidden = ports.hidden(None, owner=owner)
    rows = list_active_memories(owner=owner).filter(status=Status.ACTIVE).exclude(INFERRED)
    return rows.exclude(id__in=hidden) if hidden else rows


def list_examined(request: ReflectionRequest, *, owner: UUID) -> list[Memory]:
    """Return the semantic memories of a request, newest first.

    `ids` selects exactly these (NotFound if one is missing), `recent` the newest 100, `topic` the results of
    a search, and `all` the newest 1,000.
    """
    if request.ids:
        wanted = get_memories(request.ids, owner=owner)
        ids = [memory.pk for memory in wanted]
        return list(list_statements(owner=owner).filter(id__in=ids).order_by("-created_at", "-id"))
    rows = list_statements(owner=owner).filter(layer=Layer.SEMANTIC).order_by("-created_at", "-id")
    if request.source == "topic":
        found = _on_topic(request, owner=owner)
        return list(rows.filter(id__in=found)[:TOPIC])
    return list(rows[: RECENT if request.source == "recent" else MOST_LOOKED_AT])


def list_unreflected(*, owner: UUID) -> QuerySet[Memory]:
    """Return active episodes that wait for reflection, oldest first."""
    rows = list_active_memories(owner=owner).filter(layer=Layer.EPISODIC, reflected_at=None)
    return rows.order_by("created_at", "turn", "id")


def list_next_episodes(*, owner: UUID) -> list[Memory]:
    """Return the next episodes to reflect on."""
    return list(list_unreflected(owner=owner)[:EPISODES_AT_ONCE])


def has_changed(seen_at: Mapping[UUID, datetime], *, owner: UUID) -> bool:
    """Return whether any of these rows changed, ended or disappeared since.

    The caller must hold the ledger, so that no row changes afterwards.
    """
    rows = list_active_memories(owner=owner).filter(id__in=list(seen_at))
    return dict(rows.values_list("id", "updated_at")) != dict(seen_at)


def _on_topic(request: ReflectionRequest, *, owner: UUID) -> Sequence[UUID]:
    query = SearchQuery(
        query=request.topic_query,
        layers=(Layer.SEMANTIC,),
        top_k=TOPIC,
        min_similarity=TOPIC_RELEVANCE,
    )
    result = search_memories(query, owner=owner, hidden=ports.hidden(None, owner=owner))
    return [hit.memory.pk for hit in result.hits]

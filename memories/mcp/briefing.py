"""The prompt `recall` and the resource `memsite://profile`: what is remembered, for the start of a chat."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from memories.mcp.actions import MEMORY_OFF, explain_no_result
from memories.mcp.arguments import MAX_QUERY, check_text
from memories.mcp.rendering import render_memories
from memories.ports import hidden
from memories.retrieval import SearchQuery, search_memories
from memories.storage import list_active_memories
from memories.text import neutralise_text
from memories.values import Layer
from memsite.accounts.preferences import get_preferences
from memsite.errors import InvalidInput

#: Tokens of the profile.
PROFILE_TOKENS: Final = 1_500
_PROFILE_ROWS: Final = 200  # more than the tokens hold
_RECALLED: Final = 20
_TOPIC_CHARACTERS: Final = 500


def recall_topic(topic: str, *, owner: UUID) -> str:
    """Return a message with what is remembered about a topic.

    Raises:
        InvalidInput: If the topic is empty or too long.
    """
    if not topic.strip() or len(topic) > MAX_QUERY:
        raise InvalidInput(f"topic takes 1 to {MAX_QUERY} characters.")
    try:
        check_text(topic)
    except ValueError as error:
        raise InvalidInput(f"topic: {error}.") from None
    query = SearchQuery(query=topic, top_k=_RECALLED)
    result = search_memories(query, owner=owner, hidden=hidden(None, owner=owner))
    shown = render_memories(hit.memory for hit in result.hits)
    heading = f"Use what is remembered about: {neutralise_text(topic, _TOPIC_CHARACTERS)}"
    return f"{heading}\n\n{shown.block or explain_no_result(result, owner=owner)}"


def build_profile(*, owner: UUID) -> str:
    """Return what is known about the owner: pinned and important memories first, no episodes."""
    if not get_preferences(owner).memory_on:
        return MEMORY_OFF
    rows = list_active_memories(owner=owner).exclude(layer=Layer.EPISODIC)
    rows = rows.exclude(id__in=list(hidden(None, owner=owner)))
    ordered = rows.order_by("-pinned", "-importance", "-confidence", "-created_at", "-id")[:_PROFILE_ROWS]
    return render_memories(ordered, most_tokens=PROFILE_TOKENS).block or "Nothing is remembered yet."

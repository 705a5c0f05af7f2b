"""A statement, a later one that makes it outdated, and how tests write and search for them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from memories.maintenance import sentences
from memories.retrieval import SearchQuery, SearchResult, search_memories
from memories.values import Candidate
from memories.writing import write_candidates
from memsite.accounts.models import User

OLD = "I do the accounts at a shipyard in Turku."
NEW = "Handed in my badge at the shipyard, on Monday I start at the harbour office."
BESIDE = ("My bicycle has a squeaky chain.", "I sing alto in a choir.", "Tea keeps me awake at night.")


def remember(owner: User, texts: Sequence[str]) -> None:
    """Write statements, one a month, and embed them."""
    for month, text in enumerate(texts, start=1):
        one = Candidate(content=text, occurred_at=datetime(2025, month, 5, tzinfo=UTC))
        write_candidates([one], owner=owner.pk, actor="test")
    for _ in sentences.fill_in_for(owner=owner.pk):
        pass


def search(owner: User, text: str, *, as_of: datetime | None = None, top_k: int = 5) -> SearchResult:
    """Search without a threshold."""
    query = SearchQuery(query=text, top_k=top_k, min_similarity=0.0, as_of=as_of)
    return search_memories(query, owner=owner.pk)

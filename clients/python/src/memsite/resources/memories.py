"""Memories: add, read, change, search, forget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from memsite.results import (
    Batch,
    Conflict,
    Forgotten,
    Graph,
    HistoryItem,
    Memory,
    Neighbour,
    Page,
    Receipt,
    SearchResult,
    Stats,
    UndoneBatch,
    Written,
)
from memsite.wire import (
    Call,
    Emit,
    Emits,
    Flow,
    Mode,
    Resource,
    call_as,
    call_for_page,
    download,
    operation,
    steps,
    stream,
    without_nones,
)

_PATH = "/api/memories"


class Memories(Resource[Mode]):
    """What is known about a person."""

    @operation
    def add(
        self,
        content: str,
        *,
        layer: str | None = None,
        kind: str | None = None,
        category: str | None = None,
        tags: Sequence[str] | None = None,
        participants: Sequence[str] | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        lifespan: str | None = None,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        single_valued: bool | None = None,
        speaker: str | None = None,
        session: str | None = None,
        occurred_at: datetime | None = None,
        valid_from: datetime | None = None,
        valid_until: datetime | None = None,
        strength: float | None = None,
        abstraction_level: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Call[Written]:
        """Add a memory.

        A memory that is active already is strengthened, so that a repeated request adds none.

        Raises:
            RefusedByGate: Without its secrets, the text contains nothing useful.
        """
        body = without_nones(
            content=content,
            layer=layer,
            kind=kind,
            category=category,
            tags=tags,
            participants=participants,
            importance=importance,
            confidence=confidence,
            lifespan=lifespan,
            subject=subject,
            predicate=predicate,
            object=object,
            single_valued=single_valued,
            speaker=speaker,
            session=session,
            occurred_at=occurred_at,
            valid_from=valid_from,
            valid_until=valid_until,
            strength=strength,
            abstraction_level=abstraction_level,
            metadata=metadata,
        )
        return call_as(Written, "POST", _PATH, body=body, repeatable=True)

    @operation
    def add_many(self, memories: Sequence[Mapping[str, Any]]) -> Call[Batch]:
        """Add up to 1,000 memories, in one transaction.

        Args:
            memories: Each with the fields that `add` takes.
        """
        body = {"memories": [dict(memory) for memory in memories]}
        return call_as(Batch, "POST", f"{_PATH}/batch", body=body, repeatable=True)

    @operation
    def search(
        self,
        query: str,
        *,
        top_k: int | None = None,
        limit: int | None = None,
        offset: int | None = None,
        layers: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        categories: Sequence[str] | None = None,
        subject: str | None = None,
        speaker: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        status: Sequence[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        min_similarity: float | None = None,
        as_of: datetime | None = None,
        believed_at: datetime | None = None,
        explain: bool | None = None,
        order_by: str | None = None,
    ) -> Call[SearchResult]:
        """Search; the best memories come first.

        Args:
            top_k: Number of results (5).
            metadata: Names and values that the metadata must contain.
            min_similarity: Least relevance, from 0 (all) to 1; by default that of each layer.
            as_of: Search what was true at that time.
            believed_at: Search what was believed at that time.
            order_by: `relevance`, `newest`, `oldest` or `importance`.
        """
        body = without_nones(
            query=query,
            top_k=top_k,
            limit=limit,
            offset=offset,
            layers=layers,
            kinds=kinds,
            categories=categories,
            subject=subject,
            speaker=speaker,
            tags=tags,
            metadata=metadata,
            status=status,
            since=since,
            until=until,
            min_similarity=min_similarity,
            as_of=as_of,
            believed_at=believed_at,
            explain=explain,
            order_by=order_by,
        )
        return call_as(SearchResult, "POST", f"{_PATH}/search", body=body, repeatable=True)

    @operation
    def list(self, /, **filters: Any) -> Call[Page[Memory]]:
        """Return a page of memories, newest first.

        Args:
            filters: Any field of a memory, and `since`, `until`, `as_of`, `believed_at`, `contains`, `sort`,
                `order`,
                `page_size` (20, at most 200), `cursor`.
        """
        return call_for_page(Memory, _PATH, filters)

    @stream
    def all(self, /, **filters: Any) -> Emits[Memory]:
        """Iterate over the memories of all pages; the filters are those of `list`."""
        cursor = filters.pop("cursor", None)
        while True:
            page = yield from self._perform(
                call_for_page(Memory, _PATH, {"page_size": 200, **filters, "cursor": cursor})
            )
            for memory in page.results:
                yield Emit(memory)
            if (cursor := page.next_cursor) is None:
                return

    @operation
    def get(self, memory_id: str) -> Call[Memory]:
        """Return one memory, in any status."""
        return call_as(Memory, "GET", f"{_PATH}/{memory_id}")

    @operation
    def change(self, /, memory_id: str, **changes: Any) -> Call[Written]:
        """Change a memory.

        Args:
            changes: A new `content` makes a successor, which `memory` of the result is. Other fields change
                in place; with `mode="append"` lists and metadata grow. `status="active"` confirms a pending
                memory; alone, it says of an active one that it is true now.
        """
        grows = changes.get("mode") == "append"
        return call_as(Written, "PATCH", f"{_PATH}/{memory_id}", body=changes, repeatable=not grows)

    @operation
    def forget(self, memory_id: str) -> Call[Written]:
        """Forget a memory; `restore` brings it back."""
        return call_as(Written, "DELETE", f"{_PATH}/{memory_id}", repeatable=True)

    @operation
    def erase(self, memory_id: str) -> Call[Receipt]:
        """Erase a memory for good, in all of its wordings."""
        return call_as(Receipt, "DELETE", f"{_PATH}/{memory_id}", params={"erase": True})

    @operation
    def restore(self, memory_id: str) -> Call[Written]:
        """Restore a forgotten memory."""
        return call_as(Written, "POST", f"{_PATH}/{memory_id}/restore")

    @operation
    def forget_about(
        self,
        /,
        query: str | None = None,
        *,
        ids: Sequence[str] | None = None,
        with_derived: bool | None = None,
        dry_run: bool | None = None,
        **filters: Any,
    ) -> Call[Forgotten]:
        """List what a query and filters would forget; or forget the memories with these ids, as one batch.

        Args:
            filters: `layers`, `kinds`, `categories`, `subject`, `speaker`, `session`, `tags`, `since`,
                `until`.
        """
        body = without_nones(query=query, ids=ids, with_derived=with_derived, dry_run=dry_run, **filters)
        return call_as(Forgotten, "POST", f"{_PATH}/forget", body=body, repeatable=ids is None)

    @operation
    def merge(self, ids: Sequence[str], *, content: str | None = None) -> Call[Written]:
        """Merge memories into one successor."""
        return call_as(Written, "POST", f"{_PATH}/merge", body=without_nones(ids=ids, content=content))

    @operation
    def resolve(self, memory_id: str, *, over: Sequence[str] = (), how: str = "wrong") -> Call[Written]:
        """Decide a dispute in favour of this memory.

        Args:
            over: The others; by default all.
            how: They were never true (`wrong`), were true until this one (`past`), or are true as well
                (`both`).
        """
        return call_as(Written, "POST", f"{_PATH}/{memory_id}/resolve", body={"over": over, "how": how})

    @operation
    def undo(self, batch_id: str) -> Call[UndoneBatch]:
        """Undo a batch, as a new batch."""
        return call_as(UndoneBatch, "POST", f"{_PATH}/undo", body={"batch_id": batch_id})

    @operation
    def history(self, memory_id: str) -> Call[Page[HistoryItem]]:
        """Return what happened to a memory and its other wordings, oldest first."""
        return call_for_page(HistoryItem, f"{_PATH}/{memory_id}/history", {})

    @operation
    def related(self, /, memory_id: str, **query: Any) -> Call[Page[Neighbour]]:
        """Return memories that are connected to one; `query`: `depth`, `limit`, `as_of`, `believed_at`."""
        return call_for_page(Neighbour, f"{_PATH}/{memory_id}/related", query)

    @operation
    def graph(self, /, entity: str | None = None, **query: Any) -> Call[Graph]:
        """Return what is around a name; `query`: `depth`, `limit`, `as_of`, `believed_at`."""
        return call_as(Graph, "GET", f"{_PATH}/graph", params={"entity": entity, **query})

    @operation
    def conflicts(self, /, **query: Any) -> Call[Page[Conflict]]:
        """Return disputed pairs of memories."""
        return call_for_page(Conflict, f"{_PATH}/conflicts", query)

    @operation
    def stats(self) -> Call[Stats]:
        """Return counts, and the state of reflection and embeddings."""
        return call_as(Stats, "GET", f"{_PATH}/stats")

    @steps
    def export(self, /, to: str | Path, **filters: Any) -> Flow[int]:
        """Write all memories that match to a file, as JSON, and return its size in bytes."""
        return download(f"{_PATH}/export", to, filters)

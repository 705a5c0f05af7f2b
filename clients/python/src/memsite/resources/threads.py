"""Threads and their messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from memsite.results import (
    Message,
    MessageCount,
    OffloadedContent,
    Page,
    Removed,
    Retrieved,
    TaskState,
    Thread,
    ThreadSettings,
    TokenCount,
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

_PATH = "/api/threads"


class Threads(Resource[Mode]):
    """Conversations: trees of messages."""

    @operation
    def create(
        self,
        *,
        external_id: str | None = None,
        title: str | None = None,
        system_prompt: str | None = None,
        is_temporary: bool | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Call[Thread]:
        """Create a thread; with an `external_id` that a thread has already, return that thread, unchanged.

        Args:
            external_id: The id of the conversation in your program, up to 200 characters.
        """
        body = without_nones(
            external_id=external_id,
            title=title,
            system_prompt=system_prompt,
            is_temporary=is_temporary,
            metadata=metadata,
        )
        return call_as(Thread, "POST", _PATH, body=body, repeatable=external_id is not None)

    @operation
    def list(self, /, **query: Any) -> Call[Page[Thread]]:
        """Return a page of threads, the one changed last first."""
        return call_for_page(Thread, _PATH, query)

    @operation
    def list_ids(self, /, **query: Any) -> Call[Page[str]]:
        """Return a page of ids; `page_size` is at most 10,000."""
        return call_for_page(str, f"{_PATH}/ids", query)

    @operation
    def get(self, thread_id: str) -> Call[Thread]:
        """Return a thread, without its messages."""
        return call_as(Thread, "GET", f"{_PATH}/{thread_id}")

    @operation
    def change(self, /, thread_id: str, **changes: Any) -> Call[Thread]:
        """Change `title`, `system_prompt` or `metadata`."""
        return call_as(Thread, "PATCH", f"{_PATH}/{thread_id}", body=changes)

    @operation
    def delete(self, thread_id: str) -> Call[Removed]:
        """Delete a thread with its messages; facts learnt from them are kept."""
        return call_as(Removed, "DELETE", f"{_PATH}/{thread_id}")

    @operation
    def close(self, thread_id: str) -> Call[Thread]:
        """Learn from all waiting messages now."""
        return call_as(Thread, "POST", f"{_PATH}/{thread_id}/close", repeatable=True)

    @operation
    def append(
        self, /, thread_id: str, role: str, content: str | None = None, **fields: Any
    ) -> Call[Message]:
        """Add one message.

        Args:
            fields: `tool_calls`, `tool_call_id`, `state`, `do_not_remember`, `created_at`, and `client_id`:
                your own id,
                by which a message sent twice is added once. Without it, the client makes one for its own
                retries.
        """
        body = {"role": role, "content": content, **fields}
        return call_as(Message, "POST", f"{_PATH}/{thread_id}/messages", body=_named(body), repeatable=True)

    @operation
    def append_many(self, thread_id: str, messages: Sequence[Mapping[str, Any]]) -> Call[Page[Message]]:
        """Add up to 1,000 messages, all or none."""
        body = {"messages": [_named(message) for message in messages]}
        path = f"{_PATH}/{thread_id}/messages"
        reads = call_for_page(Message, path, {}).reads
        return Call(method="POST", path=path, reads=reads, body=body, repeatable=True)

    @operation
    def messages(self, /, thread_id: str, **query: Any) -> Call[Page[Message]]:
        """Return a page of the messages of the current branch, oldest first.

        Args:
            query: `order`, `branch`, `before`, `after`, `since`, `until`, `role`, `page_size`, `cursor`;
                `max_tokens`
                with `strategy` and `encoding` or `model`.
        """
        return call_for_page(Message, f"{_PATH}/{thread_id}/messages", query)

    @stream
    def all_messages(self, /, thread_id: str, **query: Any) -> Emits[Message]:
        """Iterate over the messages of all pages; the query is that of `messages`."""
        cursor = query.pop("cursor", None)
        while True:
            params = {"page_size": 200, **query, "cursor": cursor}
            page = yield from self._perform(call_for_page(Message, f"{_PATH}/{thread_id}/messages", params))
            for message in page.results:
                yield Emit(message)
            if (cursor := page.next_cursor) is None:
                return

    @operation
    def count_messages(self, /, thread_id: str, **query: Any) -> Call[MessageCount]:
        """Return how many messages match, and their tokens."""
        return call_as(MessageCount, "GET", f"{_PATH}/{thread_id}/messages/count", params=query)

    @operation
    def get_message(self, thread_id: str, message: str | int, *, full: bool = False) -> Call[Message]:
        """Return a message by id, or by index: 0 is the oldest, -1 the newest."""
        return call_as(
            Message, "GET", f"{_PATH}/{thread_id}/messages/{message}", params={"full": full or None}
        )

    @operation
    def mark_message(self, thread_id: str, message: str | int, *, do_not_remember: bool) -> Call[Message]:
        """Say whether a message may be learnt from."""
        body = {"do_not_remember": do_not_remember}
        return call_as(Message, "PATCH", f"{_PATH}/{thread_id}/messages/{message}", body=body)

    @operation
    def delete_message(self, thread_id: str, message: str | int) -> Call[Removed]:
        """Delete a message; those after it are attached to the one before it."""
        return call_as(Removed, "DELETE", f"{_PATH}/{thread_id}/messages/{message}")

    @operation
    def clear_messages(self, /, thread_id: str, **query: Any) -> Call[Removed]:
        """Delete the messages that match."""
        return call_as(Removed, "DELETE", f"{_PATH}/{thread_id}/messages", params=query, repeatable=True)

    @operation
    def retrieve(self, /, thread_id: str, query: str, **options: Any) -> Call[Retrieved]:
        """Return the most similar messages; `options`: `limit`, `threshold`, `branch`, `role` …"""
        body = {"query": query, **options}
        return call_as(Retrieved, "POST", f"{_PATH}/{thread_id}/retrieve", body=body, repeatable=True)

    @operation
    def restore_messages(self, thread_id: str, messages: Sequence[str]) -> Call[Page[Message]]:
        """Restore the offloaded content of messages."""
        path = f"{_PATH}/{thread_id}/restore"
        reads = call_for_page(Message, path, {}).reads
        return Call(method="POST", path=path, reads=reads, body={"messages": messages}, repeatable=True)

    @operation
    def read_offloaded(
        self, thread_id: str, *, messages: Sequence[str] = (), memory_ids: Sequence[str] = ()
    ) -> Call[Page[OffloadedContent]]:
        """Return offloaded content in full."""
        path = f"{_PATH}/{thread_id}/offloaded"
        reads = call_for_page(OffloadedContent, path, {}).reads
        body = {"messages": messages, "memory_ids": memory_ids}
        return Call(method="POST", path=path, reads=reads, body=body, repeatable=True)

    @operation
    def settings(self, thread_id: str) -> Call[ThreadSettings]:
        """Return the settings of compaction and summaries."""
        return call_as(ThreadSettings, "GET", f"{_PATH}/{thread_id}/settings")

    @operation
    def change_settings(self, /, thread_id: str, **changes: Any) -> Call[ThreadSettings]:
        """Change settings; None restores a default."""
        return call_as(ThreadSettings, "PATCH", f"{_PATH}/{thread_id}/settings", body=changes)

    @operation
    def task_state(self, thread_id: str) -> Call[TaskState]:
        """Return the task state."""
        return call_as(TaskState, "GET", f"{_PATH}/{thread_id}/task-state")

    @operation
    def put_task_state(self, /, thread_id: str, **fields: Any) -> Call[TaskState]:
        """Replace the whole task state; missing fields become empty."""
        return call_as(TaskState, "PUT", f"{_PATH}/{thread_id}/task-state", body=fields)

    @operation
    def change_task_state(self, /, thread_id: str, **fields: Any) -> Call[TaskState]:
        """Replace fields of the task state."""
        return call_as(TaskState, "PATCH", f"{_PATH}/{thread_id}/task-state", body=fields)

    @operation
    def count_tokens(self, /, text: str | None = None, **options: Any) -> Call[TokenCount]:
        """Count tokens; `options`: `messages`, `encoding`, `model`, `tokens_per_character`."""
        body = without_nones(text=text, **options)
        return call_as(TokenCount, "POST", "/api/tokens/count", body=body, repeatable=True)

    @steps
    def export(self, /, thread_id: str, to: str | Path, **query: Any) -> Flow[int]:
        """Write a thread to a file and return its size in bytes; `query`: `format`, `branch`, `all`."""
        return download(f"{_PATH}/{thread_id}/export", to, query)


def _named(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message with an id of the client, by which the server knows a repeated request."""
    body = without_nones(**message)
    return {"client_id": uuid4().hex, **body}

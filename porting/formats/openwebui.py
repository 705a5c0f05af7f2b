"""Open WebUI's exports: chats, and memories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from memsite.values import MessageRole
from porting.formats.shape import (
    Json,
    Shape,
    arrange_messages,
    make_key,
    read_external_id,
    read_list,
    read_object,
    read_text,
    read_time,
    skip_parents,
)
from porting.values import Format, Item, MemoryItem, MessageItem, ProblemItem, ThreadItem

_ROLES: Final = {"user": MessageRole.USER, "assistant": MessageRole.ASSISTANT}


def parse_chats(items: Iterable[Any]) -> Iterator[Item]:
    """Yield each chat with its branches."""
    for place, item in enumerate(map(read_object, items)):
        chat = read_object(item.get("chat"))
        title = read_text(item.get("title")) or read_text(chat.get("title"))
        history = read_object(chat.get("history"))
        rows = {str(key): read_object(row) for key, row in read_object(history.get("messages")).items()}
        if not rows:
            rows = _chain(read_list(chat.get("messages")))
        parents = {key: str(row.get("parentId") or "") for key, row in rows.items()}
        texts = {key: text for key, row in rows.items() if (text := _read(row))}
        shown = set(texts)
        head = str(history.get("currentId") or "")
        messages = arrange_messages(
            MessageItem(
                key=key,
                parent=skip_parents(parents, shown, key),
                role=_ROLES[str(rows[key].get("role"))],
                content=text,
                at=read_time(rows[key].get("timestamp")),
            )
            for key, text in texts.items()
        )
        if not messages:
            yield ProblemItem(title[:80] or f"chat {place + 1}", "it has no messages")
            continue
        models = [text for one in read_list(chat.get("models")) if (text := read_text(one))]
        yield ThreadItem(
            key=make_key(Format.OPENWEBUI, item.get("id") or messages[0].key),
            title=title,
            messages=messages,
            created_at=read_time(item.get("created_at")),
            updated_at=read_time(item.get("updated_at")),
            head=head if head in shown else skip_parents(parents, shown, head),
            facts={"model": models[0][:200]} if models else {},
            external_id=read_external_id(item.get("id")),
        )


def parse_memories(items: Iterable[Any]) -> Iterator[Item]:
    """Yield the memories that the person keeps in Open WebUI."""
    for place, item in enumerate(map(read_object, items)):
        text = read_text(item.get("content")).strip()
        if not text:
            yield ProblemItem(f"memory {place + 1}", "it has no text")
            continue
        at = read_time(item.get("created_at")) or read_time(item.get("updated_at"))
        yield MemoryItem(make_key(Format.OPENWEBUI, "memory", item.get("id")), text, at)


def _chain(values: list[Any]) -> dict[str, Json]:
    """Return the messages of a chat without a tree, each after the one before it."""
    rows: dict[str, Json] = {}
    before = ""
    for place, value in enumerate(map(read_object, values)):
        key = str(value.get("id") or place)
        rows[key] = {**value, "parentId": before}
        before = key
    return rows


def _read(row: Json) -> str:
    if str(row.get("role")) not in _ROLES:
        return ""
    content = row.get("content")
    if isinstance(content, list):
        return "\n".join(read_text(read_object(part).get("text")) for part in content).strip()
    return read_text(content).strip()


def _is_chat(item: Json) -> bool:
    chat = read_object(item.get("chat"))
    return "history" in chat or isinstance(chat.get("messages"), list)


def _is_memory(item: Json) -> bool:
    return {"id", "user_id", "content", "created_at", "updated_at"} <= item.keys() and "role" not in item


SHAPES: Final = (
    Shape(Format.OPENWEBUI, _is_chat, parse_chats),
    Shape(Format.OPENWEBUI, _is_memory, parse_memories),
)

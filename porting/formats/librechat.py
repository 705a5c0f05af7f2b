"""LibreChat's export: one file for each conversation, with a list or a tree of messages."""

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
from porting.values import Format, Item, MessageItem, ProblemItem, ThreadItem


def parse_conversations(items: Iterable[Any]) -> Iterator[Item]:
    """Yield each conversation with its branches."""
    for place, item in enumerate(map(read_object, items)):
        title = read_text(item.get("title"))
        values = item.get("messages")
        rows = (
            list(map(read_object, values)) if isinstance(values, list) else _flatten(item.get("messagesTree"))
        )
        by_key = {str(row.get("messageId") or number): row for number, row in enumerate(rows)}
        parents = {key: str(row.get("parentMessageId") or "") for key, row in by_key.items()}
        texts = {key: text for key, row in by_key.items() if (text := _read(row))}
        messages = arrange_messages(
            MessageItem(
                key=key,
                parent=skip_parents(parents, set(texts), key),
                role=MessageRole.USER if by_key[key].get("isCreatedByUser") else MessageRole.ASSISTANT,
                content=text,
                at=read_time(by_key[key].get("createdAt")),
            )
            for key, text in texts.items()
        )
        if not messages:
            yield ProblemItem(title[:80] or f"conversation {place + 1}", "it has no messages")
            continue
        model = next((text for row in rows if (text := read_text(row.get("model")))), "")
        yield ThreadItem(
            key=make_key(Format.LIBRECHAT, item.get("conversationId") or messages[0].key),
            title=title,
            messages=messages,
            created_at=messages[0].at,
            updated_at=read_time(item.get("exportAt")),
            facts={"model": model[:200]} if model else {},
            external_id=read_external_id(item.get("conversationId")),
        )


def _flatten(tree: object) -> list[Json]:
    """Return the messages of a tree, parents first."""
    found: list[Json] = []
    waiting = [read_object(one) for one in reversed(read_list(tree))]
    while waiting:
        row = waiting.pop()
        found.append(row)
        waiting += [read_object(one) for one in reversed(read_list(row.get("children")))]
    return found


def _read(row: Json) -> str:
    text = read_text(row.get("text")).strip()
    if text:
        return text
    parts = [read_object(part) for part in read_list(row.get("content"))]
    texts = [_read_part(part) for part in parts if part.get("type") == "text"]
    return "\n".join(one for one in texts if one).strip()


def _read_part(part: Json) -> str:
    """Return the text of a part, which is a string or an object with `value`."""
    value = part.get("text")
    return read_text(value) or read_text(read_object(value).get("value"))


def _is_conversation(item: Json) -> bool:
    listed = isinstance(item.get("messages"), list) or isinstance(item.get("messagesTree"), list)
    return "conversationId" in item and listed


SHAPES: Final = (Shape(Format.LIBRECHAT, _is_conversation, parse_conversations),)

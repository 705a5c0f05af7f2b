"""Claude's export: conversations, memory and project memories, in one archive or split by category."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final

from memsite.values import MessageRole
from porting.formats.shape import (
    Json,
    Shape,
    arrange_messages,
    make_key,
    make_text_key,
    read_list,
    read_object,
    read_text,
    read_time,
    skip_parents,
    split_statements,
)
from porting.values import Format, Item, MemoryItem, MessageItem, ProblemItem, ThreadItem

_ROLES: Final = {"human": MessageRole.USER, "assistant": MessageRole.ASSISTANT}
_ATTACHED: Final = 2_000  # characters of an attachment that the transcript keeps


def parse_conversations(items: Iterable[Any]) -> Iterator[Item]:
    """Yield each conversation with its branches."""
    for place, item in enumerate(items):
        conversation = read_object(item)
        name = read_text(conversation.get("name"))
        messages = arrange_messages(_list_messages(read_list(conversation.get("chat_messages"))))
        if not messages:
            yield ProblemItem(name[:80] or f"conversation {place + 1}", "it has no messages")
            continue
        yield ThreadItem(
            key=make_key(Format.CLAUDE, conversation.get("uuid") or messages[0].key),
            title=name,
            messages=messages,
            created_at=read_time(conversation.get("created_at")),
            updated_at=read_time(conversation.get("updated_at")),
        )


def parse_memories(items: Iterable[Any]) -> Iterator[Item]:
    """Yield what Claude keeps about the person: a model's summary, line by line."""
    for item in items:
        memory = read_object(item)
        yield from _split(read_text(memory.get("conversations_memory")), "", None)
        for text in read_object(memory.get("project_memories")).values():
            yield from _split(read_text(text), "project", None)
        for file in map(read_object, read_list(memory.get("memory_files"))):
            yield from _split(read_text(file.get("content")), "", read_time(file.get("updated_at")))


def parse_projects(items: Iterable[Any]) -> Iterator[Item]:
    """Yield why projects and users are left out."""
    for item in items:
        name = read_text(read_object(item).get("name"))[:80]
        yield ProblemItem(name or "a project", "projects and their documents are not imported")


def skip(items: Iterable[Any]) -> Iterator[Item]:
    """Yield nothing: account data and settings of other products are not memories."""
    for _ in items:
        pass
    return iter(())


def _split(text: str, category: str, at: datetime | None) -> Iterator[MemoryItem]:
    for line in split_statements([text]):
        key = make_text_key(Format.CLAUDE, line.text)
        yield MemoryItem(key, line.text, at, is_stated=False, category=category or line.heading)


def _list_messages(values: list[Any]) -> list[MessageItem]:
    """Return the messages that say something. In older exports, each follows the one before it."""
    rows = {str(row.get("uuid") or place): row for place, row in enumerate(map(read_object, values))}
    keys = list(rows)
    parents = {
        key: str(row.get("parent_message_uuid") or before)
        for (key, row), before in zip(rows.items(), ["", *keys], strict=False)
    }
    texts = {key: text for key, row in rows.items() if (text := _read_content(row))}
    shown = {key for key in texts if str(rows[key].get("sender")) in _ROLES}
    return [
        MessageItem(
            key=key,
            parent=skip_parents(parents, shown, key),
            role=_ROLES[str(rows[key].get("sender"))],
            content=texts[key],
            at=read_time(rows[key].get("created_at")),
        )
        for key in keys
        if key in shown
    ]


def _read_content(message: Json) -> str:
    """Return the text blocks and captions of attachments, without thinking and tools."""
    blocks = [read_object(block) for block in read_list(message.get("content"))]
    texts = [read_text(block.get("text")) for block in blocks if block.get("type") == "text"]
    body = "\n".join(text for text in texts if text) or (read_text(message.get("text")) if not blocks else "")
    return "\n\n".join(part for part in (body.strip(), *_list_captions(message)) if part)


def _list_captions(message: Json) -> Iterator[str]:
    for value in read_list(message.get("attachments")):
        attachment = read_object(value)
        name = read_text(attachment.get("file_name")) or "attachment"
        text = read_text(attachment.get("extracted_content"))[:_ATTACHED].strip()
        yield f"[{name}]\n{text}" if text else f"[{name}]"
    for value in read_list(message.get("files")):
        yield f"[{read_text(read_object(value).get('file_name')) or 'file'}]"


def _is_memory(item: Json) -> bool:
    return "conversations_memory" in item or "project_memories" in item or "memory_files" in item


def _is_project(item: Json) -> bool:
    return "uuid" in item and "name" in item and ("docs" in item or "prompt_template" in item)


def _is_account(item: Json) -> bool:
    return {"uuid", "full_name", "email_address"} <= item.keys()


SHAPES: Final = (
    Shape(Format.CLAUDE, lambda item: isinstance(item.get("chat_messages"), list), parse_conversations),
    Shape(Format.CLAUDE, _is_memory, parse_memories),
    Shape(Format.CLAUDE, _is_project, parse_projects),
    Shape(Format.CLAUDE, _is_account, skip),
)

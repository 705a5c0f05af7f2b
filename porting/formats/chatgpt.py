"""ChatGPT's export: `conversations.json`, whole or in shards, with saved memories in conversations."""

from __future__ import annotations

import re
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

_ROLES: Final = {"user": MessageRole.USER, "assistant": MessageRole.ASSISTANT}
#: Contents that are part of a transcript. Others are thoughts, tools, search results and settings.
_SPOKEN: Final = frozenset({"text", "multimodal_text"})
#: Marks of citations within an answer, from U+E200 to U+E201.
_CITATION: Final = re.compile("\ue200[^\ue201]*\ue201?")
_DATED: Final = re.compile(r"^\[?(\d{4}-\d{2}-\d{2})\]?\.?\s*[-–—:]?\s*(.+)$", re.DOTALL)
_FENCED: Final = re.compile(r"```(.*?)```", re.DOTALL)
_CAPTIONS: Final = {
    "image_asset_pointer": "[image]",
    "audio_asset_pointer": "[audio]",
    "real_time_user_audio_video_asset_pointer": "[audio]",
}


def parse_conversations(items: Iterable[Any]) -> Iterator[Item]:
    """Yield each conversation, and the memories that ChatGPT saved in it."""
    for place, item in enumerate(items):
        conversation = read_object(item)
        nodes = {
            str(key): read_object(node) for key, node in read_object(conversation.get("mapping")).items()
        }
        if not nodes:
            yield ProblemItem(_name(conversation, place), "it has no messages")
            continue
        yield from _list_memories(nodes)
        thread = _make_thread(conversation, nodes)
        if thread.messages:
            yield thread
        else:
            yield ProblemItem(_name(conversation, place), "nothing in it is part of a transcript")


def _name(conversation: Json, place: int) -> str:
    return read_text(conversation.get("title"))[:80] or f"conversation {place + 1}"


def _make_thread(conversation: Json, nodes: dict[str, Json]) -> ThreadItem:
    created_at = read_time(conversation.get("create_time"))
    key = make_key(
        Format.CHATGPT, conversation.get("id") or conversation.get("conversation_id") or _identify(nodes)
    )
    parents = {name: str(node.get("parent") or "") for name, node in nodes.items()}
    texts = {name: text for name, node in nodes.items() if (text := _read_spoken(node))}
    shown = set(texts)
    messages = arrange_messages(
        MessageItem(
            key=name,
            parent=skip_parents(parents, shown, name),
            role=_ROLES[_role(nodes[name])],
            content=text,
            at=read_time(read_object(nodes[name].get("message")).get("create_time")),
        )
        for name, text in texts.items()
    )
    head = str(conversation.get("current_node") or "")
    return ThreadItem(
        key=key,
        title=read_text(conversation.get("title")),
        messages=messages,
        created_at=created_at,
        updated_at=read_time(conversation.get("update_time")),
        head=head if head in shown else skip_parents(parents, shown, head),
        facts=_list_facts(conversation),
    )


def _identify(nodes: dict[str, Json]) -> str:
    """Return what names a conversation without an id: its first node, which every export of it has."""
    return min(nodes, default="")


def _list_facts(conversation: Json) -> dict[str, str]:
    named = {"model": "default_model_slug", "gpt": "gizmo_id"}
    return {name: text for name, field in named.items() if (text := read_text(conversation.get(field)))}


def _role(node: Json) -> str:
    return str(read_object(read_object(node.get("message")).get("author")).get("role"))


def _read_spoken(node: Json) -> str:
    """Return the text of a message that people saw; "" for hidden, tool and thinking content."""
    message = read_object(node.get("message"))
    content = read_object(message.get("content"))
    hidden = read_object(message.get("metadata")).get("is_visually_hidden_from_conversation")
    kind = str(content.get("content_type"))  # it may be a list, which has no hash
    spoken = kind in _SPOKEN and message.get("recipient", "all") in ("all", None)
    if hidden or message.get("weight") == 0 or not spoken or _role(node) not in _ROLES:
        return ""
    parts = [_read_part(part) for part in read_list(content.get("parts"))]
    text = "\n".join(part for part in parts if part) or read_text(content.get("text"))
    return _CITATION.sub("", text).strip()


def _read_part(part: object) -> str:
    if isinstance(part, str):
        return read_text(part)
    value = read_object(part)
    return read_text(value.get("text")) or _CAPTIONS.get(str(value.get("content_type")), "")


def _list_memories(nodes: dict[str, Json]) -> Iterator[MemoryItem]:
    for node in nodes.values():
        message = read_object(node.get("message"))
        content = read_object(message.get("content"))
        at = read_time(message.get("create_time"))
        if message.get("recipient") == "bio" and _role(node) == "assistant":
            text = "\n".join(read_text(part) for part in read_list(content.get("parts"))) or read_text(
                content.get("text")
            )
            yield from (_make_memory(line.text, at) for line in split_statements([text]))
        elif content.get("content_type") == "model_editable_context":
            lines = split_statements([read_text(content.get("model_set_context"))])
            yield from (_make_memory(line.text, at) for line in lines)
        elif content.get("content_type") == "user_editable_context":
            yield from _list_instructions(content, at)


def _make_memory(text: str, at: datetime | None) -> MemoryItem:
    """Return what ChatGPT saved: a model's words, so that the person has to confirm them."""
    dated = _DATED.match(text)
    words = dated[2].strip() if dated else text
    stated_at = (read_time(dated[1]) if dated else None) or at
    return MemoryItem(make_text_key(Format.CHATGPT, words), words, stated_at, is_stated=False)


def _list_instructions(content: Json, at: datetime | None) -> Iterator[MemoryItem]:
    """Yield the person's custom instructions, which every conversation repeats."""
    for field in ("user_profile", "user_instructions"):
        text = read_text(content.get(field))
        fenced = _FENCED.findall(text)
        for line in split_statements(fenced or [text]):
            yield MemoryItem(make_text_key(Format.CHATGPT, line.text), line.text, at, category="instructions")


SHAPES: Final = (
    Shape(Format.CHATGPT, lambda item: isinstance(item.get("mapping"), dict), parse_conversations),
)

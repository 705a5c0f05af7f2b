"""Made-up exports in the shapes of other products."""

from __future__ import annotations

from typing import Any

NOON = 1_772_366_400.0  # 2026-03-01 12:00 UTC


def chatgpt_message(
    key: str, parent: str | None, role: str, text: str, *, children: tuple[str, ...] = (), **fields: Any
) -> dict[str, Any]:
    message = {
        "id": key,
        "author": {"role": role, "name": None},
        "create_time": NOON,
        "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully",
        "weight": 1.0,
        "metadata": {},
        "recipient": "all",
    }
    return {"id": key, "parent": parent, "children": list(children), "message": message | fields}


def chatgpt_conversation(name: str = "c1") -> dict[str, Any]:
    """A question with two answers, of which the second is current, a saved memory, and hidden parts."""
    nodes = [
        {"id": "root", "parent": None, "children": ["s"], "message": None},
        chatgpt_message("s", "root", "system", "", weight=0),
        chatgpt_message("q", "s", "user", "I moved to Lisbon in May."),
        chatgpt_message("a1", "q", "assistant", "Nice."),
        chatgpt_message("b", "q", "assistant", "User moved to Lisbon.", recipient="bio"),
        chatgpt_message("t", "b", "tool", "Model set context updated."),
        chatgpt_message("a2", "t", "assistant", "Noted\ue200cite\ue202turn0\ue201 it."),
    ]
    return {
        "id": name,
        "title": "Moving",
        "create_time": NOON,
        "update_time": NOON + 60,
        "current_node": "a2",
        "default_model_slug": "gpt-5",
        "mapping": {node["id"]: node for node in nodes},
    }


def claude_conversation() -> dict[str, Any]:
    root = "00000000-0000-4000-8000-000000000000"
    rows = [
        ("m1", root, "human", [{"type": "text", "text": "I play the cello."}]),
        (
            "m2",
            "m1",
            "assistant",
            [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Lovely."}],
        ),
        ("m3", "m1", "assistant", [{"type": "tool_use", "name": "search"}]),
        ("m4", "m3", "assistant", [{"type": "text", "text": "Since when?"}]),
    ]
    return {
        "uuid": "conv-1",
        "name": "Music",
        "created_at": "2026-03-01T12:00:00.000000Z",
        "updated_at": "2026-03-01T12:05:00.000000Z",
        "chat_messages": [
            {
                "uuid": key,
                "parent_message_uuid": parent,
                "sender": sender,
                "text": "",
                "content": content,
                "created_at": f"2026-03-01T12:0{place}:00Z",
                "attachments": [],
                "files": [],
            }
            for place, (key, parent, sender, content) in enumerate(rows)
        ],
    }


def claude_memory() -> dict[str, Any]:
    return {
        "account_uuid": "acc",
        "conversations_memory": "**Work**\n\n- Works as a beekeeper in Graz\n- Prefers short answers",
        "project_memories": {"p1": "- Plans a new apiary"},
    }


def mem0_rows() -> dict[str, Any]:
    rows = [
        {
            "id": "1",
            "memory": "Likes green tea",
            "created_at": "2026-01-05T08:00:00Z",
            "categories": ["food"],
        },
        {"id": "2", "memory": "Has a sister called Ana", "created_at": "2026-01-06T08:00:00Z"},
    ]
    return {"results": rows}


def openwebui_chat() -> dict[str, Any]:
    rows = {
        "u": {"id": "u", "parentId": None, "role": "user", "content": "I keep bees.", "timestamp": int(NOON)},
        "a": {
            "id": "a",
            "parentId": "u",
            "role": "assistant",
            "content": "How many?",
            "timestamp": int(NOON),
        },
        "b": {"id": "b", "parentId": "u", "role": "assistant", "content": "Why?", "timestamp": int(NOON) + 9},
    }
    history = {"messages": rows, "currentId": "a"}
    chat = {"title": "Bees", "models": ["llama"], "history": history}
    return {
        "id": "w1",
        "user_id": "x",
        "title": "Bees",
        "chat": chat,
        "created_at": int(NOON),
        "updated_at": int(NOON),
    }


def librechat_conversation() -> dict[str, Any]:
    answer = {
        "messageId": "2",
        "text": "Good.",
        "isCreatedByUser": False,
        "createdAt": "2026-03-01T12:01:00Z",
    }
    question = {
        "messageId": "1",
        "parentMessageId": "00000000-0000-0000-0000-000000000000",
        "text": "I swim on Mondays.",
        "isCreatedByUser": True,
        "createdAt": "2026-03-01T12:00:00Z",
        "children": [answer | {"parentMessageId": "1"}],
    }
    return {"conversationId": "l1", "title": "Sport", "messagesTree": [question]}


def gemini_entry(minute: int, asked: str, answer: str = "") -> dict[str, Any]:
    entry: dict[str, Any] = {
        "header": "Gemini Apps",
        "title": f"Prompted {asked}",
        "time": f"2026-03-01T12:{minute:02}:00.000Z",
        "products": ["Gemini Apps"],
    }
    return entry | ({"safeHtmlItem": [{"html": f"<p>{answer}</p>"}]} if answer else {})

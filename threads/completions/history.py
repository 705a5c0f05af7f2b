"""Read the messages of a request as turns of a conversation, as they would be stored. Pure.

Nothing in a request is an error here: what cannot be stored is left out or cut, and goes to the model as it
came. System texts are no turns.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

from pydantic import ValidationError

from memsite.values import MessageRole
from threads.completions.programs import (
    cut_scaffolding,
    find_last_example,
    find_written_calls,
    is_scaffolding,
)
from threads.conf import CONTENT_CHARACTERS, ID_CHARACTERS, PROMPT_CHARACTERS, TOOL_CALLS
from threads.messages import NewMessage
from threads.prompt import remove_fenced
from threads.storage import ATTACHMENTS, compute_content_key, cut_reasoning, normalise_content

_ROLES: Final = {one.value: one for one in (MessageRole.USER, MessageRole.ASSISTANT, MessageRole.TOOL)}
_SYSTEM_ROLES: Final = ("system", "developer")  # a tuple: a client's role may be a list, which has no hash
_ATTACHMENTS: Final = 100  # of one message
#: Characters of a message that are read. What our fence takes of them leaves enough for what is stored.
_READ_CHARACTERS: Final = CONTENT_CHARACTERS * 2
_LABELS: Final = {
    "image_url": "[image]",
    "input_image": "[image]",
    "image": "[image]",
    "input_audio": "[audio]",
    "file": "[file]",
    "input_file": "[file]",
    "document": "[file]",
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a request.

    Attributes:
        new: The message as it would be stored.
        key: The key of what it says.
        text: Its text, normalised.
    """

    new: NewMessage
    key: UUID
    text: str

    @property
    def role(self) -> MessageRole:
        """The role of its writer."""
        return MessageRole(self.new.role)

    def not_remembered(self) -> Turn:
        """Return the turn as one that is not to be remembered."""
        return replace(self, new=self.new.model_copy(update={"do_not_remember": True}))

    def with_client_id(self, client_id: str | None) -> NewMessage:
        """Return the message with the id that the client gave it."""
        return self.new.model_copy(update={"client_id": client_id or None})


def read_turns(messages: Any) -> list[Turn]:  # noqa: ANN401 - whatever a client sent
    """Return the turns of a request, up to the one that is to be answered.

    Answers at the end are left out: with them, a client asks the model to continue its own words. What a
    program wrote is not to be remembered: its own messages, its examples, and the answers that it gives them.
    """
    turns = [turn for one in _list_messages(messages) if (turn := _read_turn(one)) is not None]
    while turns and turns[-1].role == MessageRole.ASSISTANT:
        turns.pop()
    last_example = find_last_example([turn.new.content or "" for turn in turns])
    is_ours, read = True, list[Turn]()
    for place, turn in enumerate(turns):
        is_whole = is_scaffolding(turn.new.content or "")
        if turn.role == MessageRole.USER:
            is_ours = place > last_example and not is_whole
        read.append(turn if is_ours and not is_whole else turn.not_remembered())
    return read


def read_system_prompt(messages: Any) -> str:  # noqa: ANN401 - whatever a client sent
    """Return the system texts before the first turn, without our own block; empty if they are too long."""
    texts = []
    for message in _list_messages(messages):
        if message.get("role") not in _SYSTEM_ROLES:
            break
        texts.append(remove_fenced(_clean(_read_content(message.get("content"))[0])))
    joined = "\n\n".join(one for one in texts if one.strip())
    return joined if len(joined) <= PROMPT_CHARACTERS else ""


def _list_messages(messages: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401 - whatever a client sent
    if isinstance(messages, Sequence) and not isinstance(messages, str):
        yield from (one for one in messages if isinstance(one, Mapping))


def _read_turn(message: Mapping[str, Any]) -> Turn | None:
    role = _ROLES.get(str(message.get("role")))
    if role is None:
        return None
    raw, attachments = _read_content(message.get("content"))
    text = _clean(raw)
    if role == MessageRole.USER:
        text = cut_scaffolding(text)
    elif role == MessageRole.ASSISTANT:
        text = cut_reasoning(text)
    fields = {
        "role": role,
        "content": remove_fenced(text[:_READ_CHARACTERS])[:CONTENT_CHARACTERS],
        "tool_calls": _read_calls(message, text) if role == MessageRole.ASSISTANT else None,
        "tool_call_id": _clean_id(message.get("tool_call_id")) if role == MessageRole.TOOL else None,
        "state": {ATTACHMENTS: attachments} if attachments else {},
    }
    if role == MessageRole.USER and not str(fields["content"]).strip():
        return None
    try:
        new = NewMessage.model_validate(fields)
    except ValidationError:
        return None
    return turn_of(new)


def turn_of(new: NewMessage) -> Turn | None:
    """Return a message as a turn; None for a system message."""
    content = new.content or ""
    key = compute_content_key(
        new.role,
        content,
        tool_calls=new.calls_json(),
        tool_call_id=new.tool_call_id or "",
        state=new.state,
    )
    return Turn(new, key, normalise_content(content)) if key is not None else None


def _read_content(content: Any) -> tuple[str, list[str]]:  # noqa: ANN401 - whatever a client sent
    """Return the text of a message's content, and hashes of its pictures and files."""
    if isinstance(content, str):
        return content, []
    texts, attachments = [], []
    for part in content if isinstance(content, list) else []:
        if not isinstance(part, Mapping):
            continue
        label = _LABELS.get(str(part.get("type")))
        text = part.get("text", part.get("refusal"))
        if label is not None:
            texts.append(label)
            attachments.append(_hash(part))
        elif isinstance(text, str):
            texts.append(text)
    return "\n".join(texts), attachments[:_ATTACHMENTS]


def _hash(part: Mapping[str, Any]) -> str:
    """Return a hash of what an attachment consists of: its bytes as text, or its address."""
    named = {name: value for name, value in part.items() if name not in {"type", "detail", "cache_control"}}
    image = named.get("image_url")
    if isinstance(image, Mapping):
        named["image_url"] = image.get("url")
    written = json.dumps(named, sort_keys=True, default=str).encode()
    return hashlib.blake2b(written, digest_size=16).hexdigest()


def _read_calls(message: Mapping[str, Any], text: str) -> list[dict[str, Any]] | None:
    """Return the calls of functions, each id once; None if there are none."""
    given = message.get("tool_calls")
    calls: dict[str, dict[str, Any]] = {}
    for call in given if isinstance(given, list) else []:
        function = call.get("function") if isinstance(call, Mapping) else None
        if not isinstance(function, Mapping):
            continue
        arguments = function.get("arguments", "")
        written = arguments if isinstance(arguments, str) else json.dumps(arguments, default=str)
        _add_call(calls, call.get("id"), function.get("name"), written)
    for call_id, name in find_written_calls(text):
        _add_call(calls, call_id, name, "")  # the text has the arguments
    return list(calls.values())[:TOOL_CALLS] or None


def _add_call(calls: dict[str, dict[str, Any]], call_id: object, name: object, arguments: str) -> None:
    clean_id, clean_name = _clean_id(call_id), _clean_id(name)
    if clean_id and clean_name:
        function = {"name": clean_name, "arguments": _clean(arguments)[:CONTENT_CHARACTERS]}
        calls[clean_id] = {"id": clean_id, "function": function}


def _clean_id(value: Any) -> str | None:  # noqa: ANN401 - whatever a client sent
    if isinstance(value, str) and 0 < len(value) <= ID_CHARACTERS and value.isprintable():
        return value
    return None


def _clean(text: str) -> str:
    """Return a text that can be stored: without NUL, halves of surrogate pairs replaced."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def is_same_cut_answer(turn: Turn, stored: str) -> bool:
    """Return whether an answer that was cut off is the same as one that a client sends again.

    The client may have received more or less of it than we stored.
    """
    ours = normalise_content(stored)
    return bool(ours and turn.text) and (ours.startswith(turn.text) or turn.text.startswith(ours))

"""Store what a model was sent, by reference, and show it again exactly.

The parts of a context are stored as the ids of its messages and memories and the few texts that exist nowhere
else. The layout that rendered the context renders it again; a hash says whether it is the same to the letter.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final
from uuid import UUID

from memories.models import Memory
from memories.storage import load_memories
from memsite.errors import NotFound
from memsite.llm.chat import AnswerSource
from threads.compaction import load_whole_content
from threads.context.context import Context
from threads.context.layout import DEPTH, MESSAGE_ID, Layout
from threads.context.preview import list_considered
from threads.context.recall import Remark, make_mark, make_requirement, render_line
from threads.models import Citation, CitationRole, Message, Reply, SentContext
from threads.prompt import fence_memories, fence_requirements

#: Memories that were considered and left out, of which the reason is stored.
MOST_LEFT_OUT: Final = 30
_NOTE_CHARACTERS: Final = 500
_ELLIPSIS: Final = "…"  # the end of a message that was cut to fit


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A message of a sent context. `text` is None if it was deleted since."""

    id: UUID
    role: str
    text: str | None


@dataclass(frozen=True, slots=True)
class SentMemory:
    """A memory of a sent context, or one that was left out.

    Attributes:
        memory: None if it was erased since.
        reason: Why it was left out, or why a requirement applies; empty for a memory that was sent.
    """

    memory: Memory | None
    line: str = ""
    reason: str = ""

    @property
    def is_outdated(self) -> bool:
        """Whether it was left out because a newer statement made it outdated."""
        return self.reason == Remark.OUTDATED


@dataclass(frozen=True, slots=True)
class ShownContext:
    """A sent context as it can be shown now.

    Attributes:
        messages: The recent messages, oldest first.
        requirements: The block of what every answer must respect; empty if there was none.
        required: Its memories.
        retrieved: The block of memories as it was sent; empty if there was none.
        is_exact: Whether everything below is what was sent, to the letter.
        is_sent: Whether a model was sent it; without a model it is what one would have been sent.
    """

    stored: SentContext
    question: Message
    messages: tuple[SentMessage, ...]
    memories: tuple[SentMemory, ...]
    left_out: tuple[SentMemory, ...]
    requirements: str
    required: tuple[SentMemory, ...]
    retrieved: str
    is_exact: bool
    is_sent: bool


def store_sent_context(context: Context, question: Message) -> None:
    """Store what a model is sent for a question."""
    layout, left_out = context.layout, [one for one in list_considered(context.choice) if not one.is_in]
    SentContext(
        id=context.id,
        owner_id=question.owner_id,
        thread_id=question.thread_id,
        question=question,
        system_prompt=layout.system_prompt,
        summary=layout.summary,
        task_state=layout.task_state,
        messages=[[str(one[MESSAGE_ID]), _find_cut(str(one["content"]))] for one in layout.recent],
        memories=[one.hit.memory.pk for one in context.choice.memories],
        requirements=list(context.required),
        mark=context.mark,
        left_out=[
            {
                "memory": str(one.memory_id),
                "reason": one.reason,
                "relevance": round(one.relevance, 3),
                "tokens": one.tokens,
            }
            for one in left_out[:MOST_LEFT_OUT]
        ],
        summarised=context.summarised_messages,
        token_stats=context.token_stats.as_json(),
        budget=context.budget.as_json(),
        notes={part: note[:_NOTE_CHARACTERS] for part, note in context.notes.items()},
        digest=_digest(context.messages),
    ).save(force_insert=True)


def load_sent_context(message: Message) -> ShownContext:
    """Return what a model was sent for a question or an answer. Eight queries at most.

    Raises:
        NotFound: If nothing was stored: there was no reply, or the thread is temporary.
    """
    replies = Reply.objects.filter(owner_id=message.owner_id, thread_id=message.thread_id)
    named = {"question": message} if message.role == "user" else {"answer": message}
    reply = replies.filter(**named, context_id__isnull=False).order_by("-id").first()
    rows = SentContext.objects.filter(owner_id=message.owner_id, thread_id=message.thread_id)
    context_id = reply.context_id if reply is not None else None
    stored = rows.select_related("question").filter(pk=context_id).first() if context_id else None
    if reply is None or stored is None:
        raise NotFound("What was sent for this message was not stored.")
    return _show(stored, is_sent=reply.source != AnswerSource.FALLBACK or bool(reply.error))


def _show(stored: SentContext, *, is_sent: bool) -> ShownContext:
    owner = stored.owner_id
    ids = [UUID(message_id) for message_id, _ in stored.messages]
    found = Message.objects.filter(owner_id=owner, thread_id=stored.thread_id).in_bulk(ids)
    left_out = [UUID(one["memory"]) for one in stored.left_out]
    memories = load_memories([*stored.memories, *stored.requirements, *left_out], owner=owner)
    reasons = _load_reasons(stored) if stored.requirements else {}
    required = [_show_requirement(memories.get(key), reasons.get(key, "")) for key in stored.requirements]
    required_lines = [one.line for one in required if one.memory is not None]
    mark = make_mark(stored.thread_id, required_lines, owner=owner)
    requirements = fence_requirements(required_lines, mark) if required_lines else ""
    lines = [render_line(memories[key]) if key in memories else None for key in stored.memories]
    retrieved = fence_memories([line for line in lines if line is not None], stored.mark) if lines else ""
    question: Message = stored.question
    cuts = {UUID(message_id): cut for message_id, cut in stored.messages}
    rows = [found[key] for key in ids if key in found]
    whole = load_whole_content([question, *rows], owner=owner)
    stood = {row.pk: row.content for row in rows}
    versions = [stood, whole] if stood.items() - whole.items() else [stood]
    for contents in versions:  # what is offloaded now may have been sent whole
        sent = tuple(_restore(row, _cut(contents[row.pk], cuts[row.pk])) for row in rows)
        layout = Layout(
            "openai",
            whole[question.pk],
            stored.system_prompt,
            requirements,
            stored.summary,
            stored.task_state,
            sent,
            retrieved,
        )
        if is_exact := _digest(layout.rendered().messages) == bytes(stored.digest):
            break
    texts = {one[MESSAGE_ID]: one["content"] for one in sent}
    return ShownContext(
        stored,
        question,
        tuple(SentMessage(key, found[key].role if key in found else "", texts.get(key)) for key in ids),
        tuple(
            SentMemory(memories.get(key), line or "")
            for key, line in zip(stored.memories, lines, strict=True)
        ),
        tuple(
            SentMemory(memories.get(key), reason=one["reason"])
            for key, one in zip(left_out, stored.left_out, strict=True)
        ),
        requirements,
        tuple(required),
        retrieved,
        is_exact,
        is_sent,
    )


def _load_reasons(stored: SentContext) -> dict[UUID, str]:
    """Return by memory why the requirements of a context applied."""
    cited = Citation.objects.filter(
        owner_id=stored.owner_id, context_id=stored.pk, role=CitationRole.RESPECTED
    )
    return dict(cited.values_list("memory_id", "why"))


def _show_requirement(memory: Memory | None, why: str) -> SentMemory:
    if memory is None:
        return SentMemory(None)
    requirement = make_requirement(memory, why)
    return SentMemory(memory, requirement.line, requirement.why)


def _find_cut(content: str) -> int | None:
    """Return the characters of a message that may have been cut; None if it was not."""
    return len(content) - len(_ELLIPSIS) if content.endswith(_ELLIPSIS) else None


def _cut(text: str, characters: int | None) -> str:
    if characters is None or len(text) <= characters + len(_ELLIPSIS):
        return text
    return text[:characters] + _ELLIPSIS


def _restore(row: Message, content: str) -> dict[str, Any]:
    sent: dict[str, Any] = {"role": row.role, "content": content, MESSAGE_ID: row.pk, DEPTH: row.depth}
    if row.tool_calls:
        sent["tool_calls"] = row.tool_calls
    if row.tool_call_id:
        sent["tool_call_id"] = row.tool_call_id
    return sent


def _digest(messages: Sequence[Mapping[str, Any]]) -> bytes:
    return blake2b(json.dumps(list(messages), sort_keys=True).encode(), digest_size=16).digest()

"""The block of memories that is added to a client's own messages, at the end of their system message.

A client sends its history itself, so that nothing but requirements and memories is added. Their order and
their mark stay the same while the memories do, so that a model server's prompt cache still fits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from memories.retrieval import asks_for_talk
from memories.storage import load_memories
from memsite.llm.tokens import count_tokens, get_built_in_encoding
from memsite.values import MessageRole, new_id
from threads.completions.programs import cut_scaffolding, is_scaffolding
from threads.conf import CONTEXT
from threads.context import (
    Choice,
    Context,
    ContextBudget,
    Layout,
    Moment,
    RecallResult,
    Remark,
    RenderedMemory,
    Requirement,
    begin_recall,
    expect_recall,
    is_in_context,
    make_citations,
    make_mark,
    make_requirement,
    render_line,
    save_citations,
    select_memories,
    store_sent_context,
)
from threads.models import Citation, CitationRole, Message, SentContext
from threads.prompt import fence_memories, fence_requirements
from threads.storage import list_messages, load_path_to

#: Part of the model's window that a block may take, and most tokens of it.
WINDOW_SHARE: Final = 0.12
MOST_TOKENS: Final = 2_000
_FENCE_TOKENS: Final = 120  # upper bound of the preface and the marks
_ANSWER_MESSAGES: Final = 200  # messages after a question among which its block is looked for
_SYSTEM: Final = ("system", "developer")  # a tuple: a client's role may be a list, which has no hash


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """The memories that are added to one request.

    Attributes:
        requirements: The fenced requirements; empty if there are none.
        retrieved: The fenced memories; empty if there are none.
        tokens: Tokens of both.
        milliseconds: Time that recall took.
        trouble: Why recall failed; empty if it did not.
        context_id: Id of the stored context; None if none was stored.
        citations: Ids of the citations of the memories, then of the requirements.
        respected: Ids of the citations of the requirements alone.
        required: The requirements, in the order of the block.
        memories: Ids of the memories, in the order of the block.
        is_stored: Whether an earlier request with the same question stored the block.
    """

    requirements: str = ""
    retrieved: str = ""
    tokens: int = 0
    milliseconds: int = 0
    trouble: str = ""
    context_id: UUID | None = None
    citations: tuple[UUID, ...] = ()
    respected: tuple[UUID, ...] = ()
    required: tuple[Requirement, ...] = ()
    memories: tuple[UUID, ...] = ()
    choice: Choice = field(default_factory=Choice, repr=False)
    mark: str = ""
    is_stored: bool = False

    @property
    def text(self) -> str:
        """The whole block; empty if there is nothing to add."""
        return "\n\n".join(part for part in (self.requirements, self.retrieved) if part)


@dataclass(frozen=True, slots=True)
class BlockSearch:
    """A search that was begun.

    Attributes:
        query: What is searched for.
        started: When it began, by `time.perf_counter`.
        finish: Waits for the result.
    """

    query: str
    started: float
    finish: Callable[[], RecallResult]


@dataclass(frozen=True, slots=True)
class BlockRequest:
    """The request that a block is made for.

    Attributes:
        messages: The client's messages.
        model: Name of the model.
        most_tokens: The client's own limit; None for ours.
        question: The stored question; None if nothing is stored.
        searching: The search, if it was begun before the question was stored.
    """

    owner: UUID
    messages: Sequence[Mapping[str, Any]]
    model: str
    most_tokens: int | None
    question: Message | None
    searching: BlockSearch | None = None

    @property
    def budget(self) -> int:
        """Most tokens of the block."""
        most = min(MOST_TOKENS, int(settings.MEMSITE_MODEL_WINDOW * WINDOW_SHARE))
        return most if self.most_tokens is None else min(most, self.most_tokens)

    @property
    def room(self) -> int:
        """The maximum number of tokens of the block's lines."""
        return self.budget - _FENCE_TOKENS

    @property
    def encoding(self) -> str:
        """Encoding in which tokens are counted."""
        return get_built_in_encoding(self.model)

    @property
    def is_tool_step(self) -> bool:
        """Whether the model is to continue after the result of a tool."""
        return bool(self.messages) and self.messages[-1].get("role") == MessageRole.TOOL


def make_memory_block(request: BlockRequest) -> MemoryBlock:
    """Return the block for a request. A further step of a tool loop gets the block of its question again."""
    if request.budget <= 0:
        return MemoryBlock()
    if request.is_tool_step and request.question is not None:
        repeated = _repeat_block(request.question, request)
        if repeated is not None:
            return repeated
    return _recall_block(request)


def name_block(block: MemoryBlock) -> MemoryBlock:
    """Return the block with the ids by which its context and its citations will be stored."""
    if block.is_stored:
        return block
    citations = tuple(new_id() for _ in (*block.memories, *block.required))
    respected = citations[len(block.memories) :]
    return replace(block, context_id=new_id(), citations=citations, respected=respected)


def store_block(block: MemoryBlock, question: Message) -> None:
    """Store a named block as the context of a question, with its citations. Not if the thread was deleted."""
    if block.is_stored or block.context_id is None:
        return
    cited = make_citations(block.choice.memories, block.required, block.citations)
    layout = Layout("openai", question.content, requirements=block.requirements, retrieved=block.retrieved)
    context = Context(
        id=block.context_id,
        shape="openai",
        encoding=layout.encoding,
        messages=layout.rendered().messages,
        system=None,
        token_stats=layout.stats,
        budget=ContextBudget.of_window(settings.MEMSITE_MODEL_WINDOW),
        included_messages=0,
        summarised_messages=0,
        memories_retrieved=len(block.memories),
        degraded={},
        citations=cited,
        notes={"recent_messages": Remark.OWN_MESSAGES},
        layout=layout,
        choice=block.choice,
        mark=block.mark,
        required=tuple(one.memory_id for one in block.required),
    )
    owner, thread = question.owner_id, question.thread_id
    with suppress(IntegrityError), transaction.atomic():
        save_citations(cited, owner=owner, thread_id=thread, context_id=context.id)
        store_sent_context(context, question)


def insert_history(
    messages: Sequence[Mapping[str, Any]], history: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Return the messages with a history after their leading system messages."""
    leading = _count_leading_system(messages)
    return [*messages[:leading], *history, *messages[leading:]]


def add_block(messages: Sequence[Mapping[str, Any]], text: str) -> list[Mapping[str, Any]]:
    """Return the messages with a text at the end of their system message; one is made if there is none."""
    added = list(messages)
    leading = _count_leading_system(added)
    if not text:
        return added
    if leading == 0:
        return [{"role": "system", "content": text}, *added]
    system = added[leading - 1]
    content = system.get("content")
    whole: Any = text
    if isinstance(content, list):
        whole = [*content, {"type": "text", "text": text}]
    elif content:
        whole = f"{content}\n\n{text}"
    added[leading - 1] = {**system, "content": whole}
    return added


def read_text(message: Mapping[str, Any]) -> str:
    """Return the text of a client's message: its content, or its text parts."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, Mapping) else part for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


def _count_leading_system(messages: Sequence[Mapping[str, Any]]) -> int:
    others = (place for place, one in enumerate(messages) if one.get("role") not in _SYSTEM)
    return next(others, len(messages))


def expect_search(messages: Sequence[Mapping[str, Any]], *, owner: UUID) -> None:
    """Begin what takes longest of the search for the newest message, if it is the user's."""
    if messages and messages[-1].get("role") == MessageRole.USER:
        expect_recall(_list_queries(messages, None)[0], owner=owner)


def begin_search(
    request: BlockRequest, thread_id: UUID | None, newest: str | None = None
) -> BlockSearch | None:
    """Begin to search for the memories of a block; None if it has no room, or there is no query.

    Args:
        thread_id: Id of the thread; None if it is not stored yet.
        newest: The newest message of the user without what a client wraps around it, if that is known.
    """
    query, *before = _list_queries(request.messages, newest)
    if request.room <= 0 or not query:
        return None
    finish = begin_recall(
        query,
        list(reversed(before[: CONTEXT.secondary_messages])),
        owner=request.owner,
        thread_id=thread_id,
        room=request.room,
        moment=Moment(),
        encoding=request.encoding,
        nearby=False,
    )
    return BlockSearch(query, time.perf_counter(), finish)


def _recall_block(request: BlockRequest) -> MemoryBlock:
    question, room = request.question, request.room
    searching = request.searching
    if searching is None:
        newest = question.content if question is not None and question.role == MessageRole.USER else None
        searching = begin_search(request, question.thread_id if question is not None else None, newest)
    if searching is None:
        return MemoryBlock()
    recalled = searching.finish()
    required = recalled.requirements
    room -= count_tokens("\n".join(one.line for one in required), request.encoding) if required else 0
    fresh = _drop_repeated(recalled.memories, request)
    seen = {id(one) for one in fresh}
    repeated = [one for one in recalled.memories if id(one) not in seen]
    talk = asks_for_talk(searching.query)
    choice, _ = select_memories(fresh, in_messages=repeated, talk=talk, room=room, budget=room)
    ordered = sorted(choice.memories, key=lambda one: one.hit.memory.pk)  # by age: a new memory is last
    reasons = (*recalled.left_out, *choice.reasons)
    choice = replace(choice, memories=tuple(ordered), reasons=reasons)
    lines = [one.line for one in ordered]
    place = question.thread_id if question is not None else searching.query
    mark = make_mark(place, [*lines, *(one.line for one in required)], owner=request.owner)
    memories = {one.hit.memory.pk: line for one, line in zip(ordered, lines, strict=True)}
    block = _fence(required, memories, mark, request)
    spent = round((time.perf_counter() - searching.started) * 1000)
    return replace(block, milliseconds=spent, trouble=recalled.trouble, choice=choice)


def _list_queries(messages: Sequence[Mapping[str, Any]], newest: str | None) -> list[str]:
    """Return the newest message of the user and the user's messages before it, newest first.

    What a program wrote is left out, except if it wrote all of them.
    """
    questions = [one for one in messages if one.get("role") == MessageRole.USER]
    texts = [cut_scaffolding(read_text(one)) for one in reversed(questions)] or [""]
    if newest is not None:
        texts[0] = newest
    return [one for one in texts if not is_scaffolding(one)] or texts


def _drop_repeated(memories: Sequence[RenderedMemory], request: BlockRequest) -> list[RenderedMemory]:
    """Return the memories without those that only repeat messages which the client sends anyway."""
    sources = frozenset[UUID]().union(*(one.sources for one in memories))
    if request.question is None or not sources:
        return list(memories)
    rows = Message.objects.filter(
        owner_id=request.owner, thread_id=request.question.thread_id, pk__in=sources
    )
    found = dict(rows.values_list("pk", "content"))
    sent = {read_text(one).strip() for one in request.messages} if found else set()
    shown = {key for key, content in found.items() if content.strip() in sent}
    return [one for one in memories if not is_in_context(one, shown, found.keys())]


def _fence(
    required: Sequence[Requirement], memories: Mapping[UUID, str], mark: str, request: BlockRequest
) -> MemoryBlock:
    """Return the block of these requirements and memories, each memory with its line."""
    requirements = fence_requirements([one.line for one in required], mark) if required else ""
    retrieved = fence_memories(list(memories.values()), mark) if memories else ""
    block = MemoryBlock(
        requirements, retrieved, required=tuple(required), memories=tuple(memories), mark=mark
    )
    return replace(block, tokens=count_tokens(block.text, request.encoding) if block.text else 0)


def _repeat_block(question: Message, request: BlockRequest) -> MemoryBlock | None:
    """Return the block that was stored for the question of a tool's result; None if there is none."""
    path = load_path_to(question)
    rows = list_messages(path, owner=request.owner).order_by("-depth").values_list("pk", "role")
    steps: list[UUID] = []
    for key, role in rows[:_ANSWER_MESSAGES]:
        steps.append(key)
        if role == MessageRole.USER:
            break
    sent = SentContext.objects.filter(owner_id=request.owner, thread=question.thread_id, question__in=steps)
    stored = sent.order_by("id").only("id", "requirements", "memories", "mark").first()
    if stored is None:
        return None
    found = load_memories([*stored.requirements, *stored.memories], owner=request.owner)
    required = [make_requirement(found[key]) for key in stored.requirements if key in found]
    memories = {key: render_line(found[key]) for key in stored.memories if key in found}
    block = _fence(required, memories, stored.mark, request)
    stored_citations = Citation.objects.filter(owner_id=request.owner, context_id=stored.pk)
    cited = list(stored_citations.order_by("role", "id").values_list("pk", "role"))
    return replace(
        block,
        is_stored=True,
        context_id=stored.pk,
        citations=tuple(key for key, _ in cited),
        respected=tuple(key for key, role in cited if role == CitationRole.RESPECTED),
    )

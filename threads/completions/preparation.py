"""Prepare a request for the model server: who asks, what is new, what is recalled, what is sent.

The client is served even if our own part fails: a memory that cannot be recalled, or a database that does not
answer, only changes what the header `Memsite-Memory` says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import DatabaseError, InterfaceError, transaction
from pydantic import ValidationError

from memsite.accounts.models import ApiKey
from memsite.errors import Conflict, InvalidInput, ModelError, NotFound, Unavailable
from memsite.llm.chat import AnswerSource
from memsite.metering import MeteredRelay, get_relay
from memsite.serving.postgres import acting_for
from memsite.values import MessageRole
from threads.branches import get_current_branch
from threads.completions.alignment import align_history, store_new_messages
from threads.completions.identity import read_caller
from threads.completions.memory_block import (
    BlockRequest,
    BlockSearch,
    MemoryBlock,
    add_block,
    begin_search,
    expect_search,
    insert_history,
    make_memory_block,
    name_block,
    store_block,
)
from threads.completions.responses import load_unsent_history
from threads.completions.values import (
    AlignedHistory,
    CompletionCaller,
    MemoryUse,
    Placement,
    StoredQuestion,
)
from threads.models import Reply

_OURS: Final = frozenset({"conversation", "previous_response_id"})  # fields that chat servers do not know
_log: Final = structlog.get_logger("threads.completions")


@dataclass(frozen=True, slots=True)
class Credential:
    """A key that was recognised.

    Attributes:
        is_stored: Whether the database answered; if not, the key is known from the last 60 seconds.
    """

    key: ApiKey
    is_stored: bool = True


#: Returns the placement of a request for its owner.
Place = Callable[[UUID], Placement]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request of the chat format.

    Attributes:
        headers: Names in any case.
        body: What goes to the model server, as the client sent it.
        model: Name of the model that is asked.
        block_tokens: The client's own limit of the memories; None for ours.
        place: Finds the thread of a client that sends no history; None for the chat format's own clients.
        named: The fields of the request that say who asks and where, if `body` is a translation.
    """

    headers: Mapping[str, str]
    body: Mapping[str, Any]
    credential: Credential
    model: str
    block_tokens: int | None = None
    place: Place | None = None
    named: Mapping[str, Any] | None = None

    @property
    def messages(self) -> list[Mapping[str, Any]]:
        """The client's messages."""
        messages = self.body.get("messages")
        if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages):
            raise InvalidInput("messages must be a list of objects.", {"messages": "not a list of objects"})
        return messages

    @property
    def is_streamed(self) -> bool:
        """Whether the client asks for a stream."""
        return self.body.get("stream") is True


@dataclass(slots=True)
class PreparedRequest:
    """A request that is ready to be sent to the model server.

    Attributes:
        caller: None while the database does not say who it is.
        history: Messages of the thread that the client did not send.
        question: The stored question; None if nothing is stored.
        reply: The reply that is being written; None if nothing is stored.
        refusal: Why the model server is not called, by the budget or the breaker; None if it is.
        skipped: Why memory is not used; empty if it is.
        degraded: What of ours failed; empty if nothing did.
    """

    request: ChatRequest
    relay: MeteredRelay
    caller: CompletionCaller | None = None
    history: Sequence[Mapping[str, Any]] = ()
    question: StoredQuestion | None = None
    reply: Reply | None = None
    refusal: ModelError | None = None
    block: MemoryBlock = field(default_factory=MemoryBlock)
    skipped: str = ""
    degraded: str = ""

    @property
    def owner(self) -> UUID:
        """Id of the person whose memory is used, else of the key's owner."""
        return self.caller.owner if self.caller is not None else self.request.credential.key.owner_id

    @property
    def messages(self) -> list[Mapping[str, Any]]:
        """The client's messages, and those of the thread that it did not send after its system message."""
        given = self.request.messages
        return given if not self.history else insert_history(given, self.history)

    @property
    def body(self) -> dict[str, Any]:
        """The body that is sent to the model server."""
        sent = {name: value for name, value in self.request.body.items() if name not in _OURS}
        return sent | {
            "model": self.request.model,
            "messages": add_block(self.messages, self.block.text),
        }

    @property
    def headers(self) -> dict[str, str]:
        """The headers that say what was done with memory."""
        named = {"Memsite-Memory": self._describe_memory()}
        if self.caller is not None:
            named["Memsite-Owner"] = str(self.caller.owner)
        if self.question is not None:
            named["Memsite-Thread"] = str(self.question.thread.pk)
        if self.block.citations:
            named["Memsite-Citations"] = ",".join(map(str, self.block.citations))
        return named

    def store_block(self) -> None:
        """Store the memories that the model is sent, if the question is stored."""
        if self.reply is not None and self.question is not None:
            with acting_for(self.owner):
                store_block(self.block, self.question.message)

    def _describe_memory(self) -> str:
        if self.skipped:
            return f"skipped; reason={self.skipped}"
        if self.degraded:
            return f"degraded; reason={self.degraded}"
        block = self.block
        used = f"used={len(block.memories)}; tokens={block.tokens}; ms={block.milliseconds}"
        return f"{used}; respected={len(block.required)}"


def prepare_request(request: ChatRequest) -> PreparedRequest:
    """Identify the caller, store what is new, recall, and return the request. Runs on a thread.

    Raises:
        MemsiteError: If a header is wrong, or names what is not the caller's.
    """
    prepared = _prepare_memory(request)
    prepared.relay.encode(prepared.body)
    return prepared


def _prepare_memory(request: ChatRequest) -> PreparedRequest:
    _ = request.messages  # checked before anything is stored
    key = request.credential.key
    prepared = PreparedRequest(request, get_relay(model=request.model, owner=key.owner_id))
    if not request.credential.is_stored:
        return _without_database(prepared)
    try:
        named = request.body if request.named is None else request.named
        prepared.caller = read_caller(request.headers, named, credential=key)
        with acting_for(prepared.owner):
            prepared.relay = get_relay(model=request.model, owner=prepared.owner)
            _prepare(prepared)
    except (DatabaseError, InterfaceError) as error:
        _log.warning("a request is answered without memory", kind=type(error).__name__)
        return _without_database(prepared)
    return prepared


def _without_database(prepared: PreparedRequest) -> PreparedRequest:
    """Return the request as it is answered without the database.

    Raises:
        Unavailable: If the client relies on the messages that are stored.
    """
    if prepared.request.place is not None and not prepared.history:
        raise Unavailable("The database is not available right now; try again.")
    prepared.degraded = "store"
    return prepared


def _prepare(prepared: PreparedRequest) -> None:
    caller = prepared.caller
    if caller is None:
        return
    if caller.memory is not MemoryUse.OFF:
        expect_search(prepared.messages, owner=prepared.owner)  # meanwhile the messages are aligned
    aligned = _align(prepared, caller)
    _admit(prepared)
    if aligned is None:
        prepared.skipped = caller.reason or "off"
    elif not aligned.new and aligned.repeated is None:
        prepared.skipped = "no_question"
    else:
        searching, is_temporary = None, aligned.is_temporary
        if caller.memory is MemoryUse.ON:
            if not is_temporary and prepared.refusal is None:
                searching = _search_early(prepared, aligned)  # meanwhile the question is stored
            _store(prepared, caller, aligned)
        if is_temporary or (prepared.question is not None and prepared.question.thread.is_temporary):
            prepared.skipped = "temporary"
        elif prepared.refusal is None:
            _recall(prepared, searching)


def _admit(prepared: PreparedRequest) -> None:
    try:
        prepared.relay.admit()
    except ModelError as refusal:  # raised once the question is stored
        prepared.refusal = refusal


def _align(prepared: PreparedRequest, caller: CompletionCaller) -> AlignedHistory | None:
    """Return where the messages belong; None if memory is off."""
    request, is_off = prepared.request, caller.memory is MemoryUse.OFF
    if request.place is not None:
        placement = request.place(caller.owner)
        prepared.history = placement.history
        return None if is_off else placement.aligned
    if is_off:
        return None
    aligned = align_history(request.messages, owner=caller.owner, caller=caller)
    if caller.is_managed:
        prepared.history = load_unsent_history(aligned, request.messages, owner=caller.owner)
    return aligned


def _store(prepared: PreparedRequest, caller: CompletionCaller, aligned: AlignedHistory) -> None:
    """Store what is new. What cannot be stored, or was deleted meanwhile, is answered all the same."""
    try:
        with transaction.atomic():
            question = store_new_messages(aligned, owner=caller.owner, caller=caller)
            reply = _begin_reply(question)
    except (Conflict, InvalidInput, NotFound, ValidationError) as error:
        _log.warning("a request is not stored", kind=type(error).__name__)
        prepared.degraded = "store"
    else:
        prepared.question, prepared.reply = question, reply


def _begin_reply(question: StoredQuestion) -> Reply:
    thread = question.thread
    reply = Reply(
        owner_id=thread.owner_id,
        thread=thread,
        question=question.message,
        branch_id=get_current_branch(thread).pk,
        source=AnswerSource.LLM,
    )
    reply.save(force_insert=True)
    return reply


def _search_early(prepared: PreparedRequest, aligned: AlignedHistory) -> BlockSearch | None:
    """Begin to search for a new question of the user; not for a step of tools, or a question asked before."""
    if not aligned.new or aligned.new[-1].role != MessageRole.USER:
        return None
    request = prepared.request
    wanted = BlockRequest(prepared.owner, prepared.messages, request.model, request.block_tokens, None)
    return begin_search(wanted, aligned.thread, aligned.new[-1].content)


def _recall(prepared: PreparedRequest, searching: BlockSearch | None) -> None:
    request, question = prepared.request, prepared.question.message if prepared.question is not None else None
    wanted = BlockRequest(
        prepared.owner, prepared.messages, request.model, request.block_tokens, question, searching
    )
    prepared.block = make_memory_block(wanted)
    if prepared.block.trouble:
        prepared.degraded = prepared.degraded or "recall"
    if prepared.reply is not None and question is not None:
        prepared.block = name_block(prepared.block)
        prepared.reply.context_id = prepared.block.context_id

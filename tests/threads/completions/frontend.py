"""A chat program that keeps its conversations itself and sends them again with each request."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from memsite.accounts.models import User
from memsite.values import MessageRole
from threads.completions.alignment import align_history, store_new_messages
from threads.completions.programs import find_side_request
from threads.completions.values import CompletionCaller, StoredQuestion, ThreadReference
from threads.messages import NewMessage, append_messages
from threads.models import Message, Thread
from threads.storage import get_thread, list_messages, load_path

RAG = (
    "### Task:\nRespond to the user query using the provided context, incorporating inline citations.\n"
    '<context>\n<source id="1">Cats sleep a lot.</source>\n</context>\n\n'
)


def user(text: str) -> dict[str, Any]:
    """A message of the user, as a client sends it."""
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    """An answer, as a client sends it."""
    return {"role": "assistant", "content": text}


def answer_question(stored: StoredQuestion, text: str, **fields: Any) -> Message:
    """Append an answer to a stored question, as the endpoint does."""
    new = NewMessage(role=MessageRole.ASSISTANT, content=text, **fields)
    appended = append_messages(
        stored.thread.pk, [new], owner=stored.thread.owner_id, branch=stored.thread.current_branch.pk
    )
    return appended.messages[0]


def send(
    messages: Sequence[Mapping[str, Any]], owner: User, caller: CompletionCaller | None = None
) -> StoredQuestion:
    """Align the messages of a request and store what is new."""
    caller = caller or CompletionCaller(owner.pk)
    aligned = align_history(messages, owner=owner.pk, caller=caller)
    return store_new_messages(aligned, owner=owner.pk, caller=caller)


def read_path(thread_id: UUID, owner: User) -> list[tuple[str, str]]:
    """Return role and content of the messages of a thread's current branch."""
    path = load_path(get_thread(thread_id, owner=owner.pk).current_branch)
    rows = list_messages(path, owner=owner.pk).order_by("depth")
    return [(row.role, row.content) for row in rows]


class Frontend:
    """One conversation as a person sees it, and the requests that a program makes of it.

    Attributes:
        turns: Role and text of what the person sees, with the program's ids.
        thread: Id of the thread that the newest request was stored in.
    """

    def __init__(self, owner: User, *, name: str = "", has_ids: bool = False, short: bool = False) -> None:
        self.owner, self.name, self.has_ids, self.short = owner, name, has_ids, short
        self.turns: list[tuple[str, str, str]] = []
        self.thread: UUID | None = None
        self._count = 0
        self._salt = Thread.objects.filter(owner=owner).count()

    def ask(self, text: str, **how: Any) -> None:
        """Say something."""
        self.turns.append(("user", text, self._next_id()))
        self._complete(**how)

    def regenerate(self, **how: Any) -> None:
        """Have the last message answered again."""
        self.turns.pop()
        self._complete(**how)

    def edit(self, place: int, text: str, **how: Any) -> None:
        """Change the text of one's own message, counted from 0, and have it answered."""
        del self.turns[2 * place :]
        self.ask(text, **how)

    def ask_aside(self) -> None:
        """Have a title made of the conversation."""
        history = "\n".join(f"{role.upper()}: {text}" for role, text, _ in self.turns)
        text = f"### Task:\nGenerate a concise, 3-5 word title\n### Chat History:\n{history}"
        request = {"messages": [user(text)], "stream": False}
        assert find_side_request(request, task="") == "title_generation"

    def check(self) -> None:
        """Compare the thread with what the person sees."""
        assert self.thread is not None
        assert read_path(self.thread, self.owner) == [(role, text) for role, text, _ in self.turns]

    def _complete(self, *, window: int = 0, is_wrapped: bool = False, times: int = 1, lost: int = 0) -> None:
        messages = [{"role": role, "content": text} for role, text, _ in self.turns][-window:]
        if is_wrapped:
            messages[-1] = user(RAG + messages[-1]["content"])
        request = [{"role": "system", "content": f"Today is day {self._count}."}, *messages]
        for _ in range(lost):  # the answer is stored, and never arrives
            answer_question(self._send(request, is_retry=True), self._make_answer())
        for retry in range(times):
            stored = self._send(request, is_retry=bool(retry or lost))
        self.thread = stored.thread.pk
        answer, answer_id = self._make_answer(), self._next_id()
        answer_question(stored, answer, client_id=answer_id if self.has_ids else None)
        self.turns.append(("assistant", answer, answer_id))

    def _send(self, request: list[dict[str, Any]], *, is_retry: bool) -> StoredQuestion:
        before = self.turns[-2][2] if len(self.turns) > 1 else ""
        caller = CompletionCaller(
            self.owner.pk,
            thread=ThreadReference(self.name, resends=True) if self.name else None,
            message=self.turns[-1][2] if self.has_ids else "",
            parent=before if self.has_ids else "",
            is_root=self.has_ids and not before,
            is_retry=is_retry,
        )
        return send(json.loads(json.dumps(request)), self.owner, caller)

    def _make_answer(self) -> str:
        self._count += 1
        if self.short:
            return "OK."
        return f"This is answer {self._count} of chat {self._salt}, which is long enough to be recognised."

    def _next_id(self) -> str:
        self._count += 1
        return f"id-{self._count}"


def count_messages(owner: User) -> tuple[int, int]:
    """Return how many threads and messages an owner has."""
    rows = Message.objects.filter(owner=owner)
    return Thread.objects.filter(owner=owner).count(), rows.count()

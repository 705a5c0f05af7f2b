"""Chat through `/v1/chat/completions` as a program does, and look at what the model server receives.

This process answers the requests itself, as the site would, with the site's database: a running site has a
model server of its own. Months pass in seconds, so each exchange gets its day before it is learnt from.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from uuid import UUID

from django.test import override_settings

from evaluation.quality.stories.story_set import StoryMessage
from memsite.accounts.keys import issue_key
from memsite.accounts.models import User
from memsite.jobs import LeaseBusy
from memsite.llm.chat import close_clients
from memsite.serving.streaming import OwnLoop
from memsite.values import new_id
from threads.completions import answer_completions
from threads.learning import learning
from threads.storage import list_unlearnt_messages, wait_for_lease

#: The answer to a message for which a story has none.
_REPLY: Final = "OK."
_MODEL: Final = "evaluation"
_PATH: Final = "/v1/chat/completions"
_MEMORY_USE: Final = re.compile(r"used=(\d+); tokens=(\d+)")


class _ScriptedModel(ThreadingHTTPServer):
    """A model server on loopback.

    Attributes:
        reply: Its next answer.
        messages: Those of the newest request.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _ModelHandler)
        self.reply = ""
        self.messages: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        """Base URL."""
        return f"http://127.0.0.1:{self.server_port}/v1"


class _ModelHandler(BaseHTTPRequestHandler):
    server: _ScriptedModel

    def do_POST(self) -> None:
        """Keep the messages, and send the reply."""
        self.server.messages = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"]
        message = {"role": "assistant", "content": self.server.reply}
        body = json.dumps({"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@dataclass(frozen=True, slots=True)
class ReceivedPrompt:
    """The prompt that the model server received for an input.

    Attributes:
        text: What it says beside the input.
        memories: Number of memories in it, without what every answer respects.
        tokens: Tokens of everything that was added.
    """

    text: str
    memories: int
    tokens: int


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


class ChatProgram:
    """A chat program of one person, which sends the whole conversation with each message.

    Args:
        loop: Where requests are answered.
        model: The model server behind the site.
        owner: The person, who gets a key.
    """

    def __init__(self, loop: OwnLoop, model: _ScriptedModel, owner: User) -> None:
        self._loop = loop
        self._model = model
        self._owner = owner.pk
        self._key = issue_key(owner, name="evaluation")[1]

    def chat(self, messages: Sequence[StoryMessage]) -> None:
        """Send messages in one new chat. Each exchange is learnt from as of its day before the next."""
        chat, history = {"Memsite-Thread": f"evaluation-{new_id().hex}"}, list[dict[str, str]]()
        days = list(dict.fromkeys(one.at for one in messages))
        for one in messages:
            history.append({"role": "user", "content": one.text})
            self._model.reply = one.reply or _REPLY
            with wait_for_lease(f"learn:{self._owner}"):  # the site's worker would learn that it was today
                thread = UUID(self._send(history, chat).headers["memsite-thread"])
                list_unlearnt_messages(thread, owner=self._owner).update(
                    created_at=one.at, session_number=1 + days.index(one.at)
                )
            _learn(thread, owner=self._owner)
            history.append({"role": "assistant", "content": self._model.reply})

    def look_at_prompt(self, text: str) -> ReceivedPrompt:
        """Open a new chat with an input that is not stored, and return its prompt."""
        answer = self._send([{"role": "user", "content": text}], {"Memsite-Memory": "read"})
        used = _MEMORY_USE.match(answer.headers["memsite-memory"])
        memories, tokens = map(int, used.groups()) if used else (0, 0)
        texts = [str(one["content"]) for one in self._model.messages[:-1]]
        return ReceivedPrompt("\n".join(texts), memories, tokens)

    def _send(self, messages: Sequence[Mapping[str, str]], headers: Mapping[str, str]) -> _Answer:
        body = json.dumps({"model": _MODEL, "messages": messages}).encode()
        sent = {**headers, "Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        with override_settings(
            MEMSITE_MODEL_PRIMARY=_MODEL, OPENAI_BASE_URL=self._model.url, OPENAI_API_KEY=""
        ):
            answer = self._loop.run(_post(body, sent))
        if answer.status != 200:  # noqa: PLR2004 - HTTP's
            raise RuntimeError(f"{_PATH}: {answer.status} {answer.body.decode()[:300]}")
        return answer


@dataclass(frozen=True, slots=True)
class ChatSite:
    """What answers chat programs: an event loop, and a model server behind it."""

    loop: OwnLoop
    model: _ScriptedModel

    def sign_in(self, owner: User) -> ChatProgram:
        """Return a chat program of a person."""
        return ChatProgram(self.loop, self.model, owner)


@contextmanager
def run_chat_site() -> Iterator[ChatSite]:
    """Answer chat programs while the block runs."""
    with _ScriptedModel() as model, OwnLoop() as loop:
        threading.Thread(target=model.serve_forever, daemon=True).start()
        try:
            yield ChatSite(loop, model)
        finally:
            loop.run(close_clients())
            model.shutdown()


def _learn(thread: UUID, *, owner: UUID) -> None:
    """Learn from a thread as a job would; if the site's worker does so already, wait for it."""
    while True:
        try:
            learning.learn_from_thread(thread, owner=owner, whole=True)
        except LeaseBusy:  # after a second
            continue
        return


async def _post(body: bytes, headers: Mapping[str, str]) -> _Answer:
    """Post to `/v1/chat/completions` of this process."""
    named = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    scope: Any = {"type": "http", "method": "POST", "path": _PATH, "query_string": b"", "headers": named}
    unread: list[Any] = [{"type": "http.request", "body": body}]
    sent: list[Any] = []

    async def receive() -> Any:  # noqa: ANN401 - a message of ASGI
        if not unread:
            await asyncio.Event().wait()  # the client stays
        return unread.pop()

    async def send(message: Any) -> None:  # noqa: ANN401 - a message of ASGI
        sent.append(message)

    await answer_completions(scope, receive, send)
    start, whole = sent
    answered = {name.decode(): value.decode() for name, value in start["headers"]}
    return _Answer(start["status"], answered, whole["body"])

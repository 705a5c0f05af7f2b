"""The two clients: one that blocks, one that is awaited. Both have the same methods."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, overload

import httpx

from memsite.resources import (
    Account,
    Branches,
    Events,
    Exports,
    Imports,
    Keys,
    Memories,
    Replies,
    Reports,
    Threads,
    Upkeep,
    Webhooks,
)
from memsite.resources.replies import ReplyEvent
from memsite.results import Context, Event, Reply
from memsite.wire import AsyncDriver, Awaited, Blocking, BlockingDriver, Mode, Policy

if TYPE_CHECKING:
    from typing_extensions import Self  # which typing has from Python 3.11 on

VERSION: Final = "0.1.0"
_TIMEOUT: Final = 30.0


class _Resources(Generic[Mode]):
    """The groups of methods of a client.

    Attributes:
        memories: What is known about a person.
        threads: Conversations and their messages.
        branches: Branches of a thread.
        replies: Contexts, answers, summaries.
        upkeep: Extraction, reflection, cleaning up.
        reports: Reports on the quality of memories.
        imports: Imports of files.
        exports: The export of everything.
        account: The user, preferences, usage, jobs, end users.
        keys: Keys.
        log: The event log; `events()` follows it.
        webhooks: Addresses that events are sent to; `webhooks.verify()` checks what arrives.
    """

    def __init__(self, driver: Any) -> None:
        self.memories: Memories[Mode] = Memories(driver)
        self.threads: Threads[Mode] = Threads(driver)
        self.branches: Branches[Mode] = Branches(driver)
        self.replies: Replies[Mode] = Replies(driver)
        self.upkeep: Upkeep[Mode] = Upkeep(driver)
        self.reports: Reports[Mode] = Reports(driver)
        self.imports: Imports[Mode] = Imports(driver)
        self.exports: Exports[Mode] = Exports(driver)
        self.account: Account[Mode] = Account(driver)
        self.keys: Keys[Mode] = Keys(driver)
        self.log: Events[Mode] = Events(driver)
        self.webhooks: Webhooks[Mode] = Webhooks(driver)


class Memsite(_Resources[Blocking]):
    """A client whose methods return results.

    Args:
        url: Of the site, such as `http://127.0.0.1:8000`.
        key: `msk_…`
        user: With an application's key, the end user for whom the requests act.
        timeout: Seconds to wait for a connection, and for each piece of an answer.
        retries: How often a call is tried again. A request that was perhaps carried out is repeated only if
            that has
            the effect of one.
        transport: Of httpx, for tests.
    """

    def __init__(
        self,
        url: str,
        key: str,
        user: str | None = None,
        *,
        timeout: float = _TIMEOUT,
        retries: int = 2,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = _headers(key, user)
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout, transport=transport)
        super().__init__(BlockingDriver(self._http, Policy(retries)))

    def context(self, thread_id: str, input: str, **options: Any) -> Context:
        """Return the messages to send to a model: see `replies.context`."""
        return self.replies.context(thread_id, input, **options)

    @overload
    def reply(
        self, thread_id: str, input: str | None = None, *, stream: Literal[False] = ..., **options: Any
    ) -> Reply: ...

    @overload
    def reply(
        self, thread_id: str, input: str | None = None, *, stream: Literal[True], **options: Any
    ) -> Iterator[ReplyEvent]: ...

    def reply(self, thread_id: str, input: str | None = None, *, stream: bool = False, **options: Any) -> Any:
        """Add a user message and the model's answer: see `replies.reply` and `replies.stream_reply`."""
        if stream:
            return self.replies.stream_reply(thread_id, input, **options)
        return self.replies.reply(thread_id, input, **options)

    def events(
        self, *, after: int | None = None, types: Sequence[str] = (), users: str | None = None
    ) -> Iterator[Event]:
        """Iterate over events for ever: see `log.follow`."""
        return self.log.follow(after=after, types=types, users=users)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncMemsite(_Resources[Awaited]):
    """A client whose methods are awaited; the arguments are those of `Memsite`."""

    def __init__(
        self,
        url: str,
        key: str,
        user: str | None = None,
        *,
        timeout: float = _TIMEOUT,
        retries: int = 2,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        headers = _headers(key, user)
        self._http = httpx.AsyncClient(base_url=url, headers=headers, timeout=timeout, transport=transport)
        super().__init__(AsyncDriver(self._http, Policy(retries)))

    async def context(self, thread_id: str, input: str, **options: Any) -> Context:
        """Return the messages to send to a model: see `replies.context`."""
        return await self.replies.context(thread_id, input, **options)

    async def reply(self, thread_id: str, input: str | None = None, **options: Any) -> Reply:
        """Add a user message and the model's answer: see `replies.reply`."""
        return await self.replies.reply(thread_id, input, **options)

    def stream_reply(
        self, thread_id: str, input: str | None = None, **options: Any
    ) -> AsyncIterator[ReplyEvent]:
        """Do the same, and iterate over the answer as it is made: see `replies.stream_reply`."""
        return self.replies.stream_reply(thread_id, input, **options)

    def events(
        self, *, after: int | None = None, types: Sequence[str] = (), users: str | None = None
    ) -> AsyncIterator[Event]:
        """Iterate over events for ever: see `log.follow`."""
        return self.log.follow(after=after, types=types, users=users)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _headers(key: str, user: str | None) -> Mapping[str, str]:
    headers = {"Authorization": f"Bearer {key}", "User-Agent": f"memsite-python/{VERSION}"}
    return headers if user is None else {**headers, "Memsite-User": user}

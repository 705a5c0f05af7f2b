"""Read a streamed answer: open it, watch its deadlines, close its connection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final

from memsite.errors import ModelError
from memsite.llm.chat import answers, bodies, retry
from memsite.llm.chat.chat import Chunk, Usage
from memsite.llm.chat.thoughts import ThoughtFilter

_END: Final = "[DONE]"


class AnswerStream:
    """An open stream whose first piece has arrived.

    Args:
        manager: The client's context manager, not entered yet; entering it sends the request.
        patience: Most seconds between two pieces. Comments and empty lines, which some servers send to keep a
            connection open, do not count as pieces.
        whole: When the whole answer must have arrived.

    Raises:
        ModelError: Or an error of the client; the connection is closed then.
    """

    def __init__(self, manager: Any, *, patience: float, whole: retry.Deadline) -> None:  # noqa: ANN401 - the client's
        self._manager = manager
        self._patience = patience
        self._whole = whole
        self._idle = retry.Deadline(patience)
        self._all: list[str] = []
        response = manager.__enter__()
        try:
            self._pieces = self._read(response)
            self._first = next(self._pieces, answers.Said("", None, None))
        except BaseException:
            self.close()
            raise

    @property
    def text(self) -> str:
        """All text received so far, thoughts included."""
        return "".join(self._all)

    def close(self) -> None:
        """Free the connection; pieces that have not arrived are lost."""
        self._manager.__exit__(None, None, None)

    def chunks(self) -> Iterator[Chunk]:
        """Yield the answer without a leading thought; only the last chunk has an end. A blank answer is an
        error.
        """
        thoughts = ThoughtFilter()
        finish: str | None = None
        usage: Usage | None = None
        try:
            for said in self._remaining():
                text = thoughts.feed(said.text)
                if text:
                    yield Chunk(text)
                finish, usage = said.finish_reason or finish, said.usage or usage
        except ModelError:
            if finish is None:  # otherwise only the token count is lost
                raise
        yield from self._last(thoughts, finish, usage)

    def _last(self, thoughts: ThoughtFilter, finish: str | None, usage: Usage | None) -> Iterator[Chunk]:
        if finish is None:
            raise retry.broken_off()
        rest = thoughts.rest()
        if not rest.strip() and thoughts.is_blank:
            raise retry.bad_answer("it is empty", usage)
        yield Chunk(rest, finish, usage)

    def _remaining(self) -> Iterator[answers.Said]:
        yield self._first
        yield from self._pieces

    def _read(self, response: Any) -> Iterator[answers.Said]:  # noqa: ANN401 - the client's, by its version
        chunks = self._watched(response.iter_bytes())
        first = next((chunk for chunk in chunks if chunk.strip()), b"")
        chunks = chain([first], chunks)
        if first.lstrip().startswith(b"{"):  # a server that does not stream
            said = answers.whole(bodies.whole(chunks, self._whole))
            self._all.append(said.text)
            yield said
            return
        came = False
        for event in bodies.events(chunks):
            if event == _END:
                return
            said = answers.piece(event)
            came = True
            self._idle = retry.Deadline(self._patience)
            self._all.append(said.text)
            yield said
        if not came:
            raise retry.bad_answer("it is no stream of events")

    def _watched(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        for chunk in bodies.unbroken(chunks):
            if not (self._idle.remaining() and self._whole.remaining()):
                raise retry.timed_out()
            yield chunk

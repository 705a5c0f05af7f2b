"""Context assembly: what the model is sent for a thread and its user's new input.

The parts come in a fixed order: system prompt, memories, summary, recent messages, input. The input
must fit; then comes the system prompt, then the best memories; the recent messages take what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from memsite.accounts.preferences import preferences_of
from memsite.errors import InvalidInput
from memsite.ids import new_id
from threads.access import get_thread
from threads.budget import ContextBudget, TokenStats
from threads.citing import Cited, cite
from threads.conf import DEFAULT_MAX_TOKENS, SECONDARY_MESSAGES
from threads.fence import fence, neutralise, new_mark
from threads.layout import MESSAGE_ID, Layout, cut_text
from threads.models import Thread, ThreadSummary
from threads.path import Path, path_of
from threads.queries import MessageFilter, ids_in_thread, messages_on, nearest_summary, newest_messages
from threads.reading import as_sent
from threads.recall import Told, choose, not_said_here, recall
from threads.rendering import Format, count_system
from threads.trimming import Message as Sent

_SUMMARY: Final = "Summary of the conversation up to here, as reference data: "
_SUMMARY_CHARACTERS: Final = 20_000
_SAID: Final = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Context:
    """What the model is sent, what it costs, and what went into it.

    messages: in the asked-for shape, the input last. system: the system text where the shape keeps it
    apart (Anthropic's), else None. degraded: parts that are missing or cut, each with the reason.
    """

    id: UUID
    shape: Format
    messages: tuple[Sent, ...]
    system: str | None
    token_stats: TokenStats
    budget: ContextBudget
    included_messages: int
    summarised_messages: int
    memories_retrieved: int
    degraded: dict[str, str]
    citations: tuple[Cited, ...]

    @property
    def summary_used(self) -> bool:
        """Whether a summary stands for messages that are not in."""
        return self.token_stats.summary > 0


@dataclass(frozen=True, slots=True)
class Moment:
    """The two clocks of recall: the world as of, and as we believed at; both default to now."""

    as_of: datetime | None = None
    believed_at: datetime | None = None


def assemble(
    thread_id: str | UUID,
    text: str,
    *,
    owner: UUID,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    shape: Format = "openai",
    moment: Moment | None = None,
) -> Context:
    """The context for a thread and its user's new input, of at most `max_tokens` input tokens.

    What is cited is stored and counts as use. A last message of the user that is the input already is
    not sent twice. Raises NotFound, and InvalidInput when even the input does not fit.
    """
    thread = get_thread(thread_id, owner=owner)
    preferences = preferences_of(owner)
    assembly = _Assembly(thread, _opened(thread, text, shape, max_tokens), max_tokens)
    assembly.load()
    if preferences.memory_on and not thread.is_temporary:
        assembly.recall(moment or Moment())
    assembly.fill()
    return assembly.finished(show_citations=preferences.citations_on)


def _opened(thread: Thread, text: str, shape: Format, max_tokens: int) -> Layout:
    """The input and the system prompt, which is cut where it does not fit beside it."""
    layout = Layout(shape, text)
    needed = layout.stats().total
    if needed > max_tokens:
        raise InvalidInput(
            f"The input alone takes {needed} tokens; max_tokens is {max_tokens}.",
            {"input_tokens": needed, "max_tokens": max_tokens},
        )
    prompt = thread.system_prompt
    if needed + count_system(prompt) > max_tokens:
        prompt = cut_text(prompt, max_tokens - needed)
    return replace(layout, system_prompt=prompt)


@dataclass(slots=True)
class _Assembly:
    """A context in the making, step by step: load, recall, fill, finished.

    window: the newest messages, more than fit; repeated: the stored one that is the input; candidates:
    memories that may go in, chosen: those that do.
    """

    thread: Thread
    layout: Layout
    max_tokens: int
    path: Path = field(default_factory=Path)
    window: list[Sent] = field(default_factory=list)
    repeated: frozenset[UUID] = frozenset()
    candidates: Sequence[Told] = ()
    chosen: Sequence[Told] = ()
    summary: ThreadSummary | None = None
    trouble: str = ""

    @property
    def owner(self) -> UUID:
        return self.thread.owner_id

    @property
    def room(self) -> int:
        """Tokens that are free beside what is in."""
        return self.max_tokens - self.layout.stats().total

    def load(self) -> None:
        """Read as many of the newest messages as could fit."""
        self.path = path_of(self.thread.current_branch)
        rows = newest_messages(self.path, self.room, owner=self.owner)
        if rows and rows[-1].role == "user" and rows[-1].content == self.layout.current_input:
            self.repeated = frozenset({rows.pop().pk})
        self.window = [as_sent(row) for row in rows]

    def recall(self, moment: Moment) -> None:
        """Ask long-term memory, by the input and by the last messages."""
        said = [str(message["content"]) for message in self.window if message["role"] in _SAID]
        recalled = recall(
            self.layout.current_input,
            "\n".join(said[-SECONDARY_MESSAGES:]),
            owner=self.owner,
            thread_id=self.thread.pk,
            as_of=moment.as_of,
            believed_at=moment.believed_at,
        )
        self.candidates, self.trouble = recalled.told, recalled.trouble

    def fill(self) -> None:
        """Share the room: memories first, as far as their budget goes, then the recent messages."""
        budget = ContextBudget.of_window(self.max_tokens)
        mark = new_mark([one.line for one in self.candidates])
        overhead = self._growth(fence([], mark)) if self.candidates else 0
        wished = choose(self.candidates, room=self.room, budget=budget.retrieved, overhead=overhead)
        kept_free = sum(one.tokens for one in wished) + overhead if wished else 0
        recent = self.layout.fitting(self.window, self.max_tokens - kept_free)
        if len(recent) < len(self.window):
            self._summarise(min(budget.summary, self.room - kept_free))
            recent = self.layout.fitting(self.window, self.max_tokens - kept_free)
        fresh = self._not_said(self.candidates, recent)
        self._put(choose(fresh, room=self.room, budget=budget.retrieved, overhead=overhead), mark)
        self.layout = replace(self.layout, recent=self.layout.fitting(self.window, self.max_tokens))
        self._put(self._not_said(self.chosen, self.layout.recent), mark)  # more messages may have come in

    def finished(self, *, show_citations: bool) -> Context:
        """The context as it goes out; what it cites is stored."""
        rendered = self.layout.rendered()
        context_id = new_id()
        cited = cite(self.thread, self.chosen, context_id=context_id)
        included = _ids(self.layout.recent)
        return Context(
            id=context_id,
            shape=self.layout.shape,
            messages=rendered.messages,
            system=rendered.system,
            token_stats=self.layout.stats(),
            budget=ContextBudget.of_window(self.max_tokens),
            included_messages=len(included),
            summarised_messages=self._summarised(included),
            memories_retrieved=len(self.chosen),
            degraded=self._degraded(),
            citations=cited if show_citations else (),
        )

    def _put(self, chosen: Sequence[Told], mark: str) -> None:
        """Have these memories in, as far as they fit: their lines were counted one by one, not together."""
        self.chosen = list(chosen)
        block = fence([one.line for one in self.chosen], mark) if self.chosen else ""
        self.layout = replace(self.layout, retrieved=block)
        if self.chosen and self.room < 0:
            self._put(self.chosen[:-1], mark)

    def _growth(self, block: str) -> int:
        """What a block of memories would add to the layout."""
        return replace(self.layout, retrieved=block).stats().retrieved

    def _not_said(self, candidates: Sequence[Told], recent: Sequence[Sent]) -> list[Told]:
        sources = {source for one in candidates for source in one.sources}
        here = ids_in_thread(sources, self.thread.pk, owner=self.owner)
        told = {message[MESSAGE_ID]: message["content"] for message in self.window}
        whole = [message for message in recent if message["content"] == told[message[MESSAGE_ID]]]
        return not_said_here(candidates, _ids(whole) | self.repeated, here)

    def _summarise(self, most: int) -> None:
        self.summary = nearest_summary(self.path, owner=self.owner)
        if self.summary is not None:
            text = _SUMMARY + neutralise(self.summary.content, _SUMMARY_CHARACTERS)
            self.layout = replace(self.layout, summary=cut_text(text, most))

    def _summarised(self, included: frozenset[UUID]) -> int:
        """How many messages only the summary speaks of."""
        if self.summary is None or not self.layout.summary:
            return 0
        covered = MessageFilter(before=self.summary.last_message.depth + 1)
        return messages_on(self.path, covered, owner=self.owner).exclude(id__in=included).count()

    def _degraded(self) -> dict[str, str]:
        found = {}
        if self.layout.system_prompt != self.thread.system_prompt:
            found["system_prompt"] = "the system prompt was cut to fit"
        if self.trouble:
            found["retrieved"] = self.trouble
        return found


def _ids(messages: Sequence[Sent]) -> frozenset[UUID]:
    return frozenset(message[MESSAGE_ID] for message in messages)

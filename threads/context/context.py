"""Assemble a context: the messages that are sent to the model for a thread and a new input of the user.

The steps are in modules of their own: `budget` divides the tokens among the parts, `layout` orders and counts
the parts, `rendering` produces the message formats, `fitting` decides how far back messages go, `recall`
searches long-term memory, `selection` selects memories, `fence_memories` neutralises their text, `citations`
stores citations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final
from uuid import UUID

from memories.retrieval import asks_for_talk
from memories.values import Layer
from memsite.errors import InvalidInput
from memsite.llm.tokens import DEFAULT_ENCODING, get_built_in_encoding
from memsite.metering import get_model_name
from memsite.values import new_id
from threads.conf import CONTEXT, DEFAULT_MAX_TOKENS
from threads.context.briefing import render_summary, render_task_state
from threads.context.budget import ContextBudget, TokenStats, compute_memory_reserve
from threads.context.citations import StoredCitation, store_citations
from threads.context.context_start import ContextStart, load_context_start
from threads.context.fitting import NewestMessages
from threads.context.layout import DEPTH, MESSAGE_ID, Layout, cut_text
from threads.context.preview import Preview, build_preview
from threads.context.recall import (
    Moment,
    RecallResult,
    Remark,
    RenderedMemory,
    begin_recall,
    expect_recall,
    make_mark,
)
from threads.context.recent_messages import RecentMessages, load_recent_messages
from threads.context.selection import Choice, add_nearby_episodes, is_in_context, select_memories
from threads.models import Message
from threads.prompt import (
    Format,
    fence_memories,
    fence_requirements,
    fence_summary,
    fence_task_state,
    new_mark,
)
from threads.prompt import Message as Sent
from threads.storage import filter_ids_in_thread
from threads.summarization import NearestSummary, load_nearest_summary

_CUT: Final[Mapping[str, Remark]] = {
    "system_prompt": Remark.SYSTEM_PROMPT_CUT,
    "task_state": Remark.TASK_STATE_CUT,
    "summary": Remark.SUMMARY_CUT,
}


@dataclass(frozen=True, slots=True)
class Context:
    """An assembled context with its token counts and sources.

    Attributes:
        shape: Format of `messages`.
        encoding: Name of the encoding in which tokens are counted.
        messages: The messages to send, in the requested format; the input is last.
        system: System text where the format keeps it separate (Anthropic's), else None.
        included_messages: Number of stored messages that are included.
        summarised_messages: Number of messages that only the summary covers.
        degraded: Parts that are missing or cut, each with the reason.
        notes: The reasons in `degraded`, and other remarks about a part.
        layout: The parts that `messages` were rendered from.
        choice: The memories that were considered.
        required: Ids of the requirements, in their order.
        mark: The number in the fence around the memories.
        preview: How the context was assembled; None unless requested. A preview stores no citations.
    """

    id: UUID
    shape: Format
    encoding: str
    messages: tuple[Sent, ...]
    system: str | None
    token_stats: TokenStats
    budget: ContextBudget
    included_messages: int
    summarised_messages: int
    memories_retrieved: int
    degraded: dict[str, str]
    citations: tuple[StoredCitation, ...]
    notes: dict[str, str]
    layout: Layout
    choice: Choice
    mark: str
    required: tuple[UUID, ...] = ()
    preview: Preview | None = None

    @property
    def remembered(self) -> list[str]:
        """What is remembered about the input: facts that the messages contain, then other memories."""
        included = [one for one, reason in self.choice.reasons if reason == Remark.IN_MESSAGES]
        facts = [one for one in included if one.is_relevant and one.hit.memory.layer != Layer.EPISODIC]
        return [one.hit.memory.content for one in (*facts, *self.choice.memories)]

    @property
    def summary_used(self) -> bool:
        """Whether a summary replaces messages that are not included."""
        return self.token_stats.summary > 0


def assemble_context(  # noqa: PLR0913 - independent options, passed by name
    thread_id: str | UUID,
    text: str,
    *,
    owner: UUID,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    shape: Format = "openai",
    moment: Moment | None = None,
    preview: bool = False,
    head: Message | None = None,
    encoding: str = "",
    shares: Mapping[str, float] | None = None,
) -> Context:
    """Assemble the context for a thread and a new input of its user.

    Citations are stored and count as use of the memories, unless `preview` is set. If the last message of the
    thread is a user message equal to the input, it is sent once.

    Args:
        text: The new input.
        max_tokens: Limit of input tokens.
        shape: Format of the result.
        moment: The times that recall refers to; both default to now.
        preview: Explain how the context is assembled, and store nothing.
        head: Message to continue from; by default the head of the current branch. Pass it where the current
            branch may change meanwhile.
        shares: Shares of parts of the window; see `ContextBudget.of_window`.
        encoding: Encoding in which tokens are counted. By default that of the thread's model, else of the
            site's model, where it is built in, else `o200k_base`.

    Raises:
        NotFound: If the owner has no such thread.
        InvalidInput: If the input alone exceeds `max_tokens`, or the shares exceed the window.
        Unavailable: If the encoding cannot be downloaded.
    """
    start = load_context_start(thread_id, owner=owner, head=head)
    if start.recalls:
        expect_recall(text, owner=owner)  # meanwhile the messages are read
    encoding = encoding or get_built_in_encoding(start.model or get_model_name("primary"))
    budget = ContextBudget.of_window(max_tokens, shares)
    assembly = _Assembly(start, Layout(shape, text, encoding=encoding), max_tokens, budget)
    assembly.open()
    if start.recalls:
        assembly.recall(moment or Moment())
    assembly.fit_messages()
    assembly.fill_with_memories()
    return assembly.finished(preview=preview, show_citations=start.shows_citations)


@dataclass(slots=True)
class _Assembly:
    """A context under construction. Steps: open, recall, fit_messages, fill_with_memories, finished."""

    start: ContextStart
    layout: Layout
    max_tokens: int
    budget: ContextBudget
    recent_messages: RecentMessages = field(default_factory=RecentMessages)
    recalled: RecallResult = field(default_factory=RecallResult)
    thread_sources: frozenset[UUID] = frozenset()
    summary: NearestSummary | None = None
    choice: Choice = field(default_factory=Choice)
    degraded: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    mark: str = ""

    @property
    def owner(self) -> UUID:
        """Owner of the thread."""
        return self.start.owner

    @property
    def room(self) -> int:
        """Number of tokens that are still free."""
        return self.max_tokens - self.layout.stats.total

    def open(self) -> None:
        """Add the parts that are always included, and read the newest messages.

        These parts are the input, the system prompt and the task state.
        """
        if self.room < 0:
            needed = self.layout.stats.total
            raise InvalidInput(
                f"The input alone takes {needed} tokens; max_tokens is {self.max_tokens}.",
                {"input_tokens": needed, "max_tokens": self.max_tokens},
            )
        self._put("system_prompt", self.start.system_prompt, self.room)
        state = render_task_state(self.start.state)
        self._put_fenced("task_state", state, min(self.room, self._for_summary() // 2), fence_task_state)
        text = self.layout.current_input
        self.recent_messages = load_recent_messages(self.start.path, self.max_tokens, text, owner=self.owner)
        if self.layout.encoding == DEFAULT_ENCODING:  # stored token counts are in this encoding
            self.layout = replace(self.layout, token_counts=self.recent_messages.token_counts)

    def recall(self, moment: Moment) -> None:
        """Search long-term memory by the input and by the last messages."""
        searching = begin_recall(
            self.layout.current_input,
            self.recent_messages.list_texts(CONTEXT.secondary_messages),
            owner=self.owner,
            thread_id=self.start.thread_id,
            room=self.room,
            moment=moment,
            encoding=self.layout.encoding,
        )
        self.recalled = searching()
        self.mark = new_mark([one.line for one in self.recalled.memories])
        required = [one.line for one in self.recalled.requirements]
        if required:
            mark = make_mark(self.start.thread_id, required, owner=self.owner)
            text = fence_requirements(required, mark)
            self.layout = replace(self.layout, requirements=text)
        if self.recalled.trouble:
            self.degraded["retrieved"] = self.recalled.trouble
        if self.recalled.note:
            self.notes["retrieved"] = self.recalled.note
        self.thread_sources = self._find_thread_sources()

    def fit_messages(self) -> None:
        """Add the newest messages that fit beside the memories, and a summary of those that do not fit."""
        newest = NewestMessages.from_messages(
            self.recent_messages.messages, shape=self.layout.shape, count=self.layout.count
        )
        most = self.budget.for_memories(self.layout.stats.current_input)
        kept = newest.select_fitting(min(self.room, self.budget.least_recent))
        least = sum(map(newest.count, kept))
        certain = newest.select_fitting(max(least, self.room - most))
        wished, _ = self._select(certain, most, beside=least)
        taken = self.layout.growth(self._block(wished)) if wished.memories else 0
        recent = newest.select_fitting(self.room - taken)
        if not self.recent_messages.is_whole or len(recent) < len(newest.all()):
            self._summarise()
            recent = newest.select_fitting(max(least, self.room - compute_memory_reserve(taken, most)))
        self.layout = replace(self.layout, recent=recent)

    def fill_with_memories(self) -> None:
        """Add the memories that fit beside the recent messages."""
        choice, memories = self._select(self.layout.recent, self.room)
        if choice.memories:
            choice = add_nearby_episodes(choice, memories, room=self.room - self._overhead())
        while choice.memories and self.layout.growth(self._block(choice)) > self.room:
            # The lines were counted one by one; together they may take more tokens.
            choice = replace(choice, memories=choice.memories[:-1])
        self.layout = self.layout.with_memories(self._block(choice))
        reasons = (*self.recalled.left_out, *choice.reasons)
        self.choice = replace(choice, reasons=reasons)

    def finished(self, *, preview: bool, show_citations: bool) -> Context:
        """Return the finished context. Store its citations unless it is a preview."""
        rendered = self.layout.rendered()
        context_id = new_id()
        chosen, required = ((), ()) if preview else (self.choice.memories, self.recalled.requirements)
        cited = store_citations(
            chosen, required, owner=self.owner, thread_id=self.start.thread_id, context_id=context_id
        )
        return Context(
            id=context_id,
            shape=self.layout.shape,
            encoding=self.layout.encoding,
            messages=rendered.messages,
            system=rendered.system,
            token_stats=self.layout.stats,
            budget=self.budget,
            included_messages=len(self.layout.recent),
            summarised_messages=self._summarised(),
            memories_retrieved=len(self.choice.memories),
            degraded=self.degraded,
            citations=cited if show_citations else (),
            notes={**self.notes, **self.degraded},
            layout=self.layout,
            choice=self.choice,
            mark=self.mark,
            required=tuple(one.memory_id for one in self.recalled.requirements),
            preview=build_preview(self.layout, self.budget, self.choice) if preview else None,
        )

    def _put(self, part: str, text: str, most: int) -> None:
        """Set a part to a text, cut to at most `most` tokens, and record in `degraded` if it was cut."""
        fits = self.layout.count_text(text) <= most
        kept = text if fits else cut_text(text, most, self.layout.count)
        changed: dict[str, Any] = {part: kept}
        self.layout = replace(self.layout, **changed)
        if kept != text:
            self.degraded[part] = _CUT[part]

    def _put_fenced(self, part: str, text: str, most: int, fence: Callable[[str, str], str]) -> None:
        """Set a part to a text in its fence, both together cut to at most `most` tokens."""
        mark = make_mark(self.start.thread_id, [text], owner=self.owner)
        self._put(part, text, most - self.layout.count_text(fence("", mark)))
        kept = getattr(self.layout, part)
        if kept:
            fenced: dict[str, Any] = {part: fence(kept, mark)}
            self.layout = replace(self.layout, **fenced)

    def _for_summary(self) -> int:
        return self.budget.for_summary(self.layout.stats.system_prompt)

    def _find_thread_sources(self) -> frozenset[UUID]:
        """Return which sources of the recalled memories are messages of this thread.

        Only memories with a source in the window are considered: no other memory can be repeated in it.
        """
        shown = self.recent_messages.texts.keys()
        named = [one.sources for one in self.recalled.memories if not shown.isdisjoint(one.sources)]
        sources = frozenset[UUID]().union(*named)
        included = {source for source in sources if source in shown}
        return frozenset(
            included | filter_ids_in_thread(sources - included, self.start.thread_id, owner=self.owner)
        )

    def _select(
        self, recent: Sequence[Sent], most: int, *, beside: int = 0
    ) -> tuple[Choice, list[RenderedMemory]]:
        """Choose the recalled memories that say something new beside these messages.

        Args:
            recent: The messages.
            most: Most tokens of the memories.
            beside: Tokens to leave free for messages to be added.

        Returns:
            The choice, and the memories among which it was made.
        """
        fresh = self._drop_repeated(recent)
        seen = {id(one) for one in fresh}
        repeated = [one for one in self.recalled.memories if id(one) not in seen]
        overhead = self._overhead()
        choice, kept = select_memories(
            fresh,
            in_messages=repeated,
            talk=asks_for_talk(self.layout.current_input),
            room=self.room - beside - overhead,
            budget=most - overhead,
        )
        repeats = ((one, Remark.IN_MESSAGES) for one in repeated)
        return replace(choice, reasons=(*choice.reasons, *repeats)), kept

    def _drop_repeated(self, recent: Sequence[Sent]) -> list[RenderedMemory]:
        """Return the recalled memories that these messages do not contain already.

        A message counts only if it is included whole.
        """
        if not self.thread_sources:
            return list(self.recalled.memories)
        whole = self.recent_messages.texts
        included_ids = {one[MESSAGE_ID] for one in recent if one["content"] == whole[one[MESSAGE_ID]]}
        included_ids = (included_ids - self.recent_messages.compacted) | (
            {self.recent_messages.repeated} if self.recent_messages.repeated else set()
        )
        return [
            one for one in self.recalled.memories if not is_in_context(one, included_ids, self.thread_sources)
        ]

    def _overhead(self) -> int:
        """Return the tokens that a block of memories takes in addition to its lines."""
        return self.layout.growth(fence_memories([], self.mark))

    def _block(self, choice: Choice) -> str:
        return fence_memories([one.line for one in choice.memories], self.mark) if choice.memories else ""

    def _summarise(self) -> None:
        self.summary = load_nearest_summary(self.start.path, owner=self.owner)
        if self.summary is not None:
            most = min(self.room, self._for_summary() - self.layout.stats.task_state)
            self._put_fenced("summary", render_summary(self.summary), most, fence_summary)

    def _summarised(self) -> int:
        """Return the number of messages that only the summary covers."""
        if self.summary is None or not self.layout.summary:
            return 0
        last = self.summary.depth
        return self.summary.messages - len([one for one in self.layout.recent if one[DEPTH] <= last])

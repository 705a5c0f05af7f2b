"""Put the parts of a context in their fixed order, render and count them. Pure.

The order is from what changes seldom to what changes every time: system prompt, requirements, summary, task
state, recent messages, memories, input. So consecutive contexts share a long identical prefix, which a model
server's prompt cache need not process again. Memories are directly before the input, in the user's turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from memsite.llm.tokens import DEFAULT_ENCODING, count_message_tokens
from threads.context.budget import TokenStats
from threads.prompt import (
    Count,
    Format,
    Message,
    RenderedContext,
    append_input,
    render_context,
    trim_messages,
)

#: Keys of messages under construction that are never rendered: the message's id, and its depth on the path.
MESSAGE_ID: Final = "message_id"
DEPTH: Final = "depth"
_SENT: Final = ("role", "content", "tool_calls", "tool_call_id")


@dataclass(frozen=True)
class Layout:
    """The parts of a context; an empty text is a missing part.

    Attributes:
        recent: Recent messages in OpenAI's format, oldest first, tool calls paired with their results.
        requirements: The block of what every answer must respect.
        retrieved: The block of memories.
        token_counts: Token counts by text, in the same encoding, of messages that consist of that text only.
        encoding: Encoding in which tokens are counted.
    """

    shape: Format
    current_input: str
    system_prompt: str = ""
    requirements: str = ""
    summary: str = ""
    task_state: str = ""
    recent: tuple[Message, ...] = ()
    retrieved: str = ""
    token_counts: Mapping[str, int] = field(default_factory=dict, repr=False)
    encoding: str = DEFAULT_ENCODING

    def rendered(self) -> RenderedContext:
        """Render the whole layout; the input is last."""
        return self._with_input(self._with_memories(self.retrieved))

    def with_memories(self, retrieved: str) -> Layout:
        """Return a copy with this block of memories. The parts before it are not rendered again."""
        changed = replace(self, retrieved=retrieved)
        for name in ("_through_recent", "_tokens_through_recent"):
            changed.__dict__[name] = getattr(self, name)
        return changed

    def growth(self, retrieved: str) -> int:
        """Return the tokens that this block of memories would add to the layout without memories."""
        without, having = self._with_memories(""), self._with_memories(retrieved)
        grown = self._between(without, self._with_input(having))
        return grown - self._between(without, self._with_input(without))

    @cached_property
    def stats(self) -> TokenStats:
        """Token counts by part: by how much each part increases the total."""
        prompt = self.count_text(self.system_prompt)
        required = _joined(self.system_prompt, self.requirements)
        with_required = self.count_text(required)
        with_summary = self.count_text(_joined(required, self.summary))
        with_state = self.count_text(_joined(required, self.summary, self.task_state))
        recent, retrieved = self._with_memories(""), self._with_memories(self.retrieved)
        return TokenStats(
            system_prompt=prompt,
            requirements=with_required - prompt,
            summary=with_summary - with_required,
            task_state=with_state - with_summary,
            recent_messages=self._tokens_through_recent - with_state,
            retrieved=self._between(recent, retrieved),
            current_input=self._between(retrieved, self._with_input(retrieved)),
        )

    def count(self, message: Message) -> int:
        """Return the number of tokens of a message as it is sent."""
        content = message["content"]
        if isinstance(content, str) and not message.get("tool_calls"):
            token_count = self.token_counts.get(content)
            if token_count is not None:
                return token_count
        return count_message_tokens(message, self.encoding)

    def count_text(self, text: str) -> int:
        """Return the tokens of a text as a message of its own; 0 for an empty text."""
        return count_message_tokens({"content": text}, self.encoding) if text else 0

    @cached_property
    def _through_recent(self) -> RenderedContext:
        texts = (self.system_prompt, self.requirements, self.summary, self.task_state)
        sent = [{name: message[name] for name in _SENT if name in message} for message in self.recent]
        return render_context(self.shape, texts, sent)

    @cached_property
    def _tokens_through_recent(self) -> int:
        return self._through_recent.tokens(self.count)

    def _with_memories(self, text: str) -> RenderedContext:
        return append_input(self.shape, self._through_recent, text) if text else self._through_recent

    def _with_input(self, before: RenderedContext) -> RenderedContext:
        return append_input(self.shape, before, self.current_input)

    def _between(self, before: RenderedContext, after: RenderedContext) -> int:
        """Return the difference in tokens between `before` and its continuation `after`."""
        shared = max(0, len(before.messages) - 1)
        return sum(map(self.count, after.messages[shared:])) - sum(map(self.count, before.messages[shared:]))


def cut_text(text: str, max_tokens: int, count: Count = count_message_tokens) -> str:
    """Return the longest beginning of a text that fits as a system text, ending in "…".

    Returns an empty string if no beginning fits.
    """
    kept = trim_messages([{"role": "system", "content": text}], max_tokens, count=count)
    return str(kept[0]["content"]) if kept else ""


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)

"""The parts of a context in their fixed order, rendered and counted. Pure.

First what changes seldom, last what changes every time: system prompt, summary, task state, recent
messages, memories, input. So most of a context is, to the letter, the beginning of the next one, and a
model's server need not read it again. Memories stand right before the input, in the user's turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from memsite.llm.tokens import DEFAULT_ENCODING, count_message_tokens
from threads.context.budget import TokenStats
from threads.prompt import Count, Format, Message, Rendered, followed, render, trim

#: Carried by messages in the making, never rendered: which one it is, and its place on the path.
MESSAGE_ID: Final = "message_id"
DEPTH: Final = "depth"
_SENT: Final = ("role", "content", "tool_calls", "tool_call_id")


@dataclass(frozen=True)
class Layout:
    """Texts are empty where a part is missing. recent: in OpenAI's shape, oldest first, tool calls paired.

    known: tokens of messages that are nothing but this text, counted before in the same encoding. encoding:
    in which tokens are counted.
    """

    shape: Format
    current_input: str
    system_prompt: str = ""
    summary: str = ""
    task_state: str = ""
    recent: tuple[Message, ...] = ()
    retrieved: str = ""
    known: Mapping[str, int] = field(default_factory=dict, repr=False)
    encoding: str = DEFAULT_ENCODING

    def rendered(self) -> Rendered:
        """What the model is sent; the input comes last."""
        return self._with_input(self._with_memories(self.retrieved))

    def with_memories(self, retrieved: str) -> Layout:
        """The same with these memories in; what is before them is not rendered and counted again."""
        changed = replace(self, retrieved=retrieved)
        for name in ("_through_recent", "_tokens_through_recent"):
            changed.__dict__[name] = getattr(self, name)
        return changed

    def growth(self, retrieved: str) -> int:
        """What these memories in the place of those that are in, if any, would add to the layout without."""
        without, having = self._with_memories(""), self._with_memories(retrieved)
        grown = self._between(without, self._with_input(having))
        return grown - self._between(without, self._with_input(without))

    @cached_property
    def stats(self) -> TokenStats:
        """Each part's growth of the count of the whole."""
        prompt = self.count_text(self.system_prompt)
        with_summary = self.count_text(_joined(self.system_prompt, self.summary))
        with_state = self.count_text(_joined(self.system_prompt, self.summary, self.task_state))
        recent, retrieved = self._with_memories(""), self._with_memories(self.retrieved)
        return TokenStats(
            system_prompt=prompt,
            summary=with_summary - prompt,
            task_state=with_state - with_summary,
            recent_messages=self._tokens_through_recent - with_state,
            retrieved=self._between(recent, retrieved),
            current_input=self._between(retrieved, self._with_input(retrieved)),
        )

    def count(self, message: Message) -> int:
        """Tokens of a message as it is sent."""
        content = message["content"]
        if isinstance(content, str) and not message.get("tool_calls"):
            known = self.known.get(content)
            if known is not None:
                return known
        return count_message_tokens(message, self.encoding)

    def count_text(self, text: str) -> int:
        """Tokens of a text as a message of its own; 0 for none."""
        return count_message_tokens({"content": text}, self.encoding) if text else 0

    @cached_property
    def _through_recent(self) -> Rendered:
        texts = (self.system_prompt, self.summary, self.task_state)
        sent = [{name: message[name] for name in _SENT if name in message} for message in self.recent]
        return render(self.shape, texts, sent)

    @cached_property
    def _tokens_through_recent(self) -> int:
        return self._through_recent.tokens(self.count)

    def _with_memories(self, text: str) -> Rendered:
        return followed(self.shape, self._through_recent, text) if text else self._through_recent

    def _with_input(self, before: Rendered) -> Rendered:
        return followed(self.shape, before, self.current_input)

    def _between(self, before: Rendered, after: Rendered) -> int:
        """What `after` has more than `before`, of which it is the continuation."""
        shared = max(0, len(before.messages) - 1)
        return sum(map(self.count, after.messages[shared:])) - sum(map(self.count, before.messages[shared:]))


def cut_text(text: str, max_tokens: int, count: Count = count_message_tokens) -> str:
    """The longest beginning of a text that fits as a system text, ending in "…"; empty if none does."""
    kept = trim([{"role": "system", "content": text}], max_tokens, count=count)
    return str(kept[0]["content"]) if kept else ""


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)

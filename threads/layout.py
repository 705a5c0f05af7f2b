"""The parts of a context in their fixed order, rendered and counted. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from memsite.llm.tokens import count_message_tokens
from threads.budget import TokenStats
from threads.rendering import Format, Rendered, count_system, counter, paired, render, sendable
from threads.trimming import Message, trim

#: Carried by messages in the making, so that it is known which ones are in; never rendered.
MESSAGE_ID: Final = "message_id"
_SENT: Final = ("role", "content", "tool_calls", "tool_call_id")


@dataclass(frozen=True, slots=True)
class Layout:
    """Texts are empty where a part is missing. recent: in OpenAI's shape, oldest first, tool calls paired."""

    shape: Format
    current_input: str
    system_prompt: str = ""
    retrieved: str = ""
    summary: str = ""
    recent: tuple[Message, ...] = ()

    def rendered(self) -> Rendered:
        """What the model is sent; the input is the last message, on its own."""
        before = self._before_input()
        return replace(before, messages=(*before.messages, self._input_message()))

    def stats(self) -> TokenStats:
        """Each part's growth of the exact count."""
        prompt = count_system(self.system_prompt)
        with_memories = self._count_system(self.system_prompt, self.retrieved)
        with_summary = self._count_system(self.system_prompt, self.retrieved, self.summary)
        return TokenStats(
            system_prompt=prompt,
            retrieved=with_memories - prompt,
            summary=with_summary - with_memories,
            recent_messages=self._before_input().tokens() - with_summary,
            current_input=count_message_tokens(self._input_message()),
        )

    def fitting(self, messages: Sequence[Message], max_tokens: int) -> tuple[Message, ...]:
        """The newest messages that fit beside the other parts, as the shape can carry them."""
        room = max_tokens - replace(self, recent=()).stats().total
        return tuple(sendable(self.shape, trim(paired(messages), room, count=counter(self.shape))))

    def _before_input(self) -> Rendered:
        texts = (self.system_prompt, self.retrieved, self.summary)
        sent = [{name: message[name] for name in _SENT if name in message} for message in self.recent]
        return render(self.shape, texts, sent)

    def _count_system(self, *texts: str) -> int:
        return count_system("\n\n".join(text for text in texts if text))

    def _input_message(self) -> Message:
        return {"role": "user", "content": self.current_input}


def cut_text(text: str, max_tokens: int) -> str:
    """The longest beginning of a text that fits as a system text, ending in "…"; empty if none does."""
    kept = trim([{"role": "system", "content": text}], max_tokens)
    return str(kept[0]["content"]) if kept else ""

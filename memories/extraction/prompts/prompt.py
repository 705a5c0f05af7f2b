"""The parts of an extraction prompt in one language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt. Instructions and closing both contain `{mark}`, the random number of the fence.

    Attributes:
        version: Identifies the exact text.
        instructions: System message.
        closing: Text after the fenced data.
    """

    version: str
    instructions: str
    closing: str

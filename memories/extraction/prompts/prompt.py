"""A prompt of extraction in one language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompt:
    """version: names these very words; instructions: the system message; closing: what follows the fenced
    data.

    Both carry `{mark}`, the random number of the fence.
    """

    version: str
    instructions: str
    closing: str

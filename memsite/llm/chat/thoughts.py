"""Remove the thought from the beginning of a streamed answer."""

from __future__ import annotations

from typing import Final

_BEGIN: Final = "<think>"
_END: Final = "</think>"


class ThoughtFilter:
    """Passes on text except a `<think>…</think>` at the very beginning, wherever the pieces are cut.

    The concatenated pieces equal `reading.remove_thought` of the whole.
    """

    def __init__(self) -> None:
        self._held = ""
        self._state = "beginning"
        self.is_blank = True  # whether only white space was passed on so far

    def feed(self, text: str) -> str:
        """Return the new part of the answer in the text received so far; it may be ""."""
        self._held += text
        if self._state == "beginning":
            self._begin()
        if self._state == "thought":
            self._leave_thought()
        if self._state == "after":
            self._begin_answer()
        return self._pass() if self._state == "answer" else ""

    def rest(self) -> str:
        """Return, at the end, the text held back as a possible `<think>` that turned out not to be one."""
        return "" if self._state == "thought" else self._pass()

    def _begin(self) -> None:
        start = self._held.lstrip()
        if start.startswith(_BEGIN):
            self._state = "thought"
        elif not _BEGIN.startswith(start):
            self._state = "answer"

    def _leave_thought(self) -> None:
        _, end, answer = self._held.partition(_END)
        if end:
            self._held, self._state = answer, "after"

    def _begin_answer(self) -> None:
        self._held = self._held.lstrip()
        if self._held:
            self._state = "answer"

    def _pass(self) -> str:
        passed, self._held = self._held, ""
        self.is_blank = self.is_blank and not passed.strip()
        return passed

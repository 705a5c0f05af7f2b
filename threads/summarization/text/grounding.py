"""Remove from a model's summary what nobody said. Pure.

The summary text may paraphrase, but names, numbers and dates in it must have been said. The lists beside it
are read by programs, so they may only contain what was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from memories.extraction import split_sentences
from memories.maintenance import get_content_terms
from memories.text import Sources
from threads.summarization.task_state import TaskStateContent
from threads.summarization.text.limits import join_sentences
from threads.summarization.text.structured import Structure

#: An item's number in a list, which the model adds.
_NUMBERED: Final = re.compile(r"^\s*(?:step\s+|第)?\d{1,3}\s*[.):、：步]\s*", re.IGNORECASE)
_LEAST_SHARE: Final = 0.5  # share of a text's content words that must occur


class SpokenText:
    """The texts that a summary must agree with: messages as the model saw them, and the previous summary."""

    def __init__(self, texts: Iterable[str]) -> None:
        source_texts = [text for text in texts if text]
        self._sources = Sources(source_texts)
        self._terms = frozenset[str]().union(*map(get_content_terms, source_texts))
        self._folded = "\n".join(source_texts).casefold()

    def holds(self, text: str) -> bool:
        """Return whether all numbers, names and negations and half of the content words were said."""
        return self.invents_nothing(text) and self._shared_part(text) >= _LEAST_SHARE

    def invents_nothing(self, text: str) -> bool:
        """Return whether all numbers, names and negations of a text were said, whatever its other words."""
        return not self._sources.invented(_NUMBERED.sub("", text))

    def find_invented(self, prose: str) -> frozenset[str]:
        """Return the names, numbers and dates of a prose text that nobody said, labelled: "name Oslo"."""
        sentences = split_sentences(prose)
        return frozenset(one for each in sentences for one in self._sources.invented_in_prose(each))

    def names(self, path: str) -> bool:
        """Return whether a file was named, by its path or by the last part of it."""
        written = path.strip().casefold()
        last = written.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
        return bool(last) and (written in self._folded or last in self._folded)

    def _shared_part(self, text: str) -> float:
        wanted = get_content_terms(text)
        return len(wanted & self._terms) / len(wanted) if wanted else 1.0


def remove_invented_sentences(prose: str, ground: SpokenText) -> str:
    """Return a prose text without the sentences with names, numbers or dates that nobody said."""
    return join_sentences([one for one in split_sentences(prose) if not ground.find_invented(one)])


def remove_ungrounded(structure: Structure, ground: SpokenText) -> Structure:
    """Remove from a proposed structure what was not said."""
    return Structure(
        user_goal=_kept(structure.user_goal, ground),
        last_step=_kept(structure.last_step, ground),
        key_decisions=_held(structure.key_decisions, ground),
        modified_files=tuple(one for one in structure.modified_files if ground.names(one)),
        critical_context={
            name: value for name, value in structure.critical_context.items() if ground.holds(value)
        },
    )


def remove_ungrounded_state(
    state: TaskStateContent, before: TaskStateContent, ground: SpokenText
) -> TaskStateContent:
    """Remove findings that were not said and steps with invented details from a proposed task state.

    Steps may be worded freely, because pending work is often not said literally. An invented goal is replaced
    by the previous one.
    """
    goal_is_grounded = ground.invents_nothing(state.current_goal)
    return replace(
        state,
        current_goal=state.current_goal if goal_is_grounded else before.current_goal,
        completed_steps=_free(state.completed_steps, ground),
        pending_steps=_free(state.pending_steps, ground),
        key_findings=_held(state.key_findings, ground),
    )


def _kept(text: str, ground: SpokenText) -> str:
    return text if ground.holds(text) else ""


def _held(texts: Sequence[str], ground: SpokenText) -> tuple[str, ...]:
    return tuple(one for one in texts if ground.holds(one))


def _free(texts: Sequence[str], ground: SpokenText) -> tuple[str, ...]:
    return tuple(one for one in texts if ground.invents_nothing(one))

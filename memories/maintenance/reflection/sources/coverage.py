"""How much of one text stands in another, by content words: what numbers and names alone do not tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from memories.extraction import sentences
from memories.text import is_unspaced, same_wording, terms_of

#: Who the memories are about: says nothing of what they say.
_THE_USER: Final = re.compile(r"\b(?:the )?users?(?:'s)?\b|用户", re.IGNORECASE)


def content_terms(text: str) -> frozenset[str]:
    """Stems of content words; of scripts without spaces, characters."""
    terms = terms_of(_THE_USER.sub(" ", text))
    return frozenset(term for term in terms if len(term) == 1 or not is_unspaced(term))


def coverage(text: str, others: Iterable[str]) -> float:
    """Share of the text's content words that stand in the others together, in [0, 1]; 1 when it has none."""
    wanted = content_terms(text)
    if not wanted:
        return 1.0
    found = frozenset[str]().union(*map(content_terms, others))
    return len(wanted & found) / len(wanted)


def facts_of(text: str) -> list[str]:
    """The sentences of a text, line by line."""
    return [sentence for line in text.splitlines() for sentence in sentences(line.strip())]


def distinct(facts: Sequence[str]) -> tuple[list[str], list[str]]:
    """(kept, dropped): each fact once, in order; dropped are those that another says in the same words."""
    kept: list[str] = []
    dropped: list[str] = []
    for fact in facts:
        (dropped if any(same_wording(fact, other) for other in kept) else kept).append(fact)
    return kept, dropped

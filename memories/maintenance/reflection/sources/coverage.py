"""Coverage: the share of a text's content words in other texts, in addition to numbers and names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from memories.extraction import sentences
from memories.text import is_unspaced, same_wording, terms_of

#: Names of the owner, which carry no content.
_THE_USER: Final = re.compile(r"\b(?:the )?users?(?:'s)?\b|用户", re.IGNORECASE)


def content_terms(text: str) -> frozenset[str]:
    """Return the stems of content words, or characters for scripts without spaces."""
    terms = terms_of(_THE_USER.sub(" ", text))
    return frozenset(term for term in terms if len(term) == 1 or not is_unspaced(term))


def coverage(text: str, others: Iterable[str]) -> float:
    """Return the share of the text's content words that occur in any of the others, in [0, 1].

    A text without content words gives 1.
    """
    wanted = content_terms(text)
    if not wanted:
        return 1.0
    found = frozenset[str]().union(*map(content_terms, others))
    return len(wanted & found) / len(wanted)


def facts_of(text: str) -> list[str]:
    """Return the sentences of a text, line by line."""
    return [sentence for line in text.splitlines() for sentence in sentences(line.strip())]


def distinct(facts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split facts into kept and dropped.

    A fact is dropped if an earlier one says the same in the same words.
    """
    kept: list[str] = []
    dropped: list[str] = []
    for fact in facts:
        (dropped if any(same_wording(fact, other) for other in kept) else kept).append(fact)
    return kept, dropped

"""Coverage: the share of a text's content words in other texts, in addition to numbers and names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from memories.extraction import split_sentences
from memories.text import has_same_wording, is_unspaced, list_terms

#: Names of the owner, which carry no content.
_THE_USER: Final = re.compile(r"\b(?:the )?users?(?:'s)?\b|用户", re.IGNORECASE)


def get_content_terms(text: str) -> frozenset[str]:
    """Return the stems of content words, or characters for scripts without spaces."""
    terms = list_terms(_THE_USER.sub(" ", text))
    return frozenset(term for term in terms if len(term) == 1 or not is_unspaced(term))


def compute_coverage(text: str, others: Iterable[str]) -> float:
    """Return the share of the text's content words that occur in any of the others, in [0, 1].

    A text without content words gives 1.
    """
    wanted = get_content_terms(text)
    if not wanted:
        return 1.0
    found = frozenset[str]().union(*map(get_content_terms, others))
    return len(wanted & found) / len(wanted)


def split_facts(text: str) -> list[str]:
    """Return the sentences of a text, line by line."""
    return [sentence for line in text.splitlines() for sentence in split_sentences(line.strip())]


def drop_repeated_facts(facts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split facts into kept and dropped.

    A fact is dropped if an earlier one says the same in the same words.
    """
    kept: list[str] = []
    dropped: list[str] = []
    for fact in facts:
        (dropped if any(has_same_wording(fact, other) for other in kept) else kept).append(fact)
    return kept, dropped

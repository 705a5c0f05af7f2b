"""Find the stances in a memory, in English and Chinese."""

from __future__ import annotations

from memories.extraction import is_chinese
from memories.maintenance.reflection.conf import SENTENCE_CHARACTERS
from memories.maintenance.reflection.patterns import stances_chinese, stances_english
from memories.maintenance.reflection.patterns.stance import Stance
from memories.maintenance.reflection.sources import split_facts


def find_stances(text: str, names: frozenset[str]) -> list[Stance]:
    """Return the stances of the owner in the sentences of a memory.

    Questions, hypotheses and sentences about anybody else give none.

    Args:
        text: Text of the memory.
        names: Names of the owner, in lower case.
    """
    found: list[Stance] = []
    for fact in split_facts(text):
        sentence = " ".join(fact.split())
        if len(sentence) > SENTENCE_CHARACTERS:
            continue
        reader = stances_chinese if is_chinese(sentence) else stances_english
        found += reader.read_stances(sentence, names)
    return found

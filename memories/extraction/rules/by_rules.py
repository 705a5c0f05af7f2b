"""Extraction without a model: rules find what users state about themselves and their world.

Only the user's own statements are learned: not quotations, questions, hypotheses, orders or reports about
others, and nothing that an assistant or a tool said. The rules cover English and Chinese.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memories.extraction.chinese import learn_chinese
from memories.extraction.english import learn_english
from memories.extraction.prose import own_prose
from memories.extraction.rules.assemble import assemble
from memories.extraction.rules.corrections import put_right
from memories.extraction.rules.reading import read
from memories.values import Candidate, Utterance


def extract_by_rules(utterances: Sequence[Utterance]) -> list[Candidate]:
    """Return the candidates in the utterances of role `user`, in order. Other roles are only context.

    Each candidate names one utterance as its source and has a confidence in [0.6, 0.9]; a correction has
    `metadata["correction"]`. The function never raises, and its time is linear in the length of the text.
    """
    learnt: list[Candidate] = []
    before: list[Utterance] = []
    for utterance in utterances:
        if utterance.role == "user":
            learnt.extend(_learn(utterance, learnt, before))
        before.append(utterance)
    return learnt


def _learn(utterance: Utterance, learnt: Sequence[Candidate], before: Sequence[Utterance]) -> list[Candidate]:
    prose = own_prose(utterance.content)
    found: dict[str, Candidate] = {}
    for clause in read(prose):
        finding = learn_chinese(clause) if clause.chinese else learn_english(clause)
        candidate = None
        if finding:
            finding = replace(finding, asked=clause.asked, correction=clause.correction)
            candidate = assemble(finding, prose, utterance, chinese=clause.chinese)
        else:
            candidate = put_right(clause, [*learnt, *found.values()], before, utterance)
        if candidate:
            found.pop(candidate.content, None)
            found[candidate.content] = candidate
    return list(found.values())

"""Extraction without a model: rules find what users state about themselves and their world.

Only the user's own statements are learned: not quotations, questions, hypotheses, orders or reports about
others, and nothing that an assistant or a tool said. The rules cover English and Chinese.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memories.extraction.chinese import find_chinese_statement
from memories.extraction.english import find_english_statement
from memories.extraction.prose import extract_own_prose
from memories.extraction.rules.assemble import build_candidate
from memories.extraction.rules.clause_reader import read_clauses
from memories.extraction.rules.corrections import find_correction
from memories.values import Candidate, Utterance
from memsite.values import MessageRole


def extract_by_rules(utterances: Sequence[Utterance]) -> list[Candidate]:
    """Return the candidates in the utterances of role `user`, in order. Other roles are only context.

    Each candidate names one utterance as its source and has a confidence in [0.6, 0.9]; a correction has
    `metadata["correction"]`. The function never raises, and its time is linear in the length of the text.
    """
    learnt: list[Candidate] = []
    before: list[Utterance] = []
    for utterance in utterances:
        if utterance.role == MessageRole.USER:
            learnt.extend(_learn(utterance, learnt, before))
        before.append(utterance)
    return learnt


def _learn(utterance: Utterance, learnt: Sequence[Candidate], before: Sequence[Utterance]) -> list[Candidate]:
    prose = extract_own_prose(utterance.content)
    found: dict[str, Candidate] = {}
    for clause in read_clauses(prose):
        finding = find_chinese_statement(clause) if clause.chinese else find_english_statement(clause)
        candidate = None
        if finding:
            finding = replace(finding, requested=clause.requested, correction=clause.correction)
            candidate = build_candidate(finding, prose, utterance, chinese=clause.chinese)
        else:
            candidate = find_correction(clause, [*learnt, *found.values()], before, utterance)
        if candidate:
            found.pop(candidate.content, None)
            found[candidate.content] = candidate
    return list(found.values())

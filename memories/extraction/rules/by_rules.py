"""Learning without a model: what a person stated about themselves and their world, found by rules.

Only the person's own statements are learnt: not what they quote, ask, suppose, order or report of others, and
nothing that an assistant or a tool said. English and Chinese.
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
    """What the `user` utterances tell, in the order it was said; other roles are context and never learnt.

    Each candidate names the one utterance it was learnt from; confidence lies in [0.6, 0.9]; a correction has
    `metadata["correction"]`. Nothing is raised, whatever the text; the time taken is linear in its length.
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

"""Extraction without a model: rules find what users state about themselves and their world.

Only the user's own statements are learned: not quotations, questions, hypotheses, orders or reports about
others, and nothing that an assistant or a tool said. The rules cover English and Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memories.extraction.chinese import find_chinese_statement
from memories.extraction.english import find_english_statement
from memories.extraction.prose import Clause, ExtractedStatement, Frame, Prose, extract_own_prose, is_chinese
from memories.extraction.rules.assemble import build_candidate
from memories.extraction.rules.clause_reader import Sentence, list_own_sentences
from memories.extraction.rules.corrections import find_correction, find_restatement, restates
from memories.extraction.rules.enumerations import split_enumeration
from memories.extraction.rules.unstated import is_small_talk
from memories.extraction.talk import (
    QUOTATION_MARKS,
    find_aside,
    find_listed,
    find_mention,
    find_opinion,
    find_remark,
    find_role,
    quote_remark,
)
from memories.values import Candidate, Utterance
from memsite.values import MessageRole


def extract_by_rules(utterances: Sequence[Utterance], *, vague: bool = False) -> list[Candidate]:
    """Return the candidates in the utterances of role `user`, in order. Other roles are only context.

    With `vague`, a statement that no rule reads is quoted in a candidate with `only_changes`: "Dropped it for
    good" may end something that is known, and `keep_lasting` may keep it for itself.

    Each candidate names one utterance as its source and has a confidence in [0.6, 0.9]; a correction has
    `metadata["correction"]`. The function never raises, and its time is linear in the length of the text.
    """
    learnt: list[Candidate] = []
    before: list[Utterance] = []
    for utterance in utterances:
        if utterance.role == MessageRole.USER:
            found = _learn(utterance, learnt, before)
            learnt.extend(one for one in found if vague or not one.only_changes)
        before.append(utterance)
    return learnt


def _learn(utterance: Utterance, learnt: Sequence[Candidate], before: Sequence[Utterance]) -> list[Candidate]:
    prose = extract_own_prose(utterance.content)
    found: dict[str, Candidate] = {}
    listed = _find_lists(prose)
    if listed:
        built = (build_candidate(one, prose, utterance, chinese=is_chinese(one.content)) for one in listed)
        return [candidate for candidate in built if candidate]
    for sentence in list_own_sentences(prose):
        for candidate in _read_sentence(sentence, prose, utterance, [*learnt, *found.values()], before):
            found.pop(candidate.content, None)
            found[candidate.content] = candidate
    return list(found.values())


def _find_lists(prose: Prose) -> list[ExtractedStatement]:
    """Return the lists of a message that has nothing else: one a line, or a heading with its items below."""
    lines = [line.strip() for line in prose.lines if line.strip()]
    if len(lines) > 1 and lines[0].endswith((":", "：")) and all(map(_ITEM.match, lines[1:])):
        items = "; ".join(_ITEM.sub("", line, count=1) for line in lines[1:])
        lines = [f"{lines[0]} {items}"]
    found = [find_listed(line) for line in lines]
    return [one for one in found if one] if all(found) else []


def _read_sentence(
    sentence: Sentence,
    prose: Prose,
    utterance: Utterance,
    learnt: Sequence[Candidate],
    before: Sequence[Utterance],
) -> list[Candidate]:
    """Return the statements that rules find in the clauses of a sentence, or else those made in passing."""
    if all(clause.frame in _OPEN for clause in sentence.clauses):
        listed = find_listed(sentence.text)
        if listed:
            candidate = build_candidate(listed, prose, utterance, chinese=sentence.chinese)
            return [candidate] if candidate else []
    if restates(sentence.text) and Frame.QUESTION not in {clause.frame for clause in sentence.clauses}:
        return _read_restatement(sentence, prose, utterance, learnt)
    stated = all(clause.frame is Frame.STATEMENT for clause in sentence.clauses)
    # "Our kid's turned ten, he's in the choir": only the first clause says whom the second is about.
    same = len(sentence.clauses) > 1 and _OF_SAME.match(sentence.clauses[-1].text)
    whole = find_remark(sentence.text) if stated and same else None
    candidate = build_candidate(whole, prose, utterance, chinese=sentence.chinese) if whole else None
    if candidate:
        return [candidate]
    found: list[Candidate] = []
    for clause in sentence.clauses:
        found += _read_clause(clause, prose, utterance, [*learnt, *found], before)
    found = [_quote_correction(one, sentence, prose, utterance) for one in found]
    quoted = [one for one in found if _is_quotation(one)]
    # A Chinese clause alone may seem to be about somebody else, because its subject is in the one before.
    if stated and len(sentence.clauses) > 1 and quoted and (sentence.chinese or quoted == found):
        remark = quote_remark(sentence.text)
        candidate = build_candidate(remark, prose, utterance, chinese=sentence.chinese) if remark else None
        others = [one for one in found if one not in quoted]
        return [*others, replace(candidate, kind=quoted[0].kind)] if candidate else found
    frames = {clause.frame for clause in sentence.clauses}
    if found or Frame.QUOTATION in frames or Frame.REPORTED in frames or Frame.HYPOTHETICAL in frames:
        return found
    aside = find_remark(sentence.text) if frames == {Frame.STATEMENT} else None
    aside = aside or _find_aside(sentence)
    statement = aside or _quote_statements(sentence)
    candidate = build_candidate(statement, prose, utterance, chinese=sentence.chinese) if statement else None
    return [replace(candidate, only_changes=aside is None)] if candidate else []


def _find_aside(sentence: Sentence) -> ExtractedStatement | None:
    """Return what a sentence tells in passing. Its questions are not quoted."""
    questions = [clause.text for clause in sentence.clauses if clause.frame is Frame.QUESTION]
    if not questions:
        return find_aside(sentence.text)
    others = _join_clauses(sentence, without=Frame.QUESTION)
    found = find_role(others or questions[0]) or (find_aside(others) if others else None)
    return found or next(filter(None, map(find_mention, questions)), None)


def _join_clauses(sentence: Sentence, *, without: Frame) -> str:
    """Return the words of the clauses of a sentence, without those of one frame."""
    texts = [
        f"{clause.prefix}, {clause.text}" if clause.prefix else clause.text
        for clause in sentence.clauses
        if clause.frame is not without
    ]
    return ("，" if sentence.chinese else ", ").join(texts)


def _quote_statements(sentence: Sentence) -> ExtractedStatement | None:
    """Return the words of a sentence without its questions and requests; None if only quotations are left."""
    stated = [clause.text for clause in sentence.clauses if clause.frame is Frame.STATEMENT]
    comma = "，" if sentence.chinese else ", "
    words = sentence.text if len(stated) == len(sentence.clauses) else comma.join(stated)
    return quote_remark(words) if re.search(r"\w", words) and not is_small_talk(words) else None


def _read_restatement(
    sentence: Sentence, prose: Prose, utterance: Utterance, learnt: Sequence[Candidate]
) -> list[Candidate]:
    """Return what the sentence corrects in this conversation, else its words, which may correct a memory."""
    corrected = find_restatement(sentence.text, learnt, utterance)
    quoted = None if corrected else quote_remark(sentence.text)
    built = build_candidate(quoted, prose, utterance, chinese=sentence.chinese) if quoted else None
    return [corrected] if corrected else [replace(built, only_changes=True)] if built else []


def _quote_correction(
    candidate: Candidate, sentence: Sentence, prose: Prose, utterance: Utterance
) -> Candidate:
    """Return the quotation of a correction with the words that make it one, and nothing but these.

    "Sorry, I got the wrong bus" begins like a correction; its words show whether it corrects a memory.
    """
    if not (_is_quotation(candidate) and candidate.metadata.get("correction")):
        return candidate
    quoted = quote_remark(sentence.text)
    built = build_candidate(quoted, prose, utterance, chinese=sentence.chinese) if quoted else None
    return built or candidate


def _name_subject(clause: Clause, learnt: Sequence[Candidate], utterance: Utterance) -> str:
    """Return the words of a clause with its adverbial, and with the relative that the clause before names.

    They show whether it is a remark. Of a Chinese sentence of statements, the whole sentence is quoted then.
    """
    if not clause.chinese or clause.subject in _OWN_SUBJECTS or clause.text.startswith(("我", "咱", "俺")):
        return f"{clause.prefix}, {clause.text}" if clause.prefix else clause.text
    owner = f"用户的{_MINE_ZH.sub('', clause.subject)}"
    named = (
        one.object
        for one in learnt
        if one.subject == owner and one.predicate == "named" and utterance.reference in one.sources
    )
    return f"{clause.subject}{next(named, '')}{clause.text.removeprefix(clause.subject.lstrip('我'))}"


def _is_quotation(candidate: Candidate) -> bool:
    return candidate.content.startswith(QUOTATION_MARKS)


def _read_clause(
    clause: Clause,
    prose: Prose,
    utterance: Utterance,
    learnt: Sequence[Candidate],
    before: Sequence[Utterance],
) -> list[Candidate]:
    """Return what a clause states: one statement, or one for each thing that it enumerates."""
    finding = find_chinese_statement(clause) if clause.chinese else find_english_statement(clause)
    if finding is None:
        corrected = find_correction(clause, learnt, before, utterance)
        if corrected or clause.frame is not Frame.STATEMENT or clause.subject == "-":
            return [corrected] if corrected else []
        remark = _name_subject(clause, learnt, utterance)
        finding = find_opinion(remark) or find_remark(remark)
    if finding is None:
        return []
    finding = replace(finding, requested=clause.requested, correction=clause.correction)
    built = (
        build_candidate(one, prose, utterance, chinese=clause.chinese)
        for one in split_enumeration(finding, chinese=clause.chinese)
    )
    return [candidate for candidate in built if candidate]


#: Words that say that a relative or a thing is the speaker's: "my", "our home's".
_MINE_ZH: Final = re.compile(r"^(?:[我咱俺]们?家?)的?")
#: What the subject of a Chinese clause is if it is about its speaker.
_OWN_SUBJECTS: Final = frozenset({"", "-", "我", "我们"})
_ITEM: Final = re.compile(r"(?:[-*•·–]|\d{1,2}[.)、]|[①-⑳])\s*(?=\S)")
_OF_SAME: Final = re.compile(
    r"(?:he|she|they)(?:'s|'re| )|(?:his|her|their) (?:name|birthday)(?:'s| is)", re.IGNORECASE
)
_OPEN: Final = frozenset({Frame.STATEMENT, Frame.COMMAND})

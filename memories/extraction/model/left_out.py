"""Find what exact rules read in a window and a model left out. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from memories.extraction.model.by_model import ModelProposal
from memories.extraction.model.user_statements import list_terms
from memories.extraction.prose import extract_own_prose
from memories.extraction.rules import asks_to_remember, extract_by_rules, is_in_role_play
from memories.extraction.windows import ExtractionWindow, WindowPart
from memories.text import STOP_WORDS, has_same_wording, make_slot, normalise
from memories.values import Candidate, Utterance
from memsite.values import MessageRole

#: Rules that quote, or read a verb that they do not know, are less sure than this.
_EXACT: Final = 0.7
#: A text says a statement without a triple if it has this share of its terms.
_SHARE: Final = 0.6
#: What must be the same of the value of a slot with one value: "Porto" of "Porto by the river".
_BEGIN: Final = re.compile(r"[\u4e00-\u9fff]{2}|\w+")
#: What makes an object more exact: "dark themes in their editor".
_DETAIL: Final = re.compile(
    r"(?<=\w) (?:in|on|at|for|with|from|when|while|because|since|during) ", re.IGNORECASE
)
#: Characters. The rules read a whole message for each of its windows, but no longer one.
_MOST_READ: Final = 4_000


def list_left_out(window: ExtractionWindow, proposal: ModelProposal) -> list[Candidate]:
    """Return what rules find in the user's messages and the answer of a model does not have.

    Of a message that asks to remember and that the answer does not cite, this is everything; of others, what
    rules are sure of. What the model says in other words stands, and is not doubled. What it refused to store
    does not come back. Nothing is taken from a message in which the user plays a role since an earlier one.
    """
    parts = _list_earnest(window)
    requested = {key for key, part in parts.items() if _is_ignored_request(part, proposal)}
    read = [_shorten(part.utterance, whole=part.utterance.reference in requested) for part in window.parts]
    found = extract_by_rules([*window.earlier, *read]) if parts else []
    return [
        candidate
        for candidate in found
        for key in candidate.sources
        if key in parts
        and (key in requested or _is_sure(candidate, parts[key]))
        and not any(_says(text, candidate) for text in proposal.refused)
        and not any(_is_same(one, candidate, parts[key]) for one in proposal.candidates)
    ]


def _list_earnest(window: ExtractionWindow) -> dict[str, WindowPart]:
    """Return the parts of the user's messages in which they do not play a role, by reference."""
    plays = False
    for one in window.earlier:
        if one.role == MessageRole.USER:
            plays = is_in_role_play(extract_own_prose(one.content[:_MOST_READ]), before=plays)
    parts: dict[str, WindowPart] = {}
    for part in window.parts:
        if part.utterance.role != MessageRole.USER:
            continue
        plays = is_in_role_play(extract_own_prose(part.text), before=plays)
        if not plays:
            parts[part.utterance.reference] = part
    return parts


def _is_ignored_request(part: WindowPart, proposal: ModelProposal) -> bool:
    ignored = part.utterance.reference not in proposal.spoken_for
    return ignored and asks_to_remember(extract_own_prose(part.rest))


def _shorten(utterance: Utterance, *, whole: bool) -> Utterance:
    """Return the message without its text if it is too long to be read again for each window."""
    is_read = whole or utterance.role != MessageRole.USER or len(utterance.content) <= _MOST_READ
    return utterance if is_read else replace(utterance, content="")


def _is_sure(candidate: Candidate, part: WindowPart) -> bool:
    """Return whether rules are sure of a statement, and it is in this part of its message."""
    is_whole = part.start == 0 and part.end is None
    is_in_part = bool(candidate.object) and candidate.object.casefold() in part.text.casefold()
    return (candidate.confidence or 0) >= _EXACT and (is_whole or is_in_part)


def _is_same(proposed: Candidate, candidate: Candidate, part: WindowPart) -> bool:
    """Return whether a model's candidate says what rules found in a message."""
    if has_same_wording(proposed.content, candidate.content):
        return True
    ours = make_slot(candidate.subject, candidate.predicate, candidate.object)
    theirs = make_slot(proposed.subject, proposed.predicate, proposed.object)
    is_cited = part.utterance.reference in proposed.sources
    if ours is not None and theirs is not None and ours.key == theirs.key:
        longer = ours.value.startswith(theirs.value) or theirs.value.startswith(ours.value)
        return ours.agrees(theirs) or (is_cited and longer)
    if not is_cited:
        return False
    # One place of a message may say two things: "I live in Berlin and work in Berlin" names it twice.
    once = normalise(part.utterance.content).count(normalise(candidate.object)) <= 1
    if ours is not None and (ours.single or candidate.single_valued) and theirs is None:
        begin = _BEGIN.match(normalise(candidate.object))
        return begin is not None and begin.group() in normalise(proposed.content)
    return (once or theirs is None) and _says(proposed.content, candidate)


def _says(text: str, candidate: Candidate) -> bool:
    """Return whether a text names the object of a statement, or has most words of one without a triple."""
    if candidate.object:
        return normalise(_DETAIL.split(candidate.object)[0]) in normalise(text)
    terms = _list_words(candidate.content)
    return bool(terms) and len(terms & _list_words(text)) >= _SHARE * len(terms)


def _list_words(text: str) -> set[str]:
    return set(list_terms(text)) - STOP_WORDS - {"user", "用", "户", "用户"}

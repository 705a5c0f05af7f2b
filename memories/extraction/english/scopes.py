"""English sentences that affect their neighbours, such as the announcement of a text or a correction."""

from __future__ import annotations

import re
from typing import Final

from memories.extraction.english.grammar import admits_error, asks_to_remember
from memories.extraction.prose import Scope

_TEXT: Final = (
    r"(?:sentences?|texts?|paragraphs?|e-?mails?|messages?|letters?|passages?|statements?|quotes?|notes?"
    r"|essays?|bios?|reviews?"
    r"|comments?|grammar|english|writing|articles?|posts?|tweets?|transcripts?|conversations?|chats?"
    r"|dialogues?|resumes?|cvs?"
    r"|cover letters?|speech|caption|abstracts?|summary|translation|phrases?|words?|lyrics|excerpts?"
    r"|snippets?|following|below"
    r"|descriptions?|about me section|profile|introduction)"
)
_LANGUAGE_WORK: Final = (
    r"(?:translate|re-?write|re-?phrase|paraphrase|proof-?read|summari[sz]e|polish|shorten|transcribe"
    r"|spell-?check|reword)"
)
_TEXT_WORK: Final = (
    r"(?:edit|correct|fix|improve|check|classify|analy[sz]e|reply to|respond to|simplify|format|convert"
    r"|extract|parse|grade"
    r"|review|explain|comment on|rate|label|continue|complete|finish|answer|read|look at|consider|convert)"
)
_ORDERED: Final = r"(?:^|[,.]\s*|\b(?:please|pls|to|you|me|and|then|now|just)\s+)"
_PAYLOAD = re.compile(
    rf"{_ORDERED}(?:{_LANGUAGE_WORK}\b|{_TEXT_WORK}\s+(?:\w+\s+){{0,4}}?{_TEXT}\b)"
    r"|\b(?:here(?:'s| is| are)|below is|this is|following is|got|received|found|saw|read"
    rf"|wrote)\b.{{0,60}}\b{_TEXT}\b.{{0,60}}[:：]\s*$"
    r"|\b(?:says?|said|wrote|writes|reads|read|goes|replied|posted|asked|states?|told me"
    r"|sent me)\b[^:]{0,40}[:：]\s*$"
    r"|\bhow (?:do|would|can|should) (?:I|you|we) (?:say|write|translate|phrase)\b"
    r"|\bwhat does .{1,80} mean\b",
    re.IGNORECASE,
)
_ABOVE = re.compile(
    rf"{_LANGUAGE_WORK} (?:this|that|it|the above|what I (?:just )?(?:said|wrote))(?: (?:in)?to \w+| for me"
    r"| please| in \w+)*\W*$"
    rf"|\b(?:the |this |that |my )(?:above|previous|preceding)(?: {_TEXT})?\b|\b{_TEXT} above\b"
    rf"|\babove {_TEXT}\b"
    rf"|\b(?:is|was) (?:this|that|my|the) {_TEXT} (?:correct|right|ok|okay|grammatical|natural|good)\b"
    r"|\bdoes (?:this|that|it) (?:sound|read|look) \w+|\b(?:correct|check|fix) my (?:english|grammar"
    rf"|spelling|{_TEXT})\b"
    r"|\bgrammatically correct\b",
    re.IGNORECASE,
)
_MADE_UP: Final = (
    r"(?:stor(?:y|ies)|poems?|poetry|haikus?|sonnets?|limericks?|songs?|lyrics|raps?|scripts? for a (?:film"
    r"|play|scene)|scenes?"
    r"|dialogues?|monologues?|novels?|fairy ?tales?|fables?|tales?|jokes?|fan ?fic(?:tion)?|screenplays?"
    r"|skits?"
    r"|diary entry|backstory|chapters?|fiction|parod(?:y|ies)|ballads?|verses?|plays?)"
)
_FICTION = re.compile(
    r"(?:^|\b(?:please|you|to|and|me)\s+)(?:write|tell|compose|create|make up|generate|draft|give|invent"
    rf"|continue)\b.{{0,60}}\b{_MADE_UP}\b"
    r"|\brole[- ]?play|\b(?:pretend|act as|act like|play the (?:role|part)|imagine|suppose|supposing|assume"
    r"|assuming"
    r"|hypothetically|for the sake of argument)\b(?! so\b)|\blet(?:'s| us) (?:say|imagine|pretend|assume"
    r"|play)\b"
    r"|^dear diary\b|^(?:you are|you're|you will be|you'll be|from now on,? you are) (?:now )?(?:a|an|the"
    r"|my)\b"
    r"|\bin this (?:scenario|story|game|scene|role|fiction|example)\b|\b(?:stay|be|speak) in character\b"
    r"|\bwhat if\b"
    r"|\b(?:example|sample|test|dummy|placeholder) (?:input|sentence|text|data|conversation|message"
    r"|profile)s?\b",
    re.IGNORECASE,
)
_NOT_FICTION = re.compile(
    r"\b(?:I|we)\s+(?:\w+\s+)?(?:can't imagine|assume|imagine|suppose)\b"
    r"|\bI'm (?:writing|working)",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"(?:ok,? |okay,? |and |but )?(?:by the way|btw|in real(?:ity| life)|irl|for real|seriously"
    r"|out of character|ooc|unrelated"
    r"|on another note|on a different note|side note|as for me|real me|now about me|about the real me)\b",
    re.IGNORECASE,
)
_TAKE_BACK = re.compile(
    r"(?:(?:lol|haha+),? )?(?:just kidding|jk|j/k|kidding|only joking|just joking|joking|not really|not!?"
    r"|(?:I'm )?(?:just )?kidding"
    r"|I'm (?:only |just )?joking|that was a joke|sarcasm|/s|as if|yeah,? right|never ?mind|forget (?:it"
    r"|that|what I (?:just )?said)"
    r"|ignore (?:that|what I (?:just )?said)|scratch that|wait,? no)\W*(?:lol|haha+)?\W*",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"(?:(?:no|nope|wait|sorry|hmm|oops)[,.!]*\s*)*(?:no|nope|wait|sorry|oops|correction|that(?:'s| is"
    r"| was) (?:not (?:right|correct|true)"
    r"|wrong|incorrect|outdated|a mistake)|that isn't (?:right|correct)|(?:I )?(?:made a mistake|misspoke"
    r"|was wrong|was mistaken)"
    r"|you(?:'re| are) (?:wrong|mistaken)|you got (?:that|it|this|me) wrong|my (?:mistake|bad)"
    r"|small correction|let me correct"
    r" (?:that|myself|you)|you misunderstood(?: me)?|not (?:quite|exactly|anymore|any more|true))\W*",
    re.IGNORECASE,
)


_ROLE_PLAY = re.compile(
    r"\brole[- ]?play|\b(?:let's|let us|we|I'll|I will|you) (?:both )?pretend\b|^(?:please )?pretend\b"
    r"|\blet's play (?:a game|make-believe|house|characters|as\b|dungeons)"
    r"|\b(?:act|speak|talk|answer|reply) (?:as|like) (?:if|though|an?|the|my)\b"
    r"|\bplay (?:as an?|the (?:role|part|character)|a character)\b|\bin character\b"
    r"|^(?:from now on,? )?you(?:'re| are| will be|'ll be) (?:now )?(?:an?|the|my)\b",
    re.IGNORECASE,
)
_ROLE_PLAY_OVER = re.compile(
    r"\b(?:stop|end|quit|exit|leave|finish|enough|done with)\b.{0,20}"
    r"\b(?:role[- ]?play|game|scene|story|character|pretend|act)"
    r"|\b(?:role[- ]?play|game|scene|story) (?:is |'s )?over\b|\bback to (?:reality|normal)\b",
    re.IGNORECASE,
)
_WHOLE: Final = ((_TAKE_BACK, Scope.TAKE_BACK), (_WRONG, Scope.CORRECTION))


def find_english_scope(sentence: str) -> Scope | None:
    """Return the effect of a sentence on its neighbours; None for most sentences."""
    if asks_to_remember(sentence):
        return Scope.REQUESTED
    for pattern, scope in _WHOLE:
        if pattern.fullmatch(sentence):
            return scope
    if admits_error(sentence):
        return Scope.CORRECTION
    return Scope.SELF if _SELF.match(sentence) else _scope_of_texts(sentence)


def turns_role_play(sentence: str) -> bool | None:
    """Return whether a sentence begins role play (True) or ends it (False); None for most sentences."""
    if _ROLE_PLAY_OVER.search(sentence) or _SELF.match(sentence):
        return False
    return True if _ROLE_PLAY.search(sentence) else None


def _scope_of_texts(sentence: str) -> Scope | None:
    if _ABOVE.search(sentence):
        return Scope.WORK_ON_ABOVE
    if _PAYLOAD.search(sentence):
        return Scope.PAYLOAD
    made_up = _FICTION.search(sentence) and not _NOT_FICTION.search(sentence)
    return Scope.FICTION if made_up else None

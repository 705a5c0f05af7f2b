"""Split an English sentence into clauses, each with its frame."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from memories.extraction.english.grammar import (
    Lead,
    Piece,
    lexicon,
    normalise_clause,
    split_english,
    strip_lead,
)
from memories.extraction.prose import Clause, Frame

_HYPOTHETICAL = re.compile(
    r"(?:if|unless|suppose|supposing|imagine|imagining|assume|assuming|let's (?:say|assume|pretend|imagine)"
    r"|say I|what if"
    r"|were I|had I|in case|even if|only if|hypothetically|theoretically|in theory|pretend|maybe|perhaps"
    r"|possibly"
    r"|(?:I|we) wish|as if|as though|in (?:a parallel|another) \w+|in my dreams?|in my (?:next|past"
    r"|other) life|whether"
    r"|when (?:I|we) (?:retire|grow up|win|get rich|am old|'m (?:old|rich))|provided|for (?:example"
    r"|instance)|e\.g|should I ever|I doubt|not that I"
    r"|it's not that|(?:the )?chances are|ideally|if only|in my (?:novel|story|book|game|script|screenplay"
    r"|fantasy)"
    r"|my (?:\w+ )?(?:character|protagonist|narrator|avatar|persona|oc)\b)\b",
    re.IGNORECASE,
)
_TRAILING_IF = re.compile(
    r"\bif (?:I|we|you|he|she|they|only)\b|\bas (?:if|though) (?:I|we)\b|\bin (?:another|my next) life\b"
    r"|\bin my dreams\b"
    r"|\bin (?:the|this|my) (?:game|story|novel|movie|film|simulation|dream|role-?play|campaign|scenario)\b",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"(?!(?:I|we)\b|[\w.+#-]+ (?:doesn't|does not|needs|requires|only supports|can't|cannot)\b)"
    rf"(?:according to\b|(?:[\w'.-]+,?\s+){{1,5}}?(?:{lexicon.SPEECH})\b(?! to\b.*\bI\b$))",
    re.IGNORECASE,
)
_OWN_REPORT = re.compile(
    r"(?:I|we)\s+(?:(?:just|once|already|never|always|even)\s+)*(?:told|said|wrote|asked|replied|lied|joked"
    r"|pretended|dreamt|dreamed"
    r"|heard|read that|was told|quoted?|thought|assumed|imagined|guessed|claimed|typed|put)\b",
    re.IGNORECASE,
)
#: "…, according to the vendor"; "the leaflet begins with" before a masked quotation.
_HANDED_ON = re.compile(
    r",\s*according to\b|\b(?:starts?|begins?|ends?|opens?|reads?|goes|printed|displays?|shows?)"
    r"(?: with| by)?[:,]? ?[\U000f0000-\U000ffffd]",
    re.IGNORECASE,
)
_TRAILING_REPORT = re.compile(
    rf"(?:(?:he|she|they|[\w-]+|(?:my|the|our) [\w-]+(?: [\w-]+)?)\s+(?:{lexicon.SPEECH})"
    rf"|(?:said|says|wrote|writes|quoth) .{{1,40}}|according to .{{1,40}})\W*",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"(?!had (?:my|our)\b[^?]*$)"
    r"(?:(?:do|does|did|am|is|are|was|were|can|could|should|shall|would|will|have|has|had|may|might|must"
    r"|isn't|aren't"
    r"|don't|doesn't|didn't|can't|won't|shouldn't|wouldn't|haven't|hasn't)\s+"
    r"(?:I|you|we|he|she|they|it|my|our|your|the|this|that|these|those|there|anyone|anybody|someone|people)\b"
    r"|(?:what|which|who|whom|whose|where|why|how)(?:'?s|'re|'d)?\b"
    r"|(?:is|was) (?-i:[A-Z])[\w-]+ (?:my|our)\b|when (?:do|does|did|is|are|was|will|can"
    r"|should|would)\b"
    r"|any(?:one|body|thing)?\b|thoughts\b|guess (?:what|who|where|how)\b|wanna\b|want me\b|ok(?:ay)? if\b)",
    re.IGNORECASE,
)
#: "I wonder what …", "tell me my …": asked without a question's order of words. "How to" tells of a wish.
_INDIRECT_QUESTION = re.compile(
    r"(?:please )?(?:(?:tell|remind|show|give) me(?: again)?(?: please)?,? (?:what|who|whom|whose|where"
    r"|when|which|why|how|whether|if|about my|the name of my|my|our)\b(?! to\b)"
    r"|(?:I|we)(?:'m| am|'re| are| was| were|'ve(?: been)?| have(?: been)?|'d| would)?"
    r" (?:(?:just|also|really|still|only) )?(?:wonder(?:ing)?|curious"
    r"|(?:want|need|like|love|trying) to (?:know|find out)|forgot|forget|forgotten"
    r"|(?:can't|cannot|couldn't|don't|didn't) (?:remember|recall|know)|not sure|unsure|have no idea)"
    r"(?: again| about)? (?:what|who|whom|whose|where|when|which|why|how|whether|if)\b(?! to\b))",
    re.IGNORECASE,
)
#: "I live where", "my name is what"; "my dog's name" and nothing else.
_QUESTION_AT_END = re.compile(
    r"(?:I|we|my|our)\b.{1,60}\b(?:is|are|am|was|were|live|work|called|named|born|from|like|have|study|go)"
    r" (?:what|where|who|when|how old|how many)\W*$"
    r"|(?:the )?(?:name|age|birthday|address|number|job) of (?:my|our) [\w' -]{1,30}$"
    r"|(?:my|our) [\w -]{1,30}'s? (?:name|age|birthday|address|number|job)\W*$",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"(?:right|correct|true|yes|no|yeah|huh|eh|innit|you know|remember|okay|ok|or not|or something"
    r"|(?:do|does|did|am|is|are|was|were|have|has|can|could|will|would|should)(?:n't)? (?:I|it|we|that|they"
    r"|he|she))\W*",
    re.IGNORECASE,
)
_TAG_INSIDE = re.compile(
    r",\s*(?:right|correct|yes|no|yeah|huh|eh|innit|or not|(?:do|does|did|am|are|is|was|have)(?:n't)? (?:I"
    r"|we|it))\W*$"
    r"|\bor not\W*$",
    re.IGNORECASE,
)
_SARCASM = re.compile(
    r"(?:oh|wow|yeah|sure|great|ah|gee|well),? (?:great|sure|yeah|right|joy|wonderful|yes|fantastic|perfect"
    r"|brilliant|lovely"
    r"|totally|of course|how)\b.*|yeah,? right\b.*|as if\b.*|sure,? because\b.*|because (?:obviously"
    r"|clearly|of course) I\b.*"
    r"|.*\bas an? (?:AI|(?:large )?language model|chatbot)\b.*"
    r"|.*(?:(?:^|\s)/s\b|🙄|🙃|\b(?:jk|j/k|just kidding|sarcasm)\b|\blike I (?:need|want) (?:a"
    r"|another) hole\b|\bnot!$)",
    re.IGNORECASE | re.DOTALL,
)
_ORDER: Final = re.compile(
    r"(?:(?:please|pls|plz|kindly|now|then|just|so|and)[, ]+)*(?:help|give|tell|show|write|find|explain"
    r"|make|create|generate|translate"
    r"|summari[sz]e|rewrite|draft|compose|list|suggest|recommend|describe|say|act|play|be|use|try|check|fix"
    r"|correct|compare"
    r"|calculate|convert|answer|reply|respond|ignore|forget|stop|imagine|continue|go|add|remove|change"
    r"|update|let"
    r"|let's|design|plan|build|teach|read|look|search|review|edit|proofread|paraphrase|polish|analy[sz]e"
    r"|classify|extract"
    r"|complete|fill|solve|pick|choose|think|come up|provide|repeat|sing|roleplay|pretend|consider|don't"
    r"|do not|send"
    r"|book|set|schedule|remind|order|buy|play|open|close|print|output|return|delete|prove|define|outline"
    r"|assume)\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"[^:：]{1,60}[:：]\s*(?:I|I'm|I've|my|we|our)\b"
    r"|(?!(?:I|we|my|our)\b)[^:：]{0,40}\b(?:begins?|began|reads?|says?|said|writes|wrote|goes|states?"
    r"|replied)\b"
    r"[^:：]{0,20}[:：]",
    re.IGNORECASE,
)
_OWN_LABEL = re.compile(
    r"(?:I|we|my|our)\b|.*\b(?:lessons?|takeaway|tip|note|rules?|learned|learnt|mistake|facts?|preferences?"
    r"|me|goals?|diet|work"
    r"|job|family|location|hobb(?:y|ies)|background|health|food|allerg(?:y|ies)|info|plans?|setup|stack"
    r"|tools?|skills?)\b",
    re.IGNORECASE,
)
_COUNTER_QUESTION = re.compile(r"(?:and |but )?(?:what|how) about\b|and you\b", re.IGNORECASE)
_ENDS_SCOPE_AT_COMMA = {Frame.COMMAND}


def split_english_clauses(
    sentence: str, *, requested: bool = False, correction: bool = False
) -> list[Clause]:
    """Return the clauses of one sentence.

    Args:
        sentence: The sentence, quotations masked.
        requested: Whether the sentence before asked to remember what follows.
        correction: Whether the sentence before announced a correction.
    """
    text = normalise_clause(sentence)
    opening = strip_lead(text)
    labelled = _LABELLED.match(opening.text) and not _OWN_LABEL.match(opening.text)
    if _SARCASM.match(text) or labelled:
        return [Clause(text, Frame.QUOTATION)]
    shared = Clause("", requested=requested or opening.requested, correction=correction or opening.correction)
    pieces = split_english(opening.text)
    leads = [replace(opening, text=pieces[0].text), *(strip_lead(piece.text) for piece in pieces[1:])]
    texts = [lead.prefix if _HYPOTHETICAL.match(lead.prefix) else lead.text for lead in leads]
    frames = _frames(texts, pieces, asking=text.endswith(("?", "？")))
    roles = [Clause(f"I'm {lead.role}") for lead in leads if lead.role]
    return roles + [_clause(lead, frame, shared) for lead, frame in zip(leads, frames, strict=True)]


def _clause(lead: Lead, frame: Frame, shared: Clause) -> Clause:
    return replace(
        shared,
        text=lead.text.strip(),
        frame=frame,
        prefix=lead.prefix,
        requested=shared.requested or lead.requested,
        correction=shared.correction or lead.correction,
    )


def _frames(texts: list[str], pieces: list[Piece], *, asking: bool) -> list[Frame]:
    frames: list[Frame] = []
    scope = Frame.STATEMENT
    for text, piece in zip(texts, pieces, strict=True):
        if piece.contrast or (piece.closed and scope in _ENDS_SCOPE_AT_COMMA):
            scope = Frame.STATEMENT
        own = _own_frame(text)
        if own in {Frame.HYPOTHETICAL, Frame.REPORTED, Frame.COMMAND}:
            scope = own
        frames.append(scope if own is Frame.STATEMENT else own)
    if _TRAILING_REPORT.fullmatch(texts[-1]) and len(texts) > 1:
        return [Frame.REPORTED] * len(frames)
    if _TAG_INSIDE.search(texts[-1]):
        frames[-1] = Frame.QUESTION
    return _mark_questions(frames, texts) if asking else frames


def _mark_questions(frames: list[Frame], texts: list[str]) -> list[Frame]:
    """Return the frames of a sentence that ends in a question mark.

    All statements become questions, unless only the last clause asks.
    """
    last = texts[-1]
    asks = _QUESTION.match(last) or _ORDER.match(last) or _COUNTER_QUESTION.match(last)
    if len(frames) == 1 or not asks or _TAG.fullmatch(last):
        return [Frame.QUESTION if frame is Frame.STATEMENT else frame for frame in frames]
    return [*frames[:-1], Frame.QUESTION]


def asks(text: str) -> bool:
    """Return whether a clause asks by its words, whatever mark it ends with."""
    patterns = (_QUESTION, _INDIRECT_QUESTION, _QUESTION_AT_END)
    return any(pattern.match(text) for pattern in patterns)


def _own_frame(text: str) -> Frame:
    if asks(text):
        return Frame.QUESTION
    if _HYPOTHETICAL.match(text) or _TRAILING_IF.search(text):
        return Frame.HYPOTHETICAL
    if _OWN_REPORT.match(text) or _REPORT.match(text) or _HANDED_ON.search(text):
        return Frame.REPORTED
    if _ORDER.match(text):
        return Frame.COMMAND
    return Frame.STATEMENT

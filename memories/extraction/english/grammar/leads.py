"""The openings of English clauses that carry no content: greetings, fillers, markers, adverbials."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

_END: Final = r"(?:\s*[,:;.!…–—-]+\s*|\s+)"
_OWN: Final = r"(?=(?:I|I'm|I've|I'd|I'll|my|we|we're|we've|our)\b)"

_FILLER = re.compile(
    r"(?:(?:hi|hello|hey|hiya|greetings|good (?:morning|afternoon|evening|day)|yo)"
    r"(?: (?:there|all|everyone|team|folks|guys|again|claude|chatgpt|assistant))?"
    r"|ok(?:ay)?|k|so|well|oh|ah|um+|uh+|hm+|yeah|yes|yep|yup|sure|right|anyway|also|and|but|plus|btw"
    r"|by the way|fyi"
    r"|tbh|imo|imho|honestly|frankly|personally|to be (?:honest|clear|fair|precise)|in fact|as (?:you know"
    r"|I said|mentioned)"
    r"|like I said|(?:just )?so you know|for (?:the record|context|what it's worth|your information"
    r"|background)|fwiw"
    r"|quick note|unfortunately|luckily|sadly|fortunately|thankfully|fun fact|p\.?s\.?|one more thing"
    r"|another thing"
    r"|first of all|firstly|secondly|finally|lastly|as for me|speaking of which|you know|you see|look"
    r"|listen|thanks"
    r"(?: a lot| so much)?|thank you(?: so much)?|great|cool|nice|awesome|perfect|got it|I see|good point"
    r"|basically"
    r"|(?:just )?to clarify|the thing is|the fact is|the truth is|truth is|long story short|in short"
    r"|in other words"
    r"|besides|moreover|furthermore|in addition|additionally|meanwhile|however|therefore|otherwise|lol"
    r"|haha+|ha"
    r"|on (?:another|a side|a related) note|side note|out of interest|in real life|irl|in reality|for real"
    r"|seriously"
    r"|about me|a bit about me|a little about me|some background|background|context|intro|introduction)"
    r"(?:\s*[,:;.!…–—-]+\s*|\s+(?=\S))"
    r"|(?:(?:a|some|my|one|quick|short|small|little|tiny|big|huge|good|bad|great|happy|sad|exciting"
    r"|other|more|latest|life|personal|family|health) ){0,3}"
    r"(?:news(?: ?flash)?|announcement|update|heads[- ]up|confession|plot twist|reminder|milestone)"
    r"(?: (?:from|on) (?:me|us|(?:my|our) (?:side|end))| for you| everyone| all| today)?"
    r"\s*(?:[,:;!…–—]+|\.+(?=\s)|-+(?=\s))\s*",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"(?:I (?:must|have to|should|gotta|forgot to|wanted to|want to|need to|would like to)(?: also)? "
    r"(?:say|admit|confess|mention|add|tell you|point out|clarify|note)|I'?ll (?:have you know|admit"
    r"|be honest)"
    r"|you should (?:also )?know|(?:I'd like|I want) you to know|let me (?:tell you|add|clarify|say)"
    r"|it's worth (?:noting|mentioning)"
    r"|(?:it )?turns out|it so happens|the reason is|it's just|it's because|I (?:told|already told) you)"
    r"(?:\s*[,:]\s*|\s+that\s+|\s+)" + _OWN,
    re.IGNORECASE,
)
_REASON = re.compile(
    r"(?:since|because|as|given(?: that)?|considering(?: that)?|seeing (?:as|that)|now that|even though"
    r"|although|though"
    r"|while|whereas|inasmuch as|being that)\s+" + _OWN,
    re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"(?:(?:no|nope|nah|not quite|not exactly|wait|hold on|oops|whoops|sorry|apologies|my (?:mistake|bad)"
    r"|scratch that"
    r"|correction|small correction|update|edit|actually|in actual fact|I (?:was wrong|misspoke|mistyped)"
    r"|that(?:'s| is| was) (?:not (?:right|correct|true|quite right|accurate)|wrong|incorrect|outdated|old"
    r"|a mistake|a typo)"
    r"|that isn't (?:right|correct|true)|you(?:'re| are) (?:wrong|mistaken)|you (?:got|have) (?:that|it"
    r"|this) wrong"
    r"|you misunderstood(?: me)?|to correct (?:myself|that|you)|let me correct (?:that|myself|you)"
    r"|I(?:'d| would| need to| have to| want to)? (?:like to )?correct (?:that|myself|you)"
    r"|on second thoughts?"
    r"|change of plans?|I(?:'ve| have)? changed my mind)(?:\s*[,:;.!…–—]+\s*|\s+-+\s+|\s+)|I (?:meant"
    r"|mean)(?: to say)?(?: that)?[,:]?\s+(?=(?:I|I'm|I've|my|we|our|it's|it)\b))",
    re.IGNORECASE,
)
#: Words of a person who corrects what they said: "I told you wrong", "I mixed up the dates".
_MISSTATED: Final = (
    r"(?:I(?:'ve| have)? (?:just |think I )?(?:told|gave|given|sent) you"
    r" (?:the |a |some )?(?:wrong|incorrect)"
    r"(?: [\w'-]+){0,4}"
    r"|I(?:'ve| have)? (?:got|had|said|wrote|put|typed|spelt|spelled) (?:that|it|this|something|them)"
    r" (?:all )?wrong(?: [\w'-]+){0,3}"
    r"|I(?:'ve| have)? (?:mixed|muddled|messed) (?:(?:that|it|this|them|things|the [\w'-]+) up"
    r"|up (?:my|the|our) [\w'-]+)(?: [\w'-]+){0,2}"
    r"|I(?: was| am|'m) (?:mistaken|wrong|confused)(?: [\w'-]+){0,2}"
    r"|I mis(?:spoke|typed|remembered|stated|wrote|read)(?: [\w'-]+){0,3}"
    r"|(?:scrap|strike|disregard|ignore|forget) what I (?:just )?(?:said|told you|wrote)(?: [\w'-]+){0,3}"
    r"|what I (?:said|told you|wrote)(?: [\w'-]+){0,3}? (?:was|is|wasn't|isn't)"
    r" (?:wrong|incorrect|(?:not )?(?:right|true|correct)))"
)
_MISSTATEMENT = re.compile(rf"{_MISSTATED}(?:\s*[,:;.!…–—]+\s*|\s+-+\s+)", re.IGNORECASE)
_ONLY_MISSTATEMENT = re.compile(
    rf"(?:(?:sorry|oops|wait|no|actually|apologies|ah|oh|hm+)[,.!]*\s*){{0,3}}{_MISSTATED}\W*", re.IGNORECASE
)
_BARE_NO = re.compile(r"(?:no|wait|sorry|update|edit|actually)\s+", re.IGNORECASE)
_AFTER_BARE_NO = re.compile(
    r"(?:no|wait|sorry|edit|update)\s+(?:I|I'm|I've|we|my|our|it's|it|actually|that)\b|actually\s",
    re.IGNORECASE,
)
_REQUEST_TO_REMEMBER = re.compile(
    r"(?:(?:please|pls|plz|also|just|and)[, ]+)*(?:(?:can|could|will|would) you (?:please )?|I(?:'d"
    r"| would) like you to "
    r"|I want you to |you (?:should|must|need to) |make sure (?:to|you) |be sure to |let's "
    r"|it(?:'s| is) (?:important|good|worth|useful|best) to )?"
    r"(?:(?:always )?(?:remember|recall)|don't (?:you )?(?:ever )?forget|do not forget|never forget"
    r"|(?:keep|bear)(?: this| it| these)? in mind|(?:please )?note(?! to self)"
    r"|(?:put|write|record|log|file)(?: this| it| these)? (?:in(?:to)?|to|on) (?:your|the|my) "
    r"(?:notes?|memory|list)"
    r"|(?:log|record) (?:this|it)(?=\s*[:,–—])"
    r"|make a (?:mental )?note(?: of)?|take (?:a )?note(?: of)?|note down|write (?:it |this )?down"
    r"|jot (?:it |this )?down"
    r"|save|store|memori[sz]e|put (?:it |this )?in (?:your )?memory"
    r"|add (?:it |this )?to (?:your |the )?(?:memory|notes)|commit (?:this |it )?to memory)"
    r"(?: this| it| these| for me| for later| for next time| for (?:the )?future(?: reference)?| (?:in"
    r"|to) (?:your )?memory"
    r"| the following| the fact| about me| things?| facts?)*"
    r"(?:\s*[:,–—]+\s*(?:that\s+)?|\s+that\s+|\s+-+\s+|\s+(?=(?:I|I'm|I've|my|we|our|to|never|always|not)\b))"
    r"|(?:for (?:your|future) reference|for next time|for your memory|note to self|important)\s*[:,–—]\s*"
    r"|(?:remember|don't forget)\s+(?=the (?!time|day|last|first|old)\w)",
    re.IGNORECASE,
)
_REQUESTS = re.compile(r"(?:please |and |also )*(?:can|could|will|would) you\b", re.IGNORECASE)
_REQUEST_ALONE = re.compile(
    r"(?:please )?(?:remember|don't forget|keep in mind|note|save|store|add|memori[sz]e|note down|keep|commit"
    r"|put|write|take note)(?: (?:this|these|the following|that|it|things?|facts?|about me|please|for me"
    r"|for later|for next time|in mind|(?:in|to) (?:your )?(?:memory|notes)|down|of))*+\s*[:.!]*$",
    re.IGNORECASE,
)
_WORDS_OF_TIME: Final = (
    r"(?:last|as of|in|since|on|at|every|each|yesterday|for|during|after|before|until|these|this|next|from|by"
    r"|most|two|three"
    r"|four|five|six|\d+|a (?:few|couple)|several|back in|earlier|at work|at home"
    r"|whether|currently|now|nowadays|lately|recently|today|right now|usually|normally|generally|typically"
    r"|sometimes"
    r"|often|always|these days|as a (?:kid|child|teenager|student)|growing up|with|without|over|through"
    r"|apart from"
    r"|like|unlike|despite|when it comes to|as for|regarding|instead of|to \w+|of all|weekdays|weekends"
    r"|mornings)"
)
# "After work I run" opens with an adverbial, "after I work" does not.
_BARE_PREPOSITION: Final = (
    r"(?:after|before|until|since|like|unlike|with|during|by|from|in|on|at|for|over|through|without"
    r"|to \w+)\s+"
    r"(?:I|we|my|our)\b"
)
_PREFIX = re.compile(
    r"(?P<prefix>(?:when|whenever|while|as soon as|once|until|after|before|since|every time"
    rf"|each time)\s[^,;:]{{3,70}}),\s+{_OWN}"
    r"|(?P<cause>(?:because of|due to|thanks to|given|with) (?:my|our|the|an?)\s[^,;:]{2,50}?),?\s+(?=(?:I"
    r"|we)(?:\s|'))"
    rf"|(?P<phrase>(?!{_BARE_PREPOSITION}){_WORDS_OF_TIME}\b(?:(?!\b(?:is|are|was|were|has|that|which|who"
    r"|what|says?|said|thinks?|thought|tells?|told|claims?|wrote|means"
    rf"|shows?)\b)[^,;:]){{0,70}}?),?\s+{_OWN}",
    re.IGNORECASE,
)
_ROLE = re.compile(r"(?:speaking )?as (?P<role>an? [^,]{3,60}|the [^,]{3,60}),\s*" + _OWN, re.IGNORECASE)
_NO_ROLE = re.compile(
    r"an? (?:result|side|test|joke|rule|start|follow|reminder|whole|first|example|matter|last|bonus|quick"
    r"|workaround|user"
    r"|way|AI\b.*|assistant|language model|large language|chatbot|consequence|general|note|favou?r|treat"
    r"|gift|kid|child|teen|student back)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Lead:
    """A clause without its openings.

    Attributes:
        text: The rest of the clause.
        prefix: An adverbial to keep.
        role: "a nurse" in "As a nurse, I …".
        correction: Whether an opening announces a correction.
        requested: Whether an opening asks to remember the clause.
    """

    text: str
    prefix: str = ""
    role: str = ""
    correction: bool = False
    requested: bool = False


def strip_lead(text: str) -> Lead:
    """Remove openings from a clause, at most eight of them."""
    lead = Lead(text)
    for _ in range(8):
        shorter = _once(lead)
        if shorter is None:
            break
        lead = shorter
    return lead


def asks_to_remember(text: str) -> bool:
    """Return whether the sentence only announces what to remember ("Remember this:")."""
    return _REQUEST_ALONE.fullmatch(text.strip()) is not None


def admits_error(text: str) -> bool:
    """Return whether the sentence says only that what its speaker said before was wrong."""
    return _ONLY_MISSTATEMENT.fullmatch(text.strip()) is not None


def _once(lead: Lead) -> Lead | None:
    """Remove one more opening. Return None if there is none."""
    return _marker(lead) or _adverbial(lead, vague=False) or _filler(lead) or _adverbial(lead, vague=True)


def _marker(lead: Lead) -> Lead | None:
    text = lead.text
    request = _REQUEST_TO_REMEMBER.match(text)
    if request and request.end() < len(text) and (_REQUESTS.match(text) or not text.rstrip().endswith("?")):
        return replace(lead, text=text[request.end() :], requested=True)
    correction = _CORRECTION.match(text)
    if (
        correction
        and correction.end() < len(text)
        and (not _BARE_NO.match(text) or _AFTER_BARE_NO.match(text))
    ):
        return replace(lead, text=text[correction.end() :], correction=True)
    misstated = _MISSTATEMENT.match(text)
    if misstated and misstated.end() < len(text):
        return replace(lead, text=text[misstated.end() :], correction=True)
    role = _ROLE.match(text)
    if role and not _NO_ROLE.match(role.group("role")):
        return replace(lead, text=text[role.end() :], role=role.group("role"))
    return None


def _filler(lead: Lead) -> Lead | None:
    for pattern in (_REASON, _ANNOUNCED, _FILLER):
        found = pattern.match(lead.text)
        if found and found.end() < len(lead.text):
            return replace(lead, text=lead.text[found.end() :])
    return None


def _adverbial(lead: Lead, *, vague: bool) -> Lead | None:
    """Move an adverbial into the prefix.

    Args:
        lead: The clause so far.
        vague: Whether to accept one that only its first word identifies ("at work").
    """
    found = None if lead.prefix else _PREFIX.match(lead.text)
    if found is None or (found.group("phrase") and not vague):
        return None
    words = next(words for words in found.group("prefix", "cause", "phrase") if words)
    return replace(lead, text=lead.text[found.end() :], prefix=words)

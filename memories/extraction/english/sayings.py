"""English sentences without a first-person subject: lessons, standing requests, notes that omit "I"."""

from __future__ import annotations

import re
from typing import Final

from memories.extraction.english.grammar import find_head_phrase, lexicon
from memories.extraction.english.rendering import quote_text, sentence, swap_persons
from memories.extraction.prose import ExtractedStatement
from memories.values import Kind

_LESSON = re.compile(
    r"(?:(?:my|the|our|a|one|another|key|main|biggest|important|hard|big|valuable|painful|first|real"
    r"|hard-earned)\s+)*"
    r"(?:lessons?(?:\s+(?:(?:I|we)(?:'ve)?\s+)?(?:learned|learnt))?|takeaways?|moral(?: of the story)?"
    r"|note to self|rule of thumb|pro tip|gotcha"
    r"|learnings?|words of wisdom)"
    # One origin, and last: repeated origins could be divided in more ways than can be tried.
    r"(?:\s+(?:here|today|for me|of the day|this week|the hard way))*+(?:\s+from [^:,]{1,60})?\s*"
    r"(?:[:,–—]|-\s|(?:is|was|:)(?:\s*[:,])?(?:\s+that)?\s)\s*(?P<o>.{6,})",
    re.IGNORECASE,
)
_ONE_THING = re.compile(
    r"(?:one|the (?:main|biggest|first|most important|only)|another|an important) (?:thing"
    r"|lesson)s? (?:that )?(?:I|we)(?:'ve| have)? "
    r"(?:learned|learnt|realised|realized|discovered|took away)(?: (?:from|in|at|after"
    r"|with) [^:,]{1,50})?(?: (?:is|was|here))?(?: that)?[:,]?\s+(?P<o>.{6,})",
    re.IGNORECASE,
)
_MISTAKE = re.compile(
    r"(?:(?:the|my|our|one|a)\s+)?(?:\w+ )?mistakes? (?:that )?(?:(?:I|we)(?:'ve)? (?:made"
    r"|keep making)(?: [^:,]{1,40}?)?\s+)?(?:was|is)\s+(?P<o>(?:to|not|that|\w+ing)\b.{6,})",
    re.IGNORECASE,
)
_AT_A_PRICE = re.compile(
    r"it (?:cost|took) (?:me|us) [^:,]{2,50}? to (?:find out|figure out|learn|realise|realize|discover"
    r"|understand|notice|see)(?: that|,|:)?\s+(?P<o>.{6,})",
    re.IGNORECASE,
)
_LEARNT_TODAY = re.compile(r"TIL\s*[:,]?\s*(?:that\s+)?(?P<o>.{8,})")
_TURNED_OUT = re.compile(
    r"(?:(?:so |and )?(?:it |as it )?turns out(?:,| that)?|(?:it )?turned out(?: that)?)\s+(?P<o>(?:the|a"
    r"|an|our|my|you|it|we|that|there|(?-i:[A-Z])|\w+ing\b|\w+ (?:is|was|does|can|needs|has|doesn't"
    r"|isn't)).{6,})",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"the (?:trick|fix|solution|root cause|real cause|culprit)\s+(?:here\s+|for .{3,40}\s+"
    r"|to .{3,60}\s+)?(?:was|is|turned out to be)\s+(?P<o>.{6,})",
    re.IGNORECASE,
)
_NEVER_AGAIN = re.compile(r"never again (?:will I |am I |shall I |do I )?(?P<o>\w+.{4,})", re.IGNORECASE)
_MUST = re.compile(
    r"(?:I|we) should(?:n't| not| never)? have (?P<o>\w+(?:ed|en|t|ne|pt|ught)\b.{6,})", re.IGNORECASE
)
#: "Always run the tests before committing".
_RULE = re.compile(
    r"(?:always|never) (?:run|test|check|commit|push|deploy|merge|rebase|review|back up|release|ship|store"
    r"|log|lock|pin|validate|escape|hard-?code|trust|rely|skip|share|measure|document|read|wait|sign|pay|buy)\b.{6,}",
    re.IGNORECASE,
)
_NOT_BECAUSE = re.compile(
    r"(?:don't|do not|never|avoid) (?:us(?:e|ing)|run(?:ning)?|deploy(?:ing)?|upgrad(?:e|ing)|install(?:ing)?"
    r"|buy(?:ing)?|trust(?:ing)?)\b .{2,60}? (?:because|since|as|or) .{4,}",
    re.IGNORECASE,
)
_CAUSED = re.compile(
    r"(?!.{0,80}\b(?:this|that|these|those|it)\b)"
    r"(?:using|upgrading|updating|switching|moving|migrating|running|setting|adding|removing|enabling"
    r"|disabling|storing|caching|skipping) .{3,60}? (?:broke|breaks|caused?|causes|crashe[ds]|slow(?:s|ed)"
    r"|corrupt(?:s|ed)|fix(?:es|ed)|solve[ds]|improve[ds]|doubled|halved|led to|leads to|saves|saved) .{4,}",
    re.IGNORECASE,
)
_LAST_TIME = re.compile(
    r"(?=.{0,80}\blast time\b)(?=.{0,160}\b(?:failed|broke|crashed|backfired|didn't (?:work|help)"
    r"|did not (?:work|help)|went (?:wrong|badly))\b).{10,}",
    re.IGNORECASE,
)
_NEXT_TIME = re.compile(
    r"next time,? (?:I|we)(?:'ll| will| should| must| need to| have to) (?!ask|tell|talk|see you)\w.{4,}",
    re.IGNORECASE,
)
#: What a named tool needs or cannot do: "SQLite doesn't support concurrent writes".
_TOOL: Final = (
    rf"(?:(?:{lexicon.TECHNOLOGY})\b|(?-i:[A-Z])[\w.+#-]{{1,30}})(?: (?-i:[A-Z])[\w.+#-]{{1,30}}){{0,2}}"
)
_CONSTRAINT = re.compile(
    rf"(?P<s>(?!(?:I|It|This|That|He|She|We|You|They|There|The|Who|What|My|Our|Someone)\b){_TOOL}) "
    r"(?P<v>needs|requires|must (?:use|have|run)|only (?:supports|works with|accepts)"
    r"|(?:doesn't|does not) (?:support|work with|allow|handle)|(?:can't|cannot) (?:handle|use|run)"
    r"|is incompatible with) (?P<o>\S.{2,80})",
    re.IGNORECASE,
)
_PROBLEM = re.compile(
    r"(?:I|we) (?:just |again |recently )?(?:ran into|hit|encountered|faced|came across|got stuck on) "
    rf"(?:an?|some|the) (?:[\w-]+ )?{_TOOL} (?:[\w-]+ ){{0,3}}"
    r"(?:problems?|issues?|bugs?|errors?|outages?|timeouts?|crash)\b.{0,60}",
    re.IGNORECASE,
)

_FEWEST_WORDS: Final = 3
_REPLY: Final = (
    r"(?:answer|reply|respond|use|write|call|address|speak|explain|give|keep|format|ask|include|add|talk"
    r"|refer|respect|cite|show|provide"
    r"|translate|start|end|begin|avoid|apologi[sz]e|assume|suggest|recommend|say|mention|put|be|make|check"
    r"|tell|send|quote|repeat|skip)"
)
_LASTING_REQUEST = re.compile(
    r"(?:please\s+|pls\s+)?(?:(?:from now on|from here on(?: out)?|in (?:the )?future|going forward"
    r"|henceforth|by default|as a rule|in all (?:your|future) \w+)[, ]+(?:please\s+|could you\s+"
    rf"|I want you to\s+)?(?:always\s+|never\s+|don't\s+|do not\s+|only\s+)?{_REPLY}\b.+"
    rf"|(?:always|never)\s+{_REPLY}\b(?! me$).+"
    rf"|{_REPLY}\b.{{3,120}}\b(?:from now on|in (?:the )?future|going forward|every time|by default)"
    r"|(?:keep|make) (?:(?:all )?(?:your|all|the) )?(?:answers|replies|responses|explanations|messages)\b.+"
    r"|(?:don't|do not|stop|avoid|no)\s+(?:ever\s+)?(?:using|use|adding|add|including|include|calling|call"
    r"|apologi[sz]ing|apologi[sz]e|starting|start|writing|write|giving|give|sending|send"
    r"|ending)?\s*(?:me\s+)?.{0,40}\b(?:emojis?|bullet points|your (?:answers|replies|responses)|small talk"
    r"|disclaimers|flattery|exclamation marks|markdown)\b.*"
    r"|(?:answer|reply|respond|talk|speak|write)(?: to)?(?: me)? (?:only )?in (?:simplified |traditional "
    r"|british |american |plain |simple |formal |informal )?(?:english|chinese|french|german|spanish"
    r"|italian|japanese|korean|portuguese|russian|dutch|arabic|hindi|polish|turkish|swedish|mandarin"
    r"|cantonese)\b[^:]*"
    rf"|{_REPLY}\b.{{3,80}} (?:when(?:ever)?|every time) you (?:reply|answer|respond"
    r"|(?:write|talk|speak|explain things|explain something) to me)\b.{0,20}"
    r"|(?:answer|reply|respond|talk|speak|write)(?: to)? me (?:only )?(?:in|with|without) (?:[\w-]+ ){0,2}"
    r"(?:spelling|units|emojis?|bullet points|markdown|jargon|slang|abbreviations|flattery|small talk"
    r"|lower ?case)(?:,? please)?"
    r"|I (?:want|would like|'d like|need|expect) you to (?:always|never|only|be (?:more|less)) .+"
    r"|(?:speak|talk) [a-z]+ (?:to|with) me\b.*"
    # What was asked for is asked for no longer.
    rf"|(?:you )?(?:don't|do not|no longer) (?:have to|need to) {_REPLY}\b.+\b(?:any ?more|any longer)"
    rf"|you no longer (?:have to|need to) {_REPLY}\b.+"
    rf"|(?:you (?:can|may)|feel free to) (?:start )?{_REPLY}(?:ing)?\b.+ again"
    r"|stop (?:answering|replying|responding|talking|speaking|writing)(?: to)?(?: me)? in [a-z]+)",
    re.IGNORECASE,
)
_CALL_ME = re.compile(
    r"(?:please\s+|just\s+|you can\s+|everyone\s+|(?:my )?(?:friends|people|colleagues) (?:all )?"
    r"|from now on,?\s+|in future,?\s+|you may\s+|feel free to\s+)*"
    r"calls? me (?P<o>(?!back|later|when|tomorrow|now|crazy|old|if|at|on|in|asap|an?\b|the\b|today|tonight"
    r"|stupid|lazy|weird|by\b|names|out)[^\W\d_][\w'-]*(?: [A-Z][\w'-]*)?)(?:\s+(?:from now on|please"
    r"|instead|by the way|going forward)"
    r"|,\s*(?:everyone|everybody|all (?:my )?(?!my\b)\w+|most people)(?: else)? (?:does|do))*",
    re.IGNORECASE,
)
_GO_BY = re.compile(
    r"(?:I go|I'm known|people know me) by (?P<o>[A-Z][\w'-]*)|I(?:'d"
    r"| would)? prefer to be called (?P<p>\w+)",
    re.IGNORECASE,
)

_UNSAID_I = re.compile(
    r"(?:(?:really|also|currently|still|always|usually|just|recently|never|definitely|strongly|absolutely"
    r"|generally)\s+)*(?:prefer|love|hate|dislike|can't stand|don't (?:like|eat|drink|have|use|smoke)"
    r"|moved to|grew up in|live in|work (?:at|as|for|from)|used to|want to|hope to|have (?:two|three|four"
    r"|five|an? (?:wife|husband|son|daughter|dog|cat|sister|brother|degree|phd|peanut|nut))|switched to"
    r"|speak(?!.*\b(?:to|with) me\b)"
    r"|graduated|started (?:working|learning|a new)|joined|bought an?|got (?:married|promoted|engaged"
    r"|an? (?:new )?(?:job|dog|cat|puppy|kitten))|adopted|learned (?:that|the hard)|realized"
    r"|realised)\s+(?!it\b|this|that\b|you\b|your\b|me\b|the (?!way I)|seeing|hearing|how\b|and\b|or\b)\S",
    re.IGNORECASE,
)
_UNSAID_AM = re.compile(
    r"(?:(?:currently|also|severely|now|still)\s+)*(?:allergic to|working (?:on|at|as|for)|living in"
    r"|based in|born (?:in|on)|building|developing|learning|originally from|married to|vegan\b|vegetarian\b"
    r"|training for|saving (?:up )?for|planning to|hoping to|studying|lactose intolerant)\s*(?!it\b|this\b"
    r"|that\b)",
    re.IGNORECASE,
)
# "Learning German is hard" has a subject: "learning German".
_ALREADY_FINITE = re.compile(
    r"^[\w' ,-]{0,140}?\b(?:is|are|was|were|isn't|aren't|should|would|will|can|makes?|takes?|helps?|feels?"
    r"|seems?|sounds?|means?|requires?|gives?|sets?)\b|^\w+ (?:and|or|is|of|conquers|handles)\b"
)


def find_lesson(text: str) -> ExtractedStatement | None:
    """Return the lesson in a sentence that announces one."""
    for pattern, confidence in (
        (_ONE_THING, 0.85),
        (_LESSON, 0.85),
        (_MISTAKE, 0.75),
        (_LEARNT_TODAY, 0.8),
        (_AT_A_PRICE, 0.8),
        (_TURNED_OUT, 0.7),
        (_CAUSE, 0.7),
    ):
        found = pattern.match(text)
        if found and len(found.group("o").split()) >= _FEWEST_WORDS:
            return ExtractedStatement(
                f"Lesson: {sentence(swap_persons(found.group('o')))}", Kind.LESSON, confidence=confidence
            )
    regret = _NEVER_AGAIN.match(text) or _MUST.match(text)
    return ExtractedStatement(quote_text(text, "learned"), Kind.LESSON, confidence=0.7) if regret else None


def experience(text: str, prefix: str = "") -> ExtractedStatement | None:
    """Return what went wrong or what a tool needs, said without a lesson's announcement.

    Args:
        text: The clause.
        prefix: Adverbial before the subject.
    """
    whole = f"{prefix}, {text}" if prefix else text
    if _CAUSED.match(text) or _LAST_TIME.match(whole) or _NEXT_TIME.match(whole):
        return ExtractedStatement(f"Lesson: {sentence(swap_persons(whole))}", Kind.LESSON, confidence=0.65)
    if _PROBLEM.fullmatch(text):
        return ExtractedStatement(quote_text(whole, "mentioned"), Kind.CONTEXT, confidence=0.65)
    found = _CONSTRAINT.fullmatch(text)
    if found is None or re.search(r"\b(?:you|your|help|it|this|that)\b", found.group("o"), re.IGNORECASE):
        return None
    relation = re.sub(r"\W+", "_", found.group("v").lower().replace("n't", " not"))
    return ExtractedStatement(
        sentence(swap_persons(text)),
        subject=found.group("s"),
        predicate=relation,
        object=find_head_phrase(found.group("o"), ""),
        confidence=0.65,
    )


def find_directive(text: str) -> ExtractedStatement | None:
    """Return a standing request about answers or the user's name; None for a request of the moment."""
    named = _CALL_ME.fullmatch(text) or _GO_BY.fullmatch(text)
    if named:
        name = next(value for value in named.groups() if value)
        content = f"The user wants to be called {name}."
        return ExtractedStatement(
            content, Kind.PREFERENCE, predicate="named", object=name, single_valued=True, confidence=0.85
        )
    if _RULE.fullmatch(text) or _NOT_BECAUSE.fullmatch(text):
        return ExtractedStatement(f"Lesson: {sentence(swap_persons(text))}", Kind.LESSON, confidence=0.65)
    if _LASTING_REQUEST.fullmatch(text):
        return ExtractedStatement(
            quote_text(text, "asked"), Kind.PREFERENCE, predicate="wants_replies", object="", confidence=0.85
        )
    return None


def add_unsaid_subject(text: str) -> str:
    """Add the "I" that notes and quick messages omit ("Allergic to nuts")."""
    if _UNSAID_AM.match(text) and not _ALREADY_FINITE.search(text):
        return f"I'm {text[:1].lower()}{text[1:]}"
    if _UNSAID_I.match(text) and not _ALREADY_FINITE.search(text):
        return f"I {text[:1].lower()}{text[1:]}"
    return text

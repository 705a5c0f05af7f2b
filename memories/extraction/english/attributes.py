"""Findings of English clauses about the user's own things: "my birthday is …", "our deploy …", "I have …"."""

from __future__ import annotations

import re
from typing import Final

from memories.extraction.english.grammar import (
    Predicate,
    Subject,
    SubjectKind,
    Tense,
    find_head_phrase,
    is_deictic,
    lexicon,
    strip_word,
)
from memories.extraction.prose import USER, ExtractedStatement
from memories.values import Kind

_FLEETING = re.compile(rf"(?:.*\s)?(?:{lexicon.FLEETING_NOUNS})", re.IGNORECASE)
_SINGLE = re.compile(rf"(?:{lexicon.SINGLE_ATTRIBUTES})", re.IGNORECASE)
_NAME_OF = re.compile(r"(?P<owner>.+?)(?:'s|s') (?:\w+ )?name")
_OWN_NAME = re.compile(r"(?:(?:full|first|last|middle|real|given|family|legal) )?name|surname|nickname")
_KINDS: Final = (
    (
        Kind.GOAL,
        re.compile(
            r"(?:.* )?(?:goals?|dream|aim|ambition|target|resolutions?|plans?|objectives?"
            r"|aspirations?|bucket list)(?: .*)?"
        ),
    ),
    (
        Kind.PREFERENCE,
        re.compile(
            r"(?:.* )?(?:fav(?:e|ou?rites?)?|preferred|preferences?|go-to|ideal"
            r"|hobb(?:y|ies)|passions?|pet peeves?|interests?|taste|guilty pleasure|weakness)\b.*"
            r"|.* of choice"
        ),
    ),
    (Kind.LESSON, re.compile(r"(?:.* )?(?:lessons?|takeaways?|biggest mistake|rule of thumb)(?: .*)?")),
    (
        Kind.PROJECT,
        re.compile(
            r"(?:.* )?(?:projects?|start-?up|thesis|dissertation|app|side hustle|novel|blog"
            r"|podcast|channel|business|newsletter|research)(?:,.*| called .*| named .*)?"
        ),
    ),
    (Kind.SKILL, re.compile(r"(?:.* )?(?:strengths?|speciality|specialty|expertise|superpower)(?: .*)?")),
)
_FLEETING_STATE = re.compile(
    r"(?:(?:very|really|so|too|still|just|quite|already|completely|totally|pretty|all|now"
    r"|kind of)\s+)*(?:tired|hungry|busy|late|sick|ill|fine|good|great"
    r"|okay|ok|back|here|there|ready|done|stuck|down|up|broken|slow|dead|crashed|crashing|failing|failed"
    r"|wrong|correct|right|empty|full|gone|over|open|closed"
    r"|missing|lost|off|out|unclear|clear|simple|hard|difficult|easy|weird|strange|cold|hot|wet|dirty|loud"
    r"|annoying|killing|hurting|sore|aching|terrible|awful"
    r"|bad|horrible|nice|lovely|cute|amazing|awesome|not (?:working|responding|loading|starting|here|sure"
    r"|happy|good)|a (?:mess|nightmare|disaster|joke|bit|pain|little)"
    r"|on fire|at \d+ ?%|as follows|that\b|to (?:know|understand|see|ask)|how\b|why\b|what\b|whether\b|it\b"
    r"|this\b|driving me|getting|having|being|giving|acting|asleep|awake|angry|mad)\b",
    re.IGNORECASE,
)
_WORKING: Final = lexicon.words(
    "use run have host store support require need target connect depend deploy make sell cost weigh "
    "measure contain handle ship start end expire consist serve rotate listen sit live belong offer "
    "provide work go come meet turn get play follow"
)
DETAIL = re.compile(r"\d|(?<=[\w,] )[A-Z]|\b[A-Z]\w*[A-Z]|^[A-Z]|" + rf"\b(?:{lexicon.TECHNOLOGY})\b")
_UNDER_WAY: Final = lexicon.words(
    "migrate build develop move switch rewrite launch release create design replace port plan convert upgrade"
)

_COUNTED: Final = (
    r"(?:an?|the|my|no|one|two|three|four|five|six|seven|eight|nine|ten|several|many|some|lots of"
    r"|a couple of|a few|twin|\d[\d,.]*\+?)"
)
_EXPERIENCE = re.compile(
    r".*\b(?:experience (?:of|in|with|as|at|working)|(?:years?|months|decades?)(?:'"
    r"|s')? (?:of )?[\w ]*experience|background in|degree|phd|ph\.d|master'?s|bachelor'?s|certificate"
    r"|certification|licen[cs]e|diploma|black belt|knack|talent)\b.*",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:(?:mild|severe|chronic|type [12]|an?|high|low|stage \d|really bad|bad"
    r"|undiagnosed)\s+)*(?:\w+ )?(?:diabetes|asthma|adhd|add|autism|celiac(?: disease)?"
    r"|coeliac(?: disease)?|epilepsy|allerg(?:y|ies)|intolerance|migraines?"
    r"|arthritis|anxiety|depression|insomnia|ptsd|ocd|cancer|hypertension|blood pressure|cholesterol"
    r"|crohn'?s|ibs|eczema|psoriasis|dyslexia|tinnitus|scoliosis|pcos|endometriosis|lupus|anemia|anaemia"
    r"|dementia|alzheimer'?s|parkinson'?s|schizophrenia|hepatitis|gout|glaucoma|cataracts|sciatica|obesity"
    r"|anorexia|bulimia|leuka?emia|sleep apno?ea|narcolepsy|fibromyalgia|acid reflux|a tumou?r|covid"
    r"|hiv|bipolar|heart (?:condition|disease)|back problems"
    r"|\w+ (?:disease|disorder|syndrome|deficiency|disability|impairment))\b.*",
    re.IGNORECASE,
)
_HEAD_END = re.compile(
    r"\s+(?:for|in|of|at|on|from|with|to|about|regarding|that|which|who|named|called|and|what|how|why|where"
    r"|whether|if"
    r"|coming|left)\b|[,:;(]"
)
_LASTING_THING = re.compile(rf"{_COUNTED}\s|\w+ (?:hair|eyes|skin)\b", re.IGNORECASE)
_KIN = re.compile(rf"\b(?:{lexicon.PEOPLE}|{lexicon.PETS})\b", re.IGNORECASE)
_DATED = re.compile(
    r"(?:an?|my|the) (?:[\w-]+ ){0,4}?(?:exam|interview|appointment|deadline|flight|trip|wedding|surgery"
    r"|operation|presentation|race|marathon|conference|talk|concert|defen[cs]e|holiday|vacation|demo"
    r"|reunion|graduation)\b"
    r".*\b(?:on|in|next|this|tomorrow|by|at) ?.*",
    re.IGNORECASE,
)
_TO_DO = re.compile(
    r"(?:an?|the|some|my|no) (?:\w+ )*?(?:to (?:do|make|ask|say|finish|fix|write|submit)"
    r"|left|where|that (?:is|isn't|needs|I need)|with (?:this|that|your|the (?:code|output)))\b",
    re.IGNORECASE,
)


def find_thing_attribute(subject: Subject, predicate: Predicate) -> ExtractedStatement | None:
    """Return the finding of a clause about "my …", "our …" or "the …" of a project."""
    noun = re.sub(r"^(?:current|own|old|new|main|own) ", "", subject.noun)
    head = re.split(r"\s+(?:for|in|of|at|on|from|this|with|to|as)\s+", noun)[0].removesuffix("'s")
    if _FLEETING.fullmatch(head) or _FLEETING_STATE.match(predicate.complement):
        return None
    general = subject.wording[:3].lower() == "the"
    if re.fullmatch(
        r"(?:(?:fav(?:e|ou?rites?)?)(?: (?:one|thing|part|ones)\b.*)?|own|own one|other|first"
        r"|last|new one)",
        noun,
    ):
        return None
    if general and not DETAIL.search(predicate.complement):
        return None
    if predicate.verb == "be" and predicate.tense in {Tense.BE, Tense.BEEN, Tense.WAS}:
        return None if is_deictic(predicate.complement) else _value(noun, predicate, general=general)
    return _deed(noun, predicate, general=general)


def _value(noun: str, predicate: Predicate, *, general: bool) -> ExtractedStatement | None:
    value = find_head_phrase(re.sub(r"^(?:called|named)\s+", "", predicate.complement), "")
    named = _NAME_OF.fullmatch(noun)
    if named or re.match(r"(?:called|named)\b", predicate.complement):
        owner = named.group("owner") if named else noun
        return ExtractedStatement("", _kind(noun), f"{USER}'s {owner}", "named", value)
    if predicate.tense is Tense.WAS and not re.search(r"\d", value):
        return None
    if _OWN_NAME.fullmatch(noun):
        return ExtractedStatement(
            "", Kind.FACT, predicate="named", object=value, single_valued=noun == "name" or "full" in noun
        )
    owner, relation, value = _placed(noun, value, general=general)
    relation = "" if predicate.negated else relation
    single = bool(_SINGLE.fullmatch(noun)) and not predicate.negated
    return ExtractedStatement(
        "",
        _kind(noun),
        owner,
        relation,
        value,
        single,
        0.65 if general else 0.8,
        ahead=_kind(noun) == Kind.GOAL,
    )


def _placed(noun: str, value: str, *, general: bool) -> tuple[str, str, str]:
    """Return subject, predicate and object of "my dog's age is 3", "the server is at …", "my laptop is …"."""
    where = re.match(r"(?P<preposition>on|in|at) (?P<place>.+)", value)
    value = where.group("place") if where else value
    owner, possessive, attribute = noun.rpartition("'s ")
    if possessive:
        return owner if general else f"{USER}'s {owner}", _slug(attribute), value
    if general:
        return noun, f"is_{where.group('preposition')}" if where else "is", value
    return USER, _slug(noun), value


def _slug(noun: str) -> str:
    return re.sub(r"\W+", "_", noun).strip("_")


def _deed(noun: str, predicate: Predicate, *, general: bool) -> ExtractedStatement | None:
    if predicate.tense is Tense.PROGRESSIVE:
        return ExtractedStatement("", Kind.PROJECT, confidence=0.75) if predicate.verb in _UNDER_WAY else None
    if (
        predicate.tense not in {Tense.PRESENT, Tense.PERFECT}
        or predicate.verb not in _WORKING
        or not predicate.complement
    ):
        return None
    if predicate.tense is Tense.PERFECT or is_deictic(predicate.complement):
        return None
    preposition = re.match(r"(?:on|in|at|to|with|from|for) ", predicate.complement)
    relation = (
        ""
        if predicate.negated
        else _third(predicate) + (f"_{preposition.group().strip()}" if preposition else "")
    )
    thing = find_head_phrase(
        predicate.complement[preposition.end() :] if preposition else predicate.complement, ""
    )
    owner = noun if general else f"{USER}'s {noun}"
    return ExtractedStatement("", _kind(noun), owner, relation, thing, confidence=0.65 if general else 0.75)


def _third(predicate: Predicate) -> str:
    return strip_word(predicate.words[predicate.finite]) if not predicate.negated else ""


def _kind(noun: str) -> Kind:
    return next((kind for kind, pattern in _KINDS if pattern.fullmatch(noun)), Kind.FACT)


def find_belonging(subject: Subject, predicate: Predicate) -> ExtractedStatement | None:
    """Return the finding of "I have …": family, pets, things, conditions or experience.

    Returns:
        None for clauses such as "I have a question".
    """
    complement = predicate.complement
    named = complement.removeprefix("any ") if predicate.negated else complement
    if predicate.tense is not Tense.PRESENT or not complement or is_deictic(named):
        return None
    thing = find_head_phrase(named, "")
    if _CONDITION.match(named):
        denied = "does_not_have" if predicate.negated else "has_condition"
        return ExtractedStatement("", Kind.FACT, predicate=denied, object=thing)
    if _EXPERIENCE.match(complement):
        return (
            ExtractedStatement("", Kind.FACT)
            if predicate.negated
            else ExtractedStatement("", Kind.SKILL, predicate="has", object=thing)
        )
    if _FLEETING.fullmatch(_HEAD_END.split(complement)[0]) or _TO_DO.match(complement):
        return None
    if _DATED.fullmatch(complement):
        return ExtractedStatement("", Kind.CONTEXT, confidence=0.75, ahead=True)
    return _held(subject, predicate, thing)


def _held(subject: Subject, predicate: Predicate, thing: str) -> ExtractedStatement | None:
    complement = predicate.complement
    if not (_LASTING_THING.match(complement) or predicate.negated or complement[:1].isupper()):
        return None
    close = _KIN.search(complement) is not None
    if subject.kind is SubjectKind.GROUP and not close and not DETAIL.search(complement):
        return None
    relation = "does_not_have" if predicate.negated else "has"
    return ExtractedStatement(
        "", Kind.FACT, predicate=relation, object=thing, confidence=0.8 if close else 0.7
    )

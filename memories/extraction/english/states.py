"""Rules for complements of `be` that stay true of a person, in the order in which they are tried."""

from __future__ import annotations

from typing import Final

from memories.extraction.english.grammar import Tense, lexicon
from memories.extraction.english.rules import Rule, pattern
from memories.values import Kind

_FLEETING_A: Final = (
    r"(?:bit|little|lot|mess|wreck|while|step|few|couple|loss|tad|touch|hurry|rush|meeting|bind|pickle|pain"
    r"|ghost|fool|idiot"
    r"|moron|failure|disaster|zombie|genius|god|king|queen|star|dead man|joke|big|huge (?:help|fan$)"
    r"|good (?:mood|place|one|question)"
    r"|bad mood|different|total (?:mess|wreck)|complete (?:mess|idiot)|user of (?:this|your)|human\b"
    r"|person\b$|man of|new user"
    r"|captain|pirate|(?:AI|virtual|chat|personal)\b.*|assistant$|language model|robot|wizard|fine|nice"
    r"|real|true|bit of)\b"
)
_TENSES: Final = frozenset({Tense.BE, Tense.BEEN, Tense.WAS, Tense.USED_TO})


#: The predicates of negated states. Of other states, a negated sentence has no triple.
_DENIALS: Final = {
    "likes": "dislikes",
    "is": "is_not",
    "is_a": "is_not_a",
    "allergic_to": "is_not_allergic_to",
    "lives_in": "does_not_live_in",
    "married_to": "is_not_married_to",
}


def _state(kind: str, predicate: str, shape: str, *, single: bool = False) -> Rule:
    written = shape.replace("LASTING", lexicon.LASTING_STATES).replace("FLEETING_A", _FLEETING_A)
    denied = _DENIALS.get(predicate, "")
    return Rule(Kind(kind), predicate, _TENSES, pattern(written), denied, single)


# fmt: off
STATES: Final = (
    _state("fact", "allergic_to",
        r"(?:\w+ )?(?:allergic|intolerant|sensitive) to (?P<o>(?!this|that|it\b).+)"),
    _state("fact", "age", r"(?:only |just |about |almost |nearly |turning )?(?P<o>\d{1,3})(?:\s*(?:years?(?: "
        r"old)?|yrs?(?: old)?|yo|y/o))?(?:\s+(?:now|today|this year|next month|and .*|in \w+)|,? not \d+)?$",
        single=True),
    _state("fact", "age", r"(?P<o>\d{1,3}|twenty|thirty|forty|fifty|sixty)(?:[- ]\w+)?\s+(?:years? old"
        r"|yrs old)\b.*", single=True),
    _state("fact", "height", r"(?P<o>\d[\d.,']*\s?(?:cm|m|ft|feet|foot|\")?.* tall).*", single=True),
    _state("fact", "comes_from",
        r"(?:originally |born and raised |actually )*from (?P<o>(?!the future|scratch"
        r"|a place).+)"),
    _state("fact", "lives_in",
        r"(?:currently |now )?(?:based|located|living|settled|residing|stationed) (?:in|at"
        r"|near|out of) (?P<o>.+)", single=True),
    _state("fact", "born_in",
        r"born (?:and raised )?(?:in|at|near) (?P<o>(?!(?:the )?(?:\d{2,4}|january|february"
        r"|march|april|may|june|july|august|september|october|november|december)).+)", single=True),
    _state("fact", "born_on", r"born (?:on |in )?(?P<o>.+)", single=True),
    _state("fact", "grew_up_in", r"(?:raised|brought up) (?:in|by|on) (?P<o>.+)"),
    _state("fact", "visited", r"(?:back )?to (?P<o>(?-i:[A-Z]).+)"),
    _state("fact", "married_to", r"(?:happily )?(?:married|engaged) to (?P<o>.+)", single=True),
    _state("fact", "named", r"(?:called|named|known as) (?P<o>.+)", single=True),
    _state("preference", "likes",
        r"(?:a |an )?(?:\w+ )?(?:fan|lover|enthusiast|fond|admirer) of (?P<o>(?!this"
        r"|that|it\b|your).+)"),
    _state("preference", "likes",
        r"(?:really |very |quite |super |more |also |mostly |mainly )*(?:into|keen on"
        r"|interested in|passionate about|fond of|obsessed with|crazy about|partial to|addicted to"
        r"|fascinated by|mad about|big on) (?P<o>(?!this|that|it\b|your|how|what|why|hearing|knowing"
        r"|seeing).+)"),
    _state("preference", "is_a", r"(?:more of )?(?:an? )(?P<o>(?:\w+ )?(?:\w+) (?:person|people|lover|guy|gal"
        r"|junkie|addict|buff|nut|geek|nerd|enthusiast|aficionado|purist)\b.*)"),
    _state("fact", "afraid_of", r"(?:really |very |deathly )?(?:afraid|scared|terrified"
        r"|frightened) of (?P<o>(?!this|that|it\b|the result|what|breaking|losing).+)"),
    _state("skill", "good_at", r"(?:really |very |quite |pretty |fairly |not )*(?:good|great|bad|terrible"
        r"|proficient|fluent|skilled|experienced|certified|competent|comfortable|expert|excellent|versed"
        r"|well-versed|trained|qualified|hopeless|an expert|a pro|a beginner|an intermediate|a novice"
        r"|a noob|advanced) (?:at|in|with|as|on) (?P<o>(?!this|that|it\b|the idea|your|seeing|hearing|both"
        r"|either).+)"),
    _state("skill", "new_to", r"(?:\w+ )?new to (?P<o>(?!this\b|that\b|it\b|here).+)"),
    _state("fact", "responsible_for",
        r"(?:responsible for|in charge of|the (?:lead|owner|maintainer|head|founder"
        r"|author|creator) of) (?P<o>.+)"),
    _state("fact", "diagnosed_with", r"(?:diagnosed|living) with (?P<o>.+)"),
    _state("fact", "uses", rf"on (?P<o>(?:(?:{lexicon.TECHNOLOGY})\b|(?:Python|version|release|Mac|PC"
        r"|Linux) ?\d*).*)"),
    _state("fact", "", r"on (?:the (?!way|phone|bus|train|plane|road|toilet|couch|line|fence|same|other|right"
        r"|left|call|internet|page|verge|edge|first|second|last)\w+|an? \w+ (?:diet|visa|scholarship|plan"
        r"|salary)|insulin|medication|antidepressants|parental leave|maternity leave|paternity leave|a diet"
        r"|sabbatical).*"),
    _state("fact", "works_in",
        r"in (?P<o>(?:sales|marketing|finance|tech|IT|HR|education|healthcare|construction"
        r"|consulting|real estate|insurance|banking|advertising|the (?:\w+ )?(?:army|navy|military|industry"
        r"|business|field|air force|police)|\w+ (?:engineering|management|science|research|design"
        r"|industry)))\b.*"),
    _state("fact", "",
        r"in (?:my (?:early |mid |late |mid-|late-|early-)?(?:twenties|thirties|forties|fifties"
        r"|sixties|seventies|\d0s|teens|first|second|third|fourth|final|last|freshman|sophomore|junior"
        r"|senior)|(?:grade|year|class|college|university|high school|med school|law school|grad school"
        r"|\w+ grade|remission|recovery|a relationship|a long-distance|an? \w+ relationship|the \w+ (?:year"
        r"|grade|semester)|therapy|love with (?-i:[A-Z]))).*"),
    _state("fact", "", r"in the habit of .+"),
    _state("fact", "is",
        r"(?:also |an? |half |part |mostly |strictly |fully |severely |mildly |legally |happily "
        r"|recently |newly |registered |clinically |very |quite |totally |ethnically |now "
        r"|partially )*(?P<o>(?:LASTING))\b(?! (?:to me|about this|off|out|up|now that|with you)).*"),
    _state("fact", "became", r"(?:trained|qualified|educated|certified|enrolled|registered|licensed|employed"
        r"|self-employed|contracted|accepted|promoted|hired|laid off|fired|elected|nominated|homeschooled"
        r"|awarded|stationed|drafted|signed up) (?:as|in|at|by|to|from|for|with|on)?.*"),
    _state("fact", "is_a", r"(?:one|part(?! of something)|a member|the (?:oldest|youngest|eldest|only|middle"
        r"|second|third|first)) (?:of|child|son|daughter|person|one|brother|sister)\b.*"),
    _state("fact", "is_a",
        r"(?:the|our|their) (?P<o>(?:\w+ ){0,3}(?:CTO|CEO|CFO|VP|head|lead|leader|manager"
        r"|director|founder|owner|captain|president|chair|maintainer|architect|engineer|developer|designer"
        r"|secretary|treasurer|admin|administrator|on-call|breadwinner|only \w+)\b.*)"),
    _state("fact", "is_a", r"(?:(?:currently|also|both|now|still|actually|basically|mainly|just"
        r"|originally) )*(?:an? )(?P<o>(?!FLEETING_A).+)"),
    _state("fact", "is_a",
        r"(?P<o>(?:co-?)?(?:founder|owner|ceo|cto|head|director|lead|captain|president|chair"
        r"|parents?|mother|father|mum|mom|dad) (?:of|at) .+)"),
)
# fmt: on
#: States that never end, so that "I was …" expresses them too.
PAST_STATES: Final = frozenset({"born_in", "born_on", "grew_up_in", "diagnosed_with", "is_a", "became"})

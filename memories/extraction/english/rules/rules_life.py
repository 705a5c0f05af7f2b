"""English rules for tastes, home and work."""

from __future__ import annotations

from typing import Final

from memories.extraction.english.grammar import lexicon
from memories.extraction.english.rules.patterns import ALWAYS, CHORE, COUNTED, DONE, rule

# One rule per row: the formatter would put each argument on a line of its own.
# fmt: off
TASTES_HOME_WORK: Final = (
    # Tastes.
    rule("prefer favour favor", "present would perfect", "preference", "prefers", negated="does_not_prefer"),
    rule("lean", "present", "preference", "prefers", r"(?:towards?|more towards?) (?P<o>.+)"),
    rule("like love enjoy adore dig fancy", "present perfect", "preference", "likes", negated="dislikes"),
    rule("go", "perfect", "preference", "dislikes", r"off (?!to\b|on\b|the (?!idea)|topic|track)(?P<o>.+)"),
    rule("hate dislike detest loathe despise", "present perfect", "preference", "dislikes", negated=""),
    rule("avoid", "present", "preference", "avoids"),
    rule("stand bear tolerate stomach", "can", "preference", "tolerates", negated="dislikes"),
    rule("find", "present", "preference", "finds",
          r"(?!out\b|it\b|that\b|this\b|my\b)(?P<o>.{3,80} (?:boring|annoying|distracting|relaxing"
          r"|confusing|exhausting|stressful|overrated|useful|hard to \w+|easy to \w+|fascinating|calming"
          r"|tedious|too \w+|disgusting|delicious|helpful|overwhelming))\b.*"),
    rule("care", "present", "preference", "likes",
        r"(?:much |at all )?(?:for|about) (?P<o>.+)", negated="dislikes"),
    rule("work focus concentrate function study cope sleep relax", "can", "preference", "needs",
        r"(?:with|without|in|when|if the|unless|after|before) .+", confidence=0.7),
    # Home, origin.
    rule("live reside dwell", ALWAYS, "fact", "lives_in",
          r"(?:(?:right|just|out|up|down|over|here|back) )?(?:in|at|near|on|outside"
          r"|between) (?P<o>(?!my head|the cloud|the past|the moment|fear|peace|hell|a dream).+)",
          single=True, negated="does_not_live_in"),
    rule("live", ALWAYS, "fact", "lives", r"(?:alone|with|by myself|on|off|by|together|abroad|next|across"
        r"|for|rurally) ?.*"),
    rule("live reside", "past used_to", "fact", "lived_in", r"(?:in|at|near|on|outside) (?P<o>.+)"),
    rule("move relocate emigrate immigrate transfer", DONE, "fact", "lives_in",
          rf"(?:(?:back|out|over|down|up|away|in|here|abroad|house|home|permanently|from .{{2,40}}?"
          rf"|with .{{2,40}}?|(?:my|our) (?:family|office))\s+){{0,3}}(?:to"
          rf"|into) (?!(?:{lexicon.TECHNOLOGY})\b)(?P<o>(?!a (?:new|different|bigger|smaller)|/"
          r"|the (?!netherlands|uk|u\.k|us|usa|bay|countryside|suburbs|city|coast|states|north|south|east"
          r"|west|mountains|country|philippines|hague)).+)", single=True),
    rule("move relocate", DONE, "fact", "moved", r"(?:.* )?(?:house|flat|apartments?|in with|out|from|into"
        r"|here|abroad|back|to a).*"),
    rule("move", DONE, "fact", "uses", rf"(?:.{{0,60}}\b)?to (?P<o>(?:{lexicon.TECHNOLOGY})\b.*)"),
    rule("come", "present", "fact", "comes_from", r"(?:originally )?from (?P<o>(?!a place of|the fact).+)"),
    rule("grow", "past", "fact", "grew_up_in", r"up (?:in|on|near|outside|around) (?P<o>.+)"),
    rule("grow", "past", "fact", "grew_up", r"up .+"),
    rule("rent", ALWAYS, "fact", "rents"),
    # Work, study.
    rule("volunteer", ALWAYS, "fact", "volunteers_at", r"(?:\w+ )?(?:at|for|with|in) (?P<o>.+)"),
    rule("go", "present", "fact", "attends", r"to (?P<o>(?-i:[A-Z]).+|(?:school|church|college|university"
        r"|kindergarten|daycare|therapy|the gym|the mosque|temple|synagogue)\b.*)"),
    rule("work intern freelance", ALWAYS, "fact", "works_at",
          r"(?:(?:[\w-]+ ){0,3}?(?:at|for)|as (?:[\w-]+ ){1,6}?at) (?P<o>(?!(?:a living|me|you|free|home"
          r"|night|weekends|least|the moment|about|almost|over|nearly|many|years|\d|two|three|four|five|six"
          r"|seven|eight|nine|ten|a (?:while|long|few|year)|it)\b).+)", single=True,
          negated="does_not_work_at"),
    rule("work", ALWAYS, "fact", "works_as", r"(?:[\w-]+ )??as (?P<o>.+)", negated="does_not_work_as"),
    rule("work", ALWAYS, "fact", "works_in", r"in (?P<o>(?!progress|pairs|general|theory).+)"),
    rule("work", "present", "project", "works_on", rf"on (?!{CHORE})(?P<o>.+)"),
    rule("work", "progressive perfect_progressive", "project", "works_on",
        rf"(?:hard |mostly )?on (?!{CHORE})(?P<o>.+)"),
    rule("work", "present perfect_progressive", "fact", "works",
          r"(?:from home|remotely|part[- ]time|full[- ]time|nights?|the night|shifts?|weekends|\d|four|five"
          r"|freelance|with|on-?site|hybrid|alone|as|best|late|for) ?.*"),
    rule("work", "perfect", "skill", "has", r"(?:with|on|in) (?P<o>.+ (?:for|since) .+)"),
    rule("work intern volunteer", "past used_to", "fact", "worked_at", r"(?:.* )?(?:at|for|as|in) (?P<o>.+)"),
    rule("join", DONE, "fact", "works_at",
          r"(?P<o>(?!us|you|the (?:call|meeting|channel|group|server|discord|slack|queue|gym|army|navy)"
          r"|a (?:gym|club|band|team|choir|book)).+)", single=True, confidence=0.75),
    rule("join", DONE, "fact", "joined", r"(?P<o>(?:an?|my|our|the local)\s.+)"),
    rule("start", DONE, "fact", "works_at", r"(?:working |a new (?:job|role|position) |a job |my new job "
        r"|as an? [\w ]+? )(?:\w+ )?(?:at|for|with) (?P<o>.+)", single=True),
    rule("start", DONE, "fact", "works_at", r"(?:at|with) (?P<o>(?!School|University|College|Monday|Tuesday"
        r"|Wednesday|Thursday|Friday)(?-i:[A-Z]).+)", single=True, confidence=0.75),
    rule("start", DONE, "fact", "started",
          r"(?:working|learning|studying|training|taking|doing|playing|going|writing|university|college"
          r"|school|an? (?:new )?(?:job|role|degree|course|phd|master|diet|apprenticeship|internship"
          r"|relationship|position)|my (?:new )?(?:job|phd|degree|master|career|own)|therapy|chemo)\b.*"),
    rule("get land accept", DONE, "fact", "works_at", r"(?:an? |the )(?:new )?(?:job|offer|position"
        r"|role)[\w ]*? (?:at|with|from) (?P<o>.+)", single=True),
    rule("leave quit", DONE, "fact", "left", r"(?P<o>my (?:job|position|role|company|career|phd|studies"
        r"|degree)\b.*|(?-i:[A-Z]).+|the (?:company|navy|army|church)\b.*|school.*|college.*|university.*)"),
    rule("quit leave", DONE, "fact", "gave_up", r"(?P<o>(?:smoking|drinking|coffee|caffeine|tea|sugar|alcohol"
        r"|beer|wine|social media|meat|dairy|gluten|fast food|junk food|gambling|vaping|nicotine)\b.*)"),
    rule("resign retire graduate", DONE, "fact", "", r".*", negated=None),
    rule("study major specialise specialize minor", ALWAYS + " past", "fact", "studies",
          r"(?:in |at )?(?P<o>(?!the (?:problem|code|docs|documentation)|it|this|that|hard\b|a lot|together"
          r"|all\b|for\b).+)"),
    rule("manage lead supervise coordinate oversee", "present progressive", "fact", "manages",
        r"(?P<o>(?:an?|the|our|two|three|\d+|several|people|(?-i:[A-Z])).+)"),
    rule("run", "present progressive", "fact", "runs", r"(?P<o>(?:an?|my own|my|our) (?!(?:few "
        r"|couple )?(?:script|test|command|query|program|code|file|function|migration|fever|bath|scan|build"
        r"|errand))[\w -]*)"),
    rule("run", "present progressive", "fact", "uses", r"(?:everything |it all |our \w+ |my \w+ "
        rf"|mostly )?(?:on )?(?P<o>(?:{lexicon.TECHNOLOGY})\b.*|(?-i:[A-Z])[\w.]* \d.*)"),
    rule("replace swap exchange ditch drop abandon dump", DONE, "fact", "uses",
          rf"(?:out )?(?:my |our )?(?:old )?(?:(?-i:[A-Z])|(?:{lexicon.TECHNOLOGY})\b).{{0,40}}? "
          rf"(?:with|by|for|in favou?r of) (?P<o>(?-i:[A-Z]).*|(?:{lexicon.TECHNOLOGY})\b.*)"),
    rule("trade swap exchange replace", DONE, "fact", "owns", r"(?:in )?(?:my|our) (?!(?:email|address|order"
          r"|seat|shift|ticket)\b).{1,40}? (?:for|with|by) (?P<o>(?:an?|two|three) .+|(?-i:[A-Z]).+)"),
    rule("teach coach mentor tutor", ALWAYS, "fact", "teaches"),
    rule("make", "present", "fact", "", r"it a (?:rule|habit|point|practice) (?:to|of) (?P<o>.+)"),
    rule("maintain", "present progressive", "project", "maintains"),
    rule("own found co-found cofound", "present past perfect", "fact", "owns",
        rf"(?P<o>(?!it|that|this|up\b|out\b){COUNTED}?.+)"),
)
# fmt: on

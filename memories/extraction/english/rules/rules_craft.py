"""English rules for tools, skills and lessons."""

from __future__ import annotations

from typing import Final

from memories.extraction.english.grammar import lexicon
from memories.extraction.english.rules.patterns import ALWAYS, DONE, rule

# One rule per row: the formatter would put each argument on a line of its own.
# fmt: off
TOOLS_SKILLS_LESSONS: Final = (    # Tools.
    rule("use", ALWAYS, "fact", "uses", r"(?P<o>(?!it\b|this|that|these|those|your|the (?:following|same"
        r"|above|code|function|command)|an? (?:loop|function|regex|list|for\b)|to\b).+)",
        negated="does_not_use"),
    rule("switch migrate convert port", DONE, "fact", "uses", r"(?:.{0,80}\b)?(?:to|over to"
        r"|onto) (?P<o>(?!it|that|this|another|a different|the\b|\w+ branch).+)"),
    rule("upgrade update", DONE, "fact", "uses", r"(?:.{0,60}\b)?to (?P<o>(?!version|v?\d).*\d.*"
        r"|(?-i:[A-Z]).+)"),
    rule("code program develop write script", "present", "fact", "uses",
          r"(?:mostly |mainly |primarily |everything |all my \w+ |only |almost everything |my \w+ |code "
          r"|software |apps |scripts )*(?:in|with|using) (?P<o>.+)"),
    rule("deploy host ship build release run track manage store test", "present", "fact", "uses",
          r"(?:.{0,60}? )??(?:with|on|using|via|through|in|to) (?P<o>(?!prod|production|staging)\b.+)"),
    rule("rely depend", "present", "fact", "relies_on", r"(?:heavily )?on (?P<o>(?!you|it|this|that).+)"),
    # Languages, skills.
    rule("speak", "present can", "fact", "speaks", r"(?:fluent |some |a (?:little|bit of) |basic |good "
        r"|conversational |native |broken )?(?P<o>(?-i:[A-Z]).+)", negated="does_not_speak"),
    rule("speak", "present can", "fact", "speaks", r"(?P<o>(?:\w+ )*(?:languages?|french|english|german"
        r"|spanish|italian|chinese|mandarin|japanese|korean|russian|arabic|hindi|portuguese|dutch|polish"
        r"|swedish|turkish)\b.*)", negated="does_not_speak"),
    rule("know", "present perfect", "skill", "knows",
          rf"(?P<o>(?:(?:a (?:little|bit of|lot of)|some|basic|enough) )?(?:(?:{lexicon.TECHNOLOGY})\b"
          r"|sign language|how to (?!do (?:this|that|it)|fix|solve|get|use (?:this|that|it))[\w]+).*"
          r"|(?-i:[A-Z])\w+(?:,| and| very| quite| pretty| well| inside).*)"),
    rule("play code cook swim drive ski sail dance sing juggle draw paint sew knit program type skate run "
        "ski surf dive box bake weld solder fly sign read write ride",
          "can", "skill", "can", r".*", negated=""),
    rule("play", ALWAYS, "fact", "plays", r"(?P<o>(?!a role|around|with it|by|ever|since|for\b).+)",
        negated="does_not_play"),
    rule("learn study practise practice", "progressive perfect_progressive", "skill", "learning",
          r"(?P<o>(?!a lot|so much|from|for\b|to (?!\w)|about (?:this|that|it)|it\b|this|that).+)"),
    rule("teach", DONE, "skill", "learned", r"myself (?P<o>.+)"),
    rule("learn", DONE, "skill", "learned", r"(?:how )?to (?!always|never|not\b|keep|trust|check|double"
        r"|test|use (?:it|this))(?P<o>\w+.*)"),
    rule("learn", DONE, "skill", "learned",
          r"(?P<o>(?!that\b|to\b|the hard|from|how important|not to|never|a lot|so much|about|it\b|this"
          r"|one thing|my lesson|why|always|something|what|if|when|an important|a lesson).+)"),
    # Lessons.
    rule("learn realise realize discover", DONE, "lesson", "learned",
          r"(?:(?P<o>(?!(?:that|this|it) the hard way)(?:that|the hard way|from|not to|never|how|why|always"
          r"|to|an? (?:important|hard|painful|valuable|big) lesson|(?:today|yesterday|recently|this week"
          r"|last \w+|over time),? that)\b.+)|(?!that|this|it\b).*\bthe hard way\b.*)", negated=None),
    rule("realise realize", DONE, "lesson", "learned", r"(?P<o>(?:the|my|our|it|you|we|I(?! (?:made|forgot"
        r"|was|had|missed|left|need|should|can)\b)|(?-i:[A-Z])\w|\w+ing\b).+)", negated=None, confidence=0.7),
    rule("find figure", DONE, "lesson", "learned", r"out (?P<o>(?:that|how|why|the hard way|today|yesterday"
        r"|.{3,60}? (?:is|are|was|were|can|can't|cannot|does|doesn't|don't|needs?|must|has|have|only|will"
        r"|won't|should|never|always|\w+s (?:\w+s )?(?:if|when|after|on|in|to|the|a|every))\b).+)",
        negated=None, confidence=0.75),
    rule("find notice discover", DONE, "lesson", "learned", r"(?P<o>that .+)", negated=None, confidence=0.7),
)
# fmt: on

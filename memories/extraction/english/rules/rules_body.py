"""English rules for body, family, belongings, projects and plans."""

from __future__ import annotations

from typing import Final

from memories.extraction.english.grammar import lexicon
from memories.extraction.english.rules.patterns import ALWAYS, CHORE, COUNTED, DONE, INDEFINITE, WORKS, rule

# One rule per row: the formatter would put each argument on a line of its own.
# fmt: off
BODY_KIN_PROJECTS_PLANS: Final = (    # Body, diet, belongings, kin.
    rule("eat drink smoke consume", "present can", "fact", "consumes", r"(?P<o>.+)", negated="avoids"),
    rule("smoke", "present", "fact", "", r"$"),
    rule("have tolerate digest take process", "can", "fact", "", r"(?P<o>dairy|gluten|lactose|alcohol"
        r"|caffeine|nuts|peanuts|milk|sugar|meat|shellfish|ibuprofen|aspirin|penicillin|spicy|soy|eggs"
        r"|wheat).*", negated="avoids"),
    rule("suffer", ALWAYS + " past", "fact", "suffers_from", r"from (?P<o>.+)"),
    rule("take", "present progressive", "fact", "takes", r"(?P<o>(?:medication|insulin|metformin|pills"
        r"|vitamins?|the (?:bus|train|subway|metro|tube|tram|ferry|bike)|my (?:coffee|tea)|an? (?:course"
        r"|class|nap)|\w+ (?:classes|lessons|pills|mg)|\d+ ?mg).*)"),
    rule("drive ride", ALWAYS, "fact", "drives", r"(?P<o>(?:an?|my|our|the|to|(?-i:[A-Z])|\d).+)",
        negated="does_not_drive"),
    rule("get", DONE, "fact", "owns", r"(?P<o>(?:an?|my|our|two|three)\s(?:(?!error|message"
        r"|job)[\w'-]+\s){0,3}?(?:dog|cat|puppy|kitten|pet|rabbit|parrot|car|bike|bicycle|motorcycle|van"
        r"|house|home|flat|apartment|condo|laptop|computer|macbook|pc|phone|iphone|tablet|ipad|watch|camera"
        r"|guitar|piano|violin|keyboard|console|system|tattoo|piercing|tent|boat|telescope|printer|drone"
        r"|beagle|labrador|poodle|corgi|retriever|husky|tv|monitor|kindle|glasses|pacemaker|dslr"
        r"|playstation|xbox)\b.*)"),
    rule("buy adopt inherit purchase order", DONE, "fact", "owns",
          r"(?P<o>(?:an?|my|our|two|three|four|\d+)\s(?!(?:new )?(?:error|message|warning|email|e-mail|call"
          r"|notification|headache|cold|exception|feeling|lot|bit|chance|coffee|sandwich|drink|reply"
          r"|response|text|good|bad|glimpse|refund|ticket|result|question|job|promotion|divorce|degree"
          r"|mail)\b).+)"),
    rule("lose gain", DONE, "fact", "", r"(?:\d+|\w+) ?(?:kg|kilos?|pounds|lbs|stone)\b.*"),
    rule("sell lose break", DONE, "fact", "lost", r"(?P<o>(?:my|our) (?!(?:keys?|phone|wallet|mind|way"
        r"|train|patience|temper|train of|place|connection|progress)\b).+)"),
    rule("marry divorce", DONE, "fact", "married_to", r"(?P<o>(?-i:[A-Z]).+|my .+)"),
    rule("get become", DONE, "fact", "", r"(?:married|engaged|divorced|promoted|certified|laid off|fired"
        r"|hired|accepted|admitted|diagnosed|pregnant|my (?:degree|licen[cs]e|green card|visa|citizenship"
        r"|phd|master|diploma|driver)|an? (?:\w+ )?(?:doctor|nurse|teacher|father|mother|parent|dad|mum|mom"
        r"|manager|citizen|grandparent|vegan|vegetarian|promotion|degree|citizenship|divorce|scholarship)"
        r"|vegan|vegetarian|citizen|into (?!trouble|it|an? (?:argument|fight|accident))).*"),
    rule("have", "past", "fact", "", r"(?:an? (?:baby|son|daughter|stroke|heart attack|miscarriage|surgery"
        r"|\w+ (?:surgery|operation|transplant))|twins|surgery|chemo|my (?:first|second|third|appendix"
        r"|tonsils|wisdom)).*"),
    rule("turn", DONE, "fact", "age",
        r"(?P<o>\d{1,3}|thirty|forty|fifty|sixty|twenty|eighteen)\b.*", negated=None),
    rule("vote", DONE, "fact", "voted_for", r"for (?P<o>.+)"),
    rule("pass", DONE, "fact", "", r"away\b.*"),
    rule("stop quit give", DONE, "fact", "gave_up", r"(?:up )(?P<o>.+)"),
    rule("stop", DONE, "fact", "gave_up", r"(?P<o>(?:smoking|drinking|eating|using|playing|taking|working"
        r"|going|driving|watching|buying|reading) .+|smoking|drinking)"),
    rule("name", DONE, "fact", "named", r"(?:him|her|it|our|my|them) .+"),
    rule("run finish complete win climb publish visit pass earn receive", DONE, "fact", "",
          r"(?P<o>(?:my (?:first|second|third|\d|degree|phd|master|licen|driving|black belt|bar exam"
          r"|thesis)|an? (?:\w+ )?(?:marathon|half[- ]marathon|triathlon|ironman|ultra|award|medal"
          r"|scholarship|paper|book|novel|degree|championship|competition|prize|certificate|phd|bootcamp"
          r"|10k|5k)|the (?:\w+ )*(?:marathon|exam|award|prize|bar|championship|camino|tournament"
          r"|competition|election|lottery|race)|(?-i:[A-Z])[\w'].*(?:last|in \d{4}|ago|twice|once"
          r"|this year)|\d+ marathons).*)"),
    rule("hold", "present", "fact", "has",
        r"(?P<o>(?:an?|the|two|dual) .*\b(?:phd|degree|master's|bachelor's|licen[cs]e|certificate"
        r"|certification"
        r"|passport|citizenship|title|record|visa|black belt|patents?)\b.*)"),
    # Projects.
    rule("make", "progressive perfect_progressive", "project", "works_on",
        rf"(?!{CHORE})(?P<o>(?:{COUNTED})?(?:[\w-]+ ){{0,3}}{WORKS}\b.*)"),
    rule("build develop create design write code program produce record compose research prototype launch "
        "found organise organize renovate restore illustrate edit",
        "progressive perfect_progressive", "project", "works_on",
        rf"(?!{CHORE})(?P<o>(?:{COUNTED}|(?-i:[A-Z])).+|[\w.-]+ v?\d[\d.]*\b.*|.* (?:called|named) .+"
        rf"|.*\b{WORKS}\b.*)"),
    rule("start", "progressive", "project", "works_on", rf"(?P<o>{COUNTED}(?:[\w-]+ )*{WORKS}\b.*)"),
    rule("redesign rebuild overhaul modernise modernize revamp extend integrate optimise optimize scale "
        "consolidate redo plan prepare set roll", "progressive perfect_progressive", "project", "works_on",
          rf"(?!{CHORE}|for\b|to\b|on\b)(?:up |out )?(?P<o>{COUNTED}.+|(?-i:[A-Z]).+)"),
    rule("migrate rewrite refactor port move switch convert upgrade automate replace implement",
        "progressive perfect_progressive", "project", "works_on",
          rf"(?!{CHORE})(?P<o>.*\b(?:to|into|from|with|in)\b.+)"),
    rule("build develop create design write make launch publish release open found co-found start",
        DONE, "project", "created",
          rf"(?!{CHORE})(?P<o>(?:{INDEFINITE})(?!bunch|lot|couple|few|ton)(?:[\w-]+ ){{0,4}}{WORKS}\b.*"
          rf"|{INDEFINITE}(?!.*\b(?:file|function|class|variable|script|folder|branch|image|table|method"
          r"|column|user)\b).+ (?:called|named) .+)"),
    # Plans with a place or date.
    rule("move relocate emigrate fly travel", "progressive future", "goal", "plans",
        r"(?P<o>(?:back )?(?:to|into|in with|abroad|house) ?.+)"),
    rule("train prepare study save apply practise practice interview",
        "progressive perfect_progressive", "goal", "plans",
        r"(?:up )?(?:for|to) (?P<o>(?!it|this|that).+)"),
    rule("look search hunt", "progressive perfect_progressive", "goal", "plans",
          r"(?:to (?:buy|rent|adopt|change|move|switch|hire|get|find) .+|for (?P<o>(?:an?|my|our"
          r"|another) (?:\w+ ){0,3}(?:job|apartment|flat|house|home|place|car|dog|puppy|kitten|role"
          r"|position|internship|co-?founder|roommate|school|phd|therapist|career|bike).*))"),
    rule("start leave retire graduate get have expect join", "progressive future", "goal", "plans",
          r"(?P<o>(?:an? (?:new )?(?:job|role|degree|course|phd|baby|company|business|family|diet)"
          r"|my (?:new|job|phd|degree|master|own)|married|divorced|in (?:january|february|march|april|may"
          r"|june|july|august|september|october|november|december|\d)|a baby|twins|(?-i:[A-Z])\w+ (?:in|on"
          r"|next)|(?:at|from|as) .+ (?:on|next|in) ).*)"),
    rule("try", "progressive perfect_progressive", "goal", "plans", r"to "
        rf"(?P<o>(?:{lexicon.GOAL_VERBS})\b.*)"),
    rule("date see", "progressive perfect_progressive", "fact", "dates",
          r"(?!.*\b(?:about|tomorrow|tonight|today|on|at|next|this|later|soon|off)\b)"
          r"(?P<o>an? .+|(?-i:[A-Z]).+)"),
    rule("collect volunteer support follow wear commute host mentor practise practice attend raise breed "
        "grow brew", "present perfect_progressive", "fact", ""),
    rule("name", "perfect", "fact", ""),
)
# fmt: on

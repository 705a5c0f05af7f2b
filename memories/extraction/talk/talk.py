"""Find statements about the speaker that no rule of a grammar reads, and keep them in the user's words.

The rules of `english` and `chinese` need a subject, a verb they know and a complement. People also write lists
and fragments, tell events, speak dialect, mix languages, and tell of themselves within a request. Such a
sentence is kept as a quotation without a triple. The words are in `talk.toml`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from memories.extraction.prose import ExtractedStatement
from memories.extraction.tables import read_table

_NAMES: Final = (
    "speakers", "events", "openings", "tasks", "moods", "mental", "belongings", "kin", "labels", "labels_zh",
    "speakers_zh", "openings_zh", "tasks_zh", "belongings_zh", "alone_zh",
)  # fmt: skip
_TABLE: Final = read_table(Path(__file__).with_name("talk.toml"), _NAMES)
#: Characters. A longer clause or sentence is no aside.
LONGEST: Final = 300
_CONFIDENCE: Final = 0.65
_FEWEST_WORDS: Final = 3


def _any(name: str) -> str:
    return f"(?:{_TABLE.longest_of(name)})"


_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_YOU: Final = re.compile(
    r"\b(?:you|your|yours|yourself|u|ur|y'all|this|that one)\b|你|您|侬真", re.IGNORECASE
)
_OPENING: Final = re.compile(rf"(?:{_any('openings')}[\s,:;!.–—-]+){{1,4}}", re.IGNORECASE)
_TASK: Final = re.compile(rf"\b{_any('tasks')}\b", re.IGNORECASE)
_MY: Final = r"(?:my|our|ma|wor|me|mi|the)"
_DETAIL: Final = (
    r"(?:\b(?:my|our)\b|(?-i:\b(?!I\b)[A-Z][A-Za-z'-]+)|\d|\b(?:every|each|weekly|daily|weekends?|mornings?|evenings?|nights?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|years?|months?|ago|since|for a living|from scratch|from home|by hand"
    r"|at home|all my life|as a kid|growing up)\b)"
)
_SAID: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # An event, also without its subject: "Passed my driving test".
        rf"(?:{_any('speakers')}(?:'ve| have|'d| had)? (?:\w+ly |just |finally |never |also )?)?{_any('events')} (?P<o>\S.*)",
        # A state: "I'm on the night shift".
        rf"(?:I am|I'm|Im|we're|we are|am|I be)(?: \w+ly)? (?!{_any('moods')}\b)(?P<o>\S+ \S.*)",
        rf"(?:I'm|I am|we're|we are) (?:after|fixin'?(?: to)?|off|away|down|up|over|out|back|still|also|not) (?P<o>\S+ \S.*)",
        rf"{_any('speakers')}(?:'ve| have| haven't| has|'s)? (?:got|never|only|always|usually|mostly|ain't got|don't got|dinnae|divvent|dae nae|nah|no longer|keep|own|drink|eat|take|do|go|play|run|teach|drive|live|work|stay|sleep|wear|speak|study|train|raise|breed|grow|sing|collect|volunteer|avoid|skip|support|coach|rent|share|pay|send|save|commute|cycle|walk|ride|get up|wake|bake|cook|brew|knit|sew|paint|draw|write|read|foster) (?P<o>\S.*)",
        rf"I (?:have|haven't|need|can't|cannot|don't|never|won't|couldn't|avoid|struggle|suffer|prefer|love|hate|fancy|crave|fear|dread|use|reckon on|swear by|live for) (?P<o>\S+ \S.*)",
        # Relatives and belongings: "our kid's just turned ten".
        rf"{_MY} (?:\w+ ){{0,2}}?{_any('kin')}(?:'s|s'|s| and)?,? (?P<o>\S+ \S.*)",
        rf"(?:our|wor) (?:kid|lass|lad|bairn)(?:'s)? (?P<o>\S.*)",
        rf"my (?:\w+ ){{0,3}}?(?:is|are|was|were|has|have|lives?|works?|died|moved|started|finished|got|turned|starts?|runs?|goes|comes?|keeps?|means?|'s) (?P<o>\S.*)",
        r"(?P<o>[\w' -]{3,40}) (?:terrifies|scares|bores|irritates|soothes|calms|upsets|exhausts|disgusts|thrills|delights|triggers|kills) me\b.*",
        r"(?P<o>[\w' -]{3,40}) (?:makes? me|gives? me|sets? me|brings? me|puts? me off|turns? my stomach|does my head in|is my (?:thing|jam|passion|life|favou?rite|go-to|weakness))\b.*",
        r"(?:the|my|our) (?:doctor|doc|gp|consultant|dentist|physio|midwife|vet|hospital|school|council|landlord|company|bank)"
        r"(?:'s| has)? \w+ (?:me|us|my|our) (?P<o>\S.*)",
        # Any verb of the speaker with a detail: a name, a number, a habit or what is theirs.
        rf"(?:I|we)(?:'ve|'d| have| had| always| never| usually| mostly| still| also| only)* (?!{_any('mental')}\b)"
        rf"[a-z][a-z'-]+ (?=.*{_DETAIL})(?P<o>\S+ \S.*)",
        rf"(?!I\b)[A-Za-z][a-z]+ed (?=.*{_DETAIL})(?P<o>\S+ \S.*)",
        # Dialect.
        r"(?:I|we|ah|me|mi|us|aw|they|she|he)(?:'m|'ve|'s)? (?P<o>.*\b(?:nowt|owt|summat|wee|bairns?|nae|dinna|dinnae|canna|cannae|ain't"
        r"|didnae|havnae|havenae|hae|wasnae|gonnae|finna|reckon|bloody|hella|och|hame|ken|gaun|tha|thee|nah|dat|dem|inna|lah|lor)\b.*)",
        # Fragments: "Kotlin over Java", "metric only", "left-handed".
        r"(?P<o>[\w.+#' -]{2,30} over [\w.+#' -]{2,30})(?: any day| every time| always| please| tbh)?",
        r"(?P<o>[\w' -]{2,30}) (?:only|always)(?:, [\w' -]{2,30} (?:only|always|never))?(?: please)?",
        r"(?P<o>(?:no|zero|strictly no|never any) (?!problem|worries|idea|thanks|thank|way|need|rush|clue|offen[cs]e|doubt|luck|joke|more|one"
        r"|comment|pressure|matter|wonder|biggie|chance|kidding|stress|good|longer)[\w' -]{3,40})(?:, .{2,60})?",
        r"(?P<o>(?:left|right)[- ]handed|ambidextrous|colou?r[- ]?blind|deaf|blind|teetotal|sober|celibate|widowed|divorced|married|single|engaged|retired|pregnant|vegan|vegetarian|pescatarian|coeliac|celiac|diabetic|asthmatic|dyslexic|autistic|anaemic|self-employed|unemployed|freelance|night shift|early riser|night owl)\b.{0,60}",
        r"(?P<o>(?:born and (?:raised|bred)|born|raised|brought up|originally|based|living|working|studying|training|volunteering"
        r"|renting|saving|recovering|learning|teaching|retired|married|engaged|divorced|diagnosed|allergic|intolerant) "
        r"(?:in|at|from|to|for|as|with|on|up|last|since|\d|\w+).{0,80})",
        r"(?P<o>(?:mother|mum|mom|father|dad|parent|gran|grandad|carer|owner|proud owner|single (?:mum|mom|dad|parent)|stay-at-home"
        r" (?:mum|mom|dad)) (?:of|to|with|at|in|here).{2,60})",
        r"(?P<o>(?:an?|one|two|three|four|five|six|\d+) (?:\w+ )?(?:kids?|children|sons?|daughters?|boys|girls|dogs?|cats?|hens|horses"
        r"|siblings|brothers|sisters|grandkids|grandchildren)\b.{0,80})",
        r"(?P<o>(?:love|hate|adore|detest|prefer|enjoy|avoid|can't stand|can't do|can't eat|don't eat|don't drink|don't drive|don't smoke"
        r"|never eat|never drink|work|live|speak|play|drive|use|need|take|sleep|run|swim|collect|huge|big|massive|lifelong) \S.{2,80})",
        r"(?P<o>[\w' -]{3,40} (?:fan|user|person|lover|nut|addict|geek|nerd|obsessive|sufferer|intolerant|allergy|supporter|drinker|smoker"
        r"|eater|speaker|player|teacher|nurse|engineer|developer|student|driver|survivor|here))(?: here| since .{2,20}| for .{2,20}| at .{2,30})?",
    )
)
_MENTAL: Final = re.compile(
    rf"(?:I|we)(?:'ve| have|'d| had)? (?:just |already |also |really |still )?{_any('mental')}\b",
    re.IGNORECASE,
)
_ASIDES: Final = (
    re.compile(rf"\b(?:my|our) (?:own )?(?:[\w-]+ ){{0,2}}?{_any('belongings')}\b", re.IGNORECASE),
    re.compile(rf"\b(?:my|our) (?:[\w-]+ ){{0,2}}?{_any('kin')},? (?-i:[A-Z][a-z]+)"),
    re.compile(
        rf"\b(?:my|our) (?:[\w-]+ )??{_any('kin')}\b.{{0,60}}\b(?:is|she's|he's|they're|aged?|turns?|turning|in year|in grade|up from|to) \S+",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bas an? (?!result|rule|consequence|matter|joke|whole|bonus|gift|file|table|list|surprise|last|first|start|side|reminder|ai\b|language|pirate|bot|child|kid)[\w-]+(?: [\w-]+){0,3},? (?:I|we|my)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:since|because|now that|given that|as) (?:I'm|I am|we're|I have|I've got|we have|I've|the twins) (?!sure|not sure|stuck|new here|confused|curious)\S+ \S+",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bwe'?(?:ll be| will be|re) (?:driving|taking|bringing|staying|flying|travelling|off|going|moving|camping) .*\b(?:our|my)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bI (?:have to|need to|must|gotta|got to) (?:pick|drop|take|drive|collect|fetch|feed|walk|visit|see) (?:up )?my \w+",
        re.IGNORECASE,
    ),
    re.compile(r"^had (?:my|our) [^?]+$", re.IGNORECASE),
    re.compile(
        r"\bthe other (?!day|night|one|thing|side|way|hand)\w+s (?:want|asked|expect|need|elected|voted) me\b",
        re.IGNORECASE,
    ),
)
_ASIDES_ZH: Final = (
    re.compile(
        rf"(?:我|我家|我们|我们家|咱家|俺家)的?(?:在.{{1,8}}的)?[^，。？]{{0,4}}?{_any('belongings_zh')}"
    ),
    re.compile(r"作为(?:一?[个名位])?(?!AI|人工|语言|助手|一个整体|结果|礼物|例子)[^，。]{2,12}[，,]"),
    re.compile(
        r"[，。！？]我(?:今年|现在|要|得|明天|下周|周末|刚|正在|有|是|对|患|怀孕|在)[^，。？吗]{3,20}"
    ),
)
_NO_ASIDE_ZH: Final = re.compile(
    r"要不要|难道|等我|第一人称|日记|小说|剧本|假如|假设|如果|要是|为什么我|能不能|可不可以|该不该|适合|是不是|需要"
)
_SUBJECT_ZH: Final = re.compile(
    rf"(?:{_any('openings_zh')}[，,\s]*){{0,4}}{_any('speakers_zh')}(?:[啊呀吧呢嘛哈]|，)?(?P<o>[^吗？?]{{3,80}})$"
)
_EVENT_ZH: Final = re.compile(
    rf"(?:{_any('openings_zh')}[，,\s]*){{0,4}}(?:把|在|养了?|买了|卖了|换了|考过|考了|拿到|领了|搬|做了|生了|学了|干了|跑了|开了|住了?|教了?|当了|升了|辞了|退了|瘦了|胖了|戒了|订了|报了|养|爱|喜欢|讨厌|怕|对)[^吗？?]{{2,40}}(?:了|过|的|年|岁|[a-zA-Z\d]|[^呢吧])$"
)
_ALONE_ZH: Final = re.compile(rf"(?:还)?{_any('alone_zh')}[^吗？?你]{{0,20}}$")
_SHORT_ZH: Final = re.compile(
    r"(?:不(?!对|是|行|错|好|懂|用|要|客气|知道|可能|一定|够|信|想|过|如|然|会吧|太)|只(?!是|要|能)|从不|不能|爱(?!你)|怕|住|有(?!道理|意思|点|没|人|时间)"
    r"|属|姓|养|干|教|吃|喝|过敏|每天|每周|坐标|家在|人在|老家|今年)[^吗？?你您吧呢请]{2,18}$"
)
_WISH_ZH: Final = re.compile(
    r"(?:早上|晚上|周末|工作日|以后|平时|[^，]{0,8}点[后前])?(?:请)?(?:别|不要|不用)(?:给我|跟我|对我|叫我|推荐|发|用)[^，。？]{1,20}|别推荐.{1,12}"
)
_TASK_ZH: Final = re.compile(_any("tasks_zh"))
_MIXED_ZH: Final = re.compile(
    r"我|my\b|\bI\b|mum|dad|周末|平时|每天|一般|通常|喜欢|习惯|deadline|project|team|boss|手机|电脑|\blah\b",
    re.IGNORECASE,
)
_LIST: Final = re.compile(
    rf"[-*•·]?\s*(?P<label>(?:(?:my|our)\s+)?{_any('labels')}|(?:my|our) [\w' -]{{2,30}}|[\w' -]{{2,30}} (?:I|we) [\w' -]{{2,20}}"
    rf"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mornings?|evenings?|weekdays?|weekends?|things I [\w ]{{2,20}}|about me|me)"
    rf"\s*(?:[:：=]|\s[-–—]\s)\s*(?P<o>\S.*)",
    re.IGNORECASE,
)
_OWNER: Final = re.compile(r"(?:my|our)\s+")
#: A label with one value is left to the rules, which give it a triple.
_SEVERAL: Final = re.compile(r"[,，、;；/&+①②]| and | with |\d")
_LIST_ZH: Final = re.compile(
    rf"[-*•·]?\s*(?:我的?|本人)?(?P<label>{_any('labels_zh')})(?:是|有)?\s*[:：=]\s*(?P<o>\S.*)"
)


def find_listed(line: str) -> ExtractedStatement | None:
    """Return what a line says that begins with a label of the user: "pets: two cats"."""
    if len(line) > LONGEST or line.rstrip().endswith(("?", "？")):
        return None
    chinese = _LIST_ZH.fullmatch(line)
    if chinese and _SEVERAL.search(chinese.group("o")):
        return _keep(f"用户的{chinese.group('label')}：{chinese.group('o').rstrip('。.')}。")
    listed = _LIST.fullmatch(line)
    if (
        listed
        and _SEVERAL.search(listed.group("o"))
        and not (_YOU.search(line) or _TASK.search(listed.group("label")))
    ):
        label = _OWNER.sub("", listed.group("label").lower())
        return _keep(f"The user's {label}: {listed.group('o').rstrip('.')}.")
    return None


_FLEETING: Final = re.compile(
    r"\b(?:right now|at the moment|at the airport|on my way|in (?:a|an|five|ten|\d+) (?:minutes?|mins?|sec|second|hour)|as we speak|brb"
    r"|just now|a minute ago|the lights|the server|the best \w+ ever)\b|\b(?:is|are|'s) (?:visiting|coming|here|asleep|calling"
    r"|sleeping|waiting|(?:late|delayed|cancelled))$|\b(?:I'm|I am) .*\bnow$|^have been since\b",
    re.IGNORECASE,
)


def find_said(text: str) -> ExtractedStatement | None:
    """Return what a clause, or a sentence, states of its speaker."""
    bare = text.strip(" \t,，.。!！~～…;；")
    if not bare or len(bare) > LONGEST or _YOU.search(bare):
        return None
    if _HAN.search(bare):
        return _said_in_chinese(bare)
    opening = _OPENING.match(bare)
    plain = bare[opening.end() :] if opening else bare
    if _TASK.search(plain) or _MENTAL.match(plain) or _FLEETING.search(plain):
        return None
    found = any(pattern.fullmatch(plain) for pattern in _SAID)
    return _keep(f"The user said: “{bare}.”") if found and len(plain.split()) >= _FEWEST_WORDS - 1 else None


def _said_in_chinese(text: str) -> ExtractedStatement | None:
    if _TASK_ZH.search(text) or len(text) < 2:
        return None
    mixed = re.search(r"[A-Za-z]{2,}", text) is not None and _MIXED_ZH.search(text)
    patterns = (_SUBJECT_ZH, _EVENT_ZH, _ALONE_ZH, _SHORT_ZH, _WISH_ZH)
    if mixed or any(pattern.fullmatch(text) for pattern in patterns):
        return _keep(f"用户说：“{text}。”")
    return None


def find_aside(text: str) -> ExtractedStatement | None:
    """Return what a question or request tells of its speaker: "my flat in Oslo"."""
    if len(text) > LONGEST:
        return None
    bare = text.strip()
    if _HAN.search(bare):
        told = not _NO_ASIDE_ZH.search(bare) and any(p.search(bare) for p in _ASIDES_ZH)
        return _keep(f"用户提到：“{bare}”") if told else None
    return _keep(f"The user mentioned: “{bare}”") if any(p.search(bare) for p in _ASIDES) else None


def _keep(content: str) -> ExtractedStatement:
    return ExtractedStatement(content, confidence=_CONFIDENCE)

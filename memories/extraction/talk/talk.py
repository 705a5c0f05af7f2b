"""Find statements about the speaker that no rule of a grammar reads, and keep them in the user's words.

The rules of `english` and `chinese` need a subject, a verb they know and a complement. People also write
lists and fragments, report events, speak dialect, mix languages, and mention themselves in a request. Such
a sentence is kept as a quotation without a triple. The words are in `talk.toml` and `patterns.toml`.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Final

from memories.extraction.prose import ExtractedStatement
from memories.extraction.tables import read_table
from memories.values import Kind

_NAMES: Final = (
    "speakers", "events", "openings", "tasks", "moods", "mental", "belongings", "kin", "labels", "labels_zh",
    "speakers_zh", "openings_zh", "tasks_zh", "belongings_zh", "alone_zh",
    "judgements", "judgements_zh", "passing", "passing_zh", "visitors", "gear_zh",
)  # fmt: skip
_TABLE: Final = read_table(Path(__file__).with_name("talk.toml"), _NAMES)
#: Characters. A longer clause or sentence is no aside.
LONGEST: Final = 300
#: What stands before the words of a quotation.
QUOTATION_MARKS: Final = ("The user said: “", "用户说：“")
_CONFIDENCE: Final = 0.65
_FEWEST_WORDS: Final = 3


def _any(name: str) -> str:
    return f"(?:{_TABLE.longest_of(name)})"


def _read_patterns(path: Path) -> dict[str, tuple[re.Pattern[str], ...]]:
    """Return the patterns of each list of a file, with the words of the table in place of `<name>`."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    written = {f"<{name}>": _any(name) for name in _NAMES} | {"<my>": _MY, "<detail>": table["detail"][0]}

    def compile_one(pattern: str) -> re.Pattern[str]:
        for name, words in written.items():
            pattern = pattern.replace(name, words)
        return re.compile(pattern, re.IGNORECASE)

    return {name: tuple(map(compile_one, patterns)) for name, patterns in table.items()}


_MY: Final = r"(?:my|our|ma|wor|me|mi|the)"
_PATTERNS: Final = _read_patterns(Path(__file__).with_name("patterns.toml"))
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_YOU: Final = re.compile(
    r"\b(?:you|your|yours|yourself|u|ur|y'all"
    r"|this(?! (?:morning|afternoon|evening|weekend|month|week|year|spring|summer|autumn|fall|winter|term))"
    r"|that one)\b|你|您|侬真",
    re.IGNORECASE,
)
_OPENING: Final = _PATTERNS["opening"][0]
_ADVICE: Final = _PATTERNS["advice"][0]
_ADVICE_ZH: Final = _PATTERNS["advice_zh"][0]
_ROLE: Final = _PATTERNS["role"][0]
_ROLE_ZH: Final = _PATTERNS["role_zh"][0]
_MENTION: Final = _PATTERNS["mention"][0]
_MENTION_ZH: Final = _PATTERNS["mention_zh"][0]
_TASK: Final = re.compile(rf"\b{_any('tasks')}\b", re.IGNORECASE)
_REMARK: Final = _PATTERNS["remark"]
_MENTAL: Final = _PATTERNS["mental"][0]
_ASIDES: Final = _PATTERNS["asides"]
_ASIDES_ZH: Final = _PATTERNS["asides_zh"]
_NO_ASIDE_ZH: Final = _PATTERNS["no_aside_zh"][0]
_SUBJECT_ZH: Final = _PATTERNS["subject_zh"][0]
_EVENT_ZH: Final = _PATTERNS["event_zh"][0]
_ALONE_ZH: Final = re.compile(rf"(?:还)?{_any('alone_zh')}[^吗？?你]{{0,20}}$")
_SHORT_ZH: Final = _PATTERNS["short_zh"][0]
_REQUEST_ZH: Final = _PATTERNS["request_zh"][0]
_TASK_ZH: Final = re.compile(_any("tasks_zh"))
_ARRANGED_ZH: Final = _PATTERNS["arranged_zh"]
_MIXED_ZH: Final = _PATTERNS["mixed_zh"][0]
_LIST: Final = _PATTERNS["list"][0]
_OWNER: Final = re.compile(r"(?:my|our)\s+")
#: A label with one value is left to the rules, which give it a triple.
_SEVERAL: Final = re.compile(r"[,，、;；/&+①②]| and | with |\d")
_LIST_ZH: Final = _PATTERNS["list_zh"][0]


def points_at_conversation(text: str) -> bool:
    """Return whether a text speaks to the assistant, or of "this" and "that one"."""
    return _YOU.search(text) is not None


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


_FLEETING: Final = _PATTERNS["fleeting"][0]
_OPINION: Final = _PATTERNS["opinion"][0]
_OPINION_ZH: Final = _PATTERNS["opinion_zh"][0]
_JUDGED: Final = _PATTERNS["judged"]
_JUDGED_ZH: Final = _PATTERNS["judged_zh"][0]
_PASSING: Final = re.compile(rf"\b{_any('passing')}\b", re.IGNORECASE)
_PASSING_ZH: Final = re.compile(_any("passing_zh"))
#: An opinion about "it", or about "the soup", is about something of the moment.
_POINTED: Final = re.compile(r"(?:it|that|these|those|they|he|she|there|the (?=[a-z]))\b")


def find_remark(text: str) -> ExtractedStatement | None:
    """Return what a clause, or a sentence, states of its speaker."""
    bare = text.strip(" \t,，.。!！~～…;；")
    if not bare or len(bare) > LONGEST or _YOU.search(bare):
        return None
    if _HAN.search(bare):
        return _find_chinese_remark(bare)
    opening = _OPENING.match(bare)
    plain = bare[opening.end() :] if opening else bare
    if _TASK.search(plain) or _MENTAL.match(plain) or _FLEETING.search(plain):
        return None
    found = any(pattern.fullmatch(plain) for pattern in _REMARK)
    return _keep(f"The user said: “{bare}.”") if found and len(plain.split()) >= _FEWEST_WORDS - 1 else None


def find_opinion(text: str) -> ExtractedStatement | None:
    """Return what a clause says that its speaker thinks of something that lasts: "I think jazz is dull"."""
    bare = text.strip(" \t,，.。!！~～…;；")
    if not bare or len(bare) > LONGEST or _YOU.search(bare):
        return None
    chinese = _HAN.search(bare) is not None
    opening = None if chinese else _OPENING.match(bare)
    plain = bare[opening.end() :] if opening else bare
    found = _OPINION_ZH.fullmatch(bare) if chinese else _OPINION.fullmatch(bare) or _OPINION.fullmatch(plain)
    thought = found.group("o") if found else ""
    if not (_judges_in_chinese(thought) if chinese else _judges(thought)):
        return None
    kept = quote_remark(bare)
    return replace(kept, kind=Kind.PREFERENCE) if kept else None


def _judges(thought: str) -> bool:
    if _POINTED.match(thought) or _PASSING.search(thought) or _TASK.search(thought):
        return False
    return not _FLEETING.search(thought) and any(pattern.fullmatch(thought) for pattern in _JUDGED)


def _judges_in_chinese(thought: str) -> bool:
    return not _PASSING_ZH.search(thought) and _JUDGED_ZH.fullmatch(thought) is not None


def _find_chinese_remark(text: str) -> ExtractedStatement | None:
    if any(pattern.fullmatch(text) for pattern in _ARRANGED_ZH):
        return _keep(f"用户说：“{text}。”")
    if _TASK_ZH.search(text):
        return None
    mixed = re.search(r"[A-Za-z]{2,}", text) is not None and _MIXED_ZH.search(text)
    patterns = (_SUBJECT_ZH, _EVENT_ZH, _ALONE_ZH, _SHORT_ZH, _REQUEST_ZH)
    if mixed or any(pattern.fullmatch(text) for pattern in patterns):
        return _keep(f"用户说：“{text}。”")
    return None


def quote_remark(text: str) -> ExtractedStatement | None:
    """Return a whole sentence in the user's words, or None if it is too long."""
    bare = text.strip(" \t,，.。!！~～…;；")
    if not bare or len(bare) > LONGEST:
        return None
    return _keep(f"用户说：“{bare}。”" if _HAN.search(bare) else f"The user said: “{bare}.”")


def get_quoted_words(content: str) -> str:
    """Return the user's words without the marks that `quote_remark` puts around them."""
    for mark in QUOTATION_MARKS:
        if content.startswith(mark):
            return content.removeprefix(mark).removesuffix("”")
    return content


def find_aside(text: str) -> ExtractedStatement | None:
    """Return the statement that a request makes about its speaker in passing: "my flat in Oslo"."""
    if len(text) > LONGEST:
        return None
    bare = text.strip()
    if _HAN.search(bare):
        is_aside = not _NO_ASIDE_ZH.search(bare) and any(p.search(bare) for p in _ASIDES_ZH)
        return _keep(f"用户提到：“{bare}”") if is_aside else None
    return _keep(f"The user mentioned: “{bare}”") if any(p.search(bare) for p in _ASIDES) else None


def find_mention(question: str) -> ExtractedStatement | None:
    """Return what a question for advice mentions of the speaker's own: "… from my flat in Oslo?", the flat.

    A question about what is theirs ("What is my dog's name?") tells nothing.
    """
    if len(question) > LONGEST:
        return None
    chinese = _HAN.search(question) is not None
    if not (_ADVICE_ZH.search(question) if chinese else _ADVICE.match(question)):
        return None
    found = (_MENTION_ZH if chinese else _MENTION).search(question)
    if found is None:
        return None
    return _keep(f"用户提到自己的{found['o']}。" if chinese else f"The user mentioned their {found['o']}.")


def find_role(text: str) -> ExtractedStatement | None:
    """Return what somebody who asks says that they are: "As a vegan, what can I eat?"."""
    if len(text) > LONGEST:
        return None
    chinese = _HAN.search(text) is not None
    found = (_ROLE_ZH if chinese else _ROLE).match(text)
    if found is None:
        return None
    return _keep(f"用户是{found['o']}。" if chinese else f"The user is {found['o']}.")


def _keep(content: str) -> ExtractedStatement:
    return ExtractedStatement(content, confidence=_CONFIDENCE)

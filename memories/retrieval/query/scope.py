"""Decide whether a question wants what was so, or only what is so now. Pure."""

from __future__ import annotations

import re
from typing import Final

from memories.retrieval.query.query import Query

#: Letters of other scripts than Latin and Chinese.
_FOREIGN: Final = re.compile(r"(?![A-Za-z\u00c0-\u024f\u3400-\u9fff\uf900-\ufaff\uff21-\uff5a])[^\W\d_]")
#: Words by which a question or a request is English, and Chinese characters. In other languages, the
#: expressions below find neither the past nor a question for several things.
_READABLE: Final = re.compile(
    r"\b(?:what|where|who|whom|whose|when|which|how|why|does|should|the|my|our|mine|tell|remind|i'm"
    r"|(?:do|am|are|is|have|has|can|could|will|would|shall) (?:i|we|you|he|she|it|they|there|any))\b"
    r"|^\W*(?:are|is|can|could|has|have) "
    r"|[\u3400-\u9fff\uf900-\ufaff]",
    re.IGNORECASE,
)
#: Words of a question about an earlier time, which may be the one that a search is about.
_THEN: Final = re.compile(
    r"\b(?:did|was|were|had|back then|in (?:19|20)\d\d)\b"
    r"|当时|那时|那会|那几|那阵|那段|去年|前年|(?:19|20)\d\d年",
    re.IGNORECASE,
)
#: Words of a question about what was so before the time that it is about.
_BEFORE: Final = re.compile(
    r"\b(?:used to|before|previous(?:ly)?|former(?:ly)?|earlier|originally"
    r"|at first|ever|history|once|ago|first|initially|as a (?:kid|child|boy|girl|teenager)"
    r"|last (?:year|month|week|spring|summer|autumn|fall|winter|time|job|place|flat|employer|boss|car|phone)"
    r"|no longer|so far|over the years|(?:my|our) (?:old|ex)\b|have (?:i|we) (?:\w+ed|been))\b"
    r"|以前|之前|过去|曾|原来|原先|从前|最早|最初|小时候|年轻时|当初|前任|前一|[前老]东家|上一[份个家任套台部]|早年|一开始|上次|上回"
    r"|[去来到吃看玩用读见住养听学做]过|[^不通经难]过(?=[吗么的？?，几哪什谁多]|$)",
    re.IGNORECASE,
)
#: Words of a question that several statements may answer together.
_SEVERAL: Final = re.compile(
    r"\b(?:what|which) (?:[\w'-]+ ){0,2}?(?!(?:is|was|does|has|this|us|always|bus|gas|days)\b)[a-z]+s"
    r" (?:do|are|have|can|am)\b"
    r"|\b(?:what|who|where|which|how) are (?:all )?(?:my|our|the)\b"
    r"|\bhow many\b|\ball (?:my|our|the)\b|\blist\b|\b(?:every|any)thing\b"
    r"|\bhow do (?:i|we) (?:like|prefer) to\b|\bsummar(?:y|i[sz]e)\b"
    r"|\b(?:tell|know|remember)\b.{0,20}?\babout\b|\ballerg|\b(?:free|spare) time\b"
    r"|哪些|几[个只条辆门种样位]|都[有会养用是叫]|喜欢怎[么样]|一共|分别|所有|了解我|过敏|爱好|业余",
    re.IGNORECASE,
)
#: Words with which somebody asks for what was said in a chat, by the assistant or as a question.
_TALK: Final = re.compile(
    r"\byou (?:\w+ )?(?:said|suggested|recommended|told|advised|wrote|gave|explained|mentioned|answered)\b"
    r"|\bdid you (?:\w+ )?(?:say|suggest|recommend|tell|advise|write|give|explain|mention|answer|propose)\b"
    r"|\byour (?:\w+ )?(?:answers?|advice|suggestions?|recommendations?|explanation|repl(?:y|ies))\b"
    r"|\b(?:did|have|had) (?:i|we) (?:\w+ )?(?:ask|asked|talk|talked|discuss|discussed|chat)\b"
    r"|\b(?:i|we) (?:asked|discussed)\b"
    r"|\b(?:last|previous|earlier|our) (?:chat|conversation|talk|discussion|session)\b"
    r"|你[^。？！?]{0,8}(?:说|推荐|建议|提|讲|教|写|告诉我?|回答|解释|给我?)(?:过|了|的)"
    r"|我(?:之前|上次|以前|刚才)?都?(?:问|聊)过|(?:上次|之前|以前)的?(?:对话|聊天|讨论)|咱们?聊",
    re.IGNORECASE,
)
_SELF: Final = re.compile(r"\b(?:I|I['’]m|am I|my|mine)\b|我")
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+\b")
#: Words of a question for other people.
_SOMEBODY: Final = re.compile(
    r"\b(?:who|whom|whose|we|our|us|family|friends?|brothers?|sisters?|siblings?|mum|mom|mother|dad|father|parents?|wife"
    r"|husband|partner|girlfriend|boyfriend|sons?|daughters?|kids?|children|child|cousins?|uncles?|aunts?|relatives?|nieces?"
    r"|nephews?|grand\w+|in-laws|neighbou?rs?|\w*-?mates?|colleagues?|co-?workers?|team|boss|people|everyone|somebody|pets?)\b"
    r"|谁|我们|咱|家|人|友|爸|妈|爷|奶|外[公婆]|姥|哥|姐|弟|妹|叔|舅|姑|姨|老[公婆板]|妻|丈夫|先生|太太|对象|儿|女|孙|同[事学]|邻|宠物",
    re.IGNORECASE,
)
_QUESTION: Final = re.compile(
    r"[?？]\W*$|[吗呢么]\W*$|什么|哪|谁|几[个点号岁]|多少|怎么样"
    r"|^(?:so |and |hey,? |wait,? )?(?:what|where|who|whom|whose|when|which|how|why|do|does|did|am|is|are|was"
    r"|were|have|has)(?:['’]?s)?\b",
    re.IGNORECASE,
)
#: Characters of a query that are read. A longer one is no question.
_READ: Final = 400
_MINUTE: Final = 60.0


def asks_about_past(query: Query, moment: float) -> bool:
    """Return whether a question is about what was so. In other languages than English and Chinese: no.

    A time that it names is past if it ended by the time of the question, or is a month without its year. If
    the question is about an earlier time than now, its past tense speaks of that time.

    Args:
        query: Parsed query.
        moment: Time that the question is about, in seconds.
    """
    if any(window.yearly or window.end <= moment for window in query.windows):
        return True
    if len(query.text) > _READ:
        return False
    is_about_now = moment > query.time - _MINUTE
    return _BEFORE.search(query.text) is not None or (is_about_now and _THEN.search(query.text) is not None)


def asks_about_self(text: str) -> bool:
    """Return whether a question is about the person who asks, and names nobody of theirs."""
    return is_question(text) and _SELF.search(text) is not None and _SOMEBODY.search(text) is None


def list_named_others(text: str) -> list[str]:
    """Return the names within an English question that does not speak of the person who asks."""
    asks = len(text) <= _READ and is_question(text) and _SELF.search(text) is None
    return _NAME.findall(text) if asks else []


def is_question(text: str) -> bool:
    """Return whether a text is a question, with or without its mark, and not a task."""
    return _QUESTION.search(text[-_READ:].strip()) is not None


def asks_for_talk(text: str) -> bool:
    """Return whether a question asks for the words of a chat: what the assistant said, or was asked."""
    return len(text) <= _READ and _TALK.search(text) is not None


def wants_current(query: Query, moment: float) -> bool:
    """Return whether a question wants one thing that is so now, and not what was so, or several things.

    A text in other languages than English and Chinese, and bare keywords, are no such question.

    Args:
        query: Parsed query.
        moment: Time of the question, in seconds.
    """
    text = query.text
    if len(text) > _READ or _FOREIGN.search(text) or not _READABLE.search(text):
        return False
    if asks_about_past(query, moment) or _THEN.search(text):
        return False
    return _SEVERAL.search(text) is None

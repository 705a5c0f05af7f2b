"""Tell by rules what was said and answered in a conversation, and which requests are open. Pure.

A request is open until the assistant answers. Then it is told with the result in short: the sentence of the
answer that says what was found or done. Each sentence begins with words that say what it is, "Still open: …",
by which the next summary recognises it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from memsite.values import MessageRole


class Part(StrEnum):
    """What a sentence of the summary tells."""

    TOPIC = "topic"
    OPEN_TOPIC = "open topic"
    STATEMENT = "statement"
    QUESTION = "question"
    ANSWERED = "answered"
    DECIDED = "decided"
    OPEN = "open"


_WORDS: Final = {
    False: {
        Part.TOPIC: "Topic: {0}",
        Part.OPEN_TOPIC: "Topic, still open: {0}",
        Part.STATEMENT: "The user said: {0}",
        Part.QUESTION: "The user asked: {0}",
        Part.ANSWERED: "The assistant answered: {0}",
        Part.DECIDED: "Decided: {0}",
        Part.OPEN: "Still open: {0}",
    },
    True: {
        Part.TOPIC: "话题：{0}",
        Part.OPEN_TOPIC: "话题，尚待答复：{0}",
        Part.STATEMENT: "用户说：{0}",
        Part.QUESTION: "用户问：{0}",
        Part.ANSWERED: "助手答复：{0}",
        Part.DECIDED: "决定：{0}",
        Part.OPEN: "尚待答复：{0}",
    },
}
_QUESTION_MARKS: Final = "?？"
_REQUEST: Final = re.compile(
    r"(?:please|(?:can|could|would|will) you|(?:help|tell|show|give) me|let me know|explain|write|make|create"
    r"|find|fix|plan|list|compare|translate|summari[sz]e|suggest|recommend|draft)\b"
    r"|请|麻烦|帮我|帮忙|给我|替我|告诉我|能不能|可以帮",
    re.IGNORECASE,
)
#: Sentences of an answer that say nothing of its result.
_FILLER: Final = re.compile(
    r"(?:sure|of course|certainly|absolutely|great|good (?:question|idea)|ok(?:ay)?|yes|thanks|thank you"
    r"|hello|hi|no problem|happy to help|let me (?:look|check|see|think)\b.{0,60}"
    r"|i(?:'ll| will) (?:look|check|see)\b.{0,60}|here (?:is|are)\b.{0,60}:)\W{0,3}$"
    r"|(?:好的?|当然|没问题|可以|明白了?|收到|谢谢|你好|您好|(?:我来|让我)(?:看看|想想)|稍等)[^\w]{0,3}$",
    re.IGNORECASE,
)
#: Sentences that say what was found or done.
_RESULT: Final = re.compile(
    r"\b(?:found|turns out|result|because|causes?d?|fixed|solved|works|pass(?:es|ed)|finished|completed|done"
    r"|created|added|changed|costs?|recommend|therefore|in short)\b"
    r"|发现|结果|原因|因为|修好|解决|完成|通过|建议|推荐|总之|结论",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SpokenMessage:
    """The sentences of a message. `result`: what an assistant answered with it; empty if nothing."""

    role: str
    sentences: Sequence[str]
    result: str = ""


@dataclass(slots=True)
class Exchanges:
    """What is told of a conversation.

    Attributes:
        topic: Its first sentence; empty if that is told otherwise.
        exchanged: What was said, asked and answered, in its order, as sentences of the summary.
        requests: The requests that are open.
    """

    topic: str = ""
    exchanged: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def render_topic(self, *, chinese: bool) -> list[str]:
        """Return the sentence with the topic, if there is one."""
        part = Part.OPEN_TOPIC if self.topic in self.requests else Part.TOPIC
        return [render(part, self.topic, chinese=chinese)] if self.topic else []

    def render_open(self, *, chinese: bool) -> list[str]:
        """Return the sentences with the open requests, without the topic."""
        return [render(Part.OPEN, one, chinese=chinese) for one in self.requests if one != self.topic]


def render(part: Part, text: str, *, chinese: bool) -> str:
    """Return a sentence of the summary."""
    return _WORDS[chinese][part].format(text)


def read_exchanges(
    messages: Iterable[SpokenMessage], *, elsewhere: Collection[str], has_topic: bool, chinese: bool
) -> Exchanges:
    """Return what is told of messages.

    Args:
        messages: Oldest first.
        elsewhere: Sentences that are told as decisions or preferences.
        has_topic: Whether the summary has a topic already.
        chinese: Whether the summary is in Chinese.
    """
    found, is_begun = Exchanges(), has_topic
    for message in messages:
        if message.role == MessageRole.USER and message.sentences:
            first = message.sentences[0]
            if not is_begun and first not in elsewhere:
                found.topic = first
            is_begun = True
            _hear_user(found, message.sentences, elsewhere, chinese=chinese)
        elif message.result:
            _hear_assistant(found, message.result, elsewhere, chinese=chinese)
    return found


def close_requests(
    old: Sequence[str], *, is_answered: bool, chinese: bool
) -> tuple[list[str], list[str], list[str]]:
    """Return the topic, the open requests and the other sentences of a former summary.

    Args:
        old: Its sentences.
        is_answered: Whether the assistant has answered since: then its requests are no longer open.
        chinese: Whether the new summary is in Chinese.
    """
    topic: list[str] = []
    requests: list[str] = []
    others: list[str] = []
    for sentence in old:
        part, text = _read(sentence)
        if part in {Part.TOPIC, Part.OPEN_TOPIC} and not topic:
            topic.append(render(Part.TOPIC if is_answered else part, text, chinese=chinese))
        elif part is Part.OPEN:
            answered = render(Part.QUESTION, text, chinese=chinese)
            (others if is_answered else requests).append(answered if is_answered else sentence)
        else:
            others.append(sentence)
    return topic, requests, others


def find_result(sentences: Sequence[str]) -> str:
    """Return the sentence of an answer that says what was found or done; empty if it only asks in turn."""
    statements = [one for one in sentences if one[-1] not in _QUESTION_MARKS and not _FILLER.match(one)]
    return next((one for one in statements if _RESULT.search(one)), statements[0] if statements else "")


def is_request(sentence: str) -> bool:
    """Return whether a sentence asks for something."""
    return sentence[-1] in _QUESTION_MARKS or _REQUEST.match(sentence) is not None


def _read(sentence: str) -> tuple[Part | None, str]:
    """Return what a sentence of a summary tells, and its text without the words that say so."""
    for words in _WORDS.values():
        for part, form in words.items():
            beginning = form.removesuffix("{0}")
            if sentence.startswith(beginning):
                return part, sentence.removeprefix(beginning).strip()
    return None, sentence


def _hear_user(
    found: Exchanges, sentences: Sequence[str], elsewhere: Collection[str], *, chinese: bool
) -> None:
    first = sentences[0]
    request = next((one for one in sentences if is_request(one) and one not in elsewhere), None)
    if first not in elsewhere and first not in {request, found.topic}:
        found.exchanged.append(render(Part.STATEMENT, first, chinese=chinese))
    if request is not None and request not in found.requests:
        found.requests.append(request)


def _hear_assistant(found: Exchanges, result: str, elsewhere: Collection[str], *, chinese: bool) -> None:
    questions = [one for one in found.requests if one != found.topic]
    found.exchanged += [render(Part.QUESTION, one, chinese=chinese) for one in questions]
    found.requests.clear()
    if result not in elsewhere:
        found.exchanged.append(render(Part.ANSWERED, result, chinese=chinese))

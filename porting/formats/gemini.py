"""Gemini Apps' activity from Google Takeout, as JSON: prompts and answers, newest first."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from memsite.values import MessageRole
from porting.formats.shape import Json, Shape, make_key, read_list, read_object, read_text, read_time
from porting.values import Format, Item, MessageItem, ThreadItem

#: Prompts with less silence between them are one conversation.
_SILENCE: Final = timedelta(minutes=30)
#: Prompts of one conversation. Nobody writes so many without a pause; a file may say so.
_MOST_PROMPTS: Final = 1_000
#: The first word of a title says that it was a prompt, in the person's language.
_VERBS: Final = re.compile(
    r"^(?:Prompted|Asked|Said|You said|Eingegebener Prompt:?|Prompt eingegeben:?|Requête envoyée\s*:?|"
    r"Has pedido|Has preguntado|提示[:：]?|已提示[:：]?|提问[:：]?|你说[:：]?)\s+",
    re.IGNORECASE,
)
_BLOCK: Final = re.compile(r"<(?:br|/p|/div|/li|/h[1-6]|/tr|/pre)\b[^<>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]*>")
_BLANK_LINES: Final = re.compile(r"\n{3,}")


def parse_activity(items: Iterable[Any]) -> Iterator[Item]:
    """Yield a conversation for each run of prompts without half an hour of silence."""
    run: list[tuple[datetime, Json]] = []
    for item in map(read_object, items):
        at = read_time(item.get("time"))
        if at is None or not _is_gemini(item) or not _read_prompt(item):
            continue
        if run and (abs(run[-1][0] - at) > _SILENCE or len(run) == _MOST_PROMPTS):
            yield _make_thread(run)
            run = []
        run.append((at, item))
    if run:
        yield _make_thread(run)


def _make_thread(run: list[tuple[datetime, Json]]) -> ThreadItem:
    messages: list[MessageItem] = []
    counts = Counter[datetime]()  # of the messages of each moment
    for at, item in sorted(run, key=lambda pair: pair[0]):
        prompt, answer = _read_prompt(item), _read_answer(item)
        for role, text in ((MessageRole.USER, prompt), (MessageRole.ASSISTANT, answer)):
            if text:
                parent = messages[-1].key if messages else ""
                key = f"{at.isoformat()}:{role}:{counts[at]}"
                counts[at] += 1
                messages.append(MessageItem(key, parent, role, text, at))
    begin = messages[0].at
    return ThreadItem(
        key=make_key(Format.GEMINI, messages[0].key),
        title="",
        messages=tuple(messages),
        created_at=begin,
        updated_at=messages[-1].at,
    )


def _read_prompt(item: Json) -> str:
    return _VERBS.sub("", read_text(item.get("title")), count=1).strip()


def _read_answer(item: Json) -> str:
    parts = (read_text(read_object(one).get("html")) for one in read_list(item.get("safeHtmlItem")))
    return "\n".join(text for part in parts if (text := _strip_html(part)))


def _strip_html(text: str) -> str:
    """Return the words of a piece of HTML. It is never shown as HTML."""
    plain = html.unescape(_TAG.sub("", _BLOCK.sub("\n", text)))
    return _BLANK_LINES.sub("\n\n", plain).strip()


def _is_gemini(item: Json) -> bool:
    products = read_list(item.get("products"))
    return item.get("header") == "Gemini Apps" or "Gemini Apps" in products


def _is_activity(item: Json) -> bool:
    return {"header", "title", "time"} <= item.keys()


SHAPES: Final = (Shape(Format.GEMINI, _is_activity, parse_activity),)

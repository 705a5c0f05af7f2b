"""Generate memories and questions, in English and Chinese, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Final

#: Share of Chinese sentences.
CHINESE_SHARE: Final = 0.25
#: Turns of one generated conversation.
TURNS: Final = 20
_SPEAKERS: Final = ("Marta", "Henrik")
_FIRST_TURN: Final = datetime(2012, 3, 1, 8, tzinfo=UTC)

_VOCABULARY: Final = Path(__file__).with_name("vocabulary.txt")

_ENGLISH: Final = (
    "{name}'s {relation} keeps {few} {animal}s in a flat in {place}, {reason}.",
    "{name} bought a {adjective} {thing} for {price} euros in {month}, {reason}.",
    "The user's {relation} {name} works as a {job} at {firm} in {place} since {year}.",
    "On {day}s {name} cooks {dish} for the {relation} from {place}.",
    "The user started learning {skill} in {month} {year}, {reason}.",
    "{name} moved from {place} to {other_place} in {month} {year}, {reason}.",
    "The user prefers {language} to {other_language} for the {project} at {firm}.",
    "The {project} of {firm} broke on {day} at {hour}:{minute}, and {name} fixed it within {few} hours.",
    "{name} is allergic to {dish} and carries a {adjective} {thing} to {place}.",
    "The user's {relation} lent {name} a {adjective} {thing} until {month} {date}.",
    "{name} and the {relation} meet for {skill} every {day} at {hour}:{minute} near the station of {place}.",
    "The user wants to visit {place} with {name} in {month} to try the {dish}.",
    "{firm} pays {price} a month for the {adjective} {thing} that {name} uses in {place}.",
    "Release {few}.{minute} of the {project} is written in {language}; {name} reviews it on {day}s.",
)
_CHINESE: Final = (
    "{name}的{relation}在{place}当{job}，{reason}。",
    "{name}{year}年{number}月花{price}元买了一台{thing}，{reason}。",
    "用户的{relation}{name}从{year}年起在{firm}做{job}。",
    "{name}每个周末都做{dish}给{relation}吃。",
    "用户{year}年开始学{skill}，{reason}。",
    "{name}{year}年从{place}搬到了{other_place}，{reason}。",
    "用户的{relation}把{thing}借给了{name}，说好{number}月还。",
    "用户想{number}月和{name}一起去{place}吃{dish}。",
    "{firm}的{name}喜欢{skill}，不喜欢{dish}。",
)
_QUESTIONS: Final = (
    "What did {name} buy in {month}?",
    "Who keeps {animal}s in {place}?",
    "When did {name} move to {place}?",
    "Which language does {firm} use for the {project}?",
    "Who cooks {dish} on {day}s?",
    "What does {name} do at {firm}?",
    "Why did the user start learning {skill}?",
    "Where does {name} meet the {relation} for {skill}?",
    "Who fixed the {project} and how long did it take?",
)
_QUESTIONS_ZH: Final = (
    "{name}在{place}做什么工作？",
    "谁买了{thing}？",
    "{name}什么时候搬到{place}的？",
    "用户为什么学{skill}？",
    "{firm}的{name}喜欢什么？",
)

Slots = Mapping[str, Sequence[str]]


def memories(number: int, seed: int) -> Iterator[str]:
    """Yield so many distinct sentences of 6 to 25 words."""
    return _distinct(number, seed, _ENGLISH, _CHINESE)


def questions(number: int, seed: int) -> list[str]:
    """Return so many distinct questions; some of the sentences answer them."""
    return list(_distinct(number, seed, _QUESTIONS, _QUESTIONS_ZH))


def written(text: str, number: int, layer: str) -> dict[str, str]:
    """Return the memory to send for a sentence: a bare fact, or one of twenty turns of a conversation."""
    if layer != "episodic":
        return {"content": text, "layer": layer}
    session, turn = divmod(number, TURNS)
    occurred_at = _FIRST_TURN + timedelta(hours=session, minutes=turn)
    speaker = _SPEAKERS[turn % len(_SPEAKERS)]
    return {
        "content": text,
        "layer": layer,
        "speaker": speaker,
        "session": f"talk-{session}",
        "occurred_at": occurred_at.isoformat(),
    }


def _distinct(number: int, seed: int, english: Sequence[str], chinese: Sequence[str]) -> Iterator[str]:
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    slots = _slots()
    seen: set[str] = set()
    while len(seen) < number:
        language, templates = (
            ("chinese", chinese) if chance.random() < CHINESE_SHARE else ("english", english)
        )
        text = _sentence(chance, chance.choice(templates), slots[language])
        if text not in seen:
            seen.add(text)
            yield text


def _sentence(chance: random.Random, template: str, slots: Slots) -> str:
    filling: dict[str, object] = {name: chance.choice(words) for name, words in slots.items()}
    for name in ("place", "language"):
        filling[f"other_{name}"] = chance.choice(slots.get(name, [""]))
    return template.format(
        **filling,
        date=chance.randint(1, 28),
        year=chance.randint(1998, 2025),
        number=chance.randint(1, 12),
        hour=chance.randint(7, 22),
        minute=f"{chance.randint(0, 59):02}",
        few=chance.randint(2, 12),
        price=chance.randint(15, 9_900),
    )


@cache
def _slots() -> dict[str, dict[str, list[str]]]:
    """Return the words for each slot, by language and slot."""
    slots: dict[str, dict[str, list[str]]] = {}
    for line in _VOCABULARY.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            language = slots.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            name, _, words = line.partition(": ")
            language[name] = words.split(" | ")
    return slots

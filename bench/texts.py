"""Memories and questions as people word them, in English and Chinese, the same for the same seed.

They are the lines of the labelled data of this repository, which many invented people said: alone or two of
them joined, with other numbers. The questions are of the same people, so that some memories answer them.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

#: Share of Chinese texts.
CHINESE_SHARE: Final = 0.25
#: Turns of one generated conversation.
TURNS: Final = 20
#: Share of memories of two lines.
_JOINED_SHARE: Final = 0.6
_SPEAKERS: Final = ("Marta", "Henrik")
_FIRST_TURN: Final = datetime(2012, 3, 1, 8, tzinfo=UTC)

_ROOT: Final = Path(__file__).resolve().parent.parent
_RECORDS: Final = (
    "training/data/people/*.jsonl",
    "training/data/diaries/*.jsonl",
    "training/data/scenarios.jsonl",
    "evaluation/quality/sets/everyday/*.jsonl",
    "evaluation/quality/sets/*.jsonl",
    "bench/extraction/*.jsonl",
)
#: Tables of a label, a question and two statements.
_TABLES: Final = "training/data/changes/*.tsv"
#: Words without one of which no text may end what another says.
_CHANGES: Final = "memories/writing/changes/states.toml"
#: Fields of records that hold a line, and those that hold a question.
_FIELDS: Final = frozenset({"fact", "said", "content", "text", "input", "question"})
_QUESTIONS: Final = frozenset({"question", "questions", "input", "inputs", "asks"})
_LENGTHS: Final = range(4, 400)  # characters of a line
_SECRET: Final = re.compile("password|密码", re.IGNORECASE)  # of which the gate leaves nothing
_NUMBER: Final = re.compile(r"(?<![\w.])\d{1,4}(?![\w.])", re.ASCII)
_YEARS: Final = range(1900, 2040)
_WORD: Final = re.compile(r"[a-z-]+")
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")

#: English lines and Chinese ones.
Lines = tuple[Sequence[str], Sequence[str]]


class _Source(NamedTuple):
    """Distinct lines: statements that change nothing, those that may, and questions."""

    lasting: Lines
    changing: Lines
    questions: Lines


def memories(number: int, seed: int) -> Iterator[str]:
    """Yield so many distinct memories of one or two lines, none of which may end another."""
    return _distinct(number, seed, _read_source().lasting, _JOINED_SHARE)


def changes(number: int, seed: int) -> Iterator[str]:
    """Yield so many distinct statements that may end what a memory says."""
    return _distinct(number, seed, _read_source().changing)


def questions(number: int, seed: int) -> list[str]:
    """Return so many distinct questions and tasks; some of the memories answer them."""
    return list(_distinct(number, seed, _read_source().questions))


def written(text: str, number: int, layer: str) -> dict[str, str]:
    """Return the memory to send for a text: a bare fact, or one of twenty turns of a conversation."""
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


def _distinct(number: int, seed: int, lines: Lines, joined: float = 0.0) -> Iterator[str]:
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    seen: set[str] = set()
    while len(seen) < number:
        chosen, space = (lines[1], "") if chance.random() < CHINESE_SHARE else (lines[0], " ")
        parts = chance.sample(chosen, 2 if chance.random() < joined else 1)
        text = _NUMBER.sub(lambda found: _vary(int(found[0]), chance), space.join(map(_end, parts)))
        if text not in seen:
            seen.add(text)
            yield text


def _vary(number: int, chance: random.Random) -> str:
    """Return another number that is about as large; another year for a year."""
    if number in _YEARS:
        return str(chance.randint(number - 9, number + 3))
    return str(chance.randint(number // 2, 2 * number))


def _end(line: str) -> str:
    """Return a line that ends a sentence."""
    if line[-1].isalnum():
        return line + ("。" if _CHINESE.match(line[-1]) else ".")
    return line


@cache
def _read_source() -> _Source:
    statements, queries = dict[str, None](), dict[str, None]()
    for path in (path for pattern in _RECORDS for path in sorted(_ROOT.glob(pattern))):
        for line in path.read_text(encoding="utf-8").splitlines():
            for is_question, text in _find_texts(json.loads(line)):
                (queries if is_question else statements)[text.strip()] = None
    for path in sorted(_ROOT.glob(_TABLES)):
        for line in path.read_text(encoding="utf-8").splitlines():
            _, question, *stated = line.split("\t")
            queries[question] = None
            statements.update(dict.fromkeys(stated))
    usable = [line for line in statements if _is_usable(line)]
    may_change = _read_hints()
    return _Source(
        _by_language([line for line in usable if not may_change(line)]),
        _by_language([line for line in usable if may_change(line)]),
        _by_language([line for line in queries if _is_usable(line)]),
    )


def _find_texts(value: object, *, is_question: bool = False) -> Iterator[tuple[bool, str]]:
    """Yield the texts of a record, and whether each is a question."""
    if isinstance(value, list):
        for one in value:
            yield from _find_texts(one, is_question=is_question)
    elif isinstance(value, dict):
        of_kind = is_question or value.get("type") in _QUESTIONS
        for name, one in value.items():
            if isinstance(one, str) and name in _FIELDS:
                yield of_kind or name in _QUESTIONS, one
            elif not isinstance(one, str):
                yield from _find_texts(one, is_question=of_kind or name in _QUESTIONS)


def _is_usable(line: str) -> bool:
    return len(line) in _LENGTHS and "\n" not in line and _SECRET.search(line) is None


def _read_hints() -> Callable[[str], bool]:
    """Return the function that says whether a line may end what another one says."""
    table = tomllib.loads((_ROOT / _CHANGES).read_text(encoding="utf-8"))
    words = frozenset(table["hint_words"].split(", "))
    chinese = re.compile("|".join(map(re.escape, table["hint_chinese"].split(", "))))
    return lambda line: not words.isdisjoint(_WORD.findall(line.lower())) or chinese.search(line) is not None


def _by_language(lines: Sequence[str]) -> Lines:
    chinese = [len(_CHINESE.findall(line)) > 1 for line in lines]
    return (
        [line for line, other in zip(lines, chinese, strict=True) if not other],
        [line for line, other in zip(lines, chinese, strict=True) if other],
    )

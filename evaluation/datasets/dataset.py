"""Read conversations and questions about them from LoCoMo's JSON. Pure.

The published files have errors: ids of evidence are written `D8:6; D9:17`, `D:11:26` or `D1:04`, some name
turns that do not exist, and some answers are numbers. Everything readable is used, the rest is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

CATEGORIES: Final[Mapping[int, str]] = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop"}

_SESSION = re.compile(r"session_(\d+)")
_TURN_ID = re.compile(r"(\d+)\s*:\s*(\d+)")
_DATE_FORMATS: Final = ("%I:%M %p on %d %B, %Y", "%I:%M %p on %d %b, %Y", "%d %B, %Y", "%d %B %Y")


class DatasetError(ValueError):
    """The file has another format; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a speaker.

    Attributes:
        caption: Description of a picture sent with it.
        at: Time, aware; None if unknown.
    """

    id: str
    speaker: str
    text: str
    caption: str
    session: str
    at: datetime | None

    @property
    def content(self) -> str:
        """The text and the caption of the turn as one text."""
        shown = f"[shows {self.caption}]" if self.caption else ""
        return f"{self.text} {shown}".strip()


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a conversation.

    Attributes:
        evidence: Ids of the turns of this conversation that contain the answer; may be empty.
    """

    text: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns in the order of the conversation, sessions by number; empty turns are left out."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def read_dataset(path: Path) -> list[Conversation]:
    """Return the conversations of a file.

    Raises:
        DatasetError: If the file cannot be read or has another format.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise DatasetError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise DatasetError(f"{path} is not JSON: {error}") from None
    entries = [data] if isinstance(data, Mapping) else data
    if not isinstance(entries, list) or not entries:
        raise DatasetError(f"{path} should hold a list of conversations, and holds {_kind(data)}")
    return [_conversation(entry, number) for number, entry in enumerate(entries, start=1)]


def _conversation(entry: Any, number: int) -> Conversation:  # noqa: ANN401 - whatever the file holds
    place = f"conversation {number}"
    entries = _part(entry, "conversation", Mapping, place)
    question_entries = _part(entry, "qa", list, place)
    turns = tuple(turn for turn in _turns(entries, place) if turn.content)
    if not turns:
        raise DatasetError(f"{place} has no turns: expected session_1, session_2 … with text in them")
    ids = [turn.id for turn in turns]
    if len(set(ids)) < len(ids):
        raise DatasetError(f"{place}: two turns have the same dia_id")
    questions = tuple(
        _question(question, set(ids), f"{place}, question {place_in}")
        for place_in, question in enumerate(question_entries, start=1)
    )
    return Conversation(str(entry.get("sample_id") or number), turns, questions)


def _turns(entries: Mapping[str, Any], place: str) -> Iterator[Turn]:
    numbers = sorted(int(found[1]) for key in entries if (found := _SESSION.fullmatch(key)))
    for number in numbers:
        session = f"session_{number}"
        at = _moment(entries.get(f"{session}_date_time"), f"{place}, {session}_date_time")
        for order, turn in enumerate(_part(entries, session, list, place), start=1):
            yield _turn(turn, session, at, f"{place}, {session}, turn {order}")


def _turn(turn: Any, session: str, at: datetime | None, place: str) -> Turn:  # noqa: ANN401 - whatever the file holds
    name = _part(turn, "dia_id", str, place)
    return Turn(
        id=_canonical(name) or name.strip(),
        speaker=_part(turn, "speaker", str, place).strip(),
        text=_part(turn, "text", str, place).strip(),
        caption=str(turn.get("blip_caption") or "").strip(),
        session=session,
        at=at,
    )


def _question(entry: Any, turn_ids: Collection[str], place: str) -> Question:  # noqa: ANN401 - whatever the file holds
    text = _part(entry, "question", str, place).strip()
    category = entry.get("category")
    if not text or not str(category).isdecimal():
        raise DatasetError(f"{place} should have a question and a category that is a number")
    evidence = entry.get("evidence") or []
    named = [evidence] if isinstance(evidence, str) else evidence
    if not isinstance(named, list):
        raise DatasetError(f"{place}: evidence should be a list of turn ids, and is {_kind(evidence)}")
    ids = dict.fromkeys(found for one in named for found in _named_turns(str(one), turn_ids))
    return Question(text, int(category), tuple(ids))


def _named_turns(text: str, turn_ids: Collection[str]) -> Iterator[str]:
    """Yield the known turns that a piece of evidence names, in any spelling."""
    if text.strip() in turn_ids:
        yield text.strip()
        return
    for session, turn in _TURN_ID.findall(text):
        name = f"D{int(session)}:{int(turn)}"
        if name in turn_ids:
            yield name


def _canonical(name: str) -> str:
    """Return `D1:3` for any spelling of turn 3 of session 1; empty for an id of another kind."""
    pairs = _TURN_ID.findall(name)
    return f"D{int(pairs[0][0])}:{int(pairs[0][1])}" if len(pairs) == 1 else ""


def _moment(text: object, place: str) -> datetime | None:
    """Parse `1:56 pm on 8 May, 2023` or ISO 8601; without a zone it is UTC."""
    if text is None or not str(text).strip():
        return None
    stated = str(text).strip()
    for form in _DATE_FORMATS:
        try:
            return datetime.strptime(stated, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    try:
        moment = datetime.fromisoformat(stated)
    except ValueError:
        raise DatasetError(f"{place}: {stated!r} is not a date like '1:56 pm on 8 May, 2023'") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _part(whole: Any, name: str, kind: type | tuple[type, ...], place: str) -> Any:  # noqa: ANN401 - whatever the file holds
    if not isinstance(whole, Mapping):
        raise DatasetError(f"{place} should be an object, and is {_kind(whole)}")
    if not isinstance(whole.get(name), kind):
        raise DatasetError(f"{place}: {name!r} is {_kind(whole.get(name))}")
    return whole[name]


def _kind(value: object) -> str:
    if value is None:
        return "missing"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "a list" if value else "an empty list"
    names = {"dict": "an object", "str": "a text", "int": "a number", "float": "a number"}
    return names.get(type(value).__name__, type(value).__name__)

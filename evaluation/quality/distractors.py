"""Make plain diary lines that answer no question, from frames with slots. Pure."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from evaluation.quality.everyday_set import MIXED, DiaryLine
from evaluation.quality.lines import NOON

#: As many as the frames of each language can fill without long repetition.
MOST_DISTRACTORS: Final = 5_000
_FRAMES: Final = Path(__file__).parent / "sets" / "distractors.json"
_SLOT: Final = re.compile(r"\{(\w+)\}")
_BEGIN: Final = datetime(2024, 1, 1, NOON, tzinfo=UTC)
_DAYS: Final = 730


def make_distractors(language: str, count: int, *, seed: str) -> list[DiaryLine]:
    """Return distinct diary lines over two years, oldest first; the same for the same arguments.

    Args:
        language: `en`, `zh`, or `mixed` for both.
        count: How many; from 0 to MOST_DISTRACTORS.
        seed: Whose they are, so that two people have different ones.
    """
    source = random.Random(f"{language} {seed}")  # noqa: S311 - the same lines each time, and no secret
    frames: Mapping[str, Any] = json.loads(_FRAMES.read_text(encoding="utf-8"))
    languages = sorted(frames) if language == MIXED else [language]
    texts: dict[str, str] = {}
    for filled_language, text in _fill(frames, languages, source):
        if len(texts) == count:
            break
        texts.setdefault(text, filled_language)
    lines = [
        DiaryLine(f"distractor-{number}", _BEGIN + timedelta(days=source.randrange(_DAYS)), of, text)
        for number, (text, of) in enumerate(texts.items(), start=1)
    ]
    return sorted(lines, key=lambda one: one.at)


def _fill(
    frames: Mapping[str, Any], languages: Sequence[str], source: random.Random
) -> Iterator[tuple[str, str]]:
    """Yield endless filled frames with their language: each frame once, in a random order, then again."""
    while True:
        pairs = [(language, frame) for language in languages for frame in frames[language]["frames"]]
        source.shuffle(pairs)
        for language, frame in pairs:
            slots: Mapping[str, Sequence[str]] = frames[language]["slots"]
            yield language, _fill_frame(frame, slots, source)


def _fill_frame(frame: str, slots: Mapping[str, Sequence[str]], source: random.Random) -> str:
    return _SLOT.sub(lambda slot: source.choice(slots[slot[1]]), frame)

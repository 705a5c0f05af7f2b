"""A small invented data set in LoCoMo's format: two conversations, eleven turns, seven questions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Dataset = Callable[[Any], Path]


def _turns(session: int, *said: tuple[str, str]) -> list[dict[str, Any]]:
    return [
        {"speaker": speaker, "dia_id": f"D{session}:{number}", "text": text}
        for number, (speaker, text) in enumerate(said, start=1)
    ]


def _asked(question: str, category: int, *evidence: str) -> dict[str, Any]:
    return {"question": question, "answer": "-", "category": category, "evidence": list(evidence)}


def _garden() -> dict[str, Any]:
    spring = _turns(
        1,
        ("Irma", "I planted forty tulips behind the greenhouse."),
        ("Oskar", "My bakery opens in Lisbon next month!"),
        ("Irma", "Congratulations! Which bread will you sell?"),
        ("Oskar", "Sourdough with walnuts, and rye on Fridays."),
    )
    autumn = _turns(
        2,
        ("Irma", "Thanks!"),
        ("Oskar", "The oven broke and the repair cost 900 euros."),
        ("Irma", "Thanks!"),
    )
    autumn[1]["blip_caption"] = "a brick oven with a crack"
    return {
        "sample_id": "garden",
        "conversation": {
            "speaker_a": "Irma",
            "speaker_b": "Oskar",
            "session_2": autumn,
            "session_1": spring,
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_2_date_time": "9:05 am on 3 October, 2023",
        },
        "qa": [
            _asked("What did Irma plant behind the greenhouse?", 4, "D1:1"),
            _asked("When did the oven of Oskar break?", 2, "D2:2"),
            _asked("Which bread does Oskar's bakery in Lisbon sell?", 1, "D1:2; D1:4"),
            _asked("What does Oskar think of tulips?", 5, "D1:1"),
            _asked("Would Irma move to Lisbon?", 3),
        ],
    }


def _harbour() -> dict[str, Any]:
    talk = _turns(
        1,
        ("Mei", "我在上海的一家医院做护士。"),
        ("Jonas", "I repair wooden boats in the harbour of Bergen."),
        ("Mei", "我弟弟养了三只猫。"),
        ("Jonas", "My sailing exam is on 12 June."),
    )
    return {
        "sample_id": "harbour",
        "conversation": {
            "speaker_a": "Mei",
            "speaker_b": "Jonas",
            "session_1": talk,
            "session_1_date_time": "2024-01-05T20:00:00",
        },
        "qa": [
            _asked("Mei 做什么工作？", 4, "D1:1"),
            _asked("When is the sailing exam of Jonas?", 2, "D1:4"),
        ],
    }


@pytest.fixture
def garden() -> dict[str, Any]:
    return _garden()


@pytest.fixture
def write_dataset(tmp_path: Path) -> Dataset:
    def write(data: Any) -> Path:
        path = tmp_path / "dataset.json"
        path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        return path

    return write


@pytest.fixture
def dataset(write_dataset: Dataset) -> Path:
    return write_dataset([_garden(), _harbour()])

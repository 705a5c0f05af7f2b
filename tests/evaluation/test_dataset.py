from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evaluation.datasets.dataset import DatasetError, read_dataset

Dataset = Callable[[Any], Path]


def test_sessions_come_in_the_order_of_their_numbers(dataset: Path) -> None:
    turns = read_dataset(dataset)[0].turns
    assert [turn.id for turn in turns] == ["D1:1", "D1:2", "D1:3", "D1:4", "D2:1", "D2:2", "D2:3"]


@pytest.mark.parametrize(
    ("conversation", "at"),
    [(0, datetime(2023, 5, 8, 13, 56, tzinfo=UTC)), (1, datetime(2024, 1, 5, 20, 0, tzinfo=UTC))],
)
def test_turn_has_the_date_of_its_session(dataset: Path, conversation: int, at: datetime) -> None:
    assert read_dataset(dataset)[conversation].turns[0].at == at


def test_caption_of_a_picture_is_part_of_what_a_turn_says(dataset: Path) -> None:
    oven = read_dataset(dataset)[0].turns[5]
    assert oven.content == "The oven broke and the repair cost 900 euros. [shows a brick oven with a crack]"


@pytest.mark.parametrize(
    ("stated", "read"),
    [
        (["D1:2; D1:4"], ("D1:2", "D1:4")),
        (["D1:2 D1:4 D2:1"], ("D1:2", "D1:4", "D2:1")),
        (["D:2:3"], ("D2:3",)),
        (["D1:04"], ("D1:4",)),
        (["D1:1", "D1:1"], ("D1:1",)),
        (["D9:9", "D1:1"], ("D1:1",)),
        (["D"], ()),
        ("D1:3", ("D1:3",)),
        (None, ()),
    ],
)
def test_sloppy_evidence_is_read_for_the_turns_it_names(
    write_dataset: Dataset, garden: dict[str, Any], stated: object, read: tuple[str, ...]
) -> None:
    garden["qa"][0]["evidence"] = stated
    assert read_dataset(write_dataset([garden]))[0].questions[0].evidence == read


def test_ids_of_another_kind_are_taken_as_they_are(write_dataset: Dataset, garden: dict[str, Any]) -> None:
    garden["conversation"]["session_1"][0]["dia_id"] = "first"
    garden["qa"][0]["evidence"] = ["first"]
    assert read_dataset(write_dataset([garden]))[0].questions[0].evidence == ("first",)


def test_one_conversation_needs_no_list_around_it(write_dataset: Dataset, garden: dict[str, Any]) -> None:
    assert [one.name for one in read_dataset(write_dataset(garden))] == ["garden"]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ([], "an empty list"),
        ("text", "holds a text"),
        ([1], "conversation 1 should be an object, and is a number"),
        ([{"qa": []}], "'conversation' is missing"),
        ([{"conversation": {}, "qa": []}], "no turns"),
        ([{"conversation": {"session_1": "hello"}, "qa": []}], "session_1"),
        ([{"conversation": {"session_1": [{"text": "hello"}]}, "qa": []}], "turn 1: 'dia_id' is missing"),
    ],
)
def test_another_shape_is_refused_with_the_place(
    write_dataset: Dataset, data: object, complaint: str
) -> None:
    with pytest.raises(DatasetError, match=complaint):
        read_dataset(write_dataset(data))


def test_two_turns_of_one_id_are_refused(write_dataset: Dataset, garden: dict[str, Any]) -> None:
    garden["conversation"]["session_1"][0]["dia_id"] = "D1:2"
    with pytest.raises(DatasetError, match="same dia_id"):
        read_dataset(write_dataset([garden]))


def test_date_that_is_none_is_refused(write_dataset: Dataset, garden: dict[str, Any]) -> None:
    garden["conversation"]["session_1_date_time"] = "some day"
    with pytest.raises(DatasetError, match="session_1_date_time: 'some day' is not a date"):
        read_dataset(write_dataset([garden]))


@pytest.mark.parametrize(("content", "complaint"), [(b"{", "is not JSON"), (b"\xff\xfe\xff", "is not JSON")])
def test_file_that_is_no_json_is_refused(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    with pytest.raises(DatasetError, match=complaint):
        read_dataset(path)


def test_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be read"):
        read_dataset(tmp_path / "nowhere.json")

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, ValidationError

from memsite.llm.chat.reading import NoJson, make_storable, read_json, remove_thought
from memsite.llm.chat.thoughts import ThoughtFilter


class Item(BaseModel):
    kind: str
    weight: float = Field(0.5, ge=0, le=1)


class Found(BaseModel):
    items: list[Item] = []
    note: str = ""


ITEM = {"kind": "fact", "weight": 0.7}
WHOLE = {"items": [ITEM]}
EXPECTED = Found(items=[Item(kind="fact", weight=0.7)])
text_of = json.dumps


@pytest.mark.parametrize(
    "answer",
    [
        text_of(WHOLE),
        f"```json\n{text_of(WHOLE, indent=2)}\n```",
        f"Here you are:\n```\n{text_of(WHOLE)}\n```\nAnything else?",
        f'<think>{{"items": []}}</think>{text_of(WHOLE)}',
        f'I could say {{"items": []}}\n</think>\n{text_of(WHOLE)}',
        f"As asked, for {{name}} and [x]: {text_of(WHOLE)} Bye {{}}.",
        text_of([ITEM]),
        text_of(ITEM),
        text_of({"items": ITEM}),
        f"\ufeff {text_of(WHOLE)}",
    ],
)
def test_the_object_is_found(answer: str) -> None:
    assert read_json(answer, Found) == EXPECTED


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I do not know.",
        "{name}",
        text_of(WHOLE)[:-1],
        text_of(WHOLE)[:-2],
        '{"items": [NaN]}',
        "[" * 9999,
    ],
)
def test_no_object_is_no_answer(answer: str) -> None:
    with pytest.raises(NoJson):
        read_json(answer, Found)


@given(cut=st.integers(min_value=1))
def test_no_part_of_half_an_answer_is_read(cut: int) -> None:
    whole = text_of({"items": [ITEM, ITEM, ITEM]}, indent=0)
    with pytest.raises(NoJson):
        read_json(whole[: cut % len(whole)], Found)


@pytest.mark.parametrize(
    "value",
    [{"items": "none"}, {"items": [{"kind": 7}]}, {"answer": "yes"}, {"items": [{"kind": "a", "weight": 2}]}],
)
def test_wrong_types_are_told_by_field(value: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="items"):
        read_json(text_of(value), Found)


def test_an_object_that_fits_as_it_is_stays_so() -> None:
    assert read_json(text_of({"note": "nothing new"}), Found) == Found(note="nothing new")


def test_a_list_of_two_is_no_object() -> None:
    with pytest.raises(ValidationError):
        read_json(text_of([ITEM, ITEM]), Item)


def test_a_list_of_one_is_its_object() -> None:
    assert read_json(text_of([ITEM]), Item) == Item(kind="fact", weight=0.7)


def test_a_mark_in_the_answers_own_text_is_no_thought() -> None:
    assert read_json(text_of({"note": "the tag </think>"}), Found).note == "the tag </think>"


def test_text_within_is_made_storable() -> None:
    assert read_json(r'{"note": "a\u0000b\ud83dc"}', Found).note == "ab�c"


def test_both_halves_of_a_character_make_it_whole() -> None:
    assert make_storable("\ud83d\ude00") == "😀"


@given(st.text())
def test_ordinary_text_stays(text: str) -> None:
    assert make_storable(text.replace("\0", "")) == text.replace("\0", "")


@given(st.lists(st.sampled_from(["<think>", "</think>", "<th", "ink>", "</", "think>", " ", "\n", "a"])))
def test_pieces_lose_what_the_whole_loses(pieces: list[str]) -> None:
    thoughts = ThoughtFilter()
    streamed = "".join(thoughts.feed(piece) for piece in pieces) + thoughts.rest()
    assert streamed == remove_thought("".join(pieces))

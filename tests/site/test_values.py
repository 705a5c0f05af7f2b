"""Enums of texts, which pydantic, JSON and the OpenAPI schema treat as their texts; rounded numbers."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from pydantic import BaseModel, ValidationError

from memsite.values import TextEnum, round_numbers


class _Colour(TextEnum):
    NONE = ""
    RED = "red"


class _ByEnum(BaseModel):
    colour: _Colour = _Colour.NONE
    several: list[_Colour] | _Colour = []


class _ByLiteral(BaseModel):
    colour: Literal["", "red"] = ""
    several: list[Literal["", "red"]] | Literal["", "red"] = []


def test_schema_is_that_of_a_literal() -> None:
    schemas = [shape.model_json_schema() | {"title": ""} for shape in (_ByEnum, _ByLiteral)]
    assert schemas[0] == schemas[1]


def test_errors_are_those_of_a_literal() -> None:
    problems = []
    for shape in (_ByEnum, _ByLiteral):
        with pytest.raises(ValidationError) as wrong:
            shape.model_validate({"colour": "blue", "several": "blue"})
        problems.append(wrong.value.errors())
    assert problems[0] == problems[1]


def test_parsed_value_is_a_member() -> None:
    assert _ByEnum.model_validate_json('{"colour": "red"}').colour is _Colour.RED


def test_member_is_written_as_its_text() -> None:
    assert _ByEnum(colour=_Colour.RED).model_dump_json() == '{"colour":"red","several":[]}'
    assert json.dumps({_Colour.RED: _Colour.RED}) == '{"red": "red"}'
    assert f"{_Colour.RED} {_Colour.RED!r}" == "red 'red'"


def test_noise_of_a_float_is_rounded_away_at_any_depth() -> None:
    noisy = {"importance": 0.8 * 0.8, "parts": [{"share": 0.1 + 0.2}, (1e-9 / 3,)], "n": 7, "on": True}
    assert round_numbers(noisy) == {
        "importance": 0.64, "parts": [{"share": 0.3}, [3.33333333333e-10]], "n": 7, "on": True,
    }  # fmt: skip
    assert round_numbers({"on": True})["on"] is True


@pytest.mark.parametrize("name", ["metadata", "state", "tool_calls"])
def test_what_a_client_gave_stays_as_it_is(name: str) -> None:
    assert round_numbers({name: {"share": 0.1 + 0.2}}) == {name: {"share": 0.1 + 0.2}}

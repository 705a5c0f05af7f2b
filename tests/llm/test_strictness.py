from typing import Any

from pydantic import BaseModel, Field

from memsite.llm.chat.chat import JsonSchema
from memsite.llm.chat.strictness import make_strict_schema


class Part(BaseModel):
    default: str = ""
    properties: list[str] = []


class Shape(BaseModel):
    part: Part = Field(Part(), description="the part")
    parts: list[Part] = []
    note: str | None = Field(None, max_length=5)


class Free(BaseModel):
    anything: dict[str, str]


def sent(shape: type[BaseModel]) -> dict[str, Any]:
    body: dict[str, Any] = make_strict_schema(JsonSchema(shape.__name__, shape.model_json_schema()))[
        "json_schema"
    ]
    return body


def test_every_object_is_closed_and_wants_all() -> None:
    schema = sent(Shape)["schema"]
    for part, names in (
        (schema, ["part", "parts", "note"]),
        (schema["$defs"]["Part"], ["default", "properties"]),
    ):
        assert part["required"] == names
        assert part["additionalProperties"] is False


def test_nothing_stands_beside_a_reference() -> None:
    assert sent(Shape)["schema"]["properties"]["part"] == {"$ref": "#/$defs/Part"}


def test_limits_that_not_every_server_knows_are_left_out() -> None:
    assert sent(Shape)["schema"]["properties"]["note"] == {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "title": "Note",
    }


def test_a_schema_with_free_keys_is_not_strict() -> None:
    assert sent(Free) == {"name": "Free", "schema": Free.model_json_schema(), "strict": False}


def test_a_closed_schema_is_strict() -> None:
    assert sent(Shape)["strict"] is True

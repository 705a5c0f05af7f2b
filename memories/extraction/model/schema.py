"""The schema of a model's answer.

Items are validated one by one, so that a bad item does not affect others.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from memories.values import KINDS, Kind, Layer

SemanticKind = Literal[
    Kind.FACT,
    Kind.PREFERENCE,
    Kind.LESSON,
    Kind.GOAL,
    Kind.CONTEXT,
    Kind.PROJECT,
    Kind.SKILL,
    Kind.RELATION,
    Kind.ENTITY,
]
assert set(SemanticKind.__args__) == set(KINDS[Layer.SEMANTIC])  # type: ignore[attr-defined]  # noqa: S101 - must be equal

#: Characters of a memory. A longer text is not one statement.
MOST_CONTENT: Final = 1_000
_MOST_NAME: Final = 255
_MOST_PREDICATE: Final = 64
#: Fields that a model may add to an answer without memories.
_REMARKS: Final = frozenset(
    {
        "analysis",
        "comment",
        "explanation",
        "message",
        "notes",
        "reason",
        "reasoning",
        "summary",
        "thinking",
        "thoughts",
    }
)


def _text(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    return "" if value is None else value


def _listed(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if value is None:
        return []
    return [value] if isinstance(value, str) else value


Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Name = Annotated[str, BeforeValidator(_text), Field(max_length=_MOST_NAME)]
Names = Annotated[list[str], BeforeValidator(_listed)]


class Item(BaseModel):
    """One memory a model proposes. Fields it adds of its own are ignored.

    importance, confidence: in [0, 1]; evidence: ids of the messages that state it; valid_from, valid_until:
    ISO dates or times. should_store may be left out: then what is not sensitive may be stored.
    """

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    kind: SemanticKind
    content: str = Field(min_length=1, max_length=MOST_CONTENT)
    importance: Share | None = None
    confidence: Share | None = None
    subject: Name = ""
    predicate: Annotated[str, BeforeValidator(_text), Field(max_length=_MOST_PREDICATE)] = ""
    object: Name = ""
    single_valued: bool = False
    entities: Names = []
    valid_from: str | None = None
    valid_until: str | None = None
    evidence: Names = Field(min_length=1)
    sensitive: bool = False
    should_store: bool | None = None

    @property
    def may_be_stored(self) -> bool:
        """Whether the model allows storing it. A sensitive item needs `should_store`."""
        return not self.sensitive if self.should_store is None else self.should_store


class Memories(BaseModel):
    """The answer as the prompt describes it to a model."""

    memories: list[Item]


class Answer(BaseModel):
    """A model's answer. Its items are validated later, one by one (`Item`).

    An answer with other fields in place of memories is invalid.
    """

    model_config = ConfigDict(extra="allow")

    memories: list[Any]

    @model_validator(mode="after")
    def _names_memories(self) -> Self:
        if not self.memories and set(self.model_extra or {}) - _REMARKS:
            raise ValueError("names no memories, but something that was not asked for")
        return self

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        """Return the schema that the model receives, with the fields of an item."""
        return Memories.model_json_schema(*args, **options)

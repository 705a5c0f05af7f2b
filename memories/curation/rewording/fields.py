"""Define which fields an edit may change, and compute their new values."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Literal, cast

from memories.gate import redact_json, redact_text
from memories.models import Memory
from memories.values import KINDS, Kind, Layer, Status
from memories.writing import drafting
from memsite.errors import InvalidInput

#: Fields that determine a memory's identity or what it mentions: changing one requires indexing it again.
IDENTITY: Final = frozenset(
    {"subject", "predicate", "object", "single_valued", "occurred_at", "session", "participants"}
)
#: Fields that a PATCH may change in place. `content` is not among them: an edit of it writes a successor.
EDITABLE: Final = IDENTITY | {
    "kind",
    "category",
    "tags",
    "importance",
    "confidence",
    "lifespan",
    "pinned",
    "sensitive",
    "speaker",
    "valid_from",
    "valid_until",
    "metadata",
}
#: Kinds whose identity is not their text: an edit cannot change a kind to or from one of them.
_FIXED_KINDS: Final = frozenset({Kind.RELATION, Kind.ENTITY})

Mode = Literal["replace", "append"]


def compute_changes(memory: Memory, changes: Mapping[str, Any], mode: Mode, now: datetime) -> dict[str, Any]:
    """Return the new values of the fields, after the gate and the checks.

    Raises:
        InvalidInput: If a field or value is not allowed.
    """
    unknown = sorted(set(changes) - EDITABLE)
    if unknown:
        raise InvalidInput("These fields cannot be edited.", dict.fromkeys(unknown, "not editable"))
    values = {name: _value(memory, name, value, mode) for name, value in changes.items()}
    _check_kind(memory, values.get("kind", memory.kind))
    _check_identity(memory, values)
    if "occurred_at" in values and "valid_from" not in values and memory.valid_from == memory.occurred_at:
        values["valid_from"] = values["occurred_at"]
    _check_period(memory, values)
    if "importance" in values:
        values["base_importance"] = values["importance"]
    if "valid_until" in values:
        values |= _ending(memory, values["valid_until"], now)
    return values


def _ending(memory: Memory, until: datetime | None, now: datetime) -> dict[str, Any]:
    """Return the fields that follow from a new end. A past end is learnt now, unless it was before."""
    if until is None or until > now:
        revived = memory.status == Status.DEPRECATED and memory.retired_at is None
        return {"ended_at": None} | ({"status": Status.ACTIVE} if revived else {})
    ended = {"ended_at": memory.ended_at or now}
    return ended | ({"status": Status.DEPRECATED} if memory.forgotten_at is None else {})


def _value(memory: Memory, name: str, value: Any, mode: Mode) -> Any:  # noqa: ANN401 - a model field's value
    safe = _gated(name, value)
    current = getattr(memory, name)
    if mode == "append" and isinstance(current, list):
        return list(dict.fromkeys([*current, *safe]))
    if mode == "append" and isinstance(current, dict):
        return {**current, **safe}
    return list(safe) if isinstance(current, list) else safe


def _gated(name: str, value: Any) -> Any:  # noqa: ANN401 - a model field's value
    if isinstance(value, str):
        return drafting.fit_to_column(name, redact_text(value).text)
    if isinstance(value, (list, tuple)):
        return [drafting.fit_to_column(name, text) for text in cast("list[str]", redact_json(list(value)))]
    return redact_json(value) if isinstance(value, dict) else value


def _check_kind(memory: Memory, kind: str) -> None:
    kinds = KINDS[Layer(memory.layer)]
    if kind not in kinds:
        raise InvalidInput(f"A {memory.layer} memory is one of {', '.join(kinds)}.", {"kind": "unknown"})
    if kind != memory.kind and {kind, memory.kind} & _FIXED_KINDS:
        raise InvalidInput("A relation or entity keeps its kind.", {"kind": "fixed"})


def _check_identity(memory: Memory, values: Mapping[str, Any]) -> None:
    """Raise InvalidInput if a relation loses a part, an entity its subject, or an episode its session."""
    needed = {"relation": ("subject", "predicate", "object"), "entity": ("subject",)}.get(memory.kind, ())
    needed = ("session",) if memory.layer == Layer.EPISODIC else needed
    missing = [name for name in needed if name in values and not values[name]]
    if missing:
        raise InvalidInput("This memory needs these fields.", dict.fromkeys(missing, "needed"))


def _check_period(memory: Memory, values: Mapping[str, Any]) -> None:
    begin = values.get("valid_from", memory.valid_from)
    end = values.get("valid_until", memory.valid_until)
    if begin is not None and end is not None and begin > end:
        raise InvalidInput("valid_until lies before valid_from.", {"valid_until": "too early"})

"""Recognise a secret by its value alone: random, plausible, or of a known shape."""

from memories.gate.secrets.values.plausible import (
    NOT_VALUES,
    has_digit,
    is_description,
    is_generated,
    is_mixed,
    is_program_text,
    is_technical_term,
    is_template,
    is_word,
)
from memories.gate.secrets.values.randomness import SHORTEST, looks_random, measure
from memories.gate.secrets.values.shape import is_object_id, is_password_like
from memories.gate.secrets.values.values import Value, read_value

__all__ = [
    "NOT_VALUES",
    "SHORTEST",
    "Value",
    "has_digit",
    "is_description",
    "is_generated",
    "is_mixed",
    "is_object_id",
    "is_password_like",
    "is_program_text",
    "is_technical_term",
    "is_template",
    "is_word",
    "looks_random",
    "measure",
    "read_value",
]

"""What a model is asked in a reflection, and the schema of its answer."""

from memories.maintenance.reflection.model.asking import (
    CompressedOut,
    InferenceOut,
    InferencesOut,
    PatternOut,
    PatternsOut,
    Shown,
    answer,
    model_for,
    show,
    valid,
)
from memories.maintenance.reflection.model.relations import Conclusion, are_linked, conclude, follows

__all__ = [
    "CompressedOut",
    "Conclusion",
    "InferenceOut",
    "InferencesOut",
    "PatternOut",
    "PatternsOut",
    "Shown",
    "answer",
    "are_linked",
    "conclude",
    "follows",
    "model_for",
    "show",
    "valid",
]

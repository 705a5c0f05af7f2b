"""The prompts of a reflection, and the schemas of the answers."""

from memories.maintenance.reflection.model.model_calls import (
    CompressedOut,
    InferenceOut,
    InferencesOut,
    NumberedMemories,
    PatternOut,
    PatternsOut,
    ask_model,
    get_model,
    number_memories,
    validate_items,
)
from memories.maintenance.reflection.model.relations import Conclusion, are_linked, conclude, follows

__all__ = [
    "CompressedOut",
    "Conclusion",
    "InferenceOut",
    "InferencesOut",
    "NumberedMemories",
    "PatternOut",
    "PatternsOut",
    "are_linked",
    "ask_model",
    "conclude",
    "follows",
    "get_model",
    "number_memories",
    "validate_items",
]

"""Learn from messages: episodes at once, facts and preferences by a model or by rules."""

from threads.learning import learning, triggers
from threads.learning.outcomes import LearningOutcome, LearningWatch, load_outcome, request_learning

__all__ = [
    "LearningOutcome",
    "LearningWatch",
    "learning",
    "load_outcome",
    "request_learning",
    "triggers",
]

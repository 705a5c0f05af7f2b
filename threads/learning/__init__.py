"""Learn from messages: episodes at once, facts and preferences by a model or by rules."""

from threads.learning import learning
from threads.learning.outcomes import LearningOutcome, LearningWatch, load_outcome, request_learning
from threads.learning.remembering import LEARNT, VerbatimOutcome, remember_verbatim
from threads.learning.triggers import queue_quiet_threads

__all__ = [
    "LEARNT",
    "LearningOutcome",
    "LearningWatch",
    "VerbatimOutcome",
    "learning",
    "load_outcome",
    "queue_quiet_threads",
    "remember_verbatim",
    "request_learning",
]

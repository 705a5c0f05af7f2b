"""Learn from messages: episodes at once, facts and preferences by a model or by rules."""

from threads.learning import learning
from threads.learning.learning import Learnable, list_learnable
from threads.learning.outcomes import LearningOutcome, LearningWatch, load_outcome, request_learning
from threads.learning.remembering import LEARNT, VerbatimOutcome, remember_verbatim
from threads.learning.triggers import queue_quiet_threads

__all__ = [
    "LEARNT",
    "Learnable",
    "LearningOutcome",
    "LearningWatch",
    "VerbatimOutcome",
    "learning",
    "list_learnable",
    "load_outcome",
    "queue_quiet_threads",
    "remember_verbatim",
    "request_learning",
]

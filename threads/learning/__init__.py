"""Learn from messages: episodes at once, facts and preferences by a model or by rules."""

from threads.learning import learning, triggers
from threads.learning.outcomes import Outcome, Watch, outcome_of, request_learning

__all__ = [
    "Outcome",
    "Watch",
    "learning",
    "outcome_of",
    "request_learning",
    "triggers",
]

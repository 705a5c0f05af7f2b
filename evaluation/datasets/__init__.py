"""Labelled data sets: conversations with questions, and exchanges with what is to be learnt."""

from evaluation.datasets.dataset import CATEGORIES, Conversation, DatasetError, Question, Turn, read_dataset
from evaluation.datasets.details import find_kept_details
from evaluation.datasets.exchanges import (
    Extractor,
    Score,
    compute_ratios,
    load_exchanges,
    make_utterances,
    score_extractor,
)

__all__ = [
    "CATEGORIES",
    "Conversation",
    "DatasetError",
    "Extractor",
    "Question",
    "Score",
    "Turn",
    "compute_ratios",
    "find_kept_details",
    "load_exchanges",
    "make_utterances",
    "read_dataset",
    "score_extractor",
]

"""Labelled data sets: conversations with questions, and exchanges with what is to be learnt."""

from evaluation.datasets import details
from evaluation.datasets.dataset import CATEGORIES, Conversation, DatasetError, Question, Turn, read_dataset
from evaluation.datasets.exchanges import Extractor, Score, load, ratios, score, utterances_of

__all__ = [
    "CATEGORIES",
    "Conversation",
    "DatasetError",
    "Extractor",
    "Question",
    "Score",
    "Turn",
    "details",
    "load",
    "ratios",
    "read_dataset",
    "score",
    "utterances_of",
]

"""Measure the quality of memory on this repository's own sets: everyday questions, and truth over time."""

from evaluation.quality.distractors import MOST_DISTRACTORS
from evaluation.quality.everyday import DISTRACTORS, EverydayPlan, MeasuredEveryday, measure_everyday
from evaluation.quality.everyday_report import format_everyday_report
from evaluation.quality.everyday_set import EVERYDAY_SET, read_everyday_set
from evaluation.quality.stories import (
    STORIES,
    MeasuredStories,
    StoryForm,
    StoryPlan,
    format_stories_report,
    play_stories,
    read_stories,
)
from evaluation.quality.truth import MeasuredTruth, TruthPlan, measure_truth
from evaluation.quality.truth_report import format_truth_report
from evaluation.quality.truth_set import TRUTH_SET, read_truth_set
from evaluation.quality.writing import WrittenAs

__all__ = [
    "DISTRACTORS",
    "EVERYDAY_SET",
    "MOST_DISTRACTORS",
    "STORIES",
    "TRUTH_SET",
    "EverydayPlan",
    "MeasuredEveryday",
    "MeasuredStories",
    "MeasuredTruth",
    "StoryForm",
    "StoryPlan",
    "TruthPlan",
    "WrittenAs",
    "format_everyday_report",
    "format_stories_report",
    "format_truth_report",
    "measure_everyday",
    "measure_truth",
    "play_stories",
    "read_everyday_set",
    "read_stories",
    "read_truth_set",
]

"""Measure stories: what a person tells over months, and what then stands in a prompt.

story_set     read stories
completions   chat under `/v1` as a program does, before a scripted model server
playing       tell a story to the memory of an owner, and look at the prompts
report        the shares, as tables
"""

from evaluation.quality.stories.playing import MeasuredStories, StoryForm, StoryPlan, play_stories
from evaluation.quality.stories.report import format_stories_report
from evaluation.quality.stories.story_set import STORIES, read_stories

__all__ = [
    "STORIES",
    "MeasuredStories",
    "StoryForm",
    "StoryPlan",
    "format_stories_report",
    "play_stories",
    "read_stories",
]

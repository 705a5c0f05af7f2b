"""The stories of `stories.jsonl`, each told in chats, and what stands in the prompt at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.quality.stories import read_stories
from evaluation.quality.stories.playing import StoryForm, play_story
from evaluation.quality.stories.story_set import Story
from memsite.accounts.models import User

STORIES = read_stories(Path(__file__).with_name("stories.jsonl"))


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.id)
def test_prompt_says_what_it_must_and_nothing_wrong(alice: User, story: Story) -> None:
    for prompt in play_story(story, StoryForm.THREADS, owner=alice.pk):
        assert prompt.is_right, f"{prompt.ask.text}\n{prompt.text}"

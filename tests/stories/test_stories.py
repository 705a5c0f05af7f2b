"""The stories of `stories.jsonl`, each told in chats, and what stands in the prompt at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.quality.stories import read_stories
from evaluation.quality.stories.playing import StoryForm, look_at_prompt, tell_story
from evaluation.quality.stories.story_set import Story
from memories.maintenance import sentences
from memsite.accounts.models import User
from threads.messages.transcript import create_thread

STORIES = read_stories(Path(__file__).with_name("stories.jsonl"))


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.id)
def test_prompt_says_what_it_must_and_nothing_wrong(alice: User, story: Story) -> None:
    tell_story(story, StoryForm.THREADS, owner=alice.pk)
    for _ in sentences.fill_in_for(owner=alice.pk):
        pass
    thread = create_thread(owner=alice.pk)
    for ask in story.asks:
        prompt = look_at_prompt(story, ask, thread)
        assert prompt.is_right, f"{ask.text}\n{prompt.text}"

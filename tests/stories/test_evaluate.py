"""`manage.py evaluate --stories --form v1`: stories in a chat program, before a scripted model server."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from django.core.management import call_command

from evaluation.owners import PREFIX
from evaluation.quality.stories import read_stories
from evaluation.quality.stories.completions import run_chat_site
from evaluation.quality.stories.playing import StoryForm, play_story
from memsite.accounts.models import User
from threads.models import Message

SET = Path(__file__).with_name("stories.jsonl")


def test_chats_have_the_days_of_their_story(alice: User) -> None:
    story = next(one for one in read_stories(SET) if one.id == "mixed-lang-meeting")
    with run_chat_site() as site:
        prompts = play_story(story, StoryForm.V1, owner=alice.pk, program=site.sign_in(alice))
    assert [one.text for one in prompts if not one.is_right] == []
    rows = Message.objects.filter(owner=alice, role="user").order_by("depth")
    assert list(rows.values_list("created_at", flat=True)) == [one.at for one in story.messages]
    assert list(rows.values_list("session_number", flat=True)) == [1, 2]


def test_prompts_that_the_model_server_received_are_reported(alice: User) -> None:
    out = StringIO()
    options = ("--form", "v1", "--limit", "1", "--misses", "--progress", "off")
    call_command("evaluate", "--stories", str(SET), *options, stdout=out)
    report = out.getvalue()
    assert "1 stories, told as v1" in report
    assert "lacks" not in report
    assert "says [" not in report
    assert not User.objects.filter(username__startswith=PREFIX).exists()

"""Summaries without a model: what rules keep of a talk."""

from __future__ import annotations

import pytest

from tests.threads.saying import assistant_says, user_says
from tests.threads.summarization.summing import Run, Say, stored
from threads.messages.incoming import NewMessage
from threads.models import Thread

pytestmark = pytest.mark.django_db


def test_summary_tells_in_the_third_person_what_the_user_said(thread: Thread, say: Say, run: Run) -> None:
    say("The roof leaks. It rained.", assistant_says("Call a roofer."), "Which roofer is near Oslo?")
    done = run(force=True)
    assert (done.source, done.error) == ("fallback", None)
    [row] = stored(thread)
    assert row.content == "The user said: The roof leaks. The user asked: Which roofer is near Oslo?"
    assert not row.is_provisional


def test_decisions_and_preferences_are_kept(thread: Thread, say: Say, run: Run) -> None:
    say("Hi. We decided to use PostgreSQL.", "I prefer dark roast coffee.")
    run(force=True)
    structured = stored(thread)[0].structured
    assert structured["key_decisions"] == ["We decided to use PostgreSQL."]
    assert "dark roast" in structured["critical_context"]["preferences"]


def test_decision_is_told_once(thread: Thread, say: Say, run: Run) -> None:
    say("I decided to travel by night train.", "Is there a sleeping car?")
    run(force=True)
    content = stored(thread)[0].content
    assert content == "The user asked: Is there a sleeping car? The user decided to travel by night train."


def test_assistants_decision_is_told_as_one(thread: Thread, say: Say, run: Run) -> None:
    say("Which one?", assistant_says("We agreed on the blue one."))
    run(force=True)
    assert stored(thread)[0].content == "The user asked: Which one? Decided: We agreed on the blue one."


def test_chinese_talk_is_summed_up_in_chinese(thread: Thread, say: Say, run: Run) -> None:
    say("我们决定采用 PostgreSQL。", "下一步做什么？")
    run(force=True)
    content = stored(thread)[0].content
    assert content.startswith("用户问：下一步做什么？")
    assert content.count("决定采用 PostgreSQL。") == 1


def test_files_that_tools_wrote_are_listed(thread: Thread, say: Say, run: Run) -> None:
    call = {"id": "1", "function": {"name": "write_file", "arguments": '{"path": "src/app.py"}'}}
    say(NewMessage.model_validate({"role": "assistant", "content": "", "tool_calls": [call]}))
    run(force=True)
    assert stored(thread)[0].structured["modified_files"] == ["src/app.py"]


def test_talk_without_words_has_a_summary_that_says_so(thread: Thread, say: Say, run: Run) -> None:
    say(user_says("   "))
    run(force=True)
    assert stored(thread)[0].content == "1 messages without words."


def test_old_points_go_first_and_decisions_stay(thread: Thread, say: Say, run: Run) -> None:
    say("We decided to paint it blue.", 60)
    run()
    content = stored(thread)[-1].content
    assert content.count("decided to paint it blue.") == 1
    assert "point 60." in content
    assert "point 2." not in content
    assert len(content.split()) <= 200


def test_secret_is_not_summed_up(thread: Thread, say: Say, run: Run) -> None:
    say("My password is Tr0ub4dor&3xyz and I like tea.")
    run(force=True)
    assert "Tr0ub4dor" not in str(stored(thread)[0].__dict__)

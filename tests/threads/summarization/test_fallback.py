"""Summaries without a model: what rules keep of a talk."""

from __future__ import annotations

import pytest

from tests.threads.saying import assistant_says, user_says
from tests.threads.summarization.summing import Run, Say, stored
from threads.messages.incoming import NewMessage
from threads.models import Thread

pytestmark = pytest.mark.django_db


def test_summary_tells_topic_then_result_then_what_is_open(thread: Thread, say: Say, run: Run) -> None:
    say("The roof leaks. It rained.", assistant_says("Call a roofer."), "Which roofer is near Oslo?")
    done = run(force=True)
    assert (done.source, done.error) == ("fallback", None)
    [row] = stored(thread)
    assert row.content == (
        "Topic: The roof leaks. The assistant answered: Call a roofer. Still open: Which roofer is near Oslo?"
    )
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
    assert content == "The user decided to travel by night train. Still open: Is there a sleeping car?"


def test_assistants_decision_is_told_as_one(thread: Thread, say: Say, run: Run) -> None:
    say("Which one?", assistant_says("We agreed on the blue one."))
    run(force=True)
    assert stored(thread)[0].content == "Topic: Which one? Decided: We agreed on the blue one."


def test_chinese_talk_is_summed_up_in_chinese(thread: Thread, say: Say, run: Run) -> None:
    say("我们决定采用 PostgreSQL。", "下一步做什么？")
    run(force=True)
    content = stored(thread)[0].content
    assert content.endswith("尚待答复：下一步做什么？")
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


def test_answered_request_is_told_with_the_result_in_short(thread: Thread, say: Say, run: Run) -> None:
    answer = "Sure! Let me check. The build fails because the port is taken. Shall I change it?"
    say("My build is red.", "Why does it fail?", assistant_says(answer))
    run(force=True)
    assert stored(thread)[0].content == (
        "Topic: My build is red. The user asked: Why does it fail? "
        "The assistant answered: The build fails because the port is taken."
    )


def test_chinese_summary_tells_topic_result_and_what_is_open(thread: Thread, say: Say, run: Run) -> None:
    answer = "好的。原因是端口被占用了。"
    say("构建失败了。", "为什么会失败？", assistant_says(answer), "能不能换一个端口？")
    run(force=True)
    assert stored(thread)[0].content == (
        "话题：构建失败了。用户问：为什么会失败？助手答复：原因是端口被占用了。尚待答复：能不能换一个端口？"
    )


def test_request_stays_open_while_the_assistant_only_asks(thread: Thread, say: Say, run: Run) -> None:
    say("The roof leaks.", "Please find a roofer.", assistant_says("Of course. In which town?"))
    run(force=True)
    assert stored(thread)[0].content == "Topic: The roof leaks. Still open: Please find a roofer."


def test_notice_that_no_model_answers_is_no_answer(thread: Thread, say: Say, run: Run) -> None:
    notice = assistant_says("No language model is configured.", state={"source": "fallback"})
    say("The roof leaks.", "Which roofer is near?", notice)
    run(force=True)
    assert stored(thread)[0].content == "Topic: The roof leaks. Still open: Which roofer is near?"


def test_next_summary_keeps_the_topic_and_closes_what_was_answered(
    thread: Thread, say: Say, run: Run
) -> None:
    say("The roof leaks.", "Which roofer is near?")
    run(force=True)
    say(assistant_says("I found Roof and Sons."), "When do they open?")
    run(force=True)
    assert stored(thread)[-1].content == (
        "Topic: The roof leaks. The user asked: Which roofer is near? "
        "The assistant answered: I found Roof and Sons. Still open: When do they open?"
    )


def test_topic_that_is_an_open_request_says_so_until_it_is_answered(
    thread: Thread, say: Say, run: Run
) -> None:
    say("Which roofer is near?")
    run(force=True)
    assert stored(thread)[0].content == "Topic, still open: Which roofer is near?"
    say(assistant_says("I found Roof and Sons."))
    run(force=True)
    assert stored(thread)[-1].content == (
        "Topic: Which roofer is near? The assistant answered: I found Roof and Sons."
    )


@pytest.mark.parametrize("language", ["english", "chinese"])
def test_long_conversation_keeps_topic_and_end_within_the_limits(
    thread: Thread, say: Say, run: Run, language: str
) -> None:
    said, answer, topic = (
        (
            "Is part {} of the long plan ready?",
            "I found that part {} is ready.",
            "Topic: The bridge is rusty.",
        )
        if language == "english"
        else ("长计划的第{}部分准备好了吗？", "结果是第{}部分已经准备好。", "话题：那座桥生锈了。")
    )
    say(topic.partition("：")[2] or topic.partition(": ")[2])
    for number in range(40):
        say(said.format(number), assistant_says(answer.format(number)))
    say(said.format("last"))
    run(force=True)
    content = stored(thread)[-1].content
    assert content.startswith(topic)
    assert said.format("last") in content
    assert len(content) <= 500 if language == "chinese" else len(content.split()) <= 200

"""Without a model, the task state has what the messages say plainly."""

from __future__ import annotations

import pytest

from tests.llm_server import LLMServer, json_answer, status
from tests.threads.saying import assistant_says
from tests.threads.summarization.summing import Run, Say, model_says, state_of
from threads.models import Thread
from threads.summarization.task_state import TaskStateContent, read_content, set_task_state
from threads.summarization.text.task_rules import find_task_state

pytestmark = pytest.mark.django_db


def found(*sentences: str, role: str = "user", before: TaskStateContent | None = None) -> TaskStateContent:
    return find_task_state([(role, sentences)], before or TaskStateContent())


@pytest.mark.parametrize(
    ("sentence", "goal"),
    [
        ("I want to book a night train to Bergen.", "book a night train to Bergen"),
        ("Hi, we'd like to move the database.", "move the database"),
        ("My goal is to learn Welsh.", "learn Welsh"),
        ("我想订一张去卑尔根的车票。", "订一张去卑尔根的车票"),
        ("我们的目标是迁移数据库。", "迁移数据库"),
    ],
)
def test_goal_is_what_the_user_wants_to_do(sentence: str, goal: str) -> None:
    assert found(sentence).current_goal == goal
    assert found(sentence, role="assistant").current_goal == ""


@pytest.mark.parametrize(
    "sentence",
    [
        "I want to thank you.",
        "I want to know why it fails.",
        "He wants to book a train.",
        "Do I want to book a train?",
        "我想你说得对。",
        "我要睡觉了。",
        "我想知道为什么。",
    ],
)
def test_other_sentences_are_no_goal(sentence: str) -> None:
    assert found(sentence).current_goal == ""


@pytest.mark.parametrize(
    ("sentence", "step"),
    [
        ("Done: the schema is migrated.", "the schema is migrated."),
        ("The hotel is booked.", "The hotel is booked."),
        ("We have fixed the login.", "We have fixed the login."),
        ("登录页面修好了。", "登录页面修好了。"),
        ("数据库迁移已完成。", "数据库迁移已完成。"),
    ],
)
def test_what_is_said_to_be_done_is_a_completed_step(sentence: str, step: str) -> None:
    assert found(sentence).completed_steps == (step,)
    assert found(sentence, role="tool").completed_steps == ()


@pytest.mark.parametrize(
    "sentence",
    ["It is not done.", "Once the hotel is booked, we pack.", "Is it done?", "还没修好。", "完成了吗？"],
)
def test_what_is_not_done_yet_is_no_completed_step(sentence: str) -> None:
    assert found(sentence).completed_steps == ()


def test_next_steps_are_pending_until_they_are_done() -> None:
    state = found("Next, we test the login page.", "接下来，部署新版本。")
    assert state.pending_steps == ("we test the login page.", "部署新版本。")
    state = found("The test of the login page is done.", before=state)
    assert state.pending_steps == ("部署新版本。",)
    assert state.completed_steps == ("The test of the login page is done.",)


def test_findings_are_kept_whoever_states_them() -> None:
    state = found("It turns out the port is taken.", role="assistant")
    state = found("原因是端口被占用。", before=state)
    assert state.key_findings == ("It turns out the port is taken.", "原因是端口被占用。")


def test_rules_fill_the_task_state(thread: Thread, say: Say, run: Run) -> None:
    say(
        "I want to deploy the app. Next, we run the tests.",
        assistant_says("Sure. I found that the port is taken. Done: the tests are written."),
    )
    run(force=True)
    state = state_of(thread)
    assert state is not None
    assert state.written_by == "summary"
    assert read_content(state) == TaskStateContent(
        "deploy the app",
        ("the tests are written.",),
        ("we run the tests.",),
        ("I found that the port is taken.",),
    )


def test_rules_leave_what_a_client_wrote(thread: Thread, say: Say, run: Run) -> None:
    set_task_state(thread.pk, {"current_goal": "mine"}, owner=thread.owner_id)
    say("I want to deploy the app. Done: the tests are written.")
    run(force=True)
    state = state_of(thread)
    assert state is not None
    assert (state.current_goal, state.completed_steps, state.written_by) == ("mine", [], "client")


def test_plain_talk_has_no_task_state(thread: Thread, say: Say, run: Run) -> None:
    say("The roof leaks.", assistant_says("Call a roofer."), "Which roofer is near?")
    run(force=True)
    assert state_of(thread) is None


def test_rules_add_to_the_state_of_an_earlier_summary(thread: Thread, say: Say, run: Run) -> None:
    say("I want to deploy the app. Next, write the tests.")
    run(force=True)
    say("Done: the tests are written. I want to go on holiday.")
    run(force=True)
    kept = state_of(thread)
    assert kept is not None
    assert (kept.current_goal, kept.completed_steps) == ("deploy the app", ["the tests are written."])
    assert kept.pending_steps == []


def test_model_replaces_what_rules_found_while_it_failed(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    models_configured.always(status(500))
    say("I want to deploy the app.")
    run(force=True)
    kept = state_of(thread)
    assert kept is not None
    assert kept.current_goal == "deploy the app"
    state = {"current_goal": "deploy the app soon"}
    models_configured.always(json_answer(model_says("The user wants to deploy the app.", task_state=state)))
    say("Soon, please.")
    run(force=True)
    kept = state_of(thread)
    assert kept is not None
    assert kept.current_goal == "deploy the app soon"


def test_secret_is_not_in_the_task_state(thread: Thread, say: Say, run: Run) -> None:
    say("I want to log in with the password Tr0ub4dor&3xyz.", "My password is Tr0ub4dor&3xyz.")
    run(force=True)
    assert "Tr0ub4dor" not in str(state_of(thread).__dict__)

"""What a model's summary names and nobody said does not get into the summary."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine

from tests.llm_server import LLMServer, json_answer, status
from tests.threads.saying import assistant_says
from tests.threads.summarization.summing import Run, Say, model_says, stored
from threads.models import Thread
from threads.summarization.text.grounding import SpokenText, remove_invented_sentences

pytestmark = pytest.mark.django_db
SAID = "I plan a trip to Bergen in May with Anna, for 800 euros."
TRUE = "The user plans a trip to Bergen."
FALSE = "Trip to Oslo."

SPOKEN = SpokenText([
    "The User, the Assistant, in English",
    SAID,
    "The ferry at 14:30 takes 3 hours.",
    "我想和王芳去卑尔根旅行，预算8000元，五月三号出发。",
])  # fmt: skip


@pytest.mark.parametrize(
    "sentence",
    [
        TRUE,
        "The user and Anna go in May.",
        "A ferry at 2:30 pm takes three hours.",
        "The user has not booked the ferry yet.",
        "Open questions remain. Progress was made, and the Assistant writes in English.",
        "用户谈到了许多花，去医院做检查。",
        "用户和王芳五月3日去卑尔根，预算8000元。",
    ],
)
def test_sentence_that_words_what_was_said_otherwise_stays(sentence: str) -> None:
    assert remove_invented_sentences(sentence, SPOKEN) == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        FALSE,
        "The user and Clara go to Bergen.",
        "It costs 900 euros.",
        "The user leaves on 4 May.",
        "The ferry at 15:30 takes 3 hours.",
        "用户计划去斯德哥尔摩旅行。",
        "用户的预算是九千元。",
        "奥斯陆之行。",
    ],
)
def test_sentence_with_a_name_number_or_date_that_nobody_said_goes(sentence: str) -> None:
    assert remove_invented_sentences(f"{TRUE} {sentence}", SPOKEN) == TRUE


def test_model_is_asked_once_more_for_a_summary_without_it(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    models_configured.script(json_answer(model_says(FALSE)), json_answer(model_says(TRUE)))
    say(SAID)
    done = run(force=True)
    assert (done.source, done.error) == ("llm", None)
    assert [row.content for row in stored(thread)] == [TRUE]
    first, second = models_configured.chats
    assert second.messages[: len(first.messages)] == first.messages
    assert "name Oslo" in second.messages[-1]["content"]


@pytest.mark.parametrize("failing", [True, False])
def test_sentence_that_is_still_invented_is_left_out(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer, *, failing: bool
) -> None:
    said = json_answer(model_says(f"{TRUE} The user lives in Oslo."))
    models_configured.script(said, status(400) if failing else said)
    say(SAID)
    assert run(force=True).source == "llm"
    assert [row.content for row in stored(thread)] == [TRUE]
    assert len(models_configured.chats) == 2


def test_rules_write_the_summary_if_nothing_of_the_models_is_left(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    models_configured.always(json_answer(model_says(FALSE)))
    say(SAID)
    done = run(force=True)
    assert (done.source, done.error) == ("fallback", "The model's summary says what nobody said.")
    [row] = stored(thread)
    assert row.is_provisional
    assert "Oslo" not in row.content
    assert "Bergen" in row.content


def test_old_summary_stays_if_nothing_of_the_new_one_is_left(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    models_configured.script(json_answer(model_says(TRUE)))
    say(SAID)
    run(force=True)
    models_configured.always(json_answer(model_says(FALSE)))
    say(10)
    run(force=True)
    assert [row.content for row in stored(thread)] == [f"{TRUE} [+10 messages not summarised yet]"]


def test_names_of_the_old_summary_may_be_named_again(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    models_configured.always(json_answer(model_says(TRUE)))
    say(SAID)
    run(force=True)
    say("Thank you.", assistant_says("You are welcome."))
    run(force=True)
    assert len(models_configured.chats) == 2
    assert stored(thread)[-1].content == TRUE


def test_date_that_a_message_speaks_of_may_be_named(
    thread: Thread, say: Say, run: Run, models_configured: LLMServer
) -> None:
    told = "On 24 November 2026 the user said that the ferry leaves on 25 November 2026."
    models_configured.always(json_answer(model_says(told)))
    with time_machine.travel(datetime(2026, 11, 24, 12, tzinfo=UTC), tick=True):
        say("The ferry leaves tomorrow.")
    run(force=True)
    assert [row.content for row in stored(thread)] == [told]

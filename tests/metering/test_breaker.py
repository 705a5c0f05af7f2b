from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db.models.functions import Now
from pytest_django import Settings

from memsite.accounts.models import User
from memsite.errors import ModelError
from memsite.llm.chat.chat import ChatMessage, ChatModel
from memsite.metering import breaker, get_chat_model
from memsite.metering.breaker import FAILURES_TO_OPEN, PAUSE, PAUSE_MAX
from memsite.metering.models import Breaker
from tests import llm_server as scripted
from tests.llm_server import LLMServer, Step
from tests.reading import read

ASKED: list[ChatMessage] = [{"role": "user", "content": "How was my day?"}]
NAME = "fast-model"

Fail = Callable[..., ModelError]


@pytest.fixture
def model(alice: User, models_configured: LLMServer) -> ChatModel:
    found = get_chat_model("fast", owner=alice.id)
    assert found is not None
    return found


@pytest.fixture
def fail(model: ChatModel, models_configured: LLMServer) -> Fail:
    """Fail so often; → the last error."""

    def times(count: int = 1, step: Step | None = None) -> ModelError:
        models_configured.always(step or scripted.status(503))
        for _ in range(count):
            with pytest.raises(ModelError) as caught:
                model.complete(ASKED)
        models_configured.always(scripted.answer("ok"))
        return caught.value

    return times


def let_the_pause_pass() -> None:
    Breaker.objects.update(open_until=Now() - timedelta(seconds=1))


def test_failures_in_a_row_open_it(fail: Fail, model: ChatModel, models_configured: LLMServer) -> None:
    fail(FAILURES_TO_OPEN)
    asked = len(models_configured.requests)
    with pytest.raises(ModelError) as caught:
        model.complete(ASKED)
    assert caught.value.detail["reason"] == "breaker"
    assert 0 < caught.value.detail["retry_in"] <= PAUSE
    assert len(models_configured.requests) == asked


def test_a_stream_is_refused_too(fail: Fail, model: ChatModel) -> None:
    fail(FAILURES_TO_OPEN)
    with pytest.raises(ModelError, match="left alone"):
        next(read(model.stream(ASKED)))


def test_an_answer_between_starts_the_count_again(fail: Fail, model: ChatModel) -> None:
    fail(FAILURES_TO_OPEN - 1)
    model.complete(ASKED)
    fail(FAILURES_TO_OPEN - 1)
    assert model.complete(ASKED).text == "ok"


@pytest.mark.parametrize(
    "step", [scripted.status(401), scripted.html(), scripted.prose(), scripted.no_choices()]
)
def test_a_server_that_answers_badly_is_not_left_alone(
    fail: Fail, model: ChatModel, models_configured: LLMServer, step: Step
) -> None:
    models_configured.always(step)
    for _ in range(FAILURES_TO_OPEN + 1):
        with suppress(ModelError):
            model.complete(ASKED)
    assert len(models_configured.requests) == FAILURES_TO_OPEN + 1


def test_after_the_pause_an_answer_closes_it(fail: Fail, model: ChatModel) -> None:
    fail(FAILURES_TO_OPEN)
    let_the_pause_pass()
    assert breaker.get_breaker_state(NAME).state == "half-open"
    assert model.complete(ASKED).text == "ok"
    assert breaker.get_breaker_state(NAME) == breaker.BreakerState("closed")


def test_after_the_pause_one_call_tries_and_others_wait(fail: Fail, model: ChatModel) -> None:
    fail(FAILURES_TO_OPEN)
    let_the_pause_pass()
    assert breaker.admit_call(NAME, longest=60)
    with pytest.raises(ModelError, match="left alone"):
        model.complete(ASKED)


def test_each_failed_try_doubles_the_pause_up_to_its_longest(fail: Fail) -> None:
    fail(FAILURES_TO_OPEN)
    pauses = []
    for _ in range(5):
        let_the_pause_pass()
        fail()
        pauses.append(round(breaker.get_breaker_state(NAME).retry_in, -1))
    assert pauses == [2 * PAUSE, 4 * PAUSE, 8 * PAUSE, PAUSE_MAX, PAUSE_MAX]


def test_calls_that_were_under_way_do_not_lengthen_the_pause(fail: Fail) -> None:
    fail(FAILURES_TO_OPEN)
    for _ in range(3):
        breaker.record_failure(NAME, tried=False)
    assert breaker.get_breaker_state(NAME).retry_in <= PAUSE


def test_it_is_each_models_own(fail: Fail, alice: User) -> None:
    fail(FAILURES_TO_OPEN)
    other = get_chat_model("primary", owner=alice.id)
    assert other is not None
    assert other.complete(ASKED).text == "ok"


def test_it_is_shared_by_owners(fail: Fail, bob: User) -> None:
    fail(FAILURES_TO_OPEN)
    model = get_chat_model("fast", owner=bob.id)
    assert model is not None
    with pytest.raises(ModelError, match="left alone"):
        model.complete(ASKED)


def test_switched_off_it_refuses_nothing(fail: Fail, model: ChatModel, settings: Settings) -> None:
    settings.MEMSITE_MODEL_BREAKER = False
    assert fail(FAILURES_TO_OPEN + 1).detail["reason"] == "status"
    assert not Breaker.objects.exists()
    assert breaker.get_breaker_state(NAME).state == "off"

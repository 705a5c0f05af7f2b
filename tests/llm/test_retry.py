import threading
from collections.abc import Callable

import openai
import pytest

from memsite.errors import ModelError
from memsite.llm.chat.retry import (
    Deadline,
    TransientModelError,
    as_model_error,
    call_with_retries,
    run_bounded,
    time_limit,
    timeout_error,
)


def failing(times: int, error: Exception | None = None) -> tuple[list[float], Callable[[Deadline], str]]:
    """An attempt that fails so often before it answers, and the seconds each try was given."""
    given: list[float] = []

    def attempt(deadline: Deadline) -> str:
        given.append(deadline.remaining())
        if len(given) <= times:
            raise error or timeout_error()
        return "answer"

    return given, attempt


@pytest.mark.usefixtures("no_pauses")
def test_a_passing_failure_is_tried_again() -> None:
    tries, attempt = failing(2)
    assert call_with_retries(attempt, attempt_seconds=5) == "answer"
    assert len(tries) == 3


@pytest.mark.usefixtures("no_pauses")
def test_tries_are_counted() -> None:
    tries, attempt = failing(9)
    with pytest.raises(TransientModelError):
        call_with_retries(attempt, attempt_seconds=5)
    assert len(tries) == 3


@pytest.mark.parametrize("error", [ModelError("no"), ValueError("no")])
def test_a_lasting_failure_ends_it(error: Exception) -> None:
    tries, attempt = failing(9, error)
    with pytest.raises(type(error), match="no"):
        call_with_retries(attempt, attempt_seconds=5)
    assert len(tries) == 1


def test_a_pause_longer_than_the_time_left_ends_it() -> None:
    tries, attempt = failing(9, TransientModelError("busy", retry_after=60))
    with pytest.raises(TransientModelError, match="busy"):
        call_with_retries(attempt, attempt_seconds=5)
    assert len(tries) == 1


def test_a_try_is_given_no_more_than_the_enclosing_limit() -> None:
    tries, attempt = failing(0)
    with time_limit(1):
        call_with_retries(attempt, attempt_seconds=30)
    assert tries[0] <= 1


def test_the_tightest_of_two_limits_holds() -> None:
    tries, attempt = failing(0)
    with time_limit(1), time_limit(60):
        call_with_retries(attempt, attempt_seconds=30)
    assert tries[0] <= 1


def test_a_limit_ends_with_its_block() -> None:
    with time_limit(1):
        pass
    tries, attempt = failing(0)
    call_with_retries(attempt, attempt_seconds=30)
    assert tries[0] > 1


def test_an_action_past_its_deadline_is_left_behind() -> None:
    never = threading.Event()
    try:
        with pytest.raises(TransientModelError, match="in time"):
            run_bounded(lambda _: never.wait(60), Deadline(0))
    finally:
        never.set()


def test_an_error_of_the_action_comes_through() -> None:
    def fail(_: Deadline) -> None:
        raise KeyError("own")

    with pytest.raises(KeyError, match="own"):
        run_bounded(fail, Deadline(5))


def test_an_unknown_error_is_named_by_its_type_only() -> None:
    error = as_model_error(openai.OpenAIError("secret"))
    assert error.message == "asking the model server failed (OpenAIError)"


def test_a_model_error_stays_as_it_is() -> None:
    error = timeout_error()
    assert as_model_error(error) is error

"""Saying why a job failed without repeating what it was about."""

import json

import pytest
from django.db import DataError, connection

from memsite.errors import (
    Conflict,
    InvalidInput,
    MemsiteError,
    ModelError,
    NotFound,
    RefusedByGate,
    TooManyRequests,
)
from memsite.jobs.reasons import describe_error, is_final


def raised(action: object) -> BaseException:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever it raises
        action()  # type: ignore[operator]  # a case of the table
    return caught.value


def test_own_error_is_told_with_its_message() -> None:
    assert describe_error(ModelError("The model did not answer.")) == "ModelError: The model did not answer."


def test_error_of_a_library_is_told_by_its_place_in_our_code() -> None:
    reason = describe_error(raised(lambda: json.loads("the diary of Anna")))
    assert reason.startswith("JSONDecodeError in tests.jobs.test_reasons.")
    assert "Anna" not in reason


@pytest.mark.django_db
def test_error_of_the_database_is_told_with_its_state_and_without_its_values() -> None:
    with connection.cursor() as cursor, pytest.raises(DataError) as caught:
        cursor.execute("SELECT %s::int", ["Anna"])
    reason = describe_error(caught.value)
    assert reason.startswith("DataError (22P02) in tests.jobs.test_reasons.")
    assert "Anna" not in reason


def test_error_never_raised_is_told_by_its_class() -> None:
    assert describe_error(KeyError("Anna")) == "KeyError"


def test_reason_fits_its_column() -> None:
    assert len(describe_error(MemsiteError("x" * 2000))) == 500


@pytest.mark.parametrize(
    ("error", "final"),
    [
        (InvalidInput("no"), True),
        (NotFound("no"), True),
        (RefusedByGate("no"), True),
        (Conflict("no"), False),
        (TooManyRequests("no", 1), False),
        (ModelError("no"), False),
        (ValueError("no"), False),
    ],
)
def test_only_refusals_are_final(error: Exception, final: bool) -> None:  # noqa: FBT001 - a table's column
    assert is_final(error) is final

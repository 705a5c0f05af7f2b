from collections.abc import Generator
from contextlib import closing
from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from memsite.accounts.models import User
from memsite.errors import ModelError
from memsite.llm.chat.chat import ChatMessage, ChatModel, Chunk
from memsite.llm.chat.retry import time_limit
from memsite.metering import get_chat_model, usage
from memsite.metering.models import Breaker, ModelPurpose, ModelUsage
from tests import llm_server as scripted
from tests.llm_server import LLMServer, Step
from tests.reading import read

ASKED: list[ChatMessage] = [{"role": "user", "content": "How is my diary?"}]


@pytest.fixture
def model(alice: User, models_configured: LLMServer) -> ChatModel:
    found = get_chat_model("fast", owner=alice.id)
    assert found is not None
    return found


def stream(model: ChatModel) -> closing[Generator[Chunk]]:
    """The stream, closed with its block."""
    return closing(read(model.stream(ASKED)))


def test_no_model_is_configured_by_default(alice: User) -> None:
    assert get_chat_model("fast", owner=alice.id) is None


@pytest.mark.parametrize(("slot", "name"), [("fast", "fast-model"), ("primary", "primary-model")])
def test_each_slot_has_its_model(alice: User, models_configured: LLMServer, slot: Any, name: str) -> None:
    model = get_chat_model(slot, owner=alice.id)
    assert isinstance(model, ChatModel)
    assert model.model == name


def test_an_empty_slot_is_served_by_the_other(
    alice: User, models_configured: LLMServer, settings: Settings
) -> None:
    settings.MEMSITE_MODEL_FAST = ""
    model = get_chat_model("fast", owner=alice.id)
    assert model is not None
    assert model.model == "primary-model"


def test_call_is_counted_for_its_owner(alice: User, bob: User, model: ChatModel) -> None:
    assert model.complete(ASKED).text == "ok"
    assert usage.sum_tokens_today(owner=alice.id) == usage.UsageTotal(1, 0, 10, 5)
    assert usage.sum_tokens_today(owner=bob.id) == usage.UsageTotal()


def test_calls_of_a_day_add_up_in_one_row(alice: User, model: ChatModel) -> None:
    model.complete(ASKED)
    model.complete(ASKED)
    [row] = usage.list_usage_by_day(owner=alice.id, days=1)
    assert (row.model, row.calls, row.input_tokens, row.output_tokens) == ("fast-model", 2, 20, 10)


def test_call_is_counted_for_its_purpose(alice: User, models_configured: LLMServer) -> None:
    model = get_chat_model("fast", owner=alice.id, purpose=ModelPurpose.SUMMARY)
    assert model is not None
    model.complete(ASKED)
    assert [one.purpose for one in usage.list_usage_by_purpose(owner=alice.id, days=1)] == ["summary"]


def test_cost_is_at_the_prices_set(alice: User, model: ChatModel, settings: Settings) -> None:
    settings.MEMSITE_MODEL_PRICES = {"fast-model": (100_000, 200_000)}
    model.complete(ASKED)
    assert usage.sum_tokens_today(owner=alice.id).cost == 2


def test_stream_is_counted(alice: User, model: ChatModel, models_configured: LLMServer) -> None:
    models_configured.script(scripted.stream("Good ", "day"))
    assert "".join(chunk.text for chunk in read(model.stream(ASKED))) == "Good day"
    assert usage.sum_tokens_today(owner=alice.id) == usage.UsageTotal(1, 0, 10, 5)


def test_stream_left_early_counts_what_came(
    alice: User, model: ChatModel, models_configured: LLMServer
) -> None:
    models_configured.script(scripted.stream("Good ", "day", then_hang=True))
    with stream(model) as chunks:
        next(chunks)
    used = usage.sum_tokens_today(owner=alice.id)
    assert (used.calls, used.failures, used.output_tokens) == (1, 0, 2)


def test_stream_that_broke_off_counts_what_came(
    alice: User, model: ChatModel, models_configured: LLMServer
) -> None:
    models_configured.script(scripted.stream("Good ", finish=None))
    with pytest.raises(ModelError):
        list(read(model.stream(ASKED)))
    used = usage.sum_tokens_today(owner=alice.id)
    assert (used.calls, used.failures, used.output_tokens) == (1, 1, 2)


@pytest.mark.parametrize(
    ("step", "tokens"),
    [(scripted.status(401), 0), (scripted.no_choices(), 15)],
    ids=["that cost nothing", "that cost"],
)
def test_failed_call_is_counted(
    alice: User, model: ChatModel, models_configured: LLMServer, step: Step, tokens: int
) -> None:
    models_configured.script(step)
    with pytest.raises(ModelError):
        model.complete(ASKED)
    used = usage.sum_tokens_today(owner=alice.id)
    assert (used.calls, used.failures, used.tokens) == (1, 1, tokens)


def test_used_up_budget_refuses_without_asking(
    alice: User, model: ChatModel, models_configured: LLMServer, settings: Settings
) -> None:
    settings.MEMSITE_MODEL_DAILY_TOKENS = 15
    model.complete(ASKED)
    for ask in (lambda: model.complete(ASKED), lambda: next(read(model.stream(ASKED)))):
        with pytest.raises(ModelError) as caught:
            ask()
        assert caught.value.detail == {"reason": "budget"}
    assert len(models_configured.requests) == 1


def test_one_owners_budget_is_not_anothers(
    alice: User, bob: User, model: ChatModel, settings: Settings
) -> None:
    settings.MEMSITE_MODEL_DAILY_TOKENS = 15
    model.complete(ASKED)
    other = get_chat_model("fast", owner=bob.id)
    assert other is not None
    assert other.complete(ASKED).text == "ok"


def test_yesterdays_use_does_not_count_against_today(
    alice: User, model: ChatModel, settings: Settings
) -> None:
    settings.MEMSITE_MODEL_DAILY_TOKENS = 15
    model.complete(ASKED)
    ModelUsage.objects.filter(owner=alice).update(day="2020-01-01")
    assert model.complete(ASKED).text == "ok"


def test_use_goes_with_its_owner(alice: User, model: ChatModel) -> None:
    model.complete(ASKED)
    alice.delete()
    assert not ModelUsage.objects.exists()


def test_answer_that_outlives_its_owner_is_not_counted(
    alice: User, model: ChatModel, models_configured: LLMServer
) -> None:
    owner = alice.id
    models_configured.script(scripted.stream("Good ", "day"))
    with stream(model) as chunks:
        next(chunks)
        alice.delete()
        assert [chunk.text for chunk in chunks] == ["day", ""]
    assert not ModelUsage.objects.filter(owner_id=owner).exists()


@pytest.mark.django_db(transaction=True)
def test_no_connection_is_held_while_the_server_thinks(
    alice: User, model: ChatModel, models_configured: LLMServer
) -> None:
    models_configured.script(scripted.stream("Good ", "day"))
    with stream(model) as chunks:
        next(chunks)
        assert connection.connection is None
    assert usage.sum_tokens_today(owner=alice.id).calls == 1


@pytest.mark.parametrize("broken", ["metering_modelusage", "metering_breaker"])
def test_count_that_cannot_be_written_does_not_take_the_answer_away(
    alice: User,
    model: ChatModel,
    models_configured: LLMServer,
    broken: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    models_configured.script(scripted.stream("Good day"))
    with stream(model) as chunks, connection.cursor() as cursor:
        got: list[Chunk] = [next(chunks)]
        cursor.execute(f"ALTER TABLE {broken} RENAME TO gone")
        got += chunks
    assert "".join(chunk.text for chunk in got) == "Good day"
    assert "not counted" in caplog.text


def test_neither_prompt_nor_answer_nor_key_is_logged(
    model: ChatModel, models_configured: LLMServer, caplog: pytest.LogCaptureFixture, settings: Settings
) -> None:
    models_configured.script(
        scripted.status(500, message="diary"), scripted.answer("Dear me"), scripted.status(401)
    )
    with caplog.at_level("INFO"):
        model.complete(ASKED)
        with pytest.raises(ModelError):
            model.complete(ASKED)
    assert not [word for word in ("diary", "Dear me", settings.OPENAI_API_KEY) if word in caplog.text]


def test_success_leaves_no_row_of_the_breaker(model: ChatModel) -> None:
    model.complete(ASKED)
    assert not Breaker.objects.exists()


def test_call_in_a_hurry_says_nothing_about_the_server(
    model: ChatModel, models_configured: LLMServer
) -> None:
    models_configured.always(scripted.hang())
    with pytest.raises(ModelError), time_limit(0.1):
        model.complete(ASKED)
    assert not Breaker.objects.filter(failures__gt=0).exists()

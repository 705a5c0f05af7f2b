from datetime import timedelta

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from memsite.accounts.models import User
from memsite.llm.chat.chat import Usage
from memsite.metering import usage
from memsite.metering.models import ModelPurpose, ModelUsage


@pytest.fixture
def used(alice: User) -> None:
    usage.add_usage(Usage(100, 20), model="fast-model", failed=False, owner=alice.id)


@pytest.mark.usefixtures("used")
def test_own_use_is_told_by_day_and_model(alice_api: APIClient, settings: Settings) -> None:
    settings.MEMSITE_MODEL_DAILY_TOKENS = 500
    told = alice_api.get("/api/usage").json()
    [row] = told["results"]
    assert (told["daily_tokens"], told["tokens_today"]) == (500, 120)
    assert row == {
        "day": usage.get_usage_day().isoformat(),
        "model": "fast-model",
        "calls": 1,
        "failures": 0,
        "input_tokens": 100,
        "output_tokens": 20,
        "cost": 0.0,
    }


@pytest.mark.usefixtures("used")
def test_nobody_is_told_anothers_use(bob_api: APIClient, charlie_api: APIClient) -> None:
    assert bob_api.get("/api/usage").json()["results"] == []
    assert charlie_api.get("/api/usage").json()["tokens_today"] == 0


@pytest.mark.usefixtures("used")
def test_only_the_days_asked_for_are_told(alice_api: APIClient) -> None:
    ModelUsage.objects.update(day=usage.get_usage_day() - timedelta(days=7))
    assert alice_api.get("/api/usage?days=7").json()["results"] == []
    assert len(alice_api.get("/api/usage?days=8").json()["results"]) == 1


@pytest.mark.parametrize("query", ["days=0", "days=367", "days=many", "owner=bob"])
def test_nonsense_is_refused(alice_api: APIClient, query: str) -> None:
    assert alice_api.get(f"/api/usage?{query}").status_code == 400


def test_uses_for_several_purposes_are_one_row_of_a_day(alice: User, alice_api: APIClient) -> None:
    for purpose in (ModelPurpose.REPLY, ModelPurpose.LEARNING, ModelPurpose.LEARNING):
        usage.add_usage(Usage(100, 20), model="fast-model", failed=False, owner=alice.id, purpose=purpose)
    [row] = alice_api.get("/api/usage").json()["results"]
    assert (row["calls"], row["input_tokens"]) == (3, 300)
    by_purpose = usage.list_usage_by_purpose(owner=alice.id, days=1)
    assert [(one.purpose, one.calls) for one in by_purpose] == [("learning", 2), ("reply", 1)]

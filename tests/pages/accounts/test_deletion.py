"""A person has their data deleted: after a week's grace, called off, at once; the receipt."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.apps import apps
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from memories.models import Ledger, Memory
from memsite.accounts.applications import create_application, get_end_user
from memsite.accounts.deletion import running
from memsite.accounts.deletion.running import carry_out_due
from memsite.accounts.deletion.stored_data import erase_some_data
from memsite.accounts.models import AuditEntry, DeletionRequest, User
from memsite.jobs import run_due_jobs
from memsite.jobs.models import Job
from tests.pages.conftest import Remember, Say
from threads.models import Thread

PAGE = "/settings/data/delete/"
NOW = "/settings/data/delete/now/"
CALL_OFF = "/settings/data/delete/call-off/"
WEEK = timedelta(days=7, minutes=1)


def confirmed(name: str = "alice", **fields: str) -> dict[str, str]:
    return {"name": name, "password": f"{name}-secret-1", **fields}


def ask(client: Client, scope: str = "memories", name: str = "alice") -> DeletionRequest:
    response = client.post(PAGE, confirmed(name, scope=scope))
    assert response["Location"] == "/settings/data/"
    return DeletionRequest.objects.get(owner__username=name, called_off_at=None, finished_at=None)


def a_week_later() -> None:
    """Let the schedule run in a week, with the jobs that it queues."""
    with time_machine.travel(timezone.now() + WEEK, tick=True):
        carry_out_due()
        run_due_jobs()


def rows_of(owner: User) -> dict[str, int]:
    """How many rows of memories and threads a person has, by table."""
    apps_with_rows = (apps.get_app_config(label) for label in ("memories", "threads"))
    models: list[Any] = [model for app in apps_with_rows for model in app.get_models()]
    owned = [model for model in models if model is not Ledger and hasattr(model, "owner_id")]
    counts = {model.__name__: model.objects.filter(owner_id=owner.pk).count() for model in owned}
    return {name: count for name, count in counts.items() if count}


@pytest.fixture
def filled(alice: User, remembered: Remember, thread_saying: Say) -> User:
    """Alice with memories, threads, and what was learnt from them."""
    remembered(alice, "Plays the cello.", tags=("music",))
    thread_saying(alice, "I keep bees in the garden. I live in Berlin.")
    run_due_jobs()
    return alice


def test_memories_and_threads_go_after_a_week_and_the_account_stays(
    filled: User, bob: User, alice_browser: Client, remembered: Remember
) -> None:
    remembered(bob, "Plays the oboe.")
    ask(alice_browser)
    assert Memory.objects.filter(owner=filled).exists()
    a_week_later()
    assert rows_of(filled) == {}
    assert Memory.objects.filter(owner=bob).count() == 1
    assert alice_browser.get("/memories/").status_code == 200


def test_account_goes_after_a_week_with_its_end_users(
    filled: User, bob: User, alice_browser: Client, remembered: Remember
) -> None:
    remembered(get_end_user(create_application(filled, "diary"), "dora"), "Dora keeps bees.")
    ask(alice_browser, "account")
    a_week_later()
    assert list(User.objects.values_list("username", flat=True)) == ["bob"]
    assert not Memory.objects.exists()
    assert not Job.objects.filter(owner_id=filled.pk).exists()


def test_nothing_goes_before_its_time(filled: User, alice_browser: Client) -> None:
    before = rows_of(filled)
    ask(alice_browser, "account")
    with time_machine.travel(timezone.now() + timedelta(days=6), tick=True):
        carry_out_due()
        run_due_jobs()
    assert rows_of(filled) == before


def test_banner_is_on_every_page_until_it_is_called_off(filled: User, alice_browser: Client) -> None:
    assert "Call it off" not in alice_browser.get("/memories/").content.decode()
    ask(alice_browser)
    assert "Call it off" in alice_browser.get("/memories/").content.decode()
    response = alice_browser.post(CALL_OFF, {"next": "/memories/"})
    assert response["Location"] == "/memories/"
    assert "Call it off" not in alice_browser.get("/memories/").content.decode()
    a_week_later()
    assert Memory.objects.filter(owner=filled).exists()


def test_signing_in_works_meanwhile(alice: User, alice_browser: Client) -> None:
    ask(alice_browser, "account")
    response = Client().post("/accounts/login/", {"login": "alice", "password": "alice-secret-1"})
    assert response["Location"] == "/"


@pytest.mark.parametrize(
    "wrong",
    [{"name": "bob"}, {"password": "bob-secret-1"}, {"password": ""}, {"scope": "everything"}, {"scope": ""}],
)
def test_what_is_not_confirmed_is_not_taken(
    alice: User, alice_browser: Client, wrong: dict[str, str]
) -> None:
    response = alice_browser.post(PAGE, confirmed(scope="memories") | wrong)
    assert response.status_code == 400
    assert "errorlist" in response.content.decode()
    assert not DeletionRequest.objects.exists()


def test_passwords_cannot_be_tried_without_end(alice: User, alice_browser: Client) -> None:
    form = confirmed(scope="memories") | {"password": "guess"}
    statuses = [alice_browser.post(PAGE, form).status_code for _ in range(11)]
    assert statuses == [400] * 10 + [429]


def test_person_without_a_password_confirms_the_identity(alice: User, alice_browser: Client) -> None:
    alice.set_unusable_password()
    alice.save(update_fields=["password"])
    alice_browser.force_login(alice)
    page = alice_browser.get(PAGE).content.decode()
    assert 'name="password"' not in page
    alice_browser.post(PAGE, {"name": "alice", "scope": "memories"})
    assert DeletionRequest.objects.filter(owner=alice).exists()


def test_second_request_is_refused(alice_browser: Client) -> None:
    ask(alice_browser)
    assert alice_browser.post(PAGE, confirmed(scope="account")).status_code == 409
    assert DeletionRequest.objects.count() == 1


def test_only_administrator_stays(charlie: User, charlie_browser: Client) -> None:
    assert charlie_browser.post(PAGE, confirmed("charlie", scope="account")).status_code == 409
    assert not DeletionRequest.objects.exists()


def test_administrator_who_became_the_only_one_stays(
    charlie: User, charlie_browser: Client, remembered: Remember
) -> None:
    remembered(charlie, "Runs this site.")
    other = User.objects.create_superuser("dana")
    ask(charlie_browser, "account", name="charlie")
    User.objects.filter(pk=other.pk).update(is_active=False)
    a_week_later()
    charlie.refresh_from_db()
    assert charlie.is_active
    assert Memory.objects.filter(owner=charlie).exists()


def test_bob_cannot_call_off_what_alice_requested(alice_browser: Client, bob_browser: Client) -> None:
    requested = ask(alice_browser)
    assert bob_browser.post(CALL_OFF).status_code == 404
    requested.refresh_from_db()
    assert requested.is_open


def test_killed_half_way_it_goes_on_and_counts_each_row_once(
    filled: User, alice_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories, threads = Memory.objects.filter(owner=filled).count(), Thread.objects.count()
    requested = ask(alice_browser)
    erase, calls = erase_some_data, []

    def killed(*, owner: UUID) -> Any:
        calls.append(owner)
        erased = erase(owner=owner)
        if len(calls) == 2:
            raise KeyboardInterrupt  # as the process ends: after the rows, before the commit
        return erased

    with monkeypatch.context() as patch, time_machine.travel(timezone.now() + WEEK, tick=True):
        patch.setattr("memsite.accounts.deletion.running.erase_some_data", killed)
        with pytest.raises(KeyboardInterrupt):
            running.carry_out(str(requested.pk), str(filled.pk))
    requested.refresh_from_db()
    assert (requested.erased["threads"], requested.finished_at) == (threads, None)
    assert "Call it off" not in alice_browser.get("/memories/").content.decode()
    assert alice_browser.post(CALL_OFF).status_code == 409
    a_week_later()
    requested.refresh_from_db()
    assert rows_of(filled) == {}
    assert (requested.erased["threads"], requested.erased["memories"]) == (threads, memories)


def test_job_without_time_leaves_the_rest_to_the_next(
    filled: User, alice_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_SECONDS", 0.0)
    ask(alice_browser)
    a_week_later()
    assert rows_of(filled) == {}
    assert Job.objects.filter(task="memsite.accounts.deletion.running.carry_out").count() > 1


def test_receipt_is_shown_downloaded_and_nobody_elses(
    filled: User, alice_browser: Client, bob_browser: Client
) -> None:
    requested = ask(alice_browser)
    receipt = f"/settings/data/deletions/{requested.pk}/"
    assert alice_browser.get(receipt).status_code == 404
    a_week_later()
    assert receipt in alice_browser.get("/settings/data/").content.decode()
    assert "backups made earlier" in alice_browser.get(receipt).content.decode()
    response = alice_browser.get(f"{receipt}?format=json")
    assert "attachment" in response["Content-Disposition"]
    assert list(response.json()["erased"])[:3] == ["memories", "threads", "messages"]
    assert bob_browser.get(receipt).status_code == 404


def test_acts_are_in_the_owners_record(alice: User, alice_browser: Client) -> None:
    ask(alice_browser)
    alice_browser.post(CALL_OFF)
    ask(alice_browser)
    a_week_later()
    acts = list(AuditEntry.objects.filter(owner=alice).order_by("pk").values_list("act", flat=True))
    assert acts == ["request deletion", "call off deletion", "request deletion", "delete data"]


def test_staff_call_it_off_and_the_owner_sees_it(
    alice: User, alice_browser: Client, charlie_browser: Client
) -> None:
    requested = ask(alice_browser)
    listed = charlie_browser.get("/admin/accounts/deletionrequest/").content.decode()
    assert "alice" in listed
    form = {"action": "call_off", "_selected_action": [str(requested.pk)]}
    charlie_browser.post("/admin/accounts/deletionrequest/", form)
    requested.refresh_from_db()
    assert not requested.is_open
    assert "charlie" in alice_browser.get("/settings/privacy/").content.decode()


def test_account_goes_now_in_a_second_step(filled: User, alice_browser: Client) -> None:
    ask(alice_browser, "account")
    last = alice_browser.post(NOW, confirmed()).content.decode()
    assert "What is deleted" in last
    assert alice_browser.get("/memories/").status_code == 302
    response = Client().post("/accounts/login/", {"login": "alice", "password": "alice-secret-1"})
    assert response["Location"] != "/"
    run_due_jobs()
    assert not User.objects.filter(username="alice").exists()
    assert not Memory.objects.exists()


def test_nothing_goes_now_without_the_first_step_or_the_password(alice: User, alice_browser: Client) -> None:
    assert alice_browser.post(NOW, confirmed()).status_code == 404
    ask(alice_browser, "account")
    assert alice_browser.post(NOW, confirmed() | {"password": "guess"}).status_code == 400
    run_due_jobs()
    assert User.objects.filter(pk=alice.pk).exists()


def test_memories_alone_are_not_deleted_now(filled: User, alice_browser: Client) -> None:
    ask(alice_browser)
    assert alice_browser.post(NOW, confirmed()).status_code == 404
    assert User.objects.get(pk=filled.pk).is_active


@pytest.fixture
def mailing(settings: Settings, alice: User) -> None:
    settings.MEMSITE_SMTP_URL = "smtp://mail.example.org"
    User.objects.filter(pk=alice.pk).update(email="alice@example.org")


def test_request_is_mailed_and_the_receipt_of_an_account_too(
    mailing: None, alice_browser: Client, remembered: Remember, mailoutbox: list[EmailMessage]
) -> None:
    remembered(User.objects.get(username="alice"), "Plays the cello.")
    ask(alice_browser, "account")
    run_due_jobs()
    assert "call it off" in mailoutbox[0].body
    a_week_later()
    assert "memories: 1" in mailoutbox[1].body
    assert mailoutbox[1].to == ["alice@example.org"]


def test_receipt_of_memories_is_mailed(
    mailing: None, alice: User, alice_browser: Client, mailoutbox: list[EmailMessage]
) -> None:
    ask(alice_browser)
    run_due_jobs()
    a_week_later()
    assert "stays" in mailoutbox[1].body

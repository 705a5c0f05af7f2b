"""A person imports a file: chooses it, sees what it holds, begins, follows, undoes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from memories.models import Memory
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.jobs import run_due_jobs
from tests.porting.samples import chatgpt_conversation, mem0_rows

pytestmark = pytest.mark.django_db
URL = "/settings/data/import/"


@pytest.fixture(autouse=True)
def own_data_directory(settings: Settings, tmp_path: Path) -> None:
    settings.MEMSITE_DATA_DIR = tmp_path


def upload(browser: Client, content: Any, **fields: str) -> Any:
    """Send a file, and return the page that follows."""
    file = SimpleUploadedFile("export.json", json.dumps(content).encode())
    chosen = {"file": file, "text": "", "threads": "on", "learn": "on"} | fields
    return browser.post(URL, {name: value for name, value in chosen.items() if value != "off"}, follow=True)


def page_of(response: Any) -> str:
    return str(response.redirect_chain[-1][0])


def test_data_page_offers_export_and_import(alice_browser: Client) -> None:
    page = alice_browser.get("/settings/data/").content.decode()
    assert 'href="/api/export"' in page
    assert f'href="{URL}"' in page


def test_preview_shows_counts_and_examples_and_writes_nothing(alice_browser: Client, alice: User) -> None:
    page = upload(alice_browser, mem0_rows()).content.decode()
    assert "Import 2 memories" in page
    assert "Likes green tea" in page
    assert not Memory.objects.filter(owner_id=alice.pk).exists()


def test_import_is_followed_and_undone(alice_browser: Client, alice: User) -> None:
    shown = page_of(upload(alice_browser, mem0_rows()))
    begun = alice_browser.post(f"{shown}start/", follow=True).content.decode()
    assert 'hx-trigger="every 2s"' in begun
    assert "<progress" in begun
    run_due_jobs()
    done = alice_browser.get(shown).content.decode()
    assert "2 new memories" in done
    assert "hx-trigger" not in done
    undone = alice_browser.post(f"{shown}undo/", follow=True).content.decode()
    assert "The import is undone." in undone
    assert not Memory.objects.filter(owner_id=alice.pk).exists()


def test_undo_is_not_offered_where_nothing_was_written(alice_browser: Client) -> None:
    pages = []
    for _ in range(2):
        shown = page_of(upload(alice_browser, mem0_rows()))
        alice_browser.post(f"{shown}start/")
        run_due_jobs()
        pages.append(alice_browser.get(shown).content.decode())
    first, again = pages
    assert "Undo this import" in first
    assert "Undo this import" not in again


def test_pasted_lines_are_imported(alice_browser: Client, alice: User) -> None:
    shown = page_of(alice_browser.post(URL, {"text": "- likes tea\n- 喜欢爬山"}, follow=True))
    alice_browser.post(f"{shown}start/")
    run_due_jobs()
    assert Memory.objects.filter(owner_id=alice.pk).count() == 2


def test_conversations_are_named_on_the_button(alice_browser: Client) -> None:
    page = upload(alice_browser, [chatgpt_conversation()]).content.decode()
    assert "Import 1 memory and 1 conversation" in page
    assert "1 memory was concluded by a model" in page


def test_choice_to_leave_out_conversations_is_kept(alice_browser: Client) -> None:
    page = upload(alice_browser, [chatgpt_conversation()], threads="off").content.decode()
    assert "Import 1 memory</button>" in page


def test_discarded_import_leads_back(alice_browser: Client) -> None:
    shown = page_of(upload(alice_browser, mem0_rows()))
    response = alice_browser.post(f"{shown}cancel/", follow=True)
    assert page_of(response) == "/settings/data/"
    assert alice_browser.post(f"{shown}start/", follow=True).content.decode().count("has begun already") == 1


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({}, "Choose a file, or paste lines."),
        ({"file": SimpleUploadedFile("x.png", b"\x89PNG\x00")}, "None of this"),
        ({"file": SimpleUploadedFile("x.json", b"[{")}, "ends too early"),
        ({"file": SimpleUploadedFile("empty", b"")}, "The file is empty"),
    ],
)
def test_what_cannot_be_imported_is_explained(
    alice_browser: Client, fields: dict[str, Any], why: str
) -> None:
    response = alice_browser.post(URL, fields)
    assert response.status_code == 400
    assert why in response.content.decode()


def test_import_while_memory_is_off_is_explained(alice_browser: Client, alice: User) -> None:
    set_preferences(alice.pk, memory_on=False)
    assert "Memory is switched off" in upload(alice_browser, mem0_rows()).content.decode()


def test_text_of_a_file_is_never_markup(alice_browser: Client) -> None:
    rows = {"results": [{"id": "1", "memory": "<script>alert(1)</script> likes tea"}]}
    assert "<script>alert" not in upload(alice_browser, rows).content.decode()


def test_import_of_another_is_not_found(alice_browser: Client, bob_browser: Client) -> None:
    shown = page_of(upload(alice_browser, mem0_rows()))
    assert bob_browser.get(shown).status_code == 404
    for act in ("start", "cancel", "undo"):
        assert bob_browser.post(f"{shown}{act}/").status_code == 404


def test_last_imports_are_listed(alice_browser: Client) -> None:
    shown = page_of(upload(alice_browser, mem0_rows()))
    page = alice_browser.get("/settings/data/").content.decode()
    assert f'href="{shown}"' in page
    assert "Waits for you" in page

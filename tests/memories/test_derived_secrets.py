"""No secret reaches anything derived: sought in every column of every table, and in the logs."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from rest_framework.test import APIClient

from memories.text.analysis import analyse_text, unpack_terms
from tests.api.asking import add, search

SENTINEL = "Zq7" + "Xk2Vn9Lw4Rt8Yb5Mc1Jd6Hf3Gs0Pa"
TOKEN = "ghp_" + SENTINEL + "QWER"


def _holds(text: str) -> list[str]:
    found = []
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            cursor.execute(f'SELECT count(*) FROM "{table}" AS t WHERE t::text LIKE %s', [f"%{text}%"])  # noqa: S608 - our own tables
            if cursor.fetchone()[0]:
                found.append(table)
    return found


@pytest.mark.parametrize(
    "body",
    [
        {"content": f"The deploy token of the shop is {TOKEN}, renew it in May."},
        {"content": "The shop is deployed in May.", "metadata": {"deploy": {"token": TOKEN}}},
        {"content": "The shop is deployed in May.", "metadata": {TOKEN: 1}},
        {"content": "The shop is deployed in May.", "tags": [TOKEN]},
        {"content": "The shop is deployed in May.", "participants": [TOKEN], "speaker": TOKEN},
        {
            "content": "The shop's token.",
            "subject": "shop",
            "predicate": "token",
            "object": TOKEN,
            "kind": "relation",
        },
        {"content": "The shop is deployed in May.", "category": TOKEN, "session": TOKEN, "layer": "episodic"},
    ],
)
@pytest.mark.django_db
def test_secret_in_any_field_reaches_no_table(
    alice_api: APIClient, body: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    memory = add(alice_api, **body)["memory"]
    assert SENTINEL not in str(memory)
    assert _holds(SENTINEL) == []
    assert SENTINEL not in caplog.text


def test_secret_leaves_no_term_behind(alice_api: APIClient) -> None:
    add(alice_api, f"The shop in Oslo is deployed every Friday with the token {TOKEN}.")
    secret_terms = set(unpack_terms(analyse_text(TOKEN).terms)) | set(
        unpack_terms(analyse_text(SENTINEL).terms)
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT terms FROM memories_memory")
        kept = set(unpack_terms(bytes(cursor.fetchone()[0])))
    assert not kept & secret_terms


def test_secret_in_an_edit_is_kept_out_too(alice_api: APIClient) -> None:
    memory = add(alice_api, "The shop is deployed in May.")["memory"]
    alice_api.patch(f"/api/memories/{memory['id']}", {"metadata": {"token": TOKEN}, "tags": [TOKEN]})
    alice_api.patch(
        f"/api/memories/{memory['id']}", {"content": f"The shop is deployed with {TOKEN} in May."}
    )
    assert _holds(SENTINEL) == []


def test_password_said_in_the_words_goes_from_the_other_fields_too(alice_api: APIClient) -> None:
    words = "Guests at home sleep in the blue room, and the wifi password is swordfish77."
    triple = {"subject": "home", "predicate": "wifi password", "object": "swordfish77"}
    memory = add(alice_api, words, tags=["swordfish77"], **triple)["memory"]
    assert "swordfish77" not in str(memory)
    assert _holds("swordfish77") == []


def test_secret_in_a_query_is_not_logged(alice_api: APIClient, caplog: pytest.LogCaptureFixture) -> None:
    search(alice_api, f"what is {TOKEN}")
    assert SENTINEL not in caplog.text

"""Erasing: a sentinel that went in everywhere is found nowhere, down to the data files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from memories import tasks
from memories.curation import erasing
from memories.maintenance.forgetting import nightly, scrubbing
from memories.models import Erasure, Memory, MemoryLink
from memories.retrieval.cache.cache import index_cache
from memories.values import Candidate, Kind, Layer
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.jobs.models import Job
from memsite.serving.postgres.database import get_embedded_parameters, get_server_folder
from memsite.serving.postgres.postgres import SUPERUSER
from tests.api.asking import add, search
from threads.models import ThreadSummary

SENTINEL = "zqxwombatzqx"
#: What a person or program may give a memory, with the sentinel in all of it.
GIVEN: dict[str, Any] = {
    "kind": "relation",
    "category": SENTINEL,
    "tags": [SENTINEL],
    "participants": [SENTINEL],
    "subject": f"Alice {SENTINEL}",
    "predicate": f"keeps {SENTINEL}",
    "object": f"the {SENTINEL}",
    "speaker": SENTINEL,
    "session": SENTINEL,
    "metadata": {SENTINEL: [SENTINEL]},
}


def _columns() -> list[tuple[str, str]]:
    """Every column of every table of the site that can hold text, JSON or bytes, arrays of them too."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT c.table_name::text, c.column_name::text FROM information_schema.columns AS c
            JOIN information_schema.tables AS t USING (table_schema, table_name)
            WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.data_type IN
                ('text', 'character varying', 'character', 'json', 'jsonb', 'bytea', 'ARRAY', 'USER-DEFINED')
            """
        )
        return list(cursor.fetchall())


def _holding(text: str) -> set[str]:
    """The columns whose values hold a text, as `table.column`."""
    found = set()
    with connection.cursor() as cursor:
        for table, column in _columns():
            name = f"{connection.ops.quote_name(table)} WHERE {connection.ops.quote_name(column)}::text"
            cursor.execute(
                f"SELECT 1 FROM {name} ILIKE %s OR {connection.ops.quote_name(column)}::text LIKE %s LIMIT 1",  # noqa: S608 - names from the catalogue
                [f"%{text}%", f"%{text.encode().hex()}%"],
            )
            if cursor.fetchone():
                found.add(f"{table}.{column}")
    return found


def _as_superuser(statement: str) -> None:
    parameters = get_embedded_parameters(_data_dir(), user=SUPERUSER, name=connection.settings_dict["NAME"])
    with psycopg.connect(**parameters, autocommit=True) as superuser:
        superuser.execute(statement)


def _data_dir() -> Path:
    return Path(settings.MEMSITE_DATA_DIR).parent


def _files_holding(text: str) -> set[str]:
    """Names of the database's data files that hold a text; the write-ahead log is not among them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT oid FROM pg_database WHERE datname = current_database()")
        [number] = cursor.fetchone()
    folder = get_server_folder(_data_dir()) / "base" / str(number)
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.name for path in files if text.encode() in path.read_bytes()}


def _erase(client: APIClient, memory_id: str) -> dict[str, Any]:
    response = client.delete(f"/api/memories/{memory_id}?erase=true")
    assert response.status_code == 200, response.json()
    return dict(response.json())


def _spread(client: APIClient) -> str:
    """The sentinel wherever a memory leaves something; the id of its last wording."""
    first = add(client, f"Alice keeps the {SENTINEL} at home.", **GIVEN)["memory"]["id"]
    client.patch(f"/api/memories/{first}", {"tags": [f"{SENTINEL} again"], "mode": "append"})
    client.patch(f"/api/memories/{first}", {"metadata": {"other": f"{SENTINEL}"}, "speaker": "Bob"})
    second = client.patch(f"/api/memories/{first}", {"content": f"Alice gave the {SENTINEL} away."})
    last = str(second.json()["memory"]["id"])
    thread = client.post("/api/threads", {}).json()["id"]
    client.post(f"/api/threads/{thread}/context", {"input": "Who keeps what?", "max_tokens": 2000})
    search(client, f"the {SENTINEL}")
    return last


@pytest.fixture
def spread(alice_api: APIClient) -> str:
    for number in range(20):
        add(alice_api, f"Note {number}: the door of house {number} was mended.")
    return _spread(alice_api)


def test_sentinel_is_in_many_places_before(spread: str) -> None:
    assert len(_holding(SENTINEL)) >= 12


def test_sentinel_is_in_no_column_of_any_table_after(spread: str, alice_api: APIClient) -> None:
    _erase(alice_api, spread)
    assert _holding(SENTINEL) == set()
    assert search(alice_api, f"the {SENTINEL}", top_k=50).count(SENTINEL) == 0


def test_receipt_counts_what_went_and_names_what_is_out_of_reach(spread: str, alice_api: APIClient) -> None:
    receipt = _erase(alice_api, spread)
    assert len(receipt["memory_ids"]) == 2
    assert receipt["erased"]["memories"] == receipt["erased"]["embeddings"] == 2
    assert {"sources", "relations", "mentions", "entities", "events", "citations"} <= set(receipt["erased"])
    told = " ".join(receipt["not_reached"])
    assert all(word in told for word in ("record of recent changes", "backups", "data files"))


def test_keyed_hash_is_all_that_stays(spread: str, alice_api: APIClient) -> None:
    _erase(alice_api, spread)
    assert Erasure.objects.exists()


@pytest.mark.parametrize("wording", ["first", "last"])
def test_every_wording_goes_whichever_is_named(wording: str, spread: str, alice_api: APIClient) -> None:
    link = MemoryLink.objects.get(memory_id=spread)
    _erase(alice_api, spread if wording == "last" else str(link.other_id))
    assert not Memory.objects.filter(content__contains=SENTINEL).exists()


def test_this_processes_index_holds_nothing_of_it(
    spread: str, alice_api: APIClient, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    search(alice_api, SENTINEL)
    with django_capture_on_commit_callbacks(execute=True):
        _erase(alice_api, spread)
    assert not index_cache()._entries  # noqa: SLF001 - what is kept is what is asked about


def _learnt(owner: User, *derived_kinds: tuple[Layer, Kind]) -> list[UUID]:
    rows = [
        write_candidates(
            [Candidate("The rabbit ate.", layer=Layer.EPISODIC, kind=Kind.EVENT)], owner=owner.pk, actor="t"
        )
    ]
    rows += [
        write_candidates(
            [Candidate(f"Made of it: {kind}.", layer=layer, kind=kind)], owner=owner.pk, actor="t"
        )
        for layer, kind in derived_kinds
    ]
    ids = [row.outcomes[0].memory.pk for row in rows if row.outcomes[0].memory]
    for derived in ids[1:]:
        MemoryLink.objects.create(owner=owner, memory_id=derived, other_id=ids[0], kind="derived_from")
    return ids


def test_summary_made_of_it_goes_too_and_a_fact_stays(alice: User) -> None:
    episode, _, fact = _learnt(alice, (Layer.EPISODIC, Kind.SUMMARY), (Layer.SEMANTIC, Kind.FACT))
    erasing.erase_memory(episode, owner=alice.pk, actor="person")
    assert list(Memory.objects.values_list("id", flat=True)) == [fact]


def test_fact_that_came_of_it_goes_when_asked(alice: User) -> None:
    episode, *_ = _learnt(alice, (Layer.EPISODIC, Kind.SUMMARY), (Layer.SEMANTIC, Kind.FACT))
    erasing.erase_memory(episode, owner=alice.pk, actor="person", with_derived=True)
    assert not Memory.objects.exists()


def test_who_was_disputed_by_the_erased_one_alone_is_disputed_no_more(alice: User) -> None:
    texts = ("Rent is 900.", "Rent is 950.", "Rent is 990.")
    rows = [
        write_candidates([Candidate(text)], owner=alice.pk, actor="test").outcomes[0].memory for text in texts
    ]
    erased, alone, other = [row.pk for row in rows if row is not None]
    Memory.objects.filter(owner=alice).update(status="disputed")
    for one, two in ((erased, alone), (erased, other), (other, erased)):
        MemoryLink.objects.create(owner=alice, memory_id=one, other_id=two, kind="disputes")
    erasing.erase_memory(erased, owner=alice.pk, actor="person")
    assert set(Memory.objects.filter(owner=alice).values_list("status", flat=True)) == {"active"}


def test_nothing_of_others_goes(alice_api: APIClient, bob_api: APIClient) -> None:
    his = _spread(bob_api)
    before = _holding(SENTINEL)
    hers = _spread(alice_api)
    _erase(alice_api, hers)
    assert _holding(SENTINEL) == before
    assert bob_api.get(f"/api/memories/{his}").status_code == 200


@pytest.mark.django_db
def test_planner_samples_no_column_that_holds_text_of_people() -> None:
    sampled = """
        SELECT c.relname::text || '.' || a.attname::text FROM pg_attribute AS a
        JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_type AS t ON t.oid = a.atttypid
        WHERE c.relname LIKE 'memories\\_%%' AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
            AND coalesce(a.attstattarget, -1) <> 0 AND t.typname NOT IN
                ('uuid', 'timestamptz', 'bool', 'int2', 'int4', 'int8', 'float8', 'date')
    """
    with connection.cursor() as cursor:
        cursor.execute(sampled)
        found = {name for (name,) in cursor.fetchall()}
    assert found <= OUR_WORDS, found - OUR_WORDS


#: Columns with values from lists of ours.
OUR_WORDS = {
    "memories_memory.layer",
    "memories_memory.kind",
    "memories_memory.lifespan",
    "memories_memory.status",
    "memories_memory.abstraction_level",
    "memories_memory.forgotten_by",
    "memories_memory.written_by",
    "memories_memoryembedding.model",
    "memories_sentencevector.model",
    "memories_embeddingswitch.active",
    "memories_embeddingswitch.target",
    "memories_embeddingswitch.former",
    "memories_embeddingswitch.error",
    "memories_memorylink.kind",
    "memories_event.type",
    "memories_event.actor",
    "memories_event.reason",
    "memories_report.kind",
    "memories_sitereport.body",
    "memories_reflection.kind",
    "memories_reflection.actor",
    "memories_reflection.source",
}


@pytest.mark.django_db(transaction=True)
def test_sentinel_is_in_no_data_file_after_the_files_were_rewritten(
    alice_api: APIClient,
) -> None:
    for number in range(20):
        add(alice_api, f"Note {number}: the door of house {number} was mended.")
    last = _spread(alice_api)
    _as_superuser("ANALYZE")
    _as_superuser("CHECKPOINT")
    assert _files_holding(SENTINEL)
    _erase(alice_api, last)
    tasks.scrub()
    _as_superuser("ANALYZE")
    _as_superuser("CHECKPOINT")
    assert _files_holding(SENTINEL) == set()
    assert search(alice_api, "the door of house 7", top_k=1) == ["Note 7: the door of house 7 was mended."]


def test_erasing_queues_the_rewriting_once(alice_api: APIClient) -> None:
    for number in range(3):
        _erase(alice_api, add(alice_api, f"Note {number} of the rabbit.")["memory"]["id"])
    assert Job.objects.filter(task=erasing.SCRUB, status="queued").count() == 1


@pytest.mark.django_db(transaction=True)
def test_rewriting_is_tried_again_while_an_older_transaction_runs(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scrubbing, "OLDER_END", 0.1)
    parameters = get_embedded_parameters(_data_dir(), user=SUPERUSER, name=connection.settings_dict["NAME"])
    with psycopg.connect(**parameters) as older:
        older.execute("SELECT pg_current_xact_id()")
        assert tasks.scrub() == []
    assert Job.objects.get(task=erasing.SCRUB).status == "queued"


@pytest.mark.django_db(transaction=True)
def test_rewriting_large_tables_waits_for_the_night(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrubbing, "AT_ONCE", 0)
    assert tasks.scrub() == []
    job = Job.objects.get(task=erasing.SCRUB)
    due = job.run_after + timedelta(seconds=30)  # the database's clock may be a little behind ours
    assert (job.args, due.hour) == ([True], scrubbing.NIGHT)
    assert "memories_memory" in tasks.scrub(*job.args)


def test_nightly_pass_and_erasing_do_not_meet_in_one_row(alice: User, alice_api: APIClient) -> None:
    memory = add(alice_api, "The rabbit is called Clover.")["memory"]
    due = nightly.DueVerdict(alice.pk, "law", [UUID(memory["id"])])
    _erase(alice_api, memory["id"])
    assert nightly.apply_verdict(due, timezone.now()).count == 0


def test_summaries_of_the_threads_it_was_learnt_in_go_too(alice: User, alice_api: APIClient) -> None:
    threads = [str(alice_api.post("/api/threads", {}).json()["id"]) for _ in range(2)]
    for thread in threads:
        path = f"/api/threads/{thread}/messages"
        message = alice_api.post(path, {"role": "user", "content": "I have a rabbit."}).json()["id"]
        summary = {"thread_id": thread, "last_message_id": message, "content": "A rabbit is kept."}
        ThreadSummary.objects.create(owner=alice, **summary)
    taught = Candidate("The user has a rabbit.", sources=(f"message:{message}",))
    (outcome,) = write_candidates([taught], owner=alice.pk, actor="test").outcomes
    assert outcome.memory is not None
    receipt = erasing.erase_memory(outcome.memory.pk, owner=alice.pk, actor="person")
    assert receipt.erased["summaries"] == 1
    assert [str(one) for one in ThreadSummary.objects.values_list("thread_id", flat=True)] == threads[:1]

"""Export, import into an empty account, export: the same but for ids and what the design names."""

from __future__ import annotations

import io
import json
import re
import zipfile
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memories import curation
from memories.models import Memory
from memories.values import Candidate, Kind, Layer
from memories.writing import write_candidates
from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.serving.postgres import acting_for
from memsite.values import MessageRole
from porting.exporting import export_everything
from porting.importing import Options
from tests.porting.conftest import import_for
from threads.branches import checkout_branch, create_branch
from threads.messages import NewMessage, ToolCall, append_messages, create_thread
from threads.models import TaskState, Thread, ThreadSummary

_UUID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)


def export(owner: User) -> dict[str, Any]:
    """Return the files of an archive: lines of JSON as lists."""
    with acting_for(owner.pk):
        raw = b"".join(export_everything(owner=owner.pk))
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def carry(source: User, target: User) -> None:
    with acting_for(source.pk):
        raw = b"".join(export_everything(owner=source.pk))
    row = import_for(target, raw, options=Options())
    assert (row.status, row.warnings) == ("done", [])


def content_of(files: dict[str, bytes]) -> list[str]:
    """Return what an archive says, with ids by the order in which they occur, in an order of its own."""
    found = [json.loads(line) for line in files["memories.ndjson"].splitlines()]
    found += [json.loads(raw) for name, raw in files.items() if name.startswith("threads/")]
    found.append(json.loads(files["settings.json"]))
    for one in found:
        one.pop("exported_at", None)
    names = _name_ids(found)
    return sorted(
        _UUID.sub(lambda match: names.get(match[0], "?"), json.dumps(one, ensure_ascii=False, sort_keys=True))
        for one in found
    )


def _name_ids(found: list[dict[str, Any]]) -> dict[str, str]:
    """Return a name for each row that is the same in both accounts: by its content and time."""
    names = {}
    for one in found:
        if one.get("record") == "memory":
            names[one["id"]] = f"memory {one['content']} {one['created_at']}"
        for part in (
            one.get("thread"),
            *one.get("messages", ()),
            *one.get("branches", ()),
            *one.get("summaries", ()),
        ):
            if part:
                names[part["id"]] = (
                    f"row {part.get('content') or part.get('title') or part.get('name')} {part['created_at']}"
                )
    return names


@pytest.fixture
def full_account(alice: User) -> User:
    """A person with superseded, ended, forgotten and pending memories, and a thread with branches."""
    write: Any = {"owner": alice.pk, "actor": "person"}
    home: Any = {"subject": "user", "predicate": "lives in"}
    for place, city in enumerate(("Berlin", "Paris", "Berlin")):
        begin = BEGIN + timedelta(days=place)
        said = f"The user lives in {city}."
        write_candidates([Candidate(said, object=city, valid_from=begin, occurred_at=begin, **home)], **write)
    memory = write_candidates(
        [Candidate("喜欢在湖边骑自行车。", tags=("运动",), kind=Kind.PREFERENCE)], **write
    )
    assert memory.outcomes[0].memory is not None
    curation.rewrite_memory(memory.outcomes[0].memory.pk, "喜欢在湖边跑步。", **write)
    gone = write_candidates([Candidate("The user has a boat.")], **write).outcomes[0].memory
    assert gone is not None
    curation.forget_memories([gone.pk], **write)
    write_candidates([Candidate("The user may move to Graz.")], **write, pending=True)
    write_candidates(
        [Candidate("We talked about bees.", layer=Layer.EPISODIC, kind=Kind.EVENT, participants=("Ana",))],
        **write,
    )
    _add_thread(alice)
    set_preferences(alice.pk, citations_on=False, kept_kinds=["fact"], refused_kinds=["goal"])
    return alice


def _add_thread(owner: User) -> None:
    thread = create_thread(
        owner=owner.pk, title="蜜蜂", system_prompt="Be brief.", external_id="chat-蜜", metadata={"a": [1]}
    )
    say = [NewMessage(role=MessageRole.USER, content=text, client_id=text) for text in ("one", "two")]
    first, second = append_messages(thread.pk, say, owner=owner.pk).messages
    create_branch(thread.pk, "idea", owner=owner.pk, from_message=first.pk)
    checkout_branch(thread.pk, owner=owner.pk, branch="idea")
    call = ToolCall.model_validate({"id": "c", "function": {"name": "look", "arguments": "{}"}})
    answers = [
        NewMessage(role=MessageRole.ASSISTANT, tool_calls=[call]),
        NewMessage(role=MessageRole.TOOL, content="found", tool_call_id="c"),
    ]
    append_messages(thread.pk, answers, owner=owner.pk)
    ThreadSummary.objects.create(
        owner_id=owner.pk, thread=thread, last_message=second, content="摘要", source="llm"
    )
    TaskState.objects.create(
        owner_id=owner.pk, thread=thread, current_goal="Honey", pending_steps=["extract"]
    )


@pytest.mark.django_db
def test_everything_comes_back(full_account: User, bob: User) -> None:
    carry(full_account, bob)
    assert content_of(export(bob)) == content_of(export(full_account))


@pytest.mark.django_db
def test_second_import_of_the_same_adds_nothing(full_account: User, bob: User) -> None:
    carry(full_account, bob)
    before = export(bob)
    carry(full_account, bob)
    assert content_of(export(bob)) == content_of(before)


@pytest.mark.django_db
def test_import_into_the_same_account_adds_nothing(full_account: User) -> None:
    before = content_of(export(full_account))
    carry(full_account, full_account)
    assert content_of(export(full_account)) == before


@pytest.mark.django_db
def test_export_has_nothing_of_others_and_a_manifest(full_account: User, bob: User) -> None:
    files = export(bob)
    assert set(files) == {"README.txt", "settings.json", "memories.ndjson", "events.ndjson", "manifest.json"}
    manifest = json.loads(export(full_account)["manifest.json"])
    assert (manifest["format"], manifest["version"]) == ("memsite", 1)
    assert (manifest["counts"]["memories"], manifest["counts"]["threads"]) == (8, 1)


@pytest.mark.django_db
def test_temporary_thread_is_not_exported(alice: User) -> None:
    create_thread(owner=alice.pk, title="secret plan", is_temporary=True)
    assert not [name for name in export(alice) if name.startswith("threads/")]


memories = st.lists(
    st.builds(
        Candidate,
        content=st.sampled_from(
            ["I sail.", "我住在上海。", "Ana has 3 cats.", "Tea at noon, never coffee.", "记得带伞。"]
        ),
        tags=st.lists(st.sampled_from(["a", "海"]), max_size=2, unique=True).map(tuple),
        importance=st.floats(0.0, 1.0),
        confidence=st.floats(0.6, 1.0),
        valid_from=st.none() | st.integers(0, 1000).map(lambda days: BEGIN - timedelta(days=2000 - days)),
        valid_until=st.none() | st.integers(0, 90).map(lambda days: BEGIN - timedelta(days=days)),
        metadata=st.dictionaries(st.sampled_from(["k", "键"]), st.integers(0, 9), max_size=2),
    ),
    max_size=4,
)
#: The parent of each message, as an index of the ones before it; -1 begins a new root.
trees = st.lists(st.integers(-1, 5), max_size=6)


@pytest.mark.django_db
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(memories, trees, st.sets(st.integers(0, 3)))
def test_round_trip_law(
    alice: User, bob: User, written: list[Candidate], tree: list[int], forgotten: set[int]
) -> None:
    _clear(alice, bob)
    result = write_candidates(written, owner=alice.pk, actor="person") if written else None
    rows = [one.memory for one in result.outcomes if one.memory] if result else []
    ids = list(
        dict.fromkeys(row.pk for place, row in enumerate(rows) if place in forgotten and row.is_active)
    )
    if ids:
        curation.forget_memories(ids, owner=alice.pk, actor="person")
    _grow(alice, tree)
    carry(alice, bob)
    assert content_of(export(bob)) == content_of(export(alice))


def _clear(*people: User) -> None:
    for person in people:
        Memory.objects.filter(owner_id=person.pk).delete()
        Thread.objects.filter(owner_id=person.pk).delete()


def _grow(owner: User, tree: list[int]) -> None:
    thread = create_thread(owner=owner.pk, title="tree")
    ids: list[Any] = []
    for place, parent in enumerate(tree):
        if 0 <= parent < len(ids):
            checkout_branch(thread.pk, owner=owner.pk, message=ids[parent])
        say = NewMessage(role=MessageRole.USER, content=f"第 {place}")
        ids.append(append_messages(thread.pk, [say], owner=owner.pk).messages[0].pk)

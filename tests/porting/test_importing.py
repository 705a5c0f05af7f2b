"""An import writes once, goes on where it was stopped, and is taken back without a trace."""

from __future__ import annotations

import json
import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from memories import curation
from memories.api.rendering import memory_json
from memories.curation import erasing
from memories.models import Memory, MemorySource
from memories.values import Candidate, Status
from memories.writing import write_candidates
from memsite.accounts.models import Preferences, User
from memsite.accounts.preferences import get_preferences, set_preferences
from memsite.errors import Conflict, InvalidInput, MemsiteError, NotAllowed, TooLarge
from memsite.serving.postgres import acting_for
from memsite.values import MessageRole
from porting import importing, reading
from porting.importing import Options, files, parts, running
from porting.models import Import, ImportedThread, ImportStatus
from porting.values import Learn
from tests.porting import samples
from tests.porting.conftest import as_upload, import_for, pack
from threads.messages import NewMessage, append_messages, create_thread
from threads.models import Branch, Message, Thread

pytestmark = pytest.mark.django_db
NOTHING_LEARNT = Options(learn=Learn.NONE)


def stored(owner: User) -> dict[str, tuple[str, float]]:
    """Return status and confidence of each active memory."""
    rows = Memory.objects.filter(owner_id=owner.pk, retired_at=None).order_by("id")
    return {row.content: (row.status, row.confidence) for row in rows}


def count_rows(owner: User) -> list[int]:
    models: tuple[Any, ...] = (Memory, MemorySource, Thread, Message, Branch, ImportedThread)
    return [model.objects.filter(owner_id=owner.pk).count() for model in models]


def test_mem0_is_stated_and_keeps_its_dates(alice: User) -> None:
    row = import_for(alice, samples.mem0_rows())
    assert (row.status, row.counts) == ("done", {"created": 2})
    memory = Memory.objects.get(owner_id=alice.pk, content="Likes green tea")
    assert (memory.status, memory.confidence, memory.written_by) == ("active", 0.9, "import")
    assert (memory.occurred_at and memory.occurred_at.day, memory.tags) == (5, ["food"])


def record(owner: User, *, has_ids: bool) -> Thread:
    """Record the first turn of the sample chat of Open WebUI as its requests do."""
    thread = create_thread(owner=owner.pk, external_id="w1")
    turn = ((MessageRole.USER, "I keep bees.", "u"), (MessageRole.ASSISTANT, "How many?", "a"))
    new = [
        NewMessage(role=role, content=content, client_id=client_id if has_ids else None)
        for role, content, client_id in turn
    ]
    append_messages(thread.pk, new, owner=owner.pk)
    return thread


@pytest.mark.parametrize("has_ids", [True, False])
def test_chat_that_was_recorded_gets_only_what_it_lacks(alice: User, *, has_ids: bool) -> None:
    thread = record(alice, has_ids=has_ids)
    preview = importing.look_at_files([as_upload(samples.openwebui_chat())], Options(), owner=alice.pk)
    assert preview.as_json()["present"] == 1
    row = import_for(alice, samples.openwebui_chat(), options=NOTHING_LEARNT)
    assert (row.counts["extended"], row.counts["messages"]) == (1, 1)
    assert list(Thread.objects.values_list("pk", flat=True)) == [thread.pk]
    contents = Message.objects.order_by("created_at").values_list("content", "parent__content")
    assert set(contents) == {("I keep bees.", None), ("How many?", "I keep bees."), ("Why?", "I keep bees.")}
    again = import_for(alice, samples.openwebui_chat(), options=NOTHING_LEARNT)
    assert again.counts == {"skipped": 1}


def test_chat_that_is_imported_is_continued_by_its_program(alice: User) -> None:
    import_for(alice, samples.openwebui_chat(), options=NOTHING_LEARNT)
    thread = Thread.objects.get()
    assert create_thread(owner=alice.pk, external_id="w1").pk == thread.pk
    assert set(Message.objects.values_list("client_id", flat=True)) == {"u", "a", "b"}


def test_what_a_model_concluded_waits_for_the_person(alice: User) -> None:
    import_for(alice, samples.claude_memory())
    assert set(stored(alice).values()) == {(Status.PENDING, 0.7)}


def test_conversation_comes_with_its_branches_and_times(alice: User) -> None:
    import_for(alice, [samples.chatgpt_conversation()], options=NOTHING_LEARNT)
    thread = Thread.objects.get(owner_id=alice.pk)
    current = thread.current_branch
    assert (thread.title, thread.created_at.year, thread.metadata["imported_from"]) == (
        "Moving",
        2026,
        "chatgpt",
    )
    assert current is not None
    assert (current.name, current.head and current.head.content) == ("main", "Noted it.")
    assert Branch.objects.filter(owner_id=alice.pk, name=None, head__content="Nice.").exists()


def test_rules_learn_from_the_persons_own_words(alice: User) -> None:
    import_for(alice, [samples.claude_conversation()])
    assert any("cello" in content for content in stored(alice))


def test_same_file_twice_adds_nothing(alice: User) -> None:
    files = [pack({"conversations.json": [samples.chatgpt_conversation()]})]
    import_for(alice, *files)
    before = count_rows(alice)
    again = import_for(alice, *files)
    assert count_rows(alice) == before
    assert set(again.counts) == {"skipped"}


def test_newer_export_adds_only_what_is_new(alice: User) -> None:
    older, newer = samples.chatgpt_conversation(), samples.chatgpt_conversation()
    newer["mapping"]["q2"] = samples.chatgpt_message("q2", "a2", "user", "And the weather?")
    newer["current_node"] = "q2"
    import_for(alice, [older], options=NOTHING_LEARNT)
    row = import_for(alice, [newer], options=NOTHING_LEARNT)
    thread = Thread.objects.get(owner_id=alice.pk)
    assert (row.counts["extended"], row.counts["messages"]) == (1, 1)
    assert thread.current_branch is not None
    assert thread.current_branch.head is not None
    assert thread.current_branch.head.content == "And the weather?"


def test_what_the_person_forgot_stays_forgotten(alice: User) -> None:
    import_for(alice, samples.mem0_rows())
    memory = Memory.objects.get(owner_id=alice.pk, content="Likes green tea")
    curation.forget_memories([memory.pk], owner=alice.pk, actor="person")
    import_for(alice, samples.mem0_rows())
    assert stored(alice)["Likes green tea"][0] == Status.FORGOTTEN


def test_what_was_erased_does_not_come_back(alice: User) -> None:
    import_for(alice, samples.mem0_rows())
    memory = Memory.objects.get(owner_id=alice.pk, content="Likes green tea")
    erasing.erase_memory(memory.pk, owner=alice.pk, actor="person")
    row = import_for(alice, samples.mem0_rows())
    assert "Likes green tea" not in stored(alice)
    assert row.counts["refused"] == 1


def test_secret_is_kept_out_and_named_in_the_preview(alice: User) -> None:
    rows = {"results": [{"id": "1", "memory": "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"}]}
    rows["results"] += samples.mem0_rows()["results"][1:]
    preview = importing.look_at_files([as_upload(rows)], Options(), owner=alice.pk)
    assert sum(preview.refused.values()) == 1
    row = import_for(alice, rows)
    assert (row.counts["refused"], len(row.warnings)) == (1, 1)
    assert not any("sk-proj" in content for content in stored(alice))


def test_undo_leaves_no_trace_and_the_import_can_be_repeated(alice: User) -> None:
    write_candidates([Candidate("Likes green tea")], owner=alice.pk, actor="person")
    before, kept = count_rows(alice), stored(alice)
    files = [samples.mem0_rows(), {"results": [{"id": "9", "memory": "Sails on Sundays"}]}]
    row = import_for(alice, *files)
    assert importing.undo_import(row.pk, owner=alice.pk).status == ImportStatus.UNDONE
    assert (count_rows(alice), stored(alice)) == (before, kept)
    assert import_for(alice, *files).counts["created"] == 2


def test_undo_removes_threads_and_what_was_learnt_from_them(alice: User) -> None:
    row = import_for(alice, [samples.claude_conversation()])
    importing.undo_import(row.pk, owner=alice.pk)
    assert count_rows(alice) == [0] * 6


def test_undo_keeps_what_the_person_continued_or_edited(alice: User) -> None:
    row = import_for(alice, [samples.chatgpt_conversation()], options=NOTHING_LEARNT)
    thread = Thread.objects.get(owner_id=alice.pk)
    append_messages(thread.pk, [NewMessage(role=MessageRole.USER, content="mine")], owner=alice.pk)
    memory = Memory.objects.get(owner_id=alice.pk)
    curation.confirm_memories([memory.pk], owner=alice.pk, actor="person")
    row = importing.undo_import(row.pk, owner=alice.pk)
    assert row.counts["left_out"] == 2
    assert Message.objects.filter(owner_id=alice.pk, content="mine").exists()
    assert stored(alice)["User moved to Lisbon."][0] == Status.ACTIVE


def test_undo_of_a_newer_export_removes_only_what_it_added(alice: User) -> None:
    newer = samples.chatgpt_conversation()
    newer["mapping"]["q2"] = samples.chatgpt_message("q2", "a2", "user", "And the weather?")
    import_for(alice, [samples.chatgpt_conversation()], options=NOTHING_LEARNT)
    row = import_for(alice, [newer], options=NOTHING_LEARNT)
    importing.undo_import(row.pk, owner=alice.pk)
    contents = Message.objects.filter(owner_id=alice.pk).values_list("content", flat=True)
    assert sorted(contents) == ["I moved to Lisbon in May.", "Nice.", "Noted it."]


def test_undo_of_both_exports_leaves_nothing_in_any_order(alice: User) -> None:
    newer = samples.chatgpt_conversation()
    newer["mapping"]["q2"] = samples.chatgpt_message("q2", "a2", "user", "And the weather?")
    rows = [
        import_for(alice, [one], options=NOTHING_LEARNT) for one in (samples.chatgpt_conversation(), newer)
    ]
    assert importing.undo_import(rows[0].pk, owner=alice.pk).counts["left_out"] == 1
    importing.undo_import(rows[1].pk, owner=alice.pk)
    assert count_rows(alice) == [0] * 6


@pytest.mark.parametrize(
    "moment", ["0001-01-01T00:00:00Z", "1601-01-01T00:00:00Z", -1e11, "9999-12-31T23:59:59-14:00"]
)
def test_time_that_is_none_is_left_out(alice: User, moment: object) -> None:
    conversation = samples.claude_conversation() | {"created_at": moment}
    assert import_for(alice, [conversation], options=NOTHING_LEARNT).counts["threads"] == 1


def test_choices_are_restored_once_and_taken_back(alice: User) -> None:
    chosen = {"record": "preferences", "auto_extract": False, "refused_kinds": ["goal", 5], "kept_kinds": 7}
    row = import_for(alice, chosen)
    preferences = get_preferences(alice.pk)
    assert (preferences.auto_extract, preferences.refused_kinds, preferences.kept_kinds) == (
        False,
        ["goal"],
        [],
    )
    importing.undo_import(row.pk, owner=alice.pk)
    assert not Preferences.objects.filter(owner=alice).exists()


def test_choices_that_were_changed_since_stay(alice: User) -> None:
    row = import_for(alice, {"record": "preferences", "auto_extract": False})
    set_preferences(alice.pk, memory_on=False)
    importing.undo_import(row.pk, owner=alice.pk)
    assert not get_preferences(alice.pk).memory_on


def test_turn_writes_for_its_time_however_long_it_takes_to_get_there(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "MEMORIES_AT_ONCE", 3)
    monkeypatch.setattr(running, "TURN_SECONDS", 0.5)
    read = reading.list_items

    def slowly(found: Any) -> Any:
        time.sleep(0.6)
        yield from read(found)

    monkeypatch.setattr(running, "list_items", slowly)
    assert import_for(alice, many(7)).done == 7


def many(count: int) -> bytes:
    rows = [{"id": str(n), "memory": f"Owns book number {n} by author {n}"} for n in range(count)]
    return json.dumps(rows).encode()


def test_killed_import_goes_on_where_it_was(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MEMORIES_AT_ONCE", 4)
    row = importing.begin_import([as_upload(many(10))], Options(), owner=alice.pk, actor="person")
    importing.start_import(row.pk, owner=alice.pk)
    calls: list[Any] = []

    def killed(*args: Any, **options: Any) -> Any:
        calls.append(args)
        if len(calls) == 2:
            raise RuntimeError("killed")
        return write_candidates(*args, **options)

    monkeypatch.setattr(parts, "write_candidates", killed)
    with pytest.raises(RuntimeError):
        importing.run_import(row.pk, owner=alice.pk)
    row.refresh_from_db()
    assert (row.status, row.done) == (ImportStatus.RUNNING, 4)
    importing.run_import(row.pk, owner=alice.pk)
    row.refresh_from_db()
    assert (row.status, row.done, row.counts) == (ImportStatus.DONE, 10, {"created": 10})


def test_import_that_takes_long_queues_the_rest(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MEMORIES_AT_ONCE", 3)
    monkeypatch.setattr(running, "TURN_SECONDS", 0.0)
    row = import_for(alice, many(7))
    assert (row.status, row.done) == (ImportStatus.RUNNING, 3)
    for _ in range(2):
        importing.run_import(row.pk, owner=alice.pk)
    row.refresh_from_db()
    assert (row.status, row.done) == (ImportStatus.DONE, 7)


def test_cancelled_import_stops_and_can_be_undone(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MEMORIES_AT_ONCE", 3)
    monkeypatch.setattr(running, "TURN_SECONDS", 0.0)
    row = import_for(alice, many(7))
    importing.cancel_import(row.pk, owner=alice.pk)
    importing.run_import(row.pk, owner=alice.pk)
    assert Memory.objects.filter(owner_id=alice.pk).count() == 3
    importing.undo_import(row.pk, owner=alice.pk)
    assert not Memory.objects.filter(owner_id=alice.pk).exists()


def test_threads_can_be_left_out(alice: User) -> None:
    row = import_for(alice, [samples.chatgpt_conversation()], options=Options(threads=False))
    assert not Thread.objects.filter(owner_id=alice.pk).exists()
    assert row.counts == {"pending": 1, "skipped": 1}


def test_nothing_is_imported_while_memory_is_off(alice: User) -> None:
    set_preferences(alice.pk, memory_on=False)
    with pytest.raises(NotAllowed):
        import_for(alice, samples.mem0_rows())


@pytest.mark.parametrize("raw", [b"", b"[]", b"[{", b'{"results": []}', b"PK\x03\x04", b'[{"mapping": {}}]'])
def test_bad_file_writes_nothing_and_leaves_no_file(alice: User, tmp_path: Path, raw: bytes) -> None:
    with pytest.raises(MemsiteError):
        import_for(alice, raw)
    assert not Import.objects.filter(owner_id=alice.pk).exists()
    assert not list(tmp_path.glob("imports/*"))


def test_upload_over_the_limit_is_refused(alice: User, settings: Any, tmp_path: Path) -> None:
    settings.MEMSITE_MAX_IMPORT_MB = 1
    with pytest.raises(TooLarge):
        import_for(alice, b"x" * (1024**2 + 1))
    assert not list(tmp_path.glob("imports/*"))


def test_text_that_cannot_be_stored_is_cleaned(alice: User) -> None:
    import_for(alice, b'[{"id": "1", "memory": "Likes \\u0000tea \\ud83d and rain"}]')
    assert [one.replace("\ufffd", "") for one in stored(alice)] == ["Likes tea  and rain"]


def test_only_one_import_is_underway(alice: User) -> None:
    first = importing.begin_import([as_upload(many(1))], Options(), owner=alice.pk, actor="person")
    importing.start_import(first.pk, owner=alice.pk)
    second = importing.begin_import([as_upload(many(2))], Options(), owner=alice.pk, actor="person")
    with pytest.raises(Conflict):
        importing.start_import(second.pk, owner=alice.pk)


def test_record_that_is_no_memory_is_a_warning(alice: User) -> None:
    good = {"record": "preferences", "citations_on": False}
    bad = {"record": "memory", "id": "no id", "content": "x"}
    row = import_for(alice, "\n".join(json.dumps(one) for one in (good, bad)).encode())
    assert (row.counts["refused"], row.warnings[0]["where"]) == (1, "memory no id")


def test_file_of_memories_alone_is_imported(alice: User, bob: User) -> None:
    memory = write_candidates([Candidate("Alice sails.")], owner=alice.pk, actor="person").outcomes[0].memory
    assert memory is not None
    file = {"format": "memsite.memories", "memories": [memory_json(memory)], "complete": True}
    assert import_for(bob, file).counts == {"created": 1}


def test_waiting_import_ends_after_a_day_with_its_files(alice: User, tmp_path: Path) -> None:
    with acting_for(alice.pk):
        row = importing.begin_import([as_upload(many(1))], Options(), owner=alice.pk, actor="person")
    Import.objects.filter(pk=row.pk).update(created_at=timezone.now() - timedelta(hours=25))
    folder = next(tmp_path.glob("imports/*"))
    os.utime(folder, (0, 0))
    importing.sweep()
    row.refresh_from_db()
    assert (row.status, row.preview, folder.exists()) == (ImportStatus.CANCELLED, {}, False)


def test_file_that_is_gone_fails_the_import(alice: User, tmp_path: Path) -> None:
    row = importing.begin_import([as_upload(many(1))], Options(), owner=alice.pk, actor="person")
    importing.start_import(row.pk, owner=alice.pk)
    next(tmp_path.glob("imports/*/0")).unlink()
    importing.run_import(row.pk, owner=alice.pk)
    row.refresh_from_db()
    assert (row.status, "Upload it again" in row.error) == (ImportStatus.FAILED, True)


def test_no_file_is_invalid(alice: User) -> None:
    with pytest.raises(InvalidInput):
        import_for(alice)


def test_deletion_of_a_persons_data_reaches_imports_and_their_files(
    alice: User, bob: User, django_capture_on_commit_callbacks: Any
) -> None:
    row = importing.begin_import([as_upload(samples.mem0_rows())], Options(), owner=alice.pk, actor="person")
    import_for(bob, samples.mem0_rows())
    with django_capture_on_commit_callbacks(execute=True):
        assert importing.erase_some_imports(owner=alice.pk) == {"imports": 1}
    assert not files.find_folder(row.pk).exists()
    assert importing.erase_some_imports(owner=alice.pk) == {}
    assert Import.objects.filter(owner=bob).count() == 1

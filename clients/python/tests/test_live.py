"""The client against a live site."""

from __future__ import annotations

import asyncio
import json
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from memsite import AsyncMemsite, Forbidden, Memsite, NotAuthenticated, NotFound, RefusedByGate
from memsite.commands import main
from memsite.results import Import, ImportPreview, QueuedImport


def test_memory_is_added_found_changed_forgotten(memsite: Memsite) -> None:
    name = f"Zorp{uuid4().hex[:8]}"
    written = memsite.memories.add(f"The name of the ship is {name}.", subject="ship", tags=["boats"])
    assert (written.action, written.memory.tags) == ("created", ("boats",))
    assert memsite.memories.add(f"The name of the ship is {name}.", subject="ship").action == "strengthened"
    found = memsite.memories.search(name, top_k=1).memories[0]
    assert (found.id, found.relevance) == (written.memory.id, 1.0)
    assert memsite.memories.change(found.id, importance=0.9).memory.importance == 0.9
    assert memsite.memories.forget(found.id).memory.status == "forgotten"
    assert memsite.memories.restore(found.id).memory.status == "active"
    assert memsite.memories.erase(found.id).memory_ids == (found.id,)
    with pytest.raises(NotFound):
        memsite.memories.get(found.id)


def test_batches_and_pages(memsite: Memsite) -> None:
    mark = uuid4().hex[:8]
    batch = memsite.memories.add_many([{"content": f"Item {n} of {mark} is stored."} for n in range(3)])
    assert len(batch.results) == 3
    listed = list(memsite.memories.all(contains=mark, page_size=1))
    assert {one.id for one in listed} == {one.memory.id for one in batch.results if one.memory}
    undone = memsite.memories.undo(batch.batch_id)
    assert undone.left_out == ()


def test_thread_is_found_again_by_its_external_id(memsite: Memsite) -> None:
    name = uuid4().hex
    thread = memsite.threads.create(external_id=name, title="Boats")
    assert memsite.threads.create(external_id=name).id == thread.id
    memsite.threads.append(thread.id, "user", "Which boat?")
    memsite.threads.append_many(thread.id, [{"role": "assistant", "content": "The red one."}])
    assert [one.content for one in memsite.threads.all_messages(thread.id)] == ["Which boat?", "The red one."]
    assert memsite.context(thread.id, "And now?", max_tokens=500).messages[-1]["content"].endswith("And now?")
    assert memsite.threads.retrieve(thread.id, "boat").results[0].content
    assert memsite.branches.undo(thread.id, count=1).messages[0].content == "The red one."
    assert memsite.threads.delete(thread.id).messages >= 1


def test_answer_without_a_model_lists_what_is_remembered(memsite: Memsite) -> None:
    thread = memsite.threads.create()
    reply = memsite.reply(thread.id, "Hello?")
    assert (reply.reply.status, reply.question.content) == ("done", "Hello?")
    events = list(memsite.reply(thread.id, "And again?", stream=True))
    assert [type(one).__name__ for one in (events[0], events[-1])] == ["ReplyBegun", "ReplyEnded"]
    memsite.threads.delete(thread.id)


def test_events_follow_the_log(memsite: Memsite) -> None:
    page = memsite.log.page()
    while page.more:
        page = memsite.log.page(after=page.last)
    written = memsite.memories.add(f"The number is {uuid4().hex[:8]}.")
    [found] = islice(memsite.events(after=page.last, types=["memory.*"]), 1)
    assert (found.type, found.memory) == ("memory.created", written.memory.id)


def test_the_awaited_client_does_the_same(site: tuple[str, str]) -> None:
    async def use() -> Any:
        async with AsyncMemsite(*site) as client:
            written = await client.memories.add(f"The code is {uuid4().hex[:8]}.")
            listed = [one.id async for one in client.memories.all(page_size=50)]
            return written.memory.id in listed

    assert asyncio.run(use())


def test_file_is_imported_once_and_undone(
    memsite: Memsite, tmp_path: Path, capsys: Any, site: tuple[str, str]
) -> None:
    mark = uuid4().hex[:8]
    file = tmp_path / "lines.txt"
    file.write_text(f"The harbour of {mark} is deep.\nThe tower of {mark} is white.\n", encoding="utf-8")
    preview = memsite.imports.preview(file, format="lines")
    assert isinstance(preview, ImportPreview)
    assert preview.memories == 2
    started = memsite.imports.start(file, format="lines")
    assert isinstance(started, QueuedImport)
    ended: Import = memsite.imports.wait(started.import_id)
    assert (ended.status, ended.created) == ("done", 2)
    options = ["--url", site[0], "--key", site[1], "import", str(file), "--format", "lines"]
    assert main(options) == 0
    assert "created: 0" in capsys.readouterr().out
    memsite.imports.undo(started.import_id)


def test_export_is_written_whole(memsite: Memsite, tmp_path: Path) -> None:
    file = tmp_path / "memories.json"
    assert memsite.memories.export(file) == file.stat().st_size
    assert json.loads(file.read_text(encoding="utf-8"))["complete"] is True
    with pytest.raises(Forbidden):
        memsite.exports.everything(tmp_path / "all.zip")  # needs the scope admin


def test_refusals_have_their_errors(memsite: Memsite, site: tuple[str, str]) -> None:
    with pytest.raises(RefusedByGate):
        memsite.memories.add("sk-proj-4aB9xQ2mZ7pL0wE5rT8yU3iO6aS1dF4gH7jK0lZ3xC6vB9n")
    with pytest.raises(NotFound):
        memsite.threads.get(str(uuid4()))
    with pytest.raises(NotAuthenticated), Memsite(site[0], "msk_wrong") as stranger:
        stranger.account.me()


def test_other_calls_are_read(memsite: Memsite) -> None:
    assert memsite.account.me().kind == "person"
    assert memsite.account.preferences().memory_on
    assert memsite.memories.stats().total >= 0
    assert memsite.memories.graph().more in {True, False}
    assert memsite.threads.count_tokens("Hello there").tokens > 0
    assert memsite.threads.list_ids(page_size=1).results is not None
    assert memsite.account.usage(days=1).results is not None
    assert memsite.memories.conflicts().results is not None
    assert memsite.reports.list().results is not None


def test_command_says_what_is_missing(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMSITE_URL", raising=False)
    assert main(["--key", "x", "mcp"]) == 2
    assert "MEMSITE_URL" in capsys.readouterr().err

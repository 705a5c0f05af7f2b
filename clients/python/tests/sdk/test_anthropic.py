"""Claude's memory tool against the package's own tool on a file system."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import pytest

pytest.importorskip("anthropic")
pytest.importorskip("hypothesis")

from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memsite import AsyncMemsite, Memsite
from memsite.anthropic import AsyncMemsiteMemoryTool, MemsiteMemoryTool

FILES = ("/memories/a.txt", "/memories/notes/a.txt")
#: Most commands name a file that is likely to exist.
PATHS = st.one_of(
    st.sampled_from(FILES),
    st.sampled_from(FILES),
    st.sampled_from(
        [
            "/memories",
            "/memories/b.md",
            "/memories/notes/deep/c.txt",
            "/memories/notes",
            "/memories/../etc",
            "/memories/notes/../b.md",
            "/memories/.hidden",
            "/elsewhere",
        ]
    ),
)
TEXTS = st.lists(
    st.sampled_from(["tea", "Ann likes tea.", "", "  two", "记忆", "x\ty", "The end"]), max_size=4
).map("\n".join)
PARTS = st.sampled_from(["Ann", "tea", "end", "记忆", "two", "\n", "nothing like it"])
COMMANDS = st.one_of(
    st.fixed_dictionaries({"command": st.just("create"), "path": PATHS, "file_text": TEXTS}),
    st.fixed_dictionaries({"command": st.just("create"), "path": PATHS, "file_text": TEXTS}),
    st.fixed_dictionaries({"command": st.just("view"), "path": PATHS}),
    st.fixed_dictionaries(
        {"command": st.just("view"), "path": PATHS, "view_range": st.sampled_from([[1, 2], [2, -1], [0, 9]])}
    ),
    st.fixed_dictionaries(
        {"command": st.just("str_replace"), "path": PATHS, "old_str": PARTS, "new_str": TEXTS}
    ),
    st.fixed_dictionaries(
        {"command": st.just("insert"), "path": PATHS, "insert_line": st.integers(-1, 4), "insert_text": TEXTS}
    ),
    st.fixed_dictionaries({"command": st.just("delete"), "path": PATHS}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": PATHS, "new_path": PATHS}),
)


def answer(tool: Any, command: dict[str, Any]) -> str:
    """Return a tool's answer, without what the file system adds: sizes of directories, its own errors."""
    try:
        text = str(tool.call(command))
    except ToolError as error:
        text = f"error: {error}"
    except OSError:
        return "error"
    if any(words in text for words in ("A part of the path", "cannot be moved")):
        return "error"
    if not text.startswith("Here're"):
        return text
    header, own, *rest = text.split("\n")
    return "\n".join([header, own.split("\t")[1], *(re.sub(r"^\S+(?=\t.*/$)", "", line) for line in rest)])


def prune(folder: Path) -> None:
    """Remove empty directories, which Memsite does not keep."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()


@pytest.fixture
def tool(memsite: Memsite) -> Iterator[MemsiteMemoryTool]:
    made = MemsiteMemoryTool(memsite)
    made.clear_all_memory()
    yield made
    made.clear_all_memory()


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(texts=st.tuples(TEXTS, TEXTS), commands=st.lists(COMMANDS, min_size=3, max_size=8))
def test_any_commands_have_the_same_answers(
    tool: MemsiteMemoryTool, texts: tuple[str, str], commands: list[dict[str, Any]]
) -> None:
    tool.clear_all_memory()
    with TemporaryDirectory() as folder:
        reference = BetaLocalFilesystemMemoryTool(folder)
        begun = [
            {"command": "create", "path": path, "file_text": text}
            for path, text in zip(FILES, texts, strict=True)
        ]
        for command in [*begun, *commands]:
            expected = answer(reference, command)
            assert answer(tool, command) == expected, command
            prune(Path(folder) / "memories")


def test_file_is_a_memory_that_is_found_edited_and_undone(tool: MemsiteMemoryTool, memsite: Memsite) -> None:
    name = f"harbour{uuid4().hex[:6]}"
    tool.call({"command": "create", "path": f"/memories/{name}.txt", "file_text": f"The {name} is deep.\n"})
    found = memsite.memories.search(name, top_k=1).memories[0]
    assert (found.subject, found.predicate) == (f"/memories/{name}.txt", "file")
    tool.call(
        {"command": "str_replace", "path": f"/memories/{name}.txt", "old_str": "deep", "new_str": "shallow"}
    )
    edited = str(tool.call({"command": "view", "path": f"/memories/{name}.txt"}))
    assert "shallow" in edited
    history = memsite.memories.history(found.id).results
    assert len(history) >= 2
    memsite.memories.undo(history[-1].batch_id)
    assert "deep" in str(tool.call({"command": "view", "path": f"/memories/{name}.txt"}))


def test_equal_texts_in_two_files_stay_two(tool: MemsiteMemoryTool) -> None:
    for name in ("one", "two"):
        tool.call({"command": "create", "path": f"/memories/{name}.txt", "file_text": "Ann likes tea."})
    listed = str(tool.call({"command": "view", "path": "/memories"}))
    assert "one.txt" in listed
    assert "two.txt" in listed


def test_secret_is_left_out_and_the_answer_says_so(tool: MemsiteMemoryTool) -> None:
    text = "The deploy key is sk-proj-4aB9xQ2mZ7pL0wE5rT8yU3iO6aS1dF4gH7jK0lZ3xC6vB9n for the harbour."
    made = str(tool.call({"command": "create", "path": "/memories/k.txt", "file_text": text}))
    assert "Secrets" in made
    assert "sk-proj" not in str(tool.call({"command": "view", "path": "/memories/k.txt"}))


def test_site_that_is_away_is_an_error_of_the_tool() -> None:
    away = MemsiteMemoryTool(Memsite("http://127.0.0.1:9", "msk_x", retries=0))
    with pytest.raises(ToolError, match="away"):
        away.call({"command": "view", "path": "/memories"})


@pytest.mark.usefixtures("tool")
def test_awaited_tool_does_the_same(site: tuple[str, str]) -> None:
    async def use() -> str:
        async with AsyncMemsite(*site) as client:
            awaited = AsyncMemsiteMemoryTool(client)
            await awaited.call(
                {"command": "create", "path": "/memories/a.txt", "file_text": "Ann likes tea."}
            )
            return str(await awaited.call({"command": "view", "path": "/memories/a.txt"}))

    assert "Ann likes tea." in asyncio.run(use())

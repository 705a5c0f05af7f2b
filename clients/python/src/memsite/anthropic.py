"""Claude's memory tool (`memory_20250818`) on a Memsite.

client.beta.messages.tool_runner(..., tools=[MemsiteMemoryTool(Memsite(url, key))])
"""

from __future__ import annotations

import logging
import posixpath
from collections.abc import Callable, Mapping
from typing import Any, Final

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

from memsite.client import AsyncMemsite, Memsite
from memsite.errors import MemsiteError
from memsite.resources.files import ROOT, Change, FileError, Files, normalise
from memsite.wire import Awaited, Blocking

log = logging.getLogger(__name__)

Texts = Mapping[str, str]
#: The answer, and the changes to make before it is given.
Outcome = tuple[str, list[Change]]
_LEVELS: Final = 2
_NUMBER_WIDTH: Final = 6
_AWAY: Final = "Memory is away. Go on without it."
_REDACTED: Final = " Secrets in it were left out: memory does not keep them."


class MemsiteMemoryTool(BetaAbstractMemoryTool):
    """The memory tool for `Anthropic`; each file is one memory of the site.

    While Memsite is away, the model is told so in an error of the tool, and the conversation goes on.
    """

    def __init__(self, memsite: Memsite, **options: Any) -> None:
        super().__init__(**options)
        self._files: Files[Blocking] = Files(memsite.memories.driver)

    def _do(self, command: Callable[[Texts], Outcome]) -> str:
        try:
            answer, changes = command(self._files.read())
            return answer + (_REDACTED if changes and self._files.write(changes) else "")
        except FileError as error:
            raise ToolError(str(error)) from error
        except MemsiteError as error:
            log.warning("Memory is away: %s", error)
            raise ToolError(_AWAY) from error

    def view(self, command: Any) -> str:
        return self._do(lambda files: view(files, command))

    def create(self, command: Any) -> str:
        return self._do(lambda files: create(files, command))

    def str_replace(self, command: Any) -> str:
        return self._do(lambda files: str_replace(files, command))

    def insert(self, command: Any) -> str:
        return self._do(lambda files: insert(files, command))

    def delete(self, command: Any) -> str:
        return self._do(lambda files: delete(files, command))

    def rename(self, command: Any) -> str:
        return self._do(lambda files: rename(files, command))

    def clear_all_memory(self) -> str:
        return self._do(clear)


class AsyncMemsiteMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for `AsyncAnthropic`."""

    def __init__(self, memsite: AsyncMemsite, **options: Any) -> None:
        super().__init__(**options)
        self._files: Files[Awaited] = Files(memsite.memories.driver)

    async def _do(self, command: Callable[[Texts], Outcome]) -> str:
        try:
            answer, changes = command(await self._files.read())
            return answer + (_REDACTED if changes and await self._files.write(changes) else "")
        except FileError as error:
            raise ToolError(str(error)) from error
        except MemsiteError as error:
            log.warning("Memory is away: %s", error)
            raise ToolError(_AWAY) from error

    async def view(self, command: Any) -> str:
        return await self._do(lambda files: view(files, command))

    async def create(self, command: Any) -> str:
        return await self._do(lambda files: create(files, command))

    async def str_replace(self, command: Any) -> str:
        return await self._do(lambda files: str_replace(files, command))

    async def insert(self, command: Any) -> str:
        return await self._do(lambda files: insert(files, command))

    async def delete(self, command: Any) -> str:
        return await self._do(lambda files: delete(files, command))

    async def rename(self, command: Any) -> str:
        return await self._do(lambda files: rename(files, command))

    async def clear_all_memory(self) -> str:
        return await self._do(clear)


# The commands: from the files and a command to an answer and changes. The answers are worded as those of the
# package's own tool on a file system, which the model knows.


def view(files: Texts, command: Any) -> Outcome:
    path = normalise(command.path)
    if path in files:
        return _view_file(files[path], command), []
    if path != ROOT and not _below(files, path):
        raise FileError(f"The path {command.path} does not exist. Please provide a valid path.")
    header = (
        f"Here're the files and directories up to 2 levels deep in {command.path}, excluding hidden items:"
    )
    lines = [f"{_size(sum(map(_bytes, _below(files, path).values())))}\t{command.path}"]
    lines += [f"{size}\t{command.path}/{name}" for name, size in _listing(files, path)]
    return "\n".join([header, *lines]), []


def create(files: Texts, command: Any) -> Outcome:
    path = normalise(command.path)
    if path in files or path == ROOT or _below(files, path):
        raise FileError(f"File {command.path} already exists")
    if _has_file_above(files, path):
        raise FileError(f"A part of the path {command.path} is a file")
    return f"File created successfully at: {command.path}", [Change(path, command.file_text, path)]


def str_replace(files: Texts, command: Any) -> Outcome:
    path = _file(files, command.path)
    text, old = files[path], command.old_str
    count = text.count(old)
    if count == 0:
        raise FileError(
            f"No replacement was performed, old_str `{old}` did not appear verbatim in {command.path}."
        )
    if count > 1:
        lines = ", ".join(str(line) for line in _lines_with(text, old))
        raise FileError(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}."
            " Please ensure it is unique"
        )
    changed = text[: text.find(old)].count("\n")
    replaced = text.replace(old, command.new_str)
    lines_after = replaced.split("\n")
    first, last = max(0, changed - 2), min(len(lines_after), changed + 3)
    snippet = _numbered(lines_after[first:last], first + 1)
    answer = "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
    return answer + snippet, [Change(path, replaced, path)]


def insert(files: Texts, command: Any) -> Outcome:
    path = _file(files, command.path)
    lines = files[path].split("\n")
    if lines[-1] == "":
        lines.pop()
    if not 0 <= command.insert_line <= len(lines):
        raise FileError(
            f"Invalid `insert_line` parameter: {command.insert_line}. "
            f"It should be within the range [0, {len(lines)}]."
        )
    lines.insert(command.insert_line, command.insert_text.rstrip("\n"))
    text = "\n".join(lines)
    text = text if text.endswith("\n") else text + "\n"
    return f"The file {command.path} has been edited.", [Change(path, text, path)]


def delete(files: Texts, command: Any) -> Outcome:
    path = normalise(command.path)
    if path == ROOT:
        raise FileError(f"Cannot delete the {ROOT} directory itself")
    doomed = [path] if path in files else [f"{path}/{name}" for name in _below(files, path)]
    if not doomed:
        raise FileError(f"The path {command.path} does not exist")
    return f"Successfully deleted {command.path}", [Change(one, None, one) for one in doomed]


def rename(files: Texts, command: Any) -> Outcome:
    old, new = normalise(command.old_path), normalise(command.new_path)
    if old == ROOT:
        raise FileError(f"Cannot rename the {ROOT} directory itself")
    if new in files or new == ROOT or _below(files, new):
        raise FileError(f"The destination {command.new_path} already exists")
    moved = {old: new} if old in files else {f"{old}/{n}": f"{new}/{n}" for n in _below(files, old)}
    if not moved:
        raise FileError(f"The path {command.old_path} does not exist")
    if _has_file_above(files, new) or new.startswith(f"{old}/"):
        raise FileError(f"{command.old_path} cannot be moved to {command.new_path}")
    answer = f"Successfully renamed {command.old_path} to {command.new_path}"
    return answer, [Change(before, files[before], after) for before, after in moved.items()]


def clear(files: Texts) -> Outcome:
    return "All memory cleared", [Change(path, None, path) for path in files]


def _file(files: Texts, path: str) -> str:
    plain = normalise(path)
    if plain not in files:
        if plain == ROOT or _below(files, plain):
            raise FileError(f"The path {path} is not a file.")
        raise FileError(f"The path {path} does not exist. Please provide a valid path.")
    return plain


def _below(files: Texts, directory: str) -> dict[str, str]:
    """Return the files in a directory, by their paths relative to it."""
    prefix = f"{directory}/"
    return {path.removeprefix(prefix): text for path, text in files.items() if path.startswith(prefix)}


def _has_file_above(files: Texts, path: str) -> bool:
    while path != ROOT:
        path = posixpath.dirname(path)
        if path in files:
            return True
    return False


def _listing(files: Texts, directory: str, level: int = 1) -> list[tuple[str, str]]:
    """Return the names below a directory with their sizes, up to two levels deep, without hidden ones."""
    inside = _below(files, directory)
    found = []
    for name in sorted({path.split("/")[0] for path in inside} - {""}):
        path = f"{directory}/{name}"
        if name.startswith("."):
            continue
        if path in files:
            found.append((name, _size(_bytes(files[path]))))
            continue
        found.append((f"{name}/", _size(sum(map(_bytes, _below(files, path).values())))))
        if level < _LEVELS:
            found += [(f"{name}/{inner}", size) for inner, size in _listing(files, path, level + 1)]
    return found


def _view_file(text: str, command: Any) -> str:
    lines = text.split("\n")
    first, last = 0, len(lines)
    chosen = getattr(command, "view_range", None)
    if chosen and len(chosen) == 2:  # noqa: PLR2004 - a first and a last line
        first = max(1, chosen[0]) - 1
        last = len(lines) if chosen[1] == -1 else chosen[1]
    shown = _numbered(lines[first:last], first + 1)
    return f"Here's the content of {command.path} with line numbers:\n" + shown


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{str(first + n).rjust(_NUMBER_WIDTH)}\t{line}" for n, line in enumerate(lines))


def _lines_with(text: str, part: str) -> list[int]:
    """Return the line of each occurrence, also of those that overlap."""
    starts = [place for place in range(len(text)) if text.startswith(part, place)]
    return [text[:place].count("\n") + 1 for place in starts]


def _bytes(text: str) -> int:
    return len(text.encode())


def _size(count: int) -> str:
    if count == 0:
        return "0B"
    step = min((count.bit_length() - 1) // 10, 3)
    size = count / 1024**step
    return f"{int(size) if size == int(size) else f'{size:.1f}'}{'BKMG'[step]}"

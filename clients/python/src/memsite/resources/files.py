"""Files as memories: a file is one memory, so that it is readable, searchable and undoable on the site.

The subject of the memory is the file's path, its predicate `file`; its metadata hold the exact text, its
content the text as people and searches read it. An edit makes a successor.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memsite.errors import Conflict, Invalid, RefusedByGate
from memsite.results import Memory, Written
from memsite.wire import Flow, Mode, Policy, Resource, call_as, call_for_page, perform, steps

ROOT: Final = "/memories"
#: The API takes 65,536 characters of metadata as JSON, in which a character may take six.
_MOST_CHARACTERS: Final = 60_000
_MOST_CONTENT: Final = 20_000
_PREDICATE: Final = "file"
_LONGEST_PATH: Final = 255


class FileError(Exception):
    """A command that cannot be done; the text is for the model."""


@dataclass(frozen=True)
class Change:
    """A change of one file.

    Attributes:
        path: The file's path, before the change.
        text: Its text afterwards; None if it is deleted.
        new_path: Its path afterwards.
    """

    path: str
    text: str | None
    new_path: str


def normalise(path: str) -> str:
    """Return a path without `.` and `..`.

    Raises:
        FileError: It lies outside of `/memories`, or is too long.
    """
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise FileError(f"Path must start with {ROOT}, got: {path}")
    if "\0" in path or len(path) > _LONGEST_PATH:
        raise FileError(f"Path {path[:80]!r} is not a valid path")
    plain = posixpath.normpath(path)
    if plain != ROOT and not plain.startswith(f"{ROOT}/"):
        raise FileError(f"Path {path} would escape {ROOT} directory")
    return plain


class Files(Resource[Mode]):
    """The files of one person."""

    @steps
    def read(self) -> Flow[dict[str, str]]:
        """Return the text of each file, by path."""
        found = yield from load(self.driver.policy)
        return {path: text for path, (_, text) in found.items()}

    @steps
    def write(self, changes: Sequence[Change]) -> Flow[bool]:
        """Apply changes; return whether the site left out secrets."""
        stored = yield from load(self.driver.policy)
        return (yield from apply(stored, changes, self.driver.policy))


Stored = Mapping[str, tuple[Memory, str]]


def load(policy: Policy) -> Flow[dict[str, tuple[Memory, str]]]:
    """Return the memory and the text of each file, by path."""
    found: dict[str, tuple[Memory, str]] = {}
    cursor: str | None = None
    while True:
        params = {
            "predicate": _PREDICATE,
            "status": ["active", "pending", "disputed"],
            "page_size": 200,
            "cursor": cursor,
        }
        page = yield from perform(call_for_page(Memory, "/api/memories", params), policy)
        for memory in page.results:
            path, text = memory.metadata.get("path"), memory.metadata.get("text")
            if isinstance(path, str) and isinstance(text, str):
                found.setdefault(path, (memory, text))
        if (cursor := page.next_cursor) is None:
            return found


def apply(stored: Stored, changes: Sequence[Change], policy: Policy) -> Flow[bool]:
    """Apply changes to stored files; return whether the site left out secrets.

    Raises:
        FileError: The site refuses a file.
    """
    was_redacted = False
    for change in changes:
        memory = stored[change.path][0] if change.path in stored else None
        try:
            if change.text is None:
                if memory is not None:
                    call = call_as(Written, "DELETE", f"/api/memories/{memory.id}", repeatable=True)
                    yield from perform(call, policy)
                continue
            written = yield from _write(change, change.text, memory, policy)
        except RefusedByGate as error:
            raise FileError(f"{change.new_path} was not stored: {error.message}") from error
        except (Invalid, Conflict) as error:
            raise FileError(f"{change.new_path} could not be stored: {error.message}") from error
        kept = written.memory.metadata
        if kept.get("path") != change.new_path:
            raise FileError(f"{change.new_path} could not be stored: another file is too similar")
        was_redacted = was_redacted or kept.get("text") != change.text
    return was_redacted


def _write(change: Change, text: str, memory: Memory | None, policy: Policy) -> Flow[Written]:
    if len(text) > _MOST_CHARACTERS:
        raise FileError(f"{change.new_path} is too large: a file has at most {_MOST_CHARACTERS} characters")
    fields: dict[str, Any] = {
        "content": f"{change.new_path}\n{text}"[:_MOST_CONTENT],
        "subject": change.new_path,
        "predicate": _PREDICATE,
        "metadata": {"path": change.new_path, "text": text},
    }
    if memory is None:
        body = {**fields, "category": "file", "lifespan": "core"}
        return (
            yield from perform(call_as(Written, "POST", "/api/memories", body=body, repeatable=True), policy)
        )
    if fields["content"].strip() == memory.content.strip():
        del fields["content"]  # only white space changed
    return (yield from perform(call_as(Written, "PATCH", f"/api/memories/{memory.id}", body=fields), policy))

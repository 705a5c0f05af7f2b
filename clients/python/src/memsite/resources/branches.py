"""Branches of a thread, and stepping back."""

from __future__ import annotations

from collections.abc import Sequence

from memsite.results import Branch, Comparison, Kept, Page, Removed, TakenBack, Thread, UndoneMessages
from memsite.wire import Call, Mode, Resource, call_as, call_for_page, operation, without_nones

_PATH = "/api/threads"


class Branches(Resource[Mode]):
    """Branches of a thread."""

    @operation
    def list(self, thread_id: str) -> Call[Page[Branch]]:
        """Return all branches, including those without a name."""
        return call_for_page(Branch, f"{_PATH}/{thread_id}/branches", {})

    @operation
    def create(self, thread_id: str, name: str, *, from_message: str | None = None) -> Call[Branch]:
        """Create a branch at a message, by default at the current head."""
        body = without_nones(name=name, from_message=from_message)
        return call_as(Branch, "POST", f"{_PATH}/{thread_id}/branches", body=body)

    @operation
    def rename(self, thread_id: str, branch: str, name: str) -> Call[Branch]:
        """Rename a branch."""
        return call_as(Branch, "PATCH", f"{_PATH}/{thread_id}/branches/{branch}", body={"name": name})

    @operation
    def delete(self, thread_id: str, branch: str, *, take_back: bool = False) -> Call[Removed]:
        """Delete a branch; with `take_back`, forget what was learnt only from it."""
        path = f"{_PATH}/{thread_id}/branches/{branch}"
        return call_as(Removed, "DELETE", path, params={"take_back": take_back or None})

    @operation
    def clean_up(self, thread_id: str, *, keep: Sequence[str] = ()) -> Call[Removed]:
        """Delete all branches but these and the current one."""
        path = f"{_PATH}/{thread_id}/cleanup-branches"
        return call_as(Removed, "POST", path, body={"keep": keep}, repeatable=True)

    @operation
    def checkout(
        self, thread_id: str, *, branch: str | None = None, message: str | None = None
    ) -> Call[Thread]:
        """Switch to a branch, or to an earlier message."""
        body = without_nones(branch=branch, message=message)
        return call_as(Thread, "POST", f"{_PATH}/{thread_id}/checkout", body=body)

    @operation
    def undo(
        self, thread_id: str, *, count: int | None = None, message: str | None = None
    ) -> Call[UndoneMessages]:
        """Move the head back by so many messages, or to a message."""
        body = without_nones(count=count, message=message)
        path = f"{_PATH}/{thread_id}/undo"
        return call_as(UndoneMessages, "POST", path, body=body, repeatable=message is not None)

    @operation
    def compare(self, thread_id: str, left: str, right: str) -> Call[Comparison]:
        """Compare two branches from the last message they share."""
        params = {"left": left, "right": right}
        return call_as(Comparison, "GET", f"{_PATH}/{thread_id}/compare", params=params)

    @operation
    def take_back(self, thread_id: str, branch: str, *, dry_run: bool = False) -> Call[TakenBack]:
        """Forget what was learnt only from messages that no other branch reaches."""
        body = {"branch": branch, "dry_run": dry_run}
        return call_as(TakenBack, "POST", f"{_PATH}/{thread_id}/take-back", body=body)

    @operation
    def keep(self, thread_id: str, memories: Sequence[str], *, keep: bool = True) -> Call[Kept]:
        """Make memories visible in other threads, whichever branch is current."""
        body = {"memories": memories, "keep": keep}
        return call_as(Kept, "POST", f"{_PATH}/{thread_id}/keep", body=body, repeatable=True)

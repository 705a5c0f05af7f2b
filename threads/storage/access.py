"""Load one thread, branch or message of an owner.

A row that does not exist and a row of another owner raise the same NotFound.
"""

from __future__ import annotations

import re
from uuid import UUID

from django.db.models import Q

from memsite.errors import NotFound
from memsite.values import parse_id
from threads.models import Branch, Message, Thread
from threads.storage.path import load_path

_INDEX = re.compile(r"-?\d{1,9}")


def get_thread(thread_id: str | UUID, *, owner: UUID, lock: bool = False) -> Thread:
    """Return the owner's thread with its current branch, line and head. One query.

    Args:
        lock: Make other writers of this thread wait until the caller's transaction ends. One query more.

    Raises:
        NotFound: If the owner has no such thread.
    """
    identifier = thread_id if isinstance(thread_id, UUID) else parse_id(thread_id)
    found = _load_thread(identifier, owner, lock=lock) if identifier is not None else None
    if found is None:
        raise NotFound("There is no such thread.")
    return found


def _load_thread(thread_id: UUID, owner: UUID, *, lock: bool) -> Thread | None:
    rows = Thread.objects.filter(owner_id=owner, id=thread_id)
    if lock:
        # A separate statement: a row joined to the locked one may be from before the wait.
        rows.select_for_update(no_key=True).first()
    return rows.select_related("current_branch__line", "current_branch__head").first()


def get_branch(thread: Thread, reference: str) -> Branch:
    """Return a thread's branch by name or id. A branch without a name has an id only.

    Raises:
        NotFound: If the thread has no such branch.
    """
    identifier = parse_id(reference)
    named = Q(name=reference) if identifier is None else Q(name=reference) | Q(pk=identifier)
    rows = Branch.objects.filter(named, owner_id=thread.owner_id, thread=thread)
    found = rows.select_related("line", "head").first()
    if found is None:
        raise NotFound("This thread has no such branch.")
    return found


def get_message(thread: Thread, reference: str | UUID | int) -> Message:
    """Return a message by its id, anywhere in the thread, or by its index on the current branch. One query.

    Args:
        reference: Id, ours or else the client's, or index: 0 is the oldest message, -1 the newest.

    Raises:
        NotFound: If the thread has no such message.
    """
    rows = Message.objects.filter(owner_id=thread.owner_id, thread=thread)
    if isinstance(reference, int) or (isinstance(reference, str) and _INDEX.fullmatch(reference)):
        found = _at(thread, int(reference))
    else:
        identifier = reference if isinstance(reference, UUID) else parse_id(reference)
        named = rows.filter(Q(id=identifier) | Q(client_id=str(reference)))
        found = max(named, key=lambda row: row.pk == identifier, default=None)
    if found is None:
        raise NotFound("There is no such message in this thread.")
    return found


def _at(thread: Thread, index: int) -> Message | None:
    rows = Message.objects.filter(
        load_path(thread.current_branch).condition(), owner_id=thread.owner_id, thread=thread
    )
    order, offset = ("depth", index) if index >= 0 else ("-depth", -index - 1)
    return rows.order_by(order)[offset : offset + 1].first()

"""Stored messages that a request may repeat, as a tree in memory. Two statements at any size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from memsite.values import MessageRole
from threads.completions.history import Turn
from threads.conf import ALIGN_ROWS, ANCHOR_CHARACTERS
from threads.models import Line, Message, Thread
from threads.storage import build_path

_COMPARED: Final = 32  # stored messages that are compared with one turn
_CALL_CHARACTERS: Final = 12  # of the ids of tool calls that no other answer has
_VERIFIED: Final = 24  # turns before an answer that are compared

#: The place before the first message of a thread.
ROOT: Final = None


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A stored message that says what a turn of the request says."""

    id: UUID
    thread_id: UUID
    line_id: UUID
    parent_id: UUID | None
    depth: int
    key: UUID


@dataclass(frozen=True, slots=True)
class Support:
    """The evidence that a stored answer is the one in the request.

    Attributes:
        turns: How many turns, this one and those before it, are on the stored path.
        answers: How many of them are answers.
        run: How many turns right before it are the messages right before it, without a gap.
        characters: Of this turn and those of the run.
        is_whole: Whether the request agrees with the path from its root to this answer.
    """

    turns: int
    answers: int
    run: int
    characters: int
    is_whole: bool


@dataclass(slots=True)
class StoredTurns:
    """Stored messages of some threads."""

    by_key: dict[UUID, list[StoredTurn]] = field(default_factory=lambda: defaultdict(list))
    children: dict[tuple[UUID, UUID | None], list[StoredTurn]] = field(
        default_factory=lambda: defaultdict(list)
    )
    lines: dict[UUID, Line] = field(default_factory=dict)
    _paths: dict[UUID, dict[UUID, int]] = field(default_factory=dict)

    def list_same(self, turn: Turn) -> Sequence[StoredTurn]:
        """Return the stored messages that say the same, the newest first."""
        return self.by_key.get(turn.key, [])[:_COMPARED]

    def find_child(self, thread: Thread, parent: UUID | None, turn: Turn) -> StoredTurn | None:
        """Return the message after `parent` that says the same, preferably on the current branch."""
        found = [one for one in self.children.get((thread.pk, parent), []) if one.key == turn.key]
        head = thread.current_branch.head if thread.current_branch is not None else None
        if head is not None and len(found) > 1 and head.line_id in self.lines:
            path = self._get_path(head.line_id, head.depth, head.pk, thread.pk)
            found.sort(key=lambda one: one.depth > path.get(one.line_id, -1))
        return found[0] if found else None

    def skip_stored(
        self, thread: Thread, parent: UUID | None, turns: Sequence[Turn]
    ) -> tuple[UUID | None, int]:
        """Follow the turns down from a message as far as they are stored.

        Returns:
            The last stored message, and how many turns are stored.
        """
        for place, turn in enumerate(turns):
            found = self.find_child(thread, parent, turn)
            if found is None:
                return parent, place
            parent = found.id
        return parent, len(turns)

    def measure_support(self, turns: Sequence[Turn], place: int, stored: StoredTurn) -> Support:
        """Compare the turns before an answer with the messages before a stored one."""
        path = self._get_path(stored.line_id, stored.depth, stored.id, stored.thread_id)
        found, answers, run, last = 1, 1, 0, stored
        characters = len(turns[place].text)
        for before in range(place - 1, max(-1, place - 1 - _VERIFIED), -1):
            above = [
                one
                for one in self.list_same(turns[before])
                if one.thread_id == stored.thread_id
                and one.depth < last.depth
                and one.depth <= path.get(one.line_id, -1)
            ]
            if not above:
                continue
            nearest = max(above, key=lambda one: one.depth)
            if run == place - 1 - before and nearest.id == last.parent_id:
                run += 1
                characters += len(turns[before].text)
            last = nearest
            found += 1
            answers += turns[before].role == MessageRole.ASSISTANT
        is_whole = found == place + 1 and last.parent_id is None and stored.depth == place
        return Support(found, answers, run, characters, is_whole)

    def _get_path(self, line_id: UUID, depth: int, message: UUID, thread_id: UUID) -> dict[UUID, int]:
        """Return the path to a message: for each line, the depth of the last message."""
        if message not in self._paths:
            path = build_path(self.lines, line_id, depth, thread_id=thread_id)
            self._paths[message] = {one.line_id: one.through for one in path.segments}
        return self._paths[message]


def is_sure(turn: Turn, support: Support) -> bool:
    """Return whether an answer is enough to recognise a conversation.

    Enough are two answers, or one that is long together with what is right before it.

    Some servers number the calls of each answer from 0; only long ids are nobody else's.
    """
    calls = sum(map(len, turn.new.call_ids))
    return support.characters >= ANCHOR_CHARACTERS or calls >= _CALL_CHARACTERS or support.answers > 1


def load_stored_turns(
    thread_ids: Collection[UUID], turns: Sequence[Turn], *, owner: UUID, lines: bool = True
) -> StoredTurns:
    """Load the messages of these threads that say what one of the turns says. Two statements.

    Args:
        lines: Whether paths are needed; without them it is one statement.
    """
    found = StoredTurns()
    if not thread_ids or not turns:
        return found
    rows = Message.objects.filter(
        owner_id=owner, thread_id__in=list(thread_ids), content_key__in={turn.key for turn in turns}
    )
    columns = ("id", "thread_id", "line_id", "parent_id", "depth", "content_key")
    for values in rows.order_by("-id").values_list(*columns)[:ALIGN_ROWS]:
        stored = StoredTurn(*values)
        found.by_key[stored.key].append(stored)
        found.children[stored.thread_id, stored.parent_id].append(stored)
    if lines and found.by_key:
        found.lines = Line.objects.filter(owner_id=owner, thread_id__in=list(thread_ids)).in_bulk()
    return found

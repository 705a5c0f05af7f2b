"""Describe the messages from the root to a head as ranges, without walking from message to message.

A line is a run of messages without a fork. A path is a sequence of segments, each the beginning of one line.
What several branches reach together is one depth for each line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from threads.models import Branch, Line, Message


@dataclass(frozen=True, slots=True)
class Segment:
    """The messages of one line up to a depth.

    Attributes:
        thread_id: Id of the line's thread, which the database index starts with.
        through: Depth of the last message.
    """

    thread_id: UUID
    line_id: UUID
    through: int


@dataclass(frozen=True, slots=True)
class Path:
    """The path to a head; no segments if there is no message yet."""

    segments: tuple[Segment, ...] = ()

    def condition(self, field: str = "") -> Q:
        """Return the condition of the messages on the path.

        Args:
            field: Prefix of the lookup that leads to the message, such as `last_message__`.
        """
        if len(self.segments) > 1:  # a page from the head starts there, however deep other lines are
            deepest = max(segment.through for segment in self.segments)
            return Q(**{f"{field}depth__lte": deepest}) & self._any_segment(field)
        return self._any_segment(field)

    def written(self, alias: str) -> tuple[str, list[UUID | int]]:
        """Return the condition as SQL on the message table's `alias`, and its parameters.

        The condition is `false` if there are no messages.
        """
        if not self.segments:
            return "false", []
        deepest = max(segment.through for segment in self.segments)
        values: list[UUID | int] = [self.segments[0].thread_id, deepest]
        for segment in self.segments:
            values += [segment.line_id, segment.through]
        any_of = " OR ".join([f"({alias}.line_id = %s AND {alias}.depth <= %s)"] * len(self.segments))
        return f"{alias}.thread_id = %s AND {alias}.depth <= %s AND ({any_of})", values

    def _any_segment(self, field: str) -> Q:
        found = Q(pk__in=[])
        for segment in self.segments:
            wanted = {
                "thread_id": segment.thread_id,
                "line_id": segment.line_id,
                "depth__lte": segment.through,
            }
            found |= Q(**{f"{field}{name}": value for name, value in wanted.items()})
        return found


def load_path(branch: Branch | None) -> Path:
    """Return the path to a branch's head. One query more if it forked from another line.

    The branch's line and head should be loaded.
    """
    if branch is None or branch.head is None:
        return Path()
    head = branch.head
    return load_path_to(head, branch.line if branch.line_id == head.line_id else None)


def load_path_to(message: Message, line: Line | None = None) -> Path:
    """Return the path to a message. One query more if its line forked from another.

    Args:
        line: The message's line, if loaded.
    """
    own = line or message.line
    lines = {own.pk: own} if own.origin_id is None else load_lines(message.thread_id, owner=message.owner_id)
    return build_path(lines, message.line_id, message.depth, thread_id=message.thread_id)


def build_path(lines: Mapping[UUID, Line], line_id: UUID, depth: int, *, thread_id: UUID) -> Path:
    """Return the path to the position (line, depth), nearest segment first.

    Args:
        lines: Lines by id; must contain all lines of the path.
    """
    segments = [Segment(thread_id, line_id, depth)]
    line = lines[line_id]
    while line.origin_id is not None:
        segments.append(Segment(thread_id, line.origin_id, min(line.fork_depth, segments[-1].through)))
        line = lines[line.origin_id]
    return Path(tuple(segments))


def load_lines(thread_id: UUID, *, owner: UUID) -> dict[UUID, Line]:
    """Return all lines of a thread by id."""
    return Line.objects.filter(owner_id=owner, thread_id=thread_id).in_bulk()


#: For each line, the depth of the last reachable message.
Reachable = Mapping[UUID, int]


def find_reachable(branches: Iterable[Branch], lines: Mapping[UUID, Line]) -> Reachable:
    """Return what these branches reach together. Their heads must be loaded. No query."""
    reachable: dict[UUID, int] = {}
    for branch in branches:
        if branch.head is None:
            continue
        path = build_path(lines, branch.head.line_id, branch.head.depth, thread_id=branch.thread_id)
        for segment in path.segments:
            reachable[segment.line_id] = max(reachable.get(segment.line_id, -1), segment.through)
    return reachable


def condition(reachable: Reachable, *, beyond: Reachable | None = None) -> Q:
    """Return the condition of the messages that are in `reachable` but not in `beyond`.

    Matches nothing if `reachable` is empty.
    """
    found = Q(pk__in=[])
    for line_id, through in reachable.items():
        after = -1 if beyond is None else beyond.get(line_id, -1)
        if through > after:
            found |= Q(line_id=line_id, depth__gt=after, depth__lte=through)
    return found


def branches_of(thread_id: UUID, *, owner: UUID) -> list[Branch]:
    """Return all branches of a thread with their heads, the oldest first. One query."""
    rows = Branch.objects.filter(owner_id=owner, thread_id=thread_id)
    return list(rows.select_related("head", "line").order_by("created_at", "id"))

"""Which messages lie on the way from the root to a head, without walking from one to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from threads.models import Branch, Line, Message


@dataclass(frozen=True, slots=True)
class Segment:
    """The messages of one line up to a depth; thread_id: of its thread, for the index to begin with."""

    thread_id: UUID
    line_id: UUID
    through: int


@dataclass(frozen=True, slots=True)
class Path:
    """The way to a head; no segments where there is no message yet."""

    segments: tuple[Segment, ...] = ()

    def condition(self, field: str = "") -> Q:
        """Which messages lie on it. field: prefix that leads to the message, such as `last_message__`."""
        if len(self.segments) > 1:  # lets a page from the head down begin there, however deep other lines go
            deepest = max(segment.through for segment in self.segments)
            return Q(**{f"{field}depth__lte": deepest}) & self._any_segment(field)
        return self._any_segment(field)

    def written(self, alias: str) -> tuple[str, list[UUID | int]]:
        """The same as SQL on the message table's `alias`, and its parameters; false where there is none."""
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


def path_of(branch: Branch | None) -> Path:
    """The path to a branch's head; its line and head should be loaded. One query more where it forks off."""
    if branch is None or branch.head is None:
        return Path()
    head = branch.head
    return path_to(head, branch.line if branch.line_id == head.line_id else None)


def path_to(message: Message, line: Line | None = None) -> Path:
    """The path to a message. line: its own, if loaded. One query more where that forks off."""
    own = line or message.line
    lines = {own.pk: own} if own.origin_id is None else lines_of(message.thread_id, owner=message.owner_id)
    return path_along(lines, message.line_id, message.depth, thread_id=message.thread_id)


def path_along(lines: Mapping[UUID, Line], line_id: UUID, depth: int, *, thread_id: UUID) -> Path:
    """The path to the place (line, depth), nearest segment first; `lines` holds those it leads over."""
    segments = [Segment(thread_id, line_id, depth)]
    line = lines[line_id]
    while line.origin_id is not None:
        segments.append(Segment(thread_id, line.origin_id, min(line.fork_depth, segments[-1].through)))
        line = lines[line.origin_id]
    return Path(tuple(segments))


def lines_of(thread_id: UUID, *, owner: UUID) -> dict[UUID, Line]:
    """All lines of a thread."""
    return Line.objects.filter(owner_id=owner, thread_id=thread_id).in_bulk()

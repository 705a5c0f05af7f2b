"""Which messages lie on the way from the root to a head, without walking from one to the next."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from threads.models import Branch, Line


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
    segments = [Segment(branch.thread_id, branch.line_id, branch.head.depth)]
    line = branch.line
    if line.origin_id is not None:
        lines = Line.objects.filter(owner_id=branch.owner_id, thread_id=branch.thread_id).in_bulk()
        while line.origin_id is not None:
            through = min(line.fork_depth, segments[-1].through)
            segments.append(Segment(branch.thread_id, line.origin_id, through))
            line = lines[line.origin_id]
    return Path(tuple(segments))

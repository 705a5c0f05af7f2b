"""Read what a context starts from in one statement: thread, preferences, task state and position of the head.

The SQL is written by hand, as in `recent_messages` and `nearest_summary`: the ORM took longer to compose
these statements than the database took to execute them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import connection

from memsite.errors import NotFound
from memsite.values import parse_id
from threads.models import Message
from threads.storage import Path, Segment, build_path, load_lines, load_path_to
from threads.summarization import TaskStateContent

# Constraints guarantee that a branch, a head and a line belong to the thread's owner, so joins by id suffice.
_OPENING: Final = """
SELECT t.id, t.system_prompt, t.is_temporary, coalesce(p.memory_on, true), coalesce(p.citations_on, true),
    coalesce(t.settings ->> 'model', ''),
    s.current_goal, s.completed_steps, s.pending_steps, s.key_findings, h.line_id, h.depth, l.origin_id
FROM threads_thread AS t
LEFT JOIN accounts_preferences AS p ON p.owner_id = t.owner_id
LEFT JOIN threads_taskstate AS s ON s.owner_id = t.owner_id AND s.thread_id = t.id
LEFT JOIN threads_branch AS b ON b.id = t.current_branch_id
LEFT JOIN threads_message AS h ON h.id = b.head_id
LEFT JOIN threads_line AS l ON l.id = h.line_id
WHERE t.owner_id = %s AND t.id = %s
"""


@dataclass(frozen=True, slots=True)
class ContextStart:
    """The data of a thread from which a context is assembled.

    Attributes:
        recalls: Whether long-term memory is searched at all.
        shows_citations: Whether the person's preferences show citations.
        model: Model name in the thread's settings; "" for the site's model.
        path: Path to the thread's head.
    """

    owner: UUID
    thread_id: UUID
    system_prompt: str
    recalls: bool
    shows_citations: bool
    model: str
    state: TaskStateContent
    path: Path


def load_context_start(thread_id: str | UUID, *, owner: UUID, head: Message | None = None) -> ContextStart:
    """Read the data from which a context starts. One query, and one more if the head's line forked.

    Args:
        head: Message to continue from; by default the head of the current branch.

    Raises:
        NotFound: If the owner has no such thread.
    """
    identifier = thread_id if isinstance(thread_id, UUID) else parse_id(thread_id)
    with connection.cursor() as cursor:
        cursor.execute(_OPENING, [owner, identifier])
        row = cursor.fetchone()
    if row is None:
        raise NotFound("There is no such thread.")
    found, prompt, is_temporary, memory_on, citations_on, model, *state = row[:10]
    path = load_path_to(head) if head is not None else _path(found, *row[10:], owner=owner)
    recalls = memory_on and not is_temporary
    return ContextStart(owner, found, prompt, recalls, citations_on, model, _state(*state), path)


def _path(thread_id: UUID, line: UUID | None, depth: int, origin: UUID | None, *, owner: UUID) -> Path:
    if line is None:
        return Path()
    if origin is None:
        return Path((Segment(thread_id, line, depth),))
    return build_path(load_lines(thread_id, owner=owner), line, depth, thread_id=thread_id)


def _state(goal: str | None, *lists: str | None) -> TaskStateContent:
    return TaskStateContent(goal or "", *(tuple(json.loads(one)) if one else () for one in lists))

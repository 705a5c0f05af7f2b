"""Convert query parameters to a selection of messages."""

from __future__ import annotations

from threads.api.shapes.threads import CountQuery
from threads.messages import Selection, select_messages
from threads.models import Thread


def build_selection(thread: Thread, query: CountQuery) -> Selection:
    """Return the selection that a query describes."""
    return select_messages(
        thread,
        branch=query.branch,
        roles=query.role if isinstance(query.role, list) else [query.role],
        before=query.before,
        after=query.after,
        since=query.since,
        until=query.until,
    )

"""Log what happens to threads in the event log of their owner."""

from __future__ import annotations

from memsite.accounts.preferences import get_preferences
from memsite.events.log import NewEvents, log_events
from memsite.events.types import LoggedType
from threads.models import Thread


def log_thread_event(
    thread: Thread, event: LoggedType = LoggedType.THREAD_UPDATED, *, action: str = "", actor: str = ""
) -> None:
    """Log an event of a thread when the present transaction commits.

    Of a temporary thread, and while the person has switched memory off, nothing is logged. One query.

    Args:
        action: What was done; never a text of a person.
        actor: Who did it.
    """
    if not thread.is_temporary and get_preferences(thread.owner_id).memory_on:
        log_remembered_event(thread, event, action=action, actor=actor)


def log_remembered_event(
    thread: Thread, event: LoggedType = LoggedType.THREAD_UPDATED, *, action: str = "", actor: str = ""
) -> None:
    """Log an event of a thread that is not temporary, of a person whose memory is on. No query."""
    log_events(NewEvents(thread.owner_id, event, thread_id=thread.pk, action=action, actor=actor))

"""A sample person with a year of threads in English and Chinese."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from django.utils import timezone

from memsite.accounts.deletion import delete_person
from memsite.accounts.models import User
from memsite.errors import Conflict
from memsite.serving.postgres import acting_for
from memsite.values import MessageRole
from threads.messages import NewMessage, append_messages, create_thread
from threads.models import Thread

USERNAME: Final = "sample-mei"
#: Distinguishes the sample person from a person with the same name. No mail reaches such an address.
EMAIL: Final = "sample-mei@memsite.invalid"
_YEAR: Final = Path(__file__).with_name("sample_year.jsonl")


def create_sample_person(password: str) -> User:
    """Create the sample person.

    Raises:
        Conflict: If the name is taken.
    """
    if User.objects.filter(username=USERNAME).exists():
        raise Conflict(f"There is a person {USERNAME} already; --remove removes the sample.")
    return User.objects.create_user(username=USERNAME, email=EMAIL, password=password)


def write_year(person: User, *, now: datetime | None = None) -> Iterator[int]:
    """Write the threads, oldest first. The worker learns from them as from any others.

    Yields:
        The number of messages of each thread.
    """
    now = now or timezone.now()
    for line in _YEAR.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        begun = now - timedelta(days=entry["days_ago"])
        messages = [
            NewMessage(
                role=MessageRole.ASSISTANT if number % 2 else MessageRole.USER,
                content=content,
                created_at=begun + timedelta(minutes=number),
            )
            for number, content in enumerate(entry["turns"])
        ]
        with acting_for(person.pk):
            thread = create_thread(owner=person.pk)
            append_messages(thread.pk, messages, owner=person.pk)
            _set_dates(thread, begun, begun + timedelta(minutes=len(messages)))
        yield len(messages)


def _set_dates(thread: Thread, begun: datetime, ended: datetime) -> None:
    """Set the dates of a thread to those of its messages, so that the list of threads shows the year."""
    thread.refresh_from_db()
    thread.created_at, thread.updated_at = begun, ended
    thread.save(update_fields=["created_at", "updated_at"])


def remove_sample_person() -> bool:
    """Delete the sample person with all their rows. Return False if there is none."""
    person = User.objects.filter(username=USERNAME, email=EMAIL).first()
    if person is None:
        return False
    delete_person(person)
    return True

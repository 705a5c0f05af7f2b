"""Tables of the event log: the entries, and the counters that number them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Q

from memsite.values import new_id


class EventCounter(models.Model):
    """One owner's counter. It is locked right before a commit, so numbers are given in commit order.

    Attributes:
        application: The application whose end user the owner is.
        last: The number of the owner's last event.
        logged_at: The time of that event; the times of a log never go back.
        watched_until: Until when an open stream wants to be notified of new events.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False, editable=False
    )
    application = models.ForeignKey(
        "accounts.Application",
        on_delete=models.DO_NOTHING,
        null=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    last = models.BigIntegerField(default=0)
    logged_at = models.DateTimeField()
    watched_until = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "id"], name="events_eventcounter_owner_id"),
            models.UniqueConstraint(fields=["owner"], name="events_eventcounter_one_an_owner"),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id} at {self.last}"


class LogEntry(models.Model):
    """Consecutive events of one type and act: one for each id, numbered from `first` to `last`.

    So a batch of a thousand new memories is one row. It holds ids and names of acts, never a text. The owner
    needs no constraint of its own: the owner's counter, which every entry moves, has one.

    Attributes:
        memory_ids: The memory of each event; null where the event is about none.
        action: What was done, where the type says less than is of use.
        application: The application whose end user the owner is.
        application_last: The number of the last event in the order of the application; null until somebody
            asks for that order.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
        db_constraint=False,
        editable=False,
    )
    first = models.BigIntegerField()
    last = models.BigIntegerField()
    type = models.CharField(max_length=32)
    memory_ids = ArrayField(models.UUIDField(null=True))
    thread_id = models.UUIDField(null=True)
    action = models.CharField(max_length=64, blank=True, default="")
    batch_id = models.UUIDField(null=True)
    actor = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField()
    application = models.ForeignKey(
        "accounts.Application",
        on_delete=models.DO_NOTHING,
        null=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    application_last = models.BigIntegerField(null=True)

    class Meta:
        verbose_name_plural = "log entries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "id"], name="events_logentry_owner_id"),
            models.UniqueConstraint(fields=["owner", "last"], name="events_logentry_last"),
            models.CheckConstraint(condition=Q(last__gte=F("first")), name="events_logentry_counts_up"),
        ]
        indexes: ClassVar = [
            # What follows does not lead with the owner: an application reads across its end users, and the
            # schedule deletes what is old.
            models.Index(
                fields=["application", "application_last"],
                name="events_logentry_application",
                condition=Q(application_last__isnull=False),
            ),
            models.Index(
                fields=["application", "created_at"],
                name="events_logentry_unnumbered",
                condition=Q(application__isnull=False, application_last__isnull=True),
            ),
            BrinIndex(fields=["created_at"], name="events_logentry_age"),
        ]

    def __str__(self) -> str:
        return f"{self.last} {self.type}"


class ApplicationCounter(models.Model):
    """The counter of an application's own order over the events of all its end users.

    Attributes:
        since: When somebody first asked for this order; earlier events are not part of it.
        watched_until: Until when an open stream wants to be notified of new events.
    """

    application = models.OneToOneField(
        "accounts.Application", on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    last = models.BigIntegerField(default=0)
    since = models.DateTimeField()
    watched_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.application_id} at {self.last}"


class StreamClaim(models.Model):
    """The claim of one open stream, so that a holder has few of them in all processes of the site.

    Attributes:
        holder: A name for a key or a person: `key:<id>`.
        expires_at: When the claim ends unless its process renews it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    holder = models.CharField(max_length=64)
    expires_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["holder"], name="events_streamclaim_holder")]

    def __str__(self) -> str:
        return self.holder

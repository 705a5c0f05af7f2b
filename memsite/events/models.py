"""Tables of the event log: the entries, the counters that number them, and the webhooks that receive them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Q

from memsite.events.types import DeliveryStatus, OffReason, Payload
from memsite.values import new_id


class EventCounter(models.Model):
    """One owner's counter. It is locked right before a commit, so numbers are given in commit order.

    Attributes:
        application: The application whose end user the owner is.
        last: The number of the owner's last event.
        logged_at: The time of that event; the times of a log never go back.
        watched_until: Until when an open stream wants to be notified of new events.
        has_webhooks: Whether a webhook of the owner is on, so that a writer queues its deliveries.
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
    has_webhooks = models.BooleanField(default=False, db_default=False)

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


class Webhook(models.Model):
    """An address of an owner's choice to which the site sends the owner's events.

    Attributes:
        types: Patterns of the types that are sent; none means all.
        secret: The secret that signs, encrypted.
        previous_secret: The secret before the last change, encrypted; it signs, too, until `previous_until`.
        off_since: Since when nothing is sent; null while the webhook is on.
        cursor: The number of the last event that has become a delivery, or that was left out.
        failures: Attempts that failed since the last one that succeeded.
        failing_since: When the first of these failed.
        paused_until: When the next attempt may be made; null: at once.
        attempted_at: When the last attempt was made.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False, editable=False
    )
    url = models.CharField(max_length=2000)
    types = ArrayField(models.CharField(max_length=64), default=list)
    payload = models.CharField(max_length=8, choices=Payload.choices(), default=Payload.THIN)
    secret = models.TextField(editable=False)
    previous_secret = models.TextField(blank=True, default="", editable=False)
    previous_until = models.DateTimeField(null=True)
    off_since = models.DateTimeField(null=True)
    off_reason = models.CharField(max_length=16, choices=OffReason.choices(), blank=True, default="")
    cursor = models.BigIntegerField()
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    paused_until = models.DateTimeField(null=True)
    attempted_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "id"], name="events_webhook_owner_id"),
            models.CheckConstraint(
                condition=Q(off_since__isnull=True, off_reason="")
                | Q(off_since__isnull=False, off_reason__in=list(OffReason)),
                name="events_webhook_off_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def is_on(self) -> bool:
        """Whether events are sent."""
        return self.off_since is None


class WebhookDelivery(models.Model):
    """One event on its way to one webhook. It holds ids; a memory is looked up when it is sent.

    Attributes:
        number: The number of the event; null for a test and for a reset.
        data: The event as the stream of events sends it.
        attempts: Attempts since the delivery was last begun.
        next_attempt_at: When it is tried, while it is pending.
        attempted_at: When the last attempt was made. The fields that follow are that attempt's.
        status_code: HTTP status of the answer; null if there was none.
        error: Why the attempt failed, as one of `sending.Failure`.
        response: The beginning of the answer's body, without secrets.
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
    # The constraint (owner, webhook) is created by the migration's SQL; the database cascades.
    webhook = models.ForeignKey(
        Webhook, on_delete=models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False
    )
    number = models.BigIntegerField(null=True)
    type = models.CharField(max_length=32)
    data = models.JSONField()
    status = models.CharField(max_length=16, choices=DeliveryStatus.choices(), default=DeliveryStatus.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    next_attempt_at = models.DateTimeField()
    attempted_at = models.DateTimeField(null=True)
    duration_ms = models.PositiveIntegerField(null=True)
    status_code = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=16, blank=True, default="")
    response = models.TextField(blank=True, default="")

    class Meta:
        verbose_name_plural = "webhook deliveries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "id"], name="events_webhookdelivery_owner_id"),
            models.UniqueConstraint(
                fields=["owner", "webhook", "number"], name="events_webhookdelivery_once"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["owner", "webhook", "next_attempt_at"],
                name="events_webhookdelivery_due",
                condition=Q(status=DeliveryStatus.PENDING),
            ),
            models.Index(fields=["owner", "webhook", "created_at", "id"], name="events_webhookdelivery_list"),
            BrinIndex(fields=["created_at"], name="events_webhookdelivery_age"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.status}"

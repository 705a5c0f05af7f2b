from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext

from memsite.accounts.owned import Owned, within_owner
from memsite.accounts.preferences import get_preferences


class Thread(Owned):
    """One conversation. A temporary thread neither reads nor writes long-term memory.

    Appending locks this row, so that the messages of one thread are appended one after the other.

    Attributes:
        external_id: The id that a program gave this conversation; null: none. Unique for the owner.
        extracted_after: Id of the last message before those of the latest extraction on demand.
        extracted_through: Id of the last message of the latest extraction on demand. Ids grow with time, on
            any branch.
        application_id: Id of the application whose key began it; null: a person's own key, or the pages.
        resends_history: Whether its client sends the whole history with each request, as its requests showed;
            null: none has shown it.
    """

    title = models.CharField(max_length=200, blank=True, default="")
    #: Whether a person or program set it; otherwise it is made from the first message.
    title_is_given = models.BooleanField(default=False)
    external_id = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - null: none given; only given ones are unique
    system_prompt = models.TextField(blank=True, default="")
    is_temporary = models.BooleanField(default=False)
    metadata = models.JSONField(default=dict, blank=True)
    application_id = models.UUIDField(null=True, editable=False)
    resends_history = models.BooleanField(null=True, editable=False)
    current_branch = within_owner("threads.Branch", null=True)
    settings = models.JSONField(default=dict, blank=True)
    extracted_after = models.UUIDField(null=True, editable=False)
    extracted_through = models.UUIDField(null=True, editable=False)
    summarised_through = models.UUIDField(null=True, editable=False)
    last_message_at = models.DateTimeField(null=True, editable=False)
    closed_at = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta(Owned.Meta):
        ordering: ClassVar = ["-updated_at", "-id"]
        constraints: ClassVar = [
            *Owned.Meta.constraints,
            models.UniqueConstraint(
                fields=["owner", "external_id"], name="threads_thread_external_id_unique"
            ),
            models.CheckConstraint(condition=~Q(external_id=""), name="threads_thread_external_id_filled"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["owner", "updated_at", "id"], name="threads_thread_updated")
        ]

    def __str__(self) -> str:
        return self.title or gettext("untitled thread")

    @cached_property
    def is_remembered(self) -> bool:
        """Whether memory learns from the thread: it is not temporary, and the person's memory is on.

        One query, the first time. Ask the preferences themselves where the answer may have changed since.
        """
        return not self.is_temporary and get_preferences(self.owner_id).memory_on

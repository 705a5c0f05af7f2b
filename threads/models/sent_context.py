from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from memsite.accounts.owned import Owned, within_owner


class SentContext(Owned):
    """The context that a model was sent for a question; `id` is the id of the context.

    Messages and memories are references, so that no text of theirs is stored twice: what is deleted or erased
    is gone from here, too. The other texts exist nowhere else as they were sent.

    Attributes:
        question: The message that was the input.
        messages: [[id, characters]] of the recent messages, oldest first; characters is null for a whole one.
        memories: In the order in which they were sent.
        requirements: The memories that every answer must respect, in the order in which they were sent.
        mark: The number in the fence around the memories.
        left_out: [{"memory", "reason", "relevance", "tokens"}] of memories that were considered.
        digest: Hash of the messages as they were sent.
    """

    thread = within_owner("threads.Thread")
    question = within_owner("threads.Message")
    system_prompt = models.TextField(blank=True, default="")
    summary = models.TextField(blank=True, default="")
    task_state = models.TextField(blank=True, default="")
    messages = models.JSONField(default=list)
    memories = ArrayField(models.UUIDField(), default=list)
    requirements = ArrayField(models.UUIDField(), default=list)
    mark = models.CharField(max_length=64, blank=True, default="")
    left_out = models.JSONField(default=list)
    summarised = models.IntegerField(default=0)
    token_stats = models.JSONField(default=dict)
    budget = models.JSONField(default=dict)
    notes = models.JSONField(default=dict)
    digest = models.BinaryField(max_length=16)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(Owned.Meta):
        constraints: ClassVar = [*Owned.Meta.constraints]
        indexes: ClassVar = [models.Index(fields=["owner", "question"], name="threads_sentcontext_question")]

    def __str__(self) -> str:
        return f"context sent for {self.question_id}"

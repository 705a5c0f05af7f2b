"""Answer what the memory engine asks about threads: sources, citations, erasure, hidden memories."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q
from django.urls import NoReverseMatch, reverse

from memories.ports import CitationPlace, LearningCounts, RecallCounts, SourceText
from memsite.jobs.models import Job, Status
from memsite.llm.chat import AnswerSource
from memsite.values import MessageRole
from threads.compaction import load_whole_content
from threads.models import (
    Citation,
    CitationRole,
    Learning,
    Message,
    SentContext,
    TaskState,
    TaskStateWriter,
    ThreadSummary,
)
from threads.storage import LEARN_TASK, clear_sent_texts
from threads.visibility.hidden import find_hidden_memories
from threads.visibility.provenance import (
    get_speaker_name,
    list_source_threads,
    make_reference,
    parse_references,
)


class ThreadSources:
    """Implementation of `memories.ports.MemorySources`."""

    def sources(self, references: Sequence[str], *, owner: UUID) -> list[SourceText]:
        """Return the source messages, oldest first. Deleted ones are left out. Three queries at most."""
        ids = parse_references(references)
        found = Message.objects.filter(owner_id=owner, id__in=ids)
        rows = list(found.order_by("created_at", "id")) if ids else []
        whole = load_whole_content(rows, owner=owner)
        user = get_speaker_name(owner) if ids else ""
        return [
            SourceText(
                reference=make_reference(row.pk),
                text=whole[row.pk],
                speaker=user if row.role == MessageRole.USER else row.role,
                at=row.created_at,
                url=_thread_page(row.thread_id, row.pk),
            )
            for row in rows
        ]

    def citations(
        self, memory_ids: Collection[UUID], *, owner: UUID, most: int | None = None
    ) -> list[CitationPlace]:
        """Return the contexts that contained these memories, newest first, with their threads. One query."""
        rows = Citation.objects.filter(owner_id=owner, memory_id__in=list(memory_ids))
        newest = rows.select_related("thread").order_by("-created_at", "-id")[:most]
        return [
            CitationPlace(
                row.memory_id,
                row.created_at,
                row.relevance,
                _thread_page(row.thread_id, row.message_id),
                row.thread.title,
                is_respected=row.role == CitationRole.RESPECTED,
            )
            for row in newest
        ]

    def count_citations(self, memory_ids: Collection[UUID], *, owner: UUID) -> int:
        """Return how many contexts contained these memories. One query."""
        return Citation.objects.filter(owner_id=owner, memory_id__in=list(memory_ids)).count()

    def on_erase(self, memory_ids: Collection[UUID], *, owner: UUID) -> Mapping[str, int]:
        """Delete what was derived from erased memories, and return the counts.

        Deletes their citations and, in the threads they were learnt in, the summaries and the task states
        that summaries wrote; both are made again when due. What models were sent refers to memories by id,
        and loses its copies of those summaries. Messages are the user's own and stay.
        """
        citations, _ = Citation.objects.filter(owner_id=owner, memory_id__in=list(memory_ids)).delete()
        threads = list_source_threads(memory_ids, owner=owner)
        summaries, _ = ThreadSummary.objects.filter(owner_id=owner, thread_id__in=threads).delete()
        kept_up = TaskState.objects.filter(
            owner_id=owner, thread_id__in=threads, written_by=TaskStateWriter.SUMMARY
        )
        states, _ = kept_up.delete()
        contexts = clear_sent_texts(threads, owner=owner)
        return {
            "citations": citations,
            "summaries": summaries,
            "task_states": states,
            "sent_contexts": contexts,
        }

    def tables(self) -> Collection[str]:
        """Return the tables that `on_erase` removes text from."""
        return tuple(model._meta.db_table for model in (Citation, SentContext, ThreadSummary, TaskState))

    def hidden(self, thread: UUID | None, *, owner: UUID) -> frozenset[UUID]:
        """Return what was learnt on abandoned branches."""
        return find_hidden_memories(thread, owner=owner)

    def learning_counts(self, since: datetime, *, owner: UUID) -> LearningCounts:
        """Return how many batches were learnt from, and how many learning jobs failed for good.

        Two queries.
        """
        batches = Learning.objects.filter(owner_id=owner, created_at__gte=since).aggregate(
            batches=Count("id"),
            answered=Count("id", filter=Q(source=AnswerSource.LLM)),
            fell_back=Count("id", filter=~Q(source=AnswerSource.LLM) & ~Q(error="")),
        )
        dead = Job.objects.filter(owner_id=owner, task=LEARN_TASK, status=Status.DEAD, finished_at__gte=since)
        return LearningCounts(**batches, failed=dead.count())

    def recall_counts(self, since: datetime, *, owner: UUID) -> RecallCounts:
        """Return the numbers of citations, of their contexts and memories, and of ratings. One query.

        Requirements are in every context, whether anything is recalled or not, so only their ratings count.
        """
        recalled = Q(role=CitationRole.RECALLED)
        counts = Citation.objects.filter(owner_id=owner, created_at__gte=since).aggregate(
            all=Count("id", filter=recalled),
            contexts=Count("context_id", distinct=True, filter=recalled),
            memories=Count("memory_id", distinct=True, filter=recalled),
            liked=Count("id", filter=Q(useful=True)),
            disliked=Count("id", filter=Q(useful=False)),
        )
        return RecallCounts(
            citations=counts["all"],
            contexts=counts["contexts"],
            memories=counts["memories"],
            useful=counts["liked"],
            useless=counts["disliked"],
        )


def _thread_page(thread_id: UUID, message_id: UUID | None) -> str:
    try:
        page = reverse("thread", args=[thread_id])
    except NoReverseMatch:
        return ""
    return f"{page}?message={message_id}#message-{message_id}" if message_id else page

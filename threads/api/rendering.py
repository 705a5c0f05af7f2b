"""Render threads, messages and contexts as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from memories.api.rendering import format_time, memory_json
from memsite.jobs.models import Job
from threads.compaction import load_whole_content
from threads.context import Context, Preview
from threads.learning import LearningOutcome
from threads.messages import CutMessage, RemovedMessages
from threads.models import Message, Thread


def thread_json(thread: Thread) -> dict[str, Any]:
    """Return a thread with every field; its current branch must be loaded."""
    branch = thread.current_branch
    return {
        "id": str(thread.pk),
        "owner": str(thread.owner_id),
        "external_id": thread.external_id,
        "title": thread.title,
        "system_prompt": thread.system_prompt,
        "is_temporary": thread.is_temporary,
        "metadata": thread.metadata,
        "branch": branch.name if branch is not None else None,
        "created_at": format_time(thread.created_at),
        "updated_at": format_time(thread.updated_at),
        "last_message_at": format_time(thread.last_message_at),
        "closed_at": format_time(thread.closed_at),
    }


def message_json(message: Message) -> dict[str, Any]:
    """Return a message with every field."""
    return {
        "id": str(message.pk),
        "thread": str(message.thread_id),
        "parent": str(message.parent_id) if message.parent_id else None,
        "role": message.role,
        "content": message.content,
        "tool_calls": message.tool_calls,
        "tool_call_id": message.tool_call_id or None,
        "state": message.state,
        "token_count": message.token_count,
        "is_compacted": message.is_compacted,
        "client_id": message.client_id,
        "do_not_remember": message.do_not_remember,
        "created_at": format_time(message.created_at),
    }


def whole_content_json(message: Message) -> dict[str, Any]:
    """Return a message with its original content.

    `token_count` is that of the stored content, which may be a pointer.
    """
    return message_json(message) | {
        "content": load_whole_content([message], owner=message.owner_id)[message.pk]
    }


def cut_json(cut: CutMessage) -> dict[str, Any]:
    """Return a message whose content may have been cut to fit."""
    return message_json(cut.message) | {"content": cut.content, "token_count": cut.token_count}


def removed_json(removed: RemovedMessages) -> dict[str, Any]:
    """Return what was deleted and forgotten."""
    return {
        "messages": removed.messages,
        "forgotten": [str(memory_id) for memory_id in removed.forgotten],
        "batch_id": str(removed.batch_id) if removed.batch_id else None,
    }


def job_json(job: Job) -> dict[str, Any]:
    """Return a job, without its arguments."""
    return {
        "id": str(job.pk),
        "task": job.task,
        "status": job.status,
        "attempts": job.attempts,
        "error": job.error or None,
        "created_at": format_time(job.created_at),
        "started_at": format_time(job.started_at),
        "finished_at": format_time(job.finished_at),
    }


def outcome_json(outcome: LearningOutcome) -> dict[str, Any]:
    """Return what was learnt."""
    return {
        "status": outcome.status,
        "source": outcome.source,
        "error": outcome.error,
        "memories": [
            {
                "action": result.action,
                "memory": None if result.memory is None else memory_json(result.memory),
                "reason": result.reason,
                "batch_id": None if result.batch_id is None else str(result.batch_id),
            }
            for result in outcome.results
        ],
    }


def context_json(context: Context) -> dict[str, Any]:
    """Return a context; in Anthropic's format `system` is separate from the messages."""
    answer: dict[str, Any] = {
        "messages": list(context.messages),
        "token_stats": context.token_stats.as_json(),
        "metadata": _metadata_json(context),
        "citations": [
            {
                "id": str(cited.id),
                "memory_id": str(cited.memory_id),
                "content": cited.content,
                "role": cited.role,
                "score": cited.score,
                "relevance": cited.relevance,
                "why": cited.why,
            }
            for cited in context.citations
        ],
    }
    if context.preview is not None:
        answer["preview"] = _preview_json(context.preview)
    return answer if context.shape == "openai" else {**answer, "system": context.system or ""}


def _preview_json(preview: Preview) -> dict[str, Any]:
    return {
        "parts": [asdict(part) for part in preview.parts],
        "flows": [asdict(flow) for flow in preview.flows],
        "memories": [
            {
                "memory_id": str(one.memory_id),
                "content": one.content,
                "relevance": one.relevance,
                "tokens": one.tokens,
                "included": one.is_in,
                "reason": one.reason,
            }
            for one in preview.memories
        ],
    }


def _metadata_json(context: Context) -> dict[str, Any]:
    return {
        "context_id": str(context.id),
        "included_messages": context.included_messages,
        "summarised_messages": context.summarised_messages,
        "summary_used": context.summary_used,
        "memories_retrieved": context.memories_retrieved,
        "encoding": context.encoding,
        "degraded": sorted(context.degraded),
        "notes": context.notes,
        "budget": context.budget.as_json(),
    }

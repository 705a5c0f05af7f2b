"""Views of a thread's summaries and task state."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.rendering import format_time
from memsite.rest.held import QUEUED, HeldResponse, HeldView
from memsite.rest.openapi import describe_query
from memsite.rest.views import ApiView, get_owner, parse_body, parse_query
from threads.api.shapes import summaries as schema
from threads.api.shapes import threads as threads_schema
from threads.models import TaskState, ThreadSummary
from threads.storage import get_branch, get_thread
from threads.summarization import (
    SummaryResult,
    SummaryWatch,
    count_unsummarised,
    find_active_summary,
    find_place,
    find_shown_summary,
    is_due,
    load_task_state,
    read_content,
    request_summary,
    restore_summary,
    set_task_state,
)


class SummariseView(HeldView):
    @extend_schema(
        operation_id="summarise_thread",
        summary="Summarise a thread",
        request=schema.SummariseIn,
        responses={200: schema.SummariseOut, 202: threads_schema.JobOut},
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Queue a summary of the current branch if one is due; with `force` in any case."""
        body = parse_body(schema.SummariseIn, request)
        thread = get_thread(thread_id, owner=get_owner(request))
        requested = request_summary(thread, force=body.force)
        if isinstance(requested, SummaryResult):  # a temporary thread, which never has jobs
            return Response(_outcome_json(requested))
        if not body.seconds():
            return Response({"job": str(requested.job.pk)}, status=QUEUED)
        return HeldResponse(lambda: _summary_status_json(requested), body.seconds())


class SummaryView(ApiView):
    @extend_schema(
        operation_id="get_thread_summary",
        summary="Summary of a thread",
        parameters=describe_query(schema.SummaryQuery),
        responses=schema.StandingOut,
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """Return the nearest summary on the branch's path; a stale one only if there is no other."""
        name, owner = parse_query(schema.SummaryQuery, request).branch, get_owner(request)
        thread = get_thread(thread_id, owner=owner)
        branch = get_branch(thread, name).pk if name else None
        place = find_place(thread.pk, branch, owner=owner)
        row, waiting = find_active_summary(place) or find_shown_summary(place), count_unsummarised(place)
        counts = {"new_messages": waiting.messages, "new_tokens": waiting.tokens}
        return Response({"summary": _summary_json(row), "is_due": is_due(place), **counts})


class RestoreView(ApiView):
    @extend_schema(
        operation_id="restore_summary", summary="Undo a summary", request=None, responses=schema.RestoredOut
    )
    def post(self, request: Request, thread_id: str, summary_id: str) -> Response:
        """Restore the previous summary. The messages themselves were never changed."""
        restored = restore_summary(thread_id, summary_id, owner=get_owner(request))
        return Response(
            {
                "summary": _summary_json(restored.summary),
                "messages": [str(one) for one in restored.messages],
                "task_state_restored": restored.state_restored,
            }
        )


class TaskStateView(ApiView):
    @extend_schema(
        operation_id="get_task_state", summary="Task state of a thread", responses=schema.TaskStateOut
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """Return the task state; empty if nobody wrote one."""
        owner = get_owner(request)
        row = load_task_state(get_thread(thread_id, owner=owner), owner=owner)
        return Response(_state_json(row))

    @extend_schema(
        operation_id="put_task_state",
        summary="Write the task state",
        request=schema.TaskStateIn,
        responses=schema.TaskStateOut,
    )
    def put(self, request: Request, thread_id: str) -> Response:
        """Replace the task state; fields that are not given become empty."""
        return Response(_state_json(_written(request, thread_id, keep_others=False)))

    @extend_schema(
        operation_id="patch_task_state",
        summary="Change the task state",
        request=schema.TaskStateIn,
        responses=schema.TaskStateOut,
    )
    def patch(self, request: Request, thread_id: str) -> Response:
        """Change the given fields; the others stay."""
        return Response(_state_json(_written(request, thread_id, keep_others=True)))


def _written(request: Request, thread_id: str, *, keep_others: bool) -> TaskState:
    owner = get_owner(request)
    get_thread(thread_id, owner=owner)
    changes = parse_body(schema.TaskStateIn, request).model_dump(exclude_unset=True)
    return set_task_state(thread_id, changes, owner=owner, keep_others=keep_others)


def _summary_status_json(watch: SummaryWatch) -> tuple[int, dict[str, Any]]:
    if not watch.has_settled():
        return QUEUED, {"job": str(watch.job.pk)}
    return 200, _outcome_json(watch.outcome())


def _outcome_json(outcome: SummaryResult) -> dict[str, Any]:
    return {
        "status": outcome.status,
        "source": outcome.source,
        "error": outcome.error,
        "summary": _summary_json(outcome.summary),
    }


def _summary_json(row: ThreadSummary | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {
        "id": str(row.pk),
        "thread": str(row.thread_id),
        "last_message": str(row.last_message_id),
        "content": row.content,
        "structured": row.structured,
        "token_count": row.token_count,
        "source": row.source,
        "error": row.error or None,
        "waiting": row.waiting,
        "is_stale": row.is_stale,
        "created_at": format_time(row.created_at),
        "updated_at": format_time(row.updated_at),
    }


def _state_json(row: TaskState | None) -> dict[str, Any]:
    content = read_content(row).as_json()
    if row is None:
        return {**content, "written_by": None, "updated_at": None}
    return {**content, "written_by": row.written_by, "updated_at": format_time(row.updated_at)}

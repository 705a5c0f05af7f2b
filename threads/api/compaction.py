"""Views of compaction, offloaded content and a thread's settings."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.rendering import format_time
from memsite.jobs import find_job
from memsite.jobs.models import Job, Status
from memsite.llm.chat import AnswerSource
from memsite.rest.held import QUEUED, HeldResponse, HeldView
from memsite.rest.views import ApiView, get_owner, parse_body
from memsite.values import OutcomeStatus
from threads.api.rendering import message_json
from threads.api.shapes import compaction as schema
from threads.api.shapes.threads import JobOut
from threads.compaction import (
    CompactionResult,
    ContextSettings,
    change_settings,
    compact_branch,
    count_summarisations,
    load_metrics,
    load_offloaded,
    load_settings,
    restore_messages,
    sum_live_tokens,
)
from threads.storage import get_thread, load_path, queue_compaction

_COUNTED: Final = ("compactions", "offloaded", "restored")
_TOKENS: Final = ("tokens_before", "tokens_after", "tokens_saved")
_NOTHING: Final = {"messages": 0, **dict.fromkeys(_TOKENS, 0)}


class SettingsView(ApiView):
    @extend_schema(
        operation_id="get_thread_settings", summary="Settings of a thread", responses=ContextSettings
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """Return the thresholds and switches that limit the thread's context."""
        thread = get_thread(thread_id, owner=get_owner(request))
        return Response(load_settings(thread).model_dump())

    @extend_schema(
        operation_id="change_thread_settings",
        summary="Change a thread's settings",
        request=schema.SettingsPatch,
        responses=ContextSettings,
    )
    def patch(self, request: Request, thread_id: str) -> Response:
        """Change the given settings; null resets one to its default."""
        changes = parse_body(schema.SettingsPatch, request).changes()
        return Response(change_settings(thread_id, changes, owner=get_owner(request)).model_dump())


class CompactView(HeldView):
    @extend_schema(
        operation_id="compact_thread",
        summary="Compact a thread",
        request=schema.CompactIn,
        responses={200: schema.CompactOut, 202: JobOut},
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Queue compaction of the current branch if it is due; with `force` of all bulky content."""
        body, owner = parse_body(schema.CompactIn, request), get_owner(request)
        thread = get_thread(thread_id, owner=owner)
        if thread.is_temporary:  # it never has jobs
            return Response(_done_json(compact_branch(thread.pk, owner=owner, force=body.force)))
        job = queue_compaction(thread.pk, owner=thread.owner_id, force=body.force)
        if not body.seconds():
            return Response({"job": str(job.pk)}, status=QUEUED)
        return HeldResponse(lambda: _job_json(job), body.seconds())


class RestoreView(ApiView):
    @extend_schema(
        operation_id="restore_messages",
        summary="Bring offloaded content back",
        request=schema.RestoreIn,
        responses={200: schema.RestoreOut},
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Restore the original content in place of the pointers, byte for byte."""
        owner = get_owner(request)
        get_thread(thread_id, owner=owner)
        ids = parse_body(schema.RestoreIn, request).messages
        return Response(
            {"results": [message_json(row) for row in restore_messages(thread_id, ids, owner=owner)]}
        )


class OffloadedView(ApiView):
    scopes: ClassVar[dict[str, str]] = {"POST": "read"}

    @extend_schema(
        operation_id="read_offloaded",
        summary="Read offloaded content",
        request=schema.OffloadedIn,
        responses={200: schema.OffloadedOut},
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Return the original content of messages; nothing changes."""
        thread = get_thread(thread_id, owner=get_owner(request))
        body = parse_body(schema.OffloadedIn, request)
        found = load_offloaded(thread, body.messages, body.memory_ids)
        return Response({"results": [{"message": str(key), "content": text} for key, text in found.items()]})


class MetricsView(ApiView):
    @extend_schema(
        operation_id="get_thread_metrics", summary="Metrics of a thread", responses=schema.MetricsOut
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """Return how much was offloaded and how many tokens that saved."""
        owner = get_owner(request)
        thread = get_thread(thread_id, owner=owner)
        row = load_metrics(thread.pk, owner=owner)
        live = sum_live_tokens(load_path(thread.current_branch), owner=owner)
        numbers = {name: getattr(row, name) for name in (*_COUNTED, *_TOKENS)}
        others = {"summarisations": count_summarisations(thread.pk, owner=owner), "live_tokens": live}
        return Response({**numbers, **others, "compacted_at": format_time(row.compacted_at)})


def _job_json(job: Job) -> tuple[int, dict[str, Any]]:
    now = find_job(job.pk, owner=job.owner_id, follow=True)
    if not now.has_ended:
        return QUEUED, {"job": str(now.pk)}
    if now.status == Status.DONE:
        return 200, _ended_json(now.result or _NOTHING)
    return 200, {**_ended_json(_NOTHING), "status": OutcomeStatus.FAILED, "error": now.error}


def _done_json(done: CompactionResult) -> dict[str, Any]:
    return _ended_json(done.as_json())


def _ended_json(numbers: dict[str, Any]) -> dict[str, Any]:
    return {"status": OutcomeStatus.DONE, "source": AnswerSource.FALLBACK, "error": None, **numbers}

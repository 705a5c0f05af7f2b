"""Views of branches."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.actors import get_actor
from memsite.rest.openapi import describe_query
from memsite.rest.views import ApiView, get_owner, parse_body, parse_query
from threads.api.rendering import message_json, removed_json, thread_json
from threads.api.shapes import branches as schema
from threads.api.shapes.threads import RemovedOut, ThreadOut
from threads.branches import (
    Side,
    checkout_branch,
    cleanup_branches,
    compare_branches,
    create_branch,
    delete_branch,
    rename_branch,
    revocation,
    undo_messages,
)
from threads.models import Branch, Thread
from threads.storage import branches_of, get_thread


class BranchesView(ApiView):
    @extend_schema(operation_id="list_branches", summary="List branches", responses=schema.BranchesOut)
    def get(self, request: Request, thread_id: str) -> Response:
        """Return all branches of a thread, also those without a name, the oldest first."""
        thread = get_thread(thread_id, owner=get_owner(request))
        rows = branches_of(thread.pk, owner=get_owner(request))
        return Response({"results": [_branch_json(row, thread) for row in rows]})

    @extend_schema(
        operation_id="create_branch",
        summary="Name a message",
        request=schema.BranchIn,
        responses={201: schema.BranchOut},
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Create a branch at a message, by default at the current head.

        The current branch does not change.
        """
        body = parse_body(schema.BranchIn, request)
        owner = get_owner(request)
        made = create_branch(thread_id, body.name, owner=owner, from_message=body.from_message)
        return Response(_branch_json(made, get_thread(thread_id, owner=owner)), status=201)


class BranchView(ApiView):
    @extend_schema(
        operation_id="rename_branch",
        summary="Rename a branch",
        request=schema.BranchPatch,
        responses=schema.BranchOut,
    )
    def patch(self, request: Request, thread_id: str, branch: str) -> Response:
        """Rename a branch, or name one that has no name."""
        name, owner = parse_body(schema.BranchPatch, request).name, get_owner(request)
        row = rename_branch(thread_id, branch, name, owner=owner)
        return Response(_branch_json(row, get_thread(thread_id, owner=owner)))

    @extend_schema(
        operation_id="delete_branch",
        summary="Delete a branch",
        parameters=describe_query(schema.DeleteBranchQuery),
        responses={200: RemovedOut},
    )
    def delete(self, request: Request, thread_id: str, branch: str) -> Response:
        """Delete a branch and the messages that no other branch reaches.

        With `take_back` what was learnt there is forgotten too.
        """
        query, owner = parse_query(schema.DeleteBranchQuery, request), get_owner(request)
        forget = revocation.list_memories_of_branch(thread_id, branch, owner=owner) if query.take_back else ()
        removed = delete_branch(thread_id, branch, owner=owner, actor=get_actor(request), forget=forget)
        return Response(removed_json(removed))


class CleanupView(ApiView):
    @extend_schema(
        operation_id="cleanup_branches",
        summary="Delete all other branches",
        request=schema.CleanupIn,
        responses={200: RemovedOut},
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Delete all branches except those to keep and the current one.

        While the current branch has no name, those with a name stay, too.
        """
        keep = parse_body(schema.CleanupIn, request).keep
        removed = cleanup_branches(thread_id, owner=get_owner(request), keep=keep, actor=get_actor(request))
        return Response(removed_json(removed))


class CheckoutView(ApiView):
    @extend_schema(
        operation_id="checkout",
        summary="Go on from elsewhere",
        request=schema.CheckoutIn,
        responses=ThreadOut,
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Continue from a branch or from an earlier message.

        A message becomes the head of a branch without a name.
        """
        body = parse_body(schema.CheckoutIn, request)
        thread = checkout_branch(
            thread_id, owner=get_owner(request), branch=body.branch, message=body.message
        )
        return Response(thread_json(thread))


class UndoView(ApiView):
    @extend_schema(
        operation_id="undo_messages",
        summary="Move the head back",
        request=schema.MessagesUndoIn,
        responses=schema.MessagesUndoneOut,
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Move the head back.

        A branch without a name keeps the messages after it. `learnt`: memories learnt from these alone.
        """
        body, owner = parse_body(schema.MessagesUndoIn, request), get_owner(request)
        undone = undo_messages(thread_id, owner=owner, count=body.count or 1, message=body.message)
        left = [message.pk for message in undone.messages]
        return Response(
            {
                "thread": thread_json(undone.thread),
                "messages": [message_json(message) for message in undone.messages],
                "kept_by": _branch_json(undone.kept_by, undone.thread) if undone.kept_by else None,
                "learnt": [str(memory) for memory in revocation.list_revocable_memories(left, owner=owner)],
            }
        )


class CompareView(ApiView):
    @extend_schema(
        operation_id="compare_branches",
        summary="Compare two branches",
        parameters=describe_query(schema.CompareQuery),
        responses=schema.ComparisonOut,
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """Return both branches from their last common message on."""
        query, owner = parse_query(schema.CompareQuery, request), get_owner(request)
        found = compare_branches(thread_id, query.left, query.right, owner=owner)
        thread = get_thread(thread_id, owner=owner)
        return Response(
            {
                "ancestor": message_json(found.ancestor) if found.ancestor else None,
                "left": _side_json(found.left, thread),
                "right": _side_json(found.right, thread),
            }
        )


class TakeBackView(ApiView):
    @extend_schema(
        operation_id="take_back",
        summary="Forget what was learnt on a branch",
        request=schema.TakeBackIn,
        responses={200: schema.TakenBackOut},
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Forget what was learnt only from messages that no other branch reaches.

        By default this is a dry run.
        """
        body, owner = parse_body(schema.TakeBackIn, request), get_owner(request)
        taken = revocation.revoke_branch_memories(
            thread_id, body.branch, owner=owner, actor=get_actor(request), dry_run=body.dry_run
        )
        return Response(
            {
                "memories": [str(memory) for memory in taken.memories],
                "batch_id": str(taken.batch_id) if taken.batch_id else None,
            }
        )


class KeepView(ApiView):
    @extend_schema(
        operation_id="keep_memories", summary="Keep what was learnt on a line that was left",
        request=schema.KeepIn, responses={200: schema.KeptOut},
    )  # fmt: skip
    def post(self, request: Request, thread_id: str) -> Response:
        """Keep memories visible in other threads, whichever branch of this one is current."""
        body, owner = parse_body(schema.KeepIn, request), get_owner(request)
        get_thread(thread_id, owner=owner)
        revocation.keep_memories(body.memories, owner=owner, keeps=body.keep)
        return Response({"memories": [str(memory) for memory in body.memories], "keep": body.keep})


def _branch_json(row: Branch, thread: Thread) -> dict[str, Any]:
    head: UUID | None = row.head_id
    return {
        "id": str(row.pk),
        "name": row.name,
        "head": str(head) if head else None,
        "is_current": row.pk == thread.current_branch_id,
        "created_at": row.created_at.isoformat().replace("+00:00", "Z"),
    }


def _side_json(side: Side, thread: Thread) -> dict[str, Any]:
    return {
        "branch": _branch_json(side.branch, thread),
        "count": side.count,
        "messages": [message_json(message) for message in side.messages],
    }

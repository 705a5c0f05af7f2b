"""Match an import with a thread that was recorded while it was written, so that nothing is stored twice.

A program whose requests went through `/v1`, or that stored its turns, gave the thread its own id of the
conversation (`external_id`), and the messages its own ids (`client_id`). Its export has the same ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from django.db.models import Q

from threads.messages import GivenNode, GivenThread
from threads.models import Message, Thread
from threads.storage import compute_content_key


def find_external_ids(external_ids: Iterable[str], *, owner: UUID) -> set[str]:
    """Return those of the ids that programs gave to threads of the owner. One query."""
    rows = Thread.objects.filter(owner_id=owner, external_id__in=set(external_ids) - {""})
    return {str(one) for one in rows.values_list("external_id", flat=True)}


def match_recorded_thread(given: GivenThread, *, owner: UUID) -> GivenThread:
    """Return a thread with the ids that are stored for it under its external id, if there are any.

    A message is the same as a stored one if it has the id that the program gave that, or if it says the same
    after the same message. Two queries at most.
    """
    external_id = given.values.get("external_id")
    if not external_id:
        return given
    same = Q(pk=given.id) | Q(external_id=external_id)
    found = list(Thread.objects.filter(same, owner_id=owner).values_list("id", flat=True))
    if not found or given.id in found:  # an earlier import stored it
        return given
    ids = _match_messages(given.messages, found[0], owner=owner)
    return replace(
        given,
        id=found[0],
        messages=[
            replace(one, id=ids.get(one.id, one.id), parent=_rename(one.parent, ids))
            for one in given.messages
        ],
        branches=[replace(one, head=_rename(one.head, ids)) for one in given.branches],
    )


def _match_messages(nodes: Sequence[GivenNode], thread_id: UUID, *, owner: UUID) -> dict[UUID, UUID]:
    """Return the ids of stored messages by those of the given ones that are the same.

    Args:
        nodes: Parents first.
    """
    rows = Message.objects.filter(owner_id=owner, thread_id=thread_id).order_by("-id")
    by_client_id: dict[str, UUID] = {}
    by_content: dict[tuple[UUID | None, UUID | None], UUID] = {}
    for key, parent, client_id, content in rows.values_list("id", "parent_id", "client_id", "content_key"):
        by_content[parent, content] = key
        if client_id:
            by_client_id[client_id] = key
    ids: dict[UUID, UUID] = {}
    for node in nodes:
        place = _rename(node.parent, ids), compute_content_key(node.role, node.content)
        stored = by_client_id.get(node.client_id or "") or by_content.get(place)
        if stored is not None:
            ids[node.id] = stored
    return ids


def _rename(given: UUID | None, ids: Mapping[UUID, UUID]) -> UUID | None:
    return given if given is None else ids.get(given, given)

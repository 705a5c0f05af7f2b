"""Pages and acts of branches: compare two, name one, take back what one taught, delete one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from memories.models import Memory
from memories.storage import list_memories
from memsite.errors import Conflict, InvalidInput, NotFound
from memsite.values import parse_id
from memsite.web.requests import get_owner, notify
from threads.branches import Side, compare_branches, delete_branch, rename_branch, revocation
from threads.models import Branch, Thread
from threads.pages.conversation import DisplayedMessage, load_displayed_messages
from threads.storage import branches_of, get_thread

#: Messages of each side on the page.
_MOST_MESSAGES = 50


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """One column of a comparison.

    Attributes:
        learnt: What it taught and the other side did not, each with whether a third branch taught it, too.
    """

    branch: Branch
    count: int
    turns: list[DisplayedMessage]
    learnt: list[tuple[Memory, bool]]
    is_current: bool

    @property
    def has_own(self) -> bool:
        """Whether only this branch taught something: what would be forgotten if it were taken back."""
        return any(not elsewhere for _memory, elsewhere in self.learnt)


@login_required
@require_safe
def compare(request: HttpRequest, thread_id: UUID) -> HttpResponse:
    """Show two branches from their last common message on: `?left=` and `?right=`, ids of branches.

    By default the current branch and the newest other one. A thread with one branch has nothing to compare.
    """
    owner = get_owner(request)
    thread = get_thread(thread_id, owner=owner)
    branches = branches_of(thread.pk, owner=owner)[::-1]
    if len(branches) == 1:
        return render(request, "threads/compare.html", {"thread": thread, "branches": branches})
    left, right = _choose_branches(request, thread, branches)
    found = compare_branches(thread_id, str(left), str(right), owner=owner, most=_MOST_MESSAGES)
    facts: dict[str, Any] = {
        "thread": thread,
        "branches": branches,
        "ancestor": load_displayed_messages([found.ancestor], thread)[0] if found.ancestor else None,
        "sides": [
            _load_side(thread, found.left, found.right, branches),
            _load_side(thread, found.right, found.left, branches),
        ],
    }
    return render(request, "threads/compare.html", facts)


@login_required
@require_POST
def name_branch(request: HttpRequest, thread_id: UUID, branch: UUID) -> HttpResponse:
    """Name a branch, or rename it."""
    name = request.POST.get("name", "").strip()
    try:
        rename_branch(thread_id, str(branch), name, owner=get_owner(request))
    except (InvalidInput, Conflict) as error:
        notify(request, _(error.message), level=messages.ERROR)
    else:
        notify(request, _("Saved."))
    return redirect(_comparison(request, thread_id))


@login_required
@require_POST
def take_back(request: HttpRequest, thread_id: UUID, branch: UUID) -> HttpResponse:
    """Forget what only this branch taught, as one batch."""
    taken = revocation.revoke_branch_memories(thread_id, str(branch), owner=get_owner(request), dry_run=False)
    count = len(taken.memories)
    undo = reverse("undo_batch", args=[taken.batch_id]) if taken.batch_id else ""
    notify(request, ngettext("%d memory forgotten.", "%d memories forgotten.", count) % count, undo_url=undo)
    return redirect(_comparison(request, thread_id))


@login_required
@require_POST
def remove_branch(request: HttpRequest, thread_id: UUID, branch: UUID) -> HttpResponse:
    """Delete a branch with the messages that no other branch contains."""
    removed = delete_branch(thread_id, str(branch), owner=get_owner(request))
    count = removed.messages
    notify(request, ngettext("%d message deleted.", "%d messages deleted.", count) % count)
    return redirect("thread", thread_id)


def _choose_branches(request: HttpRequest, thread: Thread, branches: Sequence[Branch]) -> tuple[UUID, UUID]:
    ids = [branch.pk for branch in branches]
    given = [parse_id(request.GET[side]) for side in ("left", "right") if request.GET.get(side)]
    if not set(given) <= set(ids):
        raise NotFound("This thread has no such branch.")
    left = given[0] if given else thread.current_branch_id
    others = [one for one in ids if one != left]
    return left, given[1] if len(given) > 1 else next(iter(others), left)  # type: ignore[return-value]  # checked above


def _load_side(thread: Thread, side: Side, other: Side, branches: Sequence[Branch]) -> ComparedSide:
    taught = dict(revocation.list_memories_beside(thread, side.branch, other.branch, branches))
    rows = list_memories(owner=thread.owner_id).filter(id__in=taught).order_by("created_at", "id")
    learnt = list(rows) if taught else []
    return ComparedSide(
        branch=side.branch,
        count=side.count,
        turns=load_displayed_messages(side.messages, thread),
        learnt=[(memory, taught[memory.pk]) for memory in learnt if memory.layer != "episodic"],
        is_current=side.branch.pk == thread.current_branch_id,
    )


def _comparison(request: HttpRequest, thread_id: UUID) -> str:
    """Return the page that an act on a branch came from: the comparison, or the thread."""
    if request.POST.get("from") != "compare":
        return reverse("thread", args=[thread_id])
    return f"{reverse('compare_branches', args=[thread_id])}?{request.GET.urlencode()}"

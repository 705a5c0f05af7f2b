from __future__ import annotations

from dataclasses import replace

import pytest

from memsite.accounts.models import User
from memsite.accounts.preferences import set_preferences
from memsite.errors import NotFound
from tests.threads.saying import Talk
from tests.threads.test_path import fork
from threads.context.context_start import load_context_start
from threads.messages.transcript import create_thread
from threads.models import Thread
from threads.storage.access import get_thread
from threads.storage.path import Path, load_path
from threads.summarization.task_state import TaskStateContent, set_task_state


def test_opening_of_a_fresh_thread_recalls_and_cites(alice: User) -> None:
    thread = create_thread(owner=alice.pk, system_prompt="Be brief.")
    opening = load_context_start(str(thread.pk), owner=alice.pk)
    assert (opening.system_prompt, opening.recalls, opening.shows_citations) == ("Be brief.", True, True)
    assert (opening.state, opening.path) == (TaskStateContent(), Path())


def test_what_the_person_chose_is_kept_to(alice: User, thread: Thread) -> None:
    set_preferences(alice.pk, memory_on=False, citations_on=False)
    opening = load_context_start(thread.pk, owner=alice.pk)
    assert (opening.recalls, opening.shows_citations) == (False, False)


def test_temporary_thread_recalls_nothing(alice: User) -> None:
    thread = create_thread(owner=alice.pk, is_temporary=True)
    assert not load_context_start(thread.pk, owner=alice.pk).recalls


def test_task_state_is_read_with_the_thread(alice: User, thread: Thread) -> None:
    written = TaskStateContent("sail", pending_steps=("find a boat",), key_findings=("风",))
    set_task_state(thread.pk, written.as_json(), owner=alice.pk)
    assert load_context_start(thread.pk, owner=alice.pk).state == written


def test_path_leads_to_the_current_branch_or_to_a_given_head(alice: User, thread: Thread, talk: Talk) -> None:
    messages = talk(*"abcd")
    branch = fork(thread, messages[1], "x")
    opening = load_context_start(thread.pk, owner=alice.pk)
    assert opening.path == load_path(get_thread(thread.pk, owner=alice.pk).current_branch)
    assert load_context_start(thread.pk, owner=alice.pk, head=branch.head) == replace(
        opening, path=load_path(branch)
    )
    Thread.objects.filter(pk=thread.pk).update(current_branch=branch)
    assert load_context_start(thread.pk, owner=alice.pk).path == load_path(branch)


@pytest.mark.parametrize("reference", ["no id", "01900000-0000-7000-8000-000000000000"])
def test_thread_that_is_not_there_is_not_found(alice: User, reference: str) -> None:
    with pytest.raises(NotFound):
        load_context_start(reference, owner=alice.pk)


def test_thread_of_another_person_is_not_found(bob: User, thread: Thread) -> None:
    with pytest.raises(NotFound):
        load_context_start(thread.pk, owner=bob.pk)

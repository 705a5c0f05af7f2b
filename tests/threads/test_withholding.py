"""What its writer asks not to keep is not kept: no fact, no episode."""

from __future__ import annotations

import pytest

from memories.models import Memory
from memsite.accounts.models import User
from memsite.jobs import run_due_jobs
from tests.threads.saying import Talk
from threads.branches.branching import checkout_branch
from threads.messages.withholding import asks_to_withhold
from threads.models import Message, Thread

pytestmark = pytest.mark.django_db(transaction=True)


def _kept(user: User) -> str:
    rows = Memory.objects.filter(owner=user, status__in=["active", "pending"])
    return " ".join(rows.values_list("content", flat=True))


@pytest.mark.parametrize(
    "text",
    [
        "My locker code is 4321. Do not keep that.",
        "Don't remember this: I hate my boss",
        "I quit, but please don't store it.",
        "我的柜子密码提示是猫，别记。",
        "这是秘密，不要保存",
        "  Do not keep that.",
        "**Don‘t save this**",
        "ok dont remember that",
        "Actually, don't store this in memory.",
        "(Do not remember what I just said)",
        "I quit. Don't remember that I said this.",
        "Forget what I just told you.",
        "不要把这个记下来",
        "请忘掉我刚才说的话。",
    ],
)
def test_request_is_understood(text: str) -> None:
    assert asks_to_withhold(text)


@pytest.mark.parametrize(
    "text",
    [
        "I don't remember that day.",
        "I do not keep that kind of tea.",
        "I forget what I just said.",
        "Don't forget what I just told you.",
        "So I don't remember what he said.",
        "我记住了",
        "别记错了我的名字",
        "别忘记我刚才说的话。",
    ],
)
def test_other_sentences_ask_nothing(text: str) -> None:
    assert not asks_to_withhold(text)


def test_message_that_asks_is_not_kept_nor_its_reply(alice: User, talk: Talk) -> None:
    talk(
        "I keep bees.", "Nice.", "My sister Ana is pregnant. Do not keep that.", "Ana's pregnancy stays here."
    )
    run_due_jobs()
    assert "bees" in _kept(alice)
    assert "Ana" not in _kept(alice)


def test_request_alone_means_what_was_said_before(alice: User, talk: Talk) -> None:
    talk("I keep bees.", "Nice.", "My sister Ana is pregnant.", "Congratulations to Ana!")
    run_due_jobs()
    assert "Ana" in _kept(alice)
    talk("Please do not remember that.")
    run_due_jobs()
    assert ("bees" in _kept(alice), "Ana" in _kept(alice)) == (True, False)
    assert Message.objects.filter(owner=alice, do_not_remember=True).count() == 3


def test_request_on_a_new_branch_means_what_was_said_before_the_fork(
    alice: User, thread: Thread, talk: Talk
) -> None:
    said = talk(
        "I keep bees.", "Nice.", "My sister Ana is pregnant.", "Congratulations to Ana!", "And so on."
    )
    run_due_jobs()
    checkout_branch(thread.pk, message=said[3].pk, owner=alice.pk)
    talk("Please do not remember that.")
    run_due_jobs()
    assert ("bees" in _kept(alice), "Ana" in _kept(alice)) == (True, False)


@pytest.mark.parametrize("before", range(16_384 - 60, 16_384 + 20, 10))
def test_request_far_into_a_long_message_is_understood(before: int) -> None:
    text = f"{'My cat naps. ' * 2_000}"[:before] + ". Please do not remember this."
    assert asks_to_withhold(text)
    assert not asks_to_withhold(f"{text.removesuffix('.')} day for the cat's birthday.")

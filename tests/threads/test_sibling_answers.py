"""An answer follows its question, whatever was appended meanwhile."""

from __future__ import annotations

import pytest

from memsite.values import MessageRole
from tests.llm_server import LLMServer
from tests.threads.asking import ask, ended, line_of, regenerate
from threads.messages import NewMessage, append_messages
from threads.models import Message, Thread
from threads.replies.pieces import Begun

pytestmark = pytest.mark.django_db(transaction=True)


def test_answers_to_one_question_at_once_stand_beside_each_other(
    thread: Thread, models_configured: LLMServer
) -> None:
    one = ask(thread.pk, "Hi", owner=thread.owner_id)
    assert isinstance(next(one), Begun)
    other = regenerate(thread.pk, owner=thread.owner_id)
    assert isinstance(next(other), Begun)
    answers = [ended(one).answer, ended(other).answer]
    question = Message.objects.get(role="user").pk
    assert [one and one.parent_id for one in answers] == [question, question]
    assert line_of(thread) == ["Hi", "ok"]


def test_answer_to_a_question_that_another_follows_stays_with_it(
    thread: Thread, models_configured: LLMServer
) -> None:
    one = ask(thread.pk, "Hi", owner=thread.owner_id)
    begun = next(one)
    assert isinstance(begun, Begun)
    append_messages(thread.pk, [NewMessage(role=MessageRole.USER, content="And?")], owner=thread.owner_id)
    last = ended(one)
    assert last.answer is not None
    assert last.answer.parent_id == begun.question.pk
    assert line_of(thread) == ["Hi", "And?"]

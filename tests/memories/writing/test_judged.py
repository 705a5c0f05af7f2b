"""One memory or two: by words alone, by a model's word within our bounds, and whatever a lying model says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from memories import curation
from memories.models import Memory, MemoryLink, MemorySource
from memories.tasks import judge_near
from memories.values import Candidate, Kind, Layer, Writer
from memories.writing import proposals
from memories.writing.merging import Judgement, TextPair, judge_pairs
from memories.writing.pipeline import WriteResult, write_candidates
from memsite.accounts.models import User
from memsite.errors import ModelError
from memsite.jobs import run_due_jobs
from memsite.jobs.models import Job
from memsite.llm.chat.chat import ChatModel
from memsite.metering import get_chat_model
from tests.llm_server import LLMServer, status
from tests.memories.writing.judged_pairs import FACTS, always_same, knows, list_wordings, make_judge

pytestmark = pytest.mark.django_db

#: Alike in words, different in meaning.
APART = (
    ("The staging server listens on port 8080.", "The staging server listens on port 8081."),
    ("The user likes coffee in the morning.", "The user does not like coffee in the morning."),
    ("The meeting is on 3 May 2026.", "The meeting is on 4 May 2026."),
    ("The project uses Django 5.1 in production.", "The project uses Django 5.2 in production."),
    ("The user flew from Berlin to Paris.", "The user flew from Paris to Berlin."),
    ("The user's sister lives in Rome.", "The user's sister lives in Milan."),
    ("测试服务器监听8080端口。", "测试服务器监听8081端口。"),
    ("用户喜欢吃香菜。", "用户不喜欢吃香菜。"),
    ("会议定在5月3日。", "会议定在5月4日。"),
    ("用户的姐姐住在北京。", "用户的姐姐住在上海。"),
)


def _model(user: User) -> ChatModel:
    model = get_chat_model("fast", owner=user.pk)
    assert model is not None
    return model


def _learn(user: User, *contents: str, model: ChatModel | None = None, **fields: Any) -> WriteResult:
    candidates = [
        Candidate(content, written_by=Writer.MODEL, sources=(f"message:{number}",), **fields)
        for number, content in enumerate(contents)
    ]
    return write_candidates(candidates, owner=user.pk, actor="learning", model=model)


def _standing(user: User) -> list[str]:
    rows = Memory.objects.filter(owner=user, status="active").order_by("created_at", "id")
    return list(rows.values_list("content", flat=True))


def test_five_facts_in_three_wordings_become_five_by_a_model_s_word(
    alice: User, models_configured: LLMServer
) -> None:
    models_configured.reply = make_judge(knows)
    for wording in list_wordings(FACTS):
        write_candidates([Candidate(wording)], owner=alice.pk, actor="learning", model=_model(alice))
    assert len(_standing(alice)) == len(FACTS)


def test_five_facts_of_one_batch_become_five_too(alice: User, models_configured: LLMServer) -> None:
    models_configured.reply = make_judge(knows)
    _learn(alice, *list_wordings(FACTS), model=_model(alice))
    assert len(_standing(alice)) == len(FACTS)


def test_five_facts_added_by_a_program_become_five_by_the_job(
    alice: User, models_configured: LLMServer
) -> None:
    models_configured.reply = make_judge(knows)
    write_candidates([Candidate(one) for one in list_wordings(FACTS)], owner=alice.pk, actor="key:test")
    run_due_jobs()
    assert len(_standing(alice)) == len(FACTS)


@pytest.mark.parametrize("pair", APART)
def test_pair_that_differs_in_meaning_stays_two_by_rules(alice: User, pair: tuple[str, str]) -> None:
    _learn(alice, *pair)
    assert _standing(alice) == list(pair)


@pytest.mark.parametrize("pair", APART)
def test_pair_that_differs_in_meaning_stays_two_whatever_a_model_says(
    alice: User, models_configured: LLMServer, pair: tuple[str, str]
) -> None:
    models_configured.reply = make_judge(always_same)
    _learn(alice, *pair, model=_model(alice))
    judge_near(str(alice.pk))
    assert _standing(alice) == list(pair)


def test_repetition_in_other_words_strengthens_and_teaches_once(
    alice: User, models_configured: LLMServer
) -> None:
    models_configured.reply = make_judge(knows)
    model = _model(alice)
    for _ in range(2):
        _learn(alice, *FACTS[0], model=model)
    [memory] = Memory.objects.filter(owner=alice, status="active")
    assert memory.occurrence_count == 3
    assert MemorySource.objects.filter(owner=alice, memory=memory).count() == 3


def test_merge_is_a_successor_that_keeps_all_and_the_larger_importance(
    alice: User, models_configured: LLMServer
) -> None:
    whole = "The user has a dog called Rex, a beagle, since 2021."
    models_configured.reply = make_judge(lambda _a, _b: ("merge", whole))
    write_candidates([_dog("The user has a dog called Rex.", 0.5)], owner=alice.pk, actor="learning")
    written = write_candidates(
        [_dog("The user has a dog called Rex, a beagle.", 0.9)],
        owner=alice.pk,
        actor="learning",
        model=_model(alice),
    )
    outcome = written.outcomes[0]
    assert outcome.memory is not None
    assert outcome.action in {"merged", "strengthened"}
    assert (outcome.memory.importance, "2021" in outcome.memory.content) == (0.9, False)


def _dog(content: str, importance: float) -> Candidate:
    return Candidate(content, importance=importance, written_by=Writer.MODEL)


ONE, OTHER = "The user runs a bakery in Lyon with her sister.", "The user runs a small bakery in Lyon."
BOTH = "The user runs a small bakery in Lyon with her sister."


def _merged(alice: User, server: LLMServer, text: str) -> WriteResult:
    server.reply = make_judge(lambda _a, _b: ("merge", text))
    _learn(alice, ONE)
    candidate = Candidate(OTHER, importance=0.95, written_by=Writer.MODEL, sources=("message:other",))
    return write_candidates([candidate], owner=alice.pk, actor="learning", model=_model(alice))


def test_merge_by_a_model_supersedes_both_and_keeps_their_sources(
    alice: User, models_configured: LLMServer
) -> None:
    outcome = _merged(alice, models_configured, BOTH).outcomes[0]
    assert outcome.memory is not None
    assert (outcome.action, outcome.memory.content, outcome.memory.importance) == ("merged", BOTH, 0.95)
    assert _standing(alice) == [BOTH]
    sources = MemorySource.objects.filter(owner=alice, memory=outcome.memory)
    assert set(sources.values_list("reference", flat=True)) == {"message:0", "message:other"}


def test_undone_merge_brings_back_what_stood(alice: User, models_configured: LLMServer) -> None:
    written = _merged(alice, models_configured, BOTH)
    curation.undo_batch(written.batch_id, owner=alice.pk, actor="person")
    assert _standing(alice) == [ONE]


@pytest.mark.parametrize("text", ["The user runs a bakery.", f"{BOTH} It has 3 ovens.", "", "x" * 3000])
def test_merge_that_loses_or_invents_is_joined_by_our_code(
    alice: User, models_configured: LLMServer, text: str
) -> None:
    outcome = _merged(alice, models_configured, text).outcomes[0]
    assert outcome.memory is not None
    assert outcome.memory.content == f"{ONE}\n{OTHER}"


@pytest.mark.parametrize("step", ["ok", '{"verdicts": [{"pair": 99, "verdict": "same"}]}', "[]", "<html>"])
def test_useless_answer_leaves_two_that_are_linked(
    alice: User, models_configured: LLMServer, step: str
) -> None:
    models_configured.reply = lambda _: step
    _learn(alice, ONE, OTHER, model=_model(alice))
    assert _standing(alice) == [ONE, OTHER]
    assert MemoryLink.objects.filter(owner=alice, kind="related", reason="near").exists()


def test_model_that_fails_is_told_of_and_costs_nothing_else(
    alice: User, models_configured: LLMServer
) -> None:
    models_configured.always(status(500))
    written = _learn(alice, ONE, OTHER, model=_model(alice))
    assert [outcome.action for outcome in written.outcomes] == ["created", "created"]
    assert written.error
    with pytest.raises(ModelError):
        judge_near(str(alice.pk))


def test_one_call_judges_all_pairs_of_a_batch(alice: User, models_configured: LLMServer) -> None:
    models_configured.reply = make_judge(knows)
    _learn(alice, *FACTS[0], *FACTS[1], model=_model(alice))
    assert len(models_configured.chats) == 1


def test_program_s_request_never_asks_a_model(alice: User, models_configured: LLMServer) -> None:
    write_candidates([Candidate(ONE), Candidate(OTHER)], owner=alice.pk, actor="key:test")
    assert models_configured.chats == []
    assert Job.objects.filter(task="memories.tasks.judge_near").count() == 1


def test_standing_one_that_moved_while_the_model_thought_is_left_alone(
    alice: User, models_configured: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _learn(alice, ONE).outcomes[0].memory
    assert first is not None
    models_configured.reply = make_judge(always_same)

    def judge_and_forget(pairs: Sequence[TextPair], model: ChatModel | None) -> Judgement:
        judgement = judge_pairs(pairs, model)
        curation.forget_memories([first.pk], owner=alice.pk, actor="person")
        return judgement

    monkeypatch.setattr(proposals, "judge_pairs", judge_and_forget)
    write_candidates([Candidate(OTHER)], owner=alice.pk, actor="learning", model=_model(alice))
    assert _standing(alice) == [OTHER]


def test_episodes_are_never_merged(alice: User, models_configured: LLMServer) -> None:
    models_configured.reply = make_judge(always_same)
    episodes = [Candidate(text, layer=Layer.EPISODIC, kind=Kind.CONVERSATION) for text in (ONE, OTHER)]
    write_candidates(episodes, owner=alice.pk, actor="learning", model=_model(alice))
    assert _standing(alice) == [ONE, OTHER]
    assert models_configured.chats == []


def test_another_owner_s_memory_is_never_near(alice: User, bob: User, models_configured: LLMServer) -> None:
    models_configured.reply = make_judge(always_same)
    _learn(alice, ONE)
    _learn(bob, OTHER, model=_model(bob))
    assert (_standing(alice), _standing(bob)) == ([ONE], [OTHER])
    assert models_configured.chats == []

"""What people say in passing is learnt in their words; talk of the moment and of tasks is not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.extraction import extract_by_rules
from memories.values import Candidate, Kind, Utterance
from memsite.values import MessageRole

NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)


def learn(said: str) -> list[Candidate]:
    return extract_by_rules([Utterance("message:1", MessageRole.USER, said, NOW)])


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("my instruments: tuba, banjo, spoons", "banjo"),
        ("宠物：两只仓鼠、一条金鱼", "金鱼"),
        ("Sold the van for parts, bought a cargo bike instead", "cargo bike"),
        ("Can I bake this in the oven of my narrowboat?", "narrowboat"),
        ("As a beekeeper I need labels for 40 jars, any ideas?", "beekeeper"),
        ("wor lass teaches pottery in Hexham", "pottery"),
        ("俺家种了三亩地瓜", "地瓜"),
        ("帮我想个名字，我的柴犬下周满月", "柴犬"),
        ("我是 lactose intolerant，奶茶要换燕麦奶", "lactose intolerant"),
        ("Our payslips go out through Gusto.", "Gusto"),
        ("Back in Malmö for good.", "Malmö"),
        ("Anna and I broke up last week.", "Anna"),
        ("I'm seeing someone new, his name's Ben.", "Ben"),
        ("The electrician is coming on Monday at ten.", "Monday"),
        ("Malta's where I was born.", "Malta"),
        ("Use American spelling when you write to me.", "American"),
        ("手机是红米K70。", "红米"),
        ("组里改用Jenkins了。", "Jenkins"),
        ("饭店订的是六点的。", "六点"),
        ("车坏了，这几天骑车上班。", "骑车"),
        ("家里买了台洗碗机。", "洗碗机"),
        ("虾我不能吃，会过敏。", "虾"),
    ],
)
def test_talk_is_kept_in_the_words_of_its_speaker(said: str, kept: str) -> None:
    assert any(kept in candidate.content for candidate in learn(said))


@pytest.mark.parametrize(
    "said",
    [
        "Is the oven hot enough at 180?",
        "no problem at all",
        "I've found the typo in the second paragraph.",
        "translate: my cat, my dog, my horse",
        "我看看再说",
        "Works for me, every time.",
        "The cleaner is late.",
        "I'm seeing someone about the boiler.",
        "Back in Paris for the weekend.",
        "Write me a poem in French.",
        "手机是什么牌子好？",
        "手机是个好东西。",
        "要不要换个题目？",
    ],
)
def test_talk_of_the_moment_and_of_tasks_is_not_learnt(said: str) -> None:
    assert learn(said) == []


@pytest.mark.parametrize(
    "said", ["The divorce came through on Tuesday.", "笔记全部搬到新软件了，旧的不续费了。"]
)
def test_what_no_rule_reads_is_quoted_for_changes_alone(said: str) -> None:
    utterance = Utterance("message:1", MessageRole.USER, said, NOW)
    assert learn(said) == []
    assert [one.only_changes for one in extract_by_rules([utterance], vague=True)] == [True]


@pytest.mark.parametrize(
    "said", ["Should I give up squash?", "If I left the choir, who would sing?", "He says he gave up squash."]
)
def test_what_is_not_stated_is_not_quoted_for_changes(said: str) -> None:
    utterance = Utterance("message:1", MessageRole.USER, said, NOW)
    assert extract_by_rules([utterance], vague=True) == []


@pytest.mark.parametrize(
    "said",
    [
        "I think brass bands are too loud.",
        "In my view, cycling beats driving.",
        "I'd say I'm more of an evening person.",
        "我觉得榴莲很难闻。",
        "现在觉得走路上班更健康。",
        "我感觉自己更适合小团队。",
    ],
)
def test_what_the_speaker_thinks_of_a_thing_is_a_preference_in_their_words(said: str) -> None:
    (learnt,) = learn(said)
    assert learnt.kind is Kind.PREFERENCE
    assert said.rstrip(".。") in learnt.content


@pytest.mark.parametrize(
    "said",
    [
        "I think the second option is better.",
        "I think it's too loud.",
        "I think the train leaves at six.",
        "My aunt thinks brass bands are too loud.",
        "Do you think brass bands are too loud?",
        "我觉得这个方案更好。",
        "我觉得你说得对。",
        "我妈觉得榴莲很难闻。",
        "你觉得榴莲好吃吗？",
    ],
)
def test_what_others_think_and_opinions_of_the_moment_are_not_learnt(said: str) -> None:
    assert learn(said) == []

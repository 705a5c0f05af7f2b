"""What the person asks to be remembered, and what they put right."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.extraction.rules.by_rules import extract_by_rules
from memories.values import Candidate, Utterance
from memsite.values import MessageRole

AT = datetime(2025, 11, 21, 9, 30, tzinfo=UTC)


def learn(*said: str) -> list[Candidate]:
    return extract_by_rules(
        [Utterance(f"message:{n}", MessageRole.USER, text, AT) for n, text in enumerate(said)]
    )


@pytest.mark.parametrize(
    ("said", "detail"),
    [
        ("Please remember that the staging server is at 10.20.0.7.", "10.20.0.7"),
        ("Don't forget: my anniversary is on 2 October.", "2 October"),
        ("Can you remember that I take my coffee black?", "black"),
        ("For future reference: Kevin from accounting handles invoices", "Kevin"),
        ("记住，我妈妈对青霉素过敏。", "青霉素"),
        ("请记一下：服务器密码每90天要换一次。", "90天"),
    ],
)
def test_what_is_asked_for_is_kept_with_high_confidence(said: str, detail: str) -> None:
    (learnt,) = learn(said)
    assert detail in learnt.content
    assert learnt.confidence is not None
    assert learnt.confidence >= 0.85


def test_list_under_the_request_is_kept_whole() -> None:
    learnt = learn("Remember the following:\n- I'm vegan\n- the door code is 4711#\n- my bus is line 9")
    assert [any(detail in one.content for one in learnt) for detail in ("vegan", "4711#", "line 9")] == [
        True
    ] * 3


@pytest.mark.parametrize(
    "said", ["Do you remember that I like tea?", "I remember my school", "你记得我叫什么吗"]
)
def test_talk_of_remembering_is_no_request(said: str) -> None:
    assert learn(said) == []


@pytest.mark.parametrize(
    ("said", "thing"),
    [
        ("No, I moved to Paris in May.", "Paris"),
        ("Actually, I now use React instead of Vue.", "React"),
        ("That's not right. I live in Bonn.", "Bonn"),
        ("不对，我住在深圳。", "深圳"),
        ("其实我现在用 React", "React"),
        ("Sorry, I told you wrong: I live in Bonn.", "Bonn"),
        ("I gave you the wrong city earlier, I live in Bonn.", "Bonn"),
        ("I got that wrong. I live in Bonn.", "Bonn"),
        ("Scrap what I said, I work for Bosch.", "Bosch"),
        ("上次跟你说错了，我住在深圳。", "深圳"),
        ("我之前告诉你的不对，我住在深圳。", "深圳"),
        ("不对不对，我住在深圳。", "深圳"),
    ],
)
def test_correction_is_marked_and_surer(said: str, thing: str) -> None:
    (learnt,) = learn(said)
    assert learnt.metadata == {"correction": True}
    assert learnt.object == thing
    assert learnt.confidence is not None
    assert learnt.confidence > 0.8


def test_ordinary_statement_is_no_correction() -> None:
    assert learn("I live in Bonn")[0].metadata == {}


@pytest.mark.parametrize(
    ("before", "said", "content"),
    [
        (
            "Our database is PostgreSQL 15.",
            "Sorry, it's 16, not 15.",
            "The user's database is PostgreSQL 16.",
        ),
        ("The launch is on 3 May.", "Wait, I meant 13 May.", "The launch is on 13 May."),
        ("我们的数据库是 MySQL 5.7。", "说错了，不是5.7，是8.0。", "用户的数据库是 MySQL 8.0。"),
        ("The launch is on 3 May.", "I said 3 May but I meant 13 May.", "The launch is on 13 May."),
        ("我住在苏州。", "我刚才说苏州，其实是杭州。", "用户住在杭州。"),
    ],
)
def test_correction_of_a_value_alone_rewrites_what_was_learnt(before: str, said: str, content: str) -> None:
    learnt = learn(before, said)
    assert learnt[-1].content == content
    assert learnt[-1].sources == ("message:1",)
    assert learnt[-1].metadata == {"correction": True}


def test_value_that_corrects_nothing_known_is_not_learnt() -> None:
    assert learn("No, it's 16, not 15.") == []


@pytest.mark.parametrize(
    "said",
    [
        "I told you wrong? When was that?",
        "My sister says I told you wrong, I live in Bonn.",
        "I told you I like cats, and I mean it.",
        "他说错了，我住在深圳。",
    ],
)
def test_talk_of_other_errors_is_no_correction(said: str) -> None:
    assert not any(one.metadata for one in learn(said))

"""What is learnt from a person's own statements, through the public function."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from memories.extraction.rules.by_rules import extract_by_rules
from memories.values import Candidate, Utterance
from memsite.values import MessageRole

AT = datetime(2025, 11, 21, 9, 30, tzinfo=UTC)


def learn(*said: str | tuple[str, str]) -> list[Candidate]:
    turns = [("user", turn) if isinstance(turn, str) else turn for turn in said]
    return extract_by_rules(
        [Utterance(f"message:{n}", MessageRole(role), text, AT) for n, (role, text) in enumerate(turns)]
    )


def only(candidates: Sequence[Candidate]) -> Candidate:
    assert len(candidates) == 1, [candidate.content for candidate in candidates]
    return candidates[0]


@pytest.mark.parametrize(
    ("said", "content", "kind"),
    [
        ("I prefer tabs over spaces.", "The user prefers tabs over spaces.", "preference"),
        ("i dont like mondays", "The user doesn't like mondays.", "preference"),
        ("I can't stand popups", "The user can't stand popups.", "preference"),
        ("I'm allergic to peanuts.", "The user is allergic to peanuts.", "fact"),
        ("We use PostgreSQL 16", "The user's team uses PostgreSQL 16.", "fact"),
        ("our deploy runs on port 8443", "The user's deploy runs on port 8443.", "fact"),
        ("I'm building a parser in Zig 0.13", "The user is building a parser in Zig 0.13.", "project"),
        ("I want to run a marathon by June", "The user wants to run a marathon by June (June 2026).", "goal"),
        ("Lesson: never deploy on Friday", "Lesson: Never deploy on Friday.", "lesson"),
        ("I know Python and Go", "The user knows Python and Go.", "skill"),
        ("My sister Anna is a nurse", "The user's sister Anna is a nurse.", "fact"),
        (
            "I studied my notes in Rome with my dog",
            "The user studied their notes in Rome with their dog.",
            "fact",
        ),
        ("我更喜欢用 vim", "用户更喜欢用 vim。", "preference"),
        ("我不喜欢吃香菜", "用户不喜欢吃香菜。", "preference"),
        ("我老婆叫王芳", "用户的老婆叫王芳。", "fact"),
        ("我在做一个记账小程序", "用户在做一个记账小程序。", "project"),
        ("我打算考日语N2", "用户打算考日语N2。", "goal"),
        ("教训：周五不要发版", "经验教训：周五不要发版。", "lesson"),
        ("我擅长数据分析", "用户擅长数据分析。", "skill"),
        ("太好了，注意我对花生过敏，凉菜不要放花生。", "用户对花生过敏。", "fact"),
        ("提醒你我对花生过敏", "用户对花生过敏。", "fact"),
    ],
)
def test_statement_is_retold_in_the_third_person_with_its_details(said: str, content: str, kind: str) -> None:
    learnt = only(learn(said))
    assert (learnt.content, learnt.kind) == (content, kind)


@pytest.mark.parametrize(
    ("said", "triple", "single"),
    [
        ("I live in Lyon with my wife", ("user", "lives_in", "Lyon"), True),
        ("I moved to Oslo last month", ("user", "lives_in", "Oslo"), True),
        ("I work at Siemens as an engineer", ("user", "works_at", "Siemens"), True),
        ("My name is Priya Natarajan", ("user", "named", "Priya Natarajan"), True),
        ("call me Max", ("user", "named", "Max"), True),
        ("call me Max, all my friends do", ("user", "named", "Max"), True),
        ("I was born in Recife", ("user", "born_in", "Recife"), True),
        ("I'm 34 years old", ("user", "age", "34"), True),
        ("I speak Portuguese", ("user", "speaks", "Portuguese"), False),
        ("I use Neovim", ("user", "uses", "Neovim"), False),
        ("we use PostgreSQL 16", ("PostgreSQL", "current_version", "16"), True),
        ("my brother works at Google", ("user's brother", "works_at", "Google"), False),
        ("my wife works at Google", ("user's wife", "works_at", "Google"), True),
        ("my dog is called Rex", ("user's dog", "named", "Rex"), False),
        ("I really don't like coffee", ("user", "dislikes", "coffee"), False),
        ("我住在杭州", ("user", "lives_in", "杭州"), True),
        ("我上个月搬到苏州了", ("user", "lives_in", "苏州"), True),
        ("我在腾讯做产品经理", ("user", "works_at", "腾讯"), True),
        ("我在北京工作", ("user", "works_in", "北京"), False),
        ("我叫李雷", ("user", "named", "李雷"), True),
        ("我的生日是3月5日", ("user", "birthday", "3月5日"), True),
    ],
)
def test_triple_names_subject_predicate_and_object(
    said: str,
    triple: tuple[str, str, str],
    single: bool,  # noqa: FBT001 - a case of the table
) -> None:
    learnt = only(learn(said))
    assert (learnt.subject, learnt.predicate, learnt.object) == triple
    assert learnt.single_valued is single


@pytest.mark.parametrize(
    "said", ["I used to live in Rome", "I don't live in Rome", "I no longer work at Acme", "我以前住在南京"]
)
def test_what_is_over_or_denied_claims_no_present_triple(said: str) -> None:
    learnt = only(learn(said))
    assert learnt.predicate not in {"lives_in", "works_at"}
    assert not learnt.single_valued


def test_one_sentence_with_several_statements_gives_one_memory_each() -> None:
    learnt = learn("I live in Berlin and work at Zalando, and my son Theo is 7")
    assert [candidate.content for candidate in learnt] == [
        "The user lives in Berlin.",
        "The user works at Zalando.",
        "The user's son Theo is 7.",
    ]


def test_unsaid_chinese_subject_is_the_one_before() -> None:
    learnt = learn("我老婆叫王芳，是小学老师。我叫李雷，在腾讯做产品经理。")
    assert [candidate.subject for candidate in learnt] == ["用户的老婆", "用户的老婆", "user", "user"]


def test_name_of_a_project_is_not_taken_for_the_users_own() -> None:
    learnt = only(learn("我在做一个小程序，叫小账本"))
    assert learnt.predicate == "works_on"
    assert "小账本" in learnt.content


def test_statement_before_a_question_is_learnt() -> None:
    assert only(learn("I'm vegan, what can I cook tonight?")).content == "The user is vegan."
    assert only(learn("我不吃辣，有什么推荐吗？")).content == "用户不吃辣。"


def test_candidate_carries_its_source_speaker_session_and_time() -> None:
    said = Utterance("message:7", MessageRole.USER, "I live in Turin", AT, speaker="Ada", session="s2")
    learnt = only(extract_by_rules([said]))
    assert (learnt.sources, learnt.speaker, learnt.session) == (("message:7",), "Ada", "s2")
    assert (learnt.occurred_at, learnt.valid_from, learnt.written_by) == (AT, AT, "rules")


def test_same_statement_twice_in_a_message_is_one_candidate() -> None:
    assert len(learn("I live in Turin. I live in Turin.")) == 1


def test_same_statement_in_two_messages_names_each_as_source() -> None:
    assert [candidate.sources for candidate in learn("I live in Turin", "I live in Turin")] == [
        ("message:0",),
        ("message:1",),
    ]


def test_details_stay_verbatim() -> None:
    content = only(learn("I'm building pyquill v2.3.1 with C++ for 12,000 users at ada@example.org")).content
    assert all(detail in content for detail in ("pyquill v2.3.1", "C++", "12,000", "ada@example.org"))


def test_names_become_entities() -> None:
    assert {"Leo", "Mia"} <= set(only(learn("We have two kids, Leo and Mia")).entities)


def test_lasting_wish_for_the_replies_is_a_preference_quoted() -> None:
    learnt = only(learn("From now on always answer in British English."))
    assert learnt.kind == "preference"
    assert "British English" in learnt.content
    assert only(learn("以后请用简体中文回答我。")).kind == "preference"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("我在开发 MJ Studio", "project"),
        ("I'm developing MJ Studio, a multimodal AI workbench", "project"),
        ("Docker 需要使用 proxy-env", "fact"),
        ("SQLite 不支持并发写入", "fact"),
        ("SQLite doesn't support concurrent writes", "fact"),
        ("遇到了 Docker 网络问题", "context"),
        ("I ran into a Docker network problem", "context"),
        ("上次用这个方案失败了", "lesson"),
        ("Last time this approach failed", "lesson"),
        ("Upgrading to Node 22 broke our build", "lesson"),
        ("用 float 存金额会导致精度问题", "lesson"),
        ("Never deploy on Friday", "lesson"),
        ("I make it a rule to answer mail once a day", "fact"),
        ("一般先写文档再写代码", "fact"),
    ],
)
def test_work_experience_is_learnt_without_an_announcement(said: str, kind: str) -> None:
    assert only(learn(said)).kind == kind


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("Keep this in mind: I work nights", "The user works nights."),
        ("It's important to remember that deploys happen on Tuesday", "Deploys happen on Tuesday."),
        ("Commit this to memory: the office closes at six", "The office closes at six."),
        ("Put this in your notes: my tailor is Mr Finch", "The user's tailor is Mr Finch."),
        ("把这个记下来：周五团建", "周五团建。"),
        ("加入记忆：我的工位在三楼", "用户的工位在三楼。"),
        ("保存到记忆里：发布窗口是周二", "发布窗口是周二。"),
    ],
)
def test_request_to_remember_is_obeyed_in_other_words(said: str, content: str) -> None:
    assert only(learn(said)).content == content


@pytest.mark.parametrize(
    ("said", "predicate"),
    [
        ("I'm not allergic to anything", ""),
        ("我没有过敏", ""),
        ("我对什么都不过敏", ""),
        ("我对花生不过敏", "is_not_allergic_to"),
        ("I'm not allergic to nuts", "is_not_allergic_to"),
    ],
)
def test_denied_allergy_is_no_allergy(said: str, predicate: str) -> None:
    assert only(learn(said)).predicate == predicate


def test_apposition_of_a_project_is_not_about_the_user() -> None:
    assert "workbench" in only(learn("I'm developing MJ Studio, a multimodal AI workbench")).content


@pytest.mark.parametrize("said", ["从腾讯离职了", "我刚从腾讯离职", "我离开了腾讯"])
def test_job_that_was_left_is_named(said: str) -> None:
    learnt = only(learn(said))
    assert (learnt.predicate, learnt.object) == ("left", "腾讯")


def test_move_of_another_does_not_move_the_user() -> None:
    learnt = learn("My brother moved out, I live in Leeds.")
    assert [(one.predicate, one.object) for one in learnt if one.subject == "user"] == [("lives_in", "Leeds")]


@pytest.mark.parametrize(
    ("said", "subject", "relation", "thing"),
    [
        ("My other brother has moved to Whitby.", "user's other brother", "lives_in", "Whitby"),
        ("My younger sister lives in Rome.", "user's younger sister", "lives_in", "Rome"),
        ("小女儿对花生过敏。", "用户的小女儿", "allergic_to", "花生"),
        ("女儿对芒果过敏。", "用户的女儿", "allergic_to", "芒果"),
        ("老婆是护士。", "用户的老婆", "works_as", "护士"),
    ],
)
def test_relatives_are_told_apart_and_need_no_my(said: str, subject: str, relation: str, thing: str) -> None:
    (learnt,) = learn(said)
    assert (learnt.subject, learnt.predicate, learnt.object) == (subject, relation, thing)


@pytest.mark.parametrize(
    ("said", "contents"),
    [
        ("我女朋友叫小雨，在读研。", ["用户的女朋友叫小雨。", "用户说：“我女朋友叫小雨，在读研。”"]),
        ("我老公是医生，每天很忙。", ["用户的老公是医生。", "用户说：“我老公是医生，每天很忙。”"]),
        ("我在学游泳，每周两次课。", ["用户在学游泳，每周两次课。"]),
    ],
)
def test_what_follows_is_told_of_whom_the_clause_before_is_about(said: str, contents: list[str]) -> None:
    assert [one.content for one in learn(said)] == contents


@pytest.mark.parametrize(
    ("said", "untrue"),
    [
        ("女儿生日，送了她一只龙猫，养在书房。", "女儿养"),
        ("我女儿五岁，外婆带她，对花生过敏。", "用户对花生过敏"),
    ],
)
def test_what_is_done_for_a_relative_is_told_of_nobody_else(said: str, untrue: str) -> None:
    assert not any(untrue in one.content for one in learn(said))


@pytest.mark.parametrize("thing", ["吉他", "维他命", "其他药", "头孢他啶", "阿托伐他汀"])
def test_word_that_holds_a_pronoun_is_none(thing: str) -> None:
    contents = [one.content for one in learn(f"我老婆是护士，对{thing}过敏。")]
    assert f"用户的老婆对{thing}过敏。" in contents


def test_saying_about_relatives_is_not_about_those_of_the_user() -> None:
    assert learn("儿子应该孝顺父母。") == []

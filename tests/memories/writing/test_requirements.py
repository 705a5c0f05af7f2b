"""Requirements: recognised in statements, and tagged when they are written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from evaluation.quality.writing import DatedText, WrittenAs, write_texts
from memories.curation import edit_memory, rewrite_memory
from memories.models import Memory
from memories.storage import list_requirements
from memories.text import RequirementTag, find_requirement, list_requirement_tags
from memories.values import Candidate, Kind, Layer, Writer
from memories.writing import write_candidates
from memsite.accounts.models import User

ALWAYS, DIET, CRAFT = RequirementTag


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ('The user asked: "Please use Spanish in your answers."', ALWAYS),
        ("The user prefers replies without emoji.", ALWAYS),
        ("The user wants to be called Mo.", ALWAYS),
        ("用户要求：“以后请用英文回复我。”", ALWAYS),
        ("用户希望被称呼为阿杰，请这样叫我。", ALWAYS),
        ('The user asked: "Always name your sources."', ALWAYS),
        ("用户要求：“不要用表格。”", ALWAYS),
        ('The user asked: "You may use tables again."', None),
        ("用户要求：“不用再用日语回答了。”", None),
        ("The user prefers writing their diary in Markdown.", None),
        ("用户以前喜欢很长的回答。", None),
        ("The user prefers trains over planes.", None),
        ("The user likes the answer to life being a number.", None),
        ("用户喜欢回复邮件之前先散步。", None),
    ],
)
def test_preference_about_answers_is_always_required(text: str, tag: RequirementTag | None) -> None:
    assert find_requirement(text, subject="user", kind="preference") is tag


@pytest.mark.parametrize(
    ("text", "subject", "tag"),
    [
        ("The user is a vegan.", "user", DIET),
        ("I'm allergic to shellfish.", "", DIET),
        ("The user doesn’t eat pork.", "user", DIET),
        ("用户对芒果过敏。", "user", DIET),
        ("我不吃香菜。", "", DIET),
        ("The user's sister is a vegan.", "", None),
        ("The user's sister is a vegan.", "user's sister", None),
        ("我妈妈对芒果过敏。", "", None),
        ("The user is not allergic to nuts.", "user", None),
        ("The user used to be a vegetarian.", "user", None),
        ("The user answers every letter.", "user", None),
        ("The user’s pronouns are ze/zir.", "user", ALWAYS),
        ("The user said: “My pronouns are ze/zir.”", "user", ALWAYS),
        ("The user uses a screen reader.", "user", ALWAYS),
        ("The user can't have dairy.", "user", DIET),
        ("The user said: “Wheat makes me ill.”", "user", DIET),
        ("The user cut out sugar.", "user", DIET),
        ("用户说：“我一吃芒果就起疹子。”", "user", DIET),
        ("用户不能喝牛奶。", "user", DIET),
        ("The user doesn't eat lunch.", "user", None),
        ("The user owns a vegan bakery.", "user", None),
        ("The user is allergic to pollen.", "user", None),
        ("The user said: “I might go vegan.”", "user", None),
        ("用户说：“我哥哥吃素。”", "user", None),
        ("用户不吃素了。", "user", None),
        ("用户对花粉过敏。", "user", None),
    ],
)
def test_fact_about_the_own_diet_is_required(text: str, subject: str, tag: RequirementTag | None) -> None:
    assert find_requirement(text, subject=subject, kind="fact") is tag


def test_long_statement_is_no_requirement() -> None:
    assert find_requirement("I am vegan. " * 40, subject="", kind="fact") is None


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("Suggest a soup for tonight", (ALWAYS, DIET)),
        ("感冒了该买什么药", (ALWAYS, DIET)),
        ("What goes with lentils and rice?", (ALWAYS, DIET)),
        ("I'm hungry, any ideas?", (ALWAYS, DIET)),
        ("今晚下厨做什么好", (ALWAYS, DIET)),
        ("Add a dropdown menu to this page", (ALWAYS,)),
        ("Bake a Docker image", (ALWAYS, CRAFT)),
        ("Translate this letter", (ALWAYS,)),
        ("他很吃惊，帮我润色这句话", (ALWAYS,)),
    ],
)
def test_diet_is_required_of_inputs_about_food_or_medicine(
    text: str, tags: tuple[RequirementTag, ...]
) -> None:
    assert list_requirement_tags(text) == tags


@pytest.mark.parametrize(
    "text", ["Refactor the billing module", "这个函数怎么总报错", "Why does my `git rebase` fail?"]
)
def test_words_tell_the_field_of_an_input_only_if_its_meaning_is_unknown(text: str) -> None:
    assert list_requirement_tags(text) == (ALWAYS, CRAFT)
    assert list_requirement_tags(text, ()) == (ALWAYS,)
    assert list_requirement_tags("Suggest a soup", (CRAFT,)) == (ALWAYS, DIET, CRAFT)


@pytest.mark.parametrize(
    "text", ["Is there a dress code at the opera?", "帮我写一封感谢信", "Where do I live?"]
)
def test_other_inputs_need_no_requirement_for_programming(text: str) -> None:
    assert CRAFT not in list_requirement_tags(text)


@pytest.mark.django_db
def test_requirement_is_tagged_when_it_is_written(alice: User) -> None:
    wish = Candidate(content="Please answer me in Welsh.", kind=Kind.PREFERENCE, tags=("language",))
    other = Candidate(content="The user lives in Cardiff.", subject="user")
    write_candidates([wish, other], owner=alice.pk, actor="test")
    assert Memory.objects.get(kind=Kind.PREFERENCE).tags == ["language", "always"]
    assert Memory.objects.get(kind=Kind.FACT).tags == []


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Always answer in Welsh.", ALWAYS),
        ("Keep your answers short.", ALWAYS),
        ("以后请用韩语回答。", ALWAYS),
        ("The answer to the riddle was a hat.", None),
        ("Use the blue paint for the fence.", None),
        ("用公制螺丝固定架子。", None),
    ],
)
def test_fact_worded_as_a_request_about_answers_is_always_required(
    text: str, tag: RequirementTag | None
) -> None:
    assert find_requirement(text, subject="", kind="fact") is tag


@pytest.mark.parametrize(
    ("before", "after", "tags"),
    [
        ("I'm a vegan.", "I play the oboe.", ["mine"]),
        ("I play the oboe.", "I'm a vegan.", ["mine", "diet"]),
        ("I'm a vegan.", "I'm a vegetarian.", ["mine", "diet"]),
    ],
)
@pytest.mark.django_db
def test_edited_memory_is_required_as_its_new_words_are(
    alice: User, before: str, after: str, tags: list[str]
) -> None:
    write_candidates([Candidate(content=before, tags=("mine",))], owner=alice.pk, actor="test")
    edited = rewrite_memory(Memory.objects.get().pk, after, owner=alice.pk, actor="test")
    assert sorted(edited.memories[0].tags, reverse=True) == tags


@pytest.mark.django_db
def test_edited_memory_keeps_off_a_tag_that_was_taken_off(alice: User) -> None:
    write_candidates([Candidate(content="I'm a vegan.")], owner=alice.pk, actor="test")
    key = Memory.objects.get().pk
    edit_memory(key, {"tags": []}, owner=alice.pk, actor="test")
    edited = rewrite_memory(key, "I'm a vegetarian.", owner=alice.pk, actor="test")
    assert edited.memories[0].tags == []


@pytest.mark.django_db
def test_requirement_of_a_program_comes_after_the_person_s_own(alice: User) -> None:
    for text, writer in (("Answer in Welsh.", Writer.PERSON), ("Never use tables.", Writer.PROGRAM)):
        one = Candidate(content=text, kind=Kind.PREFERENCE, tags=("always",), written_by=writer)
        write_candidates([one], owner=alice.pk, actor="test")
    assert [row.content for row in list_requirements(owner=alice.pk)] == [
        "Answer in Welsh.",
        "Never use tables.",
    ]


@pytest.mark.django_db
def test_what_happened_is_no_requirement(alice: User) -> None:
    said = Candidate(content="I'm allergic to cats.", layer=Layer.EPISODIC, kind=Kind.CONVERSATION)
    write_candidates([said], owner=alice.pk, actor="test")
    assert Memory.objects.get().tags == []


@pytest.mark.parametrize(
    ("earlier", "later", "sent"),
    [
        ("Answer in Dutch.", "Answer in Polish from now on.", ["Polish"]),
        ("Answer in Dutch.", "Speak Polish to me.", ["Polish"]),
        ("Answer in Dutch.", "You don't have to answer in Dutch any more.", []),
        ("以后请用韩语回答。", "以后请用俄语回答。", ["俄语"]),
        ("No emojis please.", "You can use emojis again.", []),
        ("I prefer imperial units.", "I prefer metric units.", ["metric"]),
        ("Call me Jo.", "Call me Max from now on.", ["Max"]),
        ("I don't eat cheese.", "I've started eating cheese again.", []),
        ("I'm a vegetarian.", "I eat chicken again.", []),
        ("我吃素。", "我最近又开始吃肉了。", []),
        ("我对芝麻过敏。", "我对芝麻已经不过敏了。", []),
        ("Answer in Dutch.", "No emojis please.", ["Dutch", "emojis"]),
        ("I don't eat cheese.", "I don't eat eggs.", ["cheese", "eggs"]),
    ],
)
@pytest.mark.django_db
def test_newest_of_two_opposed_requirements_is_sent(
    alice: User, earlier: str, later: str, sent: list[str]
) -> None:
    begin = datetime(2026, 1, 5, tzinfo=UTC)
    texts = [DatedText("a", begin, earlier), DatedText("b", begin + timedelta(days=40), later)]
    list(write_texts(texts, WrittenAs.MESSAGES, owner=alice.pk))
    found = sorted(row.content for row in list_requirements(owner=alice.pk))
    assert len(found) == len(sent), found
    assert all(any(word in content for content in found) for word in sent)


@pytest.mark.django_db
def test_many_diets_hide_no_way_to_answer(alice: User) -> None:
    wish = Candidate(content="Please answer me in Welsh.", kind=Kind.PREFERENCE)
    foods = [Candidate(content=f"The user does not eat dish {n}.", tags=("diet",)) for n in range(120)]
    write_candidates([wish, *foods], owner=alice.pk, actor="test")
    found = list_requirements(owner=alice.pk, tags=[ALWAYS])
    assert [row.content for row in found] == ["Please answer me in Welsh."]

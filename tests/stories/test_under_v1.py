"""Corrections, edits, repetitions and retractions in chats under `/v1`, with a model that extracts."""

from __future__ import annotations

from typing import Any

from tests.memories.extraction.windowed import item
from tests.stories.conftest import Chat, Look
from tests.stories.scripted_model import StoryModel

#: An answer by which a conversation is recognised without a name.
HELLO = "Good morning! What would you like to talk about on this fine day?"


def test_correction_in_the_same_chat_leaves_nothing_of_the_error(chat: Chat, look_upstream: Look) -> None:
    wrong, right = "My birthday is on the 4th of May, by the way.", "Sorry, I meant the 14th of May."
    chat("2025-09-12", wrong, extracts=[item("The user's birthday is on the 4th of May.")])
    chat("2025-09-12", wrong, "OK.", right, extracts=[item("The user's birthday is on the 14th of May.")])
    prompt = look_upstream("When is my birthday?")
    assert "14th of May" in prompt
    assert "the 4th" not in prompt


def test_chinese_correction_in_the_same_chat_leaves_nothing_of_the_error(
    chat: Chat, look_upstream: Look
) -> None:
    wrong, right = "我妹妹叫李娜，在银行上班。", "不对，我妹妹叫李楠，打错字了。"
    sister: dict[str, Any] = {"subject": "妹妹", "predicate": "named", "single_valued": True}
    chat("2025-07-17", wrong, extracts=[item("用户的妹妹叫李娜。", **sister, object="李娜")])
    chat("2025-07-17", wrong, "OK.", right, extracts=[item("用户的妹妹叫李楠。", **sister, object="李楠")])
    prompt = look_upstream("我妹妹叫什么？")
    assert "李楠" in prompt
    assert "李娜" not in prompt


def test_message_that_was_edited_is_in_no_prompt(chat: Chat, look_upstream: Look, model: StoryModel) -> None:
    model.replies["Good morning to you."] = HELLO
    opening = ("Good morning to you.", HELLO)
    chat("2025-09-12", opening[0])
    dog, cat = "I have a new dog called Rufus, a beagle.", "I have a new cat called Mimi, a tabby."
    chat("2025-09-12", *opening, dog, extracts=[item("The user has a dog called Rufus.")])
    assert "Rufus" in look_upstream("What is my pet called?")
    chat("2025-09-12", *opening, cat, extracts=[item("The user has a cat called Mimi.")])
    prompt = look_upstream("What are my pets called?")
    assert "Mimi" in prompt
    assert "Rufus" not in prompt


def test_chinese_message_that_was_edited_is_in_no_prompt(
    chat: Chat, look_upstream: Look, model: StoryModel
) -> None:
    model.replies["早上好！"] = HELLO
    opening = ("早上好！", HELLO)
    chat("2025-09-12", opening[0])
    dog, cat = "我养了一条狗叫旺财，是柴犬。", "我养了一只猫叫团子，是橘猫。"
    chat("2025-09-12", *opening, dog, extracts=[item("用户养了一条狗叫旺财。")])
    chat("2025-09-12", *opening, cat, extracts=[item("用户养了一只猫叫团子。")])
    prompt = look_upstream("我养了什么宠物？")
    assert "团子" in prompt
    assert "旺财" not in prompt


def test_what_is_told_again_is_in_the_prompt_once(chat: Chat, look_upstream: Look) -> None:
    learnt = [item("The user plays the cello.", predicate="plays", object="the cello")]
    for day in ("2025-08-03", "2026-03-09"):
        chat(day, "I play the cello in a small orchestra.", extracts=learnt)
    prompt = look_upstream("Which instrument do I play?")
    assert prompt.count("The user plays the cello.") <= 1
    assert prompt.count("I play the cello in a small orchestra.") <= 1
    assert "cello" in prompt


def test_chinese_return_to_what_was_told_before_is_so_now(chat: Chat, look_upstream: Look) -> None:
    places = [
        ("2025-05-03", "我住在成都的武侯区。", "成都"),
        ("2025-08-12", "我搬到杭州了，住在西湖区。", "杭州"),
    ]
    for day, text, place in (*places, ("2025-11-20", "我又搬回成都了，还是老地方。", "成都")):
        lives = item(f"用户住在{place}。", predicate="lives_in", object=place, single_valued=True)
        chat(day, text, extracts=[lives])
    prompt = look_upstream("我住在哪里？")
    assert "成都" in prompt
    assert "杭州" not in prompt


def test_statement_that_was_taken_back_requires_nothing(chat: Chat, look_upstream: Look) -> None:
    stated, retracted = (
        "I am allergic to strawberries, badly.",
        "I was wrong, I am not allergic to strawberries.",
    )
    allergic = item("The user is allergic to strawberries.", predicate="allergic_to", object="strawberries")
    chat("2025-08-03", stated, extracts=[allergic])
    assert "The user is allergic to strawberries." in look_upstream("Can I eat strawberries?")
    chat("2025-08-03", stated, "OK.", retracted, extracts=[item("The user is not allergic to strawberries.")])
    prompt = look_upstream("May I have a strawberry cake?")
    assert "is allergic to strawberries" not in prompt
    assert "I am allergic" not in prompt


def test_chinese_joke_that_was_taken_back_is_in_no_prompt(chat: Chat, look_upstream: Look) -> None:
    stated, retracted = "我养了一条狗叫旺财，是柴犬。", "刚才说的狗是开玩笑的，我没有养狗。"
    chat("2025-08-03", stated, extracts=[item("用户养了一条狗叫旺财。")])
    chat("2025-08-03", stated, "OK.", retracted, extracts=[item("用户没有养狗。")])
    prompt = look_upstream("我的狗叫什么？")
    assert "没有养狗" in prompt
    assert "旺财" not in prompt


def test_visit_is_not_a_home(chat: Chat, look_upstream: Look) -> None:
    lives = item("The user lives in Vienna.", predicate="lives_in", object="Vienna", single_valued=True)
    visits = item("The user is in Rome for two weeks to see their aunt.", kind="context")
    chat("2025-07-09", "I live in Vienna with my brother.", extracts=[lives])
    chat("2026-05-05", "I'm in Rome for two weeks to see my aunt.", extracts=[visits])
    assert "Vienna" in look_upstream("Which city is my home?")


def test_style_is_in_the_prompt_of_a_chinese_task_and_of_nothing_else(
    chat: Chat, look_upstream: Look
) -> None:
    style = ["用户写代码喜欢函数式风格。", "用户写代码用 TypeScript。", "用户认为组合优于继承。"]
    text = "我写代码喜欢函数式风格，用 TypeScript，组合优于继承。"
    chat("2025-09-01", text, extracts=[item(one, kind="preference") for one in style])
    chat("2025-12-11", "我奶奶今天九十大寿，全家都来了。")
    prompt = look_upstream("帮我重构这个用户管理模块")
    assert all(one in prompt for one in style)
    assert "奶奶" not in prompt
    assert look_upstream("1加1等于几？") == ""

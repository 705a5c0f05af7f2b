"""What a model extracts, leaves out or makes up under `/v1`, and what then stands in the prompt."""

from __future__ import annotations

from typing import Any

from tests.llm_server import hang, prose, status
from tests.memories.extraction.windowed import item
from tests.stories.conftest import Chat, Look
from tests.stories.scripted_model import StoryModel


def home(place: str, content: str) -> dict[str, Any]:
    """Return that the user lives in a place, as a model proposes it."""
    return item(content, predicate="lives_in", object=place, single_valued=True)


def test_change_that_a_model_extracts_is_so_now(chat: Chat, look_upstream: Look) -> None:
    berlin, paris = home("Berlin", "The user lives in Berlin."), home("Paris", "The user lives in Paris.")
    chat("2025-08-03", "I live in Berlin, close to the zoo.", extracts=[berlin])
    chat("2025-11-09", "I moved to Paris last month, what a relief.", extracts=[paris])
    prompt = look_upstream("Where do I live?")
    assert "Paris" in prompt
    assert "Berlin" not in prompt
    assert "[2025-08-03" in look_upstream("Where did I live in August 2025?")


def test_chinese_change_that_a_model_extracts_is_so_now(chat: Chat, look_upstream: Look) -> None:
    chat("2025-08-03", "我住在成都的武侯区。", extracts=[home("成都", "用户住在成都。")])
    chat("2025-11-09", "上个月我搬到杭州了，天气很好。", extracts=[home("杭州", "用户住在杭州。")])
    prompt = look_upstream("我住在哪里？")
    assert "杭州" in prompt
    assert "成都" not in prompt
    assert "成都" in look_upstream("2025年8月我住在哪个城市？")


def test_rules_add_what_a_model_that_extracts_nothing_left_out(
    chat: Chat, look_upstream: Look, model: StoryModel
) -> None:
    chat("2025-07-01", "I'm allergic to peanuts, even in small traces.")
    chat("2026-02-01", "I bought a blue sofa for the living room.")
    assert model.extracted == 2
    prompt = look_upstream("Give me a recipe for cookies.")
    assert "The user is allergic to peanuts" in prompt


def test_rules_add_what_a_model_that_extracts_nothing_left_out_in_chinese(
    chat: Chat, look_upstream: Look, model: StoryModel
) -> None:
    chat("2025-06-02", "我对花生过敏，吃一点就起疹子。")
    chat("2025-09-10", "我从小就有哮喘，冬天更严重。")
    chat("2026-02-01", "我买了一张蓝色的沙发，很舒服。")
    assert model.extracted == 3
    prompt = look_upstream("我有哪些健康问题？")
    assert "花生" in prompt
    assert "哮喘" in prompt
    assert "沙发" not in prompt


def test_lie_of_a_model_reaches_no_prompt(chat: Chat, look_upstream: Look) -> None:
    lies = [home("Rome", "The user lives in Rome."), item("The user does not live in Berlin.")]
    chat("2025-08-03", "I live in Berlin, close to the zoo.", extracts=lies)
    prompt = look_upstream("Where do I live?")
    assert "The user lives in Berlin" in prompt
    assert "Rome" not in prompt
    assert "not live" not in prompt


def test_chinese_lie_of_a_model_ends_nothing(chat: Chat, look_upstream: Look) -> None:
    chat("2025-05-03", "我们的接口跑在 5432 端口上。", extracts=[item("用户的接口跑在 5432 端口上。")])
    chat("2025-11-12", "今天和同事去吃了火锅，真开心。", extracts=[item("用户的接口跑在 6432 端口上。")])
    prompt = look_upstream("我们的接口在哪个端口？")
    assert "5432" in prompt
    assert "6432" not in prompt


def test_value_that_only_a_model_calls_the_only_one_is_disputed(chat: Chat, look_upstream: Look) -> None:
    shop: dict[str, Any] = {"subject": "shop", "predicate": "deployed_with", "single_valued": True}
    before = item("The shop is deployed with Capistrano.", **shop, object="Capistrano")
    now = item("The shop is deployed with Kamal.", **shop, object="Kamal")
    chat("2025-05-03", "We deploy the shop with Capistrano.", extracts=[before])
    chat("2025-11-12", "The shop goes out with Kamal these days, it is much faster.", extracts=[now])
    prompt = look_upstream("How do I deploy the shop?")
    assert "disputed] The shop is deployed with Capistrano." in prompt
    assert "disputed] The shop is deployed with Kamal." in prompt


def test_rules_read_what_a_failing_model_does_not(chat: Chat, look_upstream: Look, model: StoryModel) -> None:
    model.failures = [status(400), prose(), prose()]
    chat("2025-05-05", "I use Vue for all my front ends.")
    chat("2025-10-11", "I've switched to React; all my new front ends use it.")
    assert model.failures == []
    prompt = look_upstream("Which front-end framework do I use?")
    assert "React" in prompt
    assert "Vue" not in prompt


def test_model_that_hangs_once_is_tried_again(
    chat: Chat, look_upstream: Look, model: StoryModel, settings: Any
) -> None:
    settings.MEMSITE_MODEL_TIMEOUT = 1.5  # and half of it for the second try
    model.failures = [hang()]
    choir, bees = item("The user sings in a choir on Mondays."), item("The user keeps bees on Sundays.")
    text = "Since the new year it is the choir on Mondays and the bees on Sundays."
    chat("2025-12-01", text, extracts=[choir, bees])
    assert model.extracted == 2
    assert "The user sings in a choir on Mondays." in look_upstream("What do I do on Mondays?")


def test_stay_that_a_model_takes_for_a_home_ends_no_home(chat: Chat, look_upstream: Look) -> None:
    rome = home("Rome", "The user is in Rome for two weeks for work.")
    chat("2025-05-01", "I live in Berlin.", extracts=[home("Berlin", "The user lives in Berlin.")])
    chat("2025-09-02", "I'm in Rome for two weeks for work.", extracts=[rome])
    assert "lives in Berlin" in look_upstream("Where do I live?")


def test_chinese_stay_that_a_model_takes_for_a_home_ends_no_home(chat: Chat, look_upstream: Look) -> None:
    chat("2025-05-01", "我住在成都。", extracts=[home("成都", "用户住在成都。")])
    chat("2025-09-02", "我这两周在上海出差。", extracts=[home("上海", "用户这两周在上海出差。")])
    assert "用户住在成都" in look_upstream("我住在哪里？")


def test_name_that_a_model_extracts_from_a_correction_stands_alone(chat: Chat, look_upstream: Look) -> None:
    sister: dict[str, Any] = {"subject": "the user's sister", "predicate": "called", "single_valued": True}
    lisa = item("The user's sister is called Lisa.", **sister, object="Lisa")
    linda = item("The user's sister is called Linda.", **sister, object="Linda")
    chat("2025-05-01", "My sister is called Lisa.", extracts=[lisa])
    chat("2025-05-02", "No, my sister is called Linda, that was a typo.", extracts=[linda])
    prompt = look_upstream("What is my sister's name?")
    assert "Linda" in prompt
    assert "Lisa" not in prompt
    assert "disputed" not in prompt


def test_chinese_correction_without_a_triple_stands_alone(chat: Chat, look_upstream: Look) -> None:
    chat("2025-05-01", "我们的会议在周三下午两点。", extracts=[item("用户的会议在周三下午两点。")])
    chat("2025-05-02", "说错了，会议是周四下午两点。", extracts=[item("用户的会议在周四下午两点。")])
    prompt = look_upstream("我们的会议什么时候？")
    assert "周四" in prompt
    assert "周三" not in prompt

"""Traditional and simplified Chinese are one in the index, the fingerprint and the names."""

from __future__ import annotations

from rest_framework.test import APIClient


def _add(api: APIClient, content: str) -> str:
    return str(api.post("/api/memories", {"content": content}).data["action"])


def _found(api: APIClient, query: str) -> list[str]:
    body = {"query": query, "top_k": 3}
    return [memory["content"] for memory in api.post("/api/memories/search", body).data["memories"]]


def test_traditional_words_find_a_simplified_memory(alice_api: APIClient) -> None:
    _add(alice_api, "黄伟住在台湾的台北")
    assert _found(alice_api, "黃偉") == ["黄伟住在台湾的台北"]


def test_simplified_words_find_a_traditional_memory(alice_api: APIClient) -> None:
    _add(alice_api, "黃偉喜歡騎單車")
    assert _found(alice_api, "黄伟骑单车") == ["黃偉喜歡騎單車"]


def test_said_in_the_other_script_strengthens(alice_api: APIClient) -> None:
    assert _add(alice_api, "陈静喜欢喝绿茶。") == "created"
    assert _add(alice_api, "陳靜喜歡喝綠茶") == "strengthened"


def test_name_in_either_script_is_one_entity(alice_api: APIClient) -> None:
    for content, subject in (("陈静的生日是三月", "陈静"), ("陳靜會彈鋼琴", "陳靜")):
        alice_api.post("/api/memories", {"content": content, "subject": subject})
    names = [entity["name"] for entity in alice_api.get("/api/memories/graph").data["entities"]]
    assert len([name for name in names if name in {"陈静", "陳靜"}]) == 1

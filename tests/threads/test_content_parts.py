"""Messages whose content comes as parts."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA", "detail": "low"}}


def append(api: APIClient, content: Any) -> Any:
    thread = api.post("/api/threads", {}).json()["id"]
    return api.post(f"/api/threads/{thread}/messages", {"role": "user", "content": content})


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        ([{"type": "text", "text": "Where is this?"}, PICTURE], "Where is this?\n[image]"),
        ([PICTURE | {"caption": "a beach\nat dusk"}], "[image: a beach at dusk]"),
        (
            [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA"}}],
            "[image]",
        ),
        ([{"type": "input_audio", "input_audio": {"data": "AA", "format": "wav"}}], "[audio]"),
        ([{"type": "text", "text": "这是哪里？"}], "这是哪里？"),
    ],
)
def test_parts_are_kept_as_text(alice_api: APIClient, parts: list[Any], kept: str) -> None:
    answer = append(alice_api, parts)
    assert (answer.status_code, answer.json()["content"]) == (201, kept)


@pytest.mark.parametrize(
    "parts",
    [[], [{"type": "video", "url": "x"}], [{"type": "text"}], ["text"], [PICTURE | {"colour": "blue"}]],
)
def test_what_is_no_list_of_parts_is_refused(alice_api: APIClient, parts: list[Any]) -> None:
    answer = append(alice_api, parts)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_text_of_parts_has_the_limit_of_any_content(alice_api: APIClient) -> None:
    assert append(alice_api, [{"type": "text", "text": "x" * 600_000}] * 2).status_code == 400

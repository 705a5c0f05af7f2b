"""Long random strings, and the many strings that only look long."""

from __future__ import annotations

import base64
import random
import string

import pytest

from memories.gate import redact_text
from memories.gate.secrets.values.randomness import looks_random

ALPHABETS = {
    "base62": string.ascii_letters + string.digits,
    "base64": string.ascii_letters + string.digits + "+/",
    "base64url": string.ascii_letters + string.digits + "-_",
    "base36": string.ascii_lowercase + string.digits,
    "base32": string.ascii_uppercase + "234567",
}


@pytest.mark.parametrize("name", ALPHABETS)
def test_nearly_all_random_strings_of_40_characters_look_random(name: str) -> None:
    draw = random.Random(name)  # noqa: S311 - made-up samples
    strings = ["".join(draw.choices(ALPHABETS[name], k=40)) for _ in range(500)]
    assert sum(map(looks_random, strings)) >= 0.95 * len(strings)


@pytest.mark.parametrize(
    "text",
    [
        "The value is {} today.",
        "值是{}，别外传",
        "X={}",
        '"{}"',
        "({}),",
        "hash browns, then {}",
    ],
)
def test_random_string_is_redacted(text: str) -> None:
    value = "9aF3kLmZ" + "0pQ7rT2vX8yB4cD6eG1hJ5nS"
    assert redact_text(text.format(value)).text == text.format("[redacted:high_entropy]")


def test_generated_password_with_symbols_is_redacted() -> None:
    assert redact_text("try kJ8#mN2$pQ5^rT9&vX3*zA6!").text == "try [redacted:high_entropy]"


PICTURE = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(90))).decode()
LETTER = base64.b64encode("亲爱的朋友，我们明天下午三点在咖啡馆见面".encode()).decode()


@pytest.mark.parametrize(
    "text",
    [
        "018f4e2a-7b1c-7def-8a2b-3c4d5e6f7a8b",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "d41d8cd98f00b204e9800998ecf8427e",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8, v2.4-9-g9fceb02d0ae5",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        '"integrity": "sha512-WJRcmxvQWT2yKhkGrJzuGkZMHbVZIWLXQ9DdYz6qJmHZGTsAxvnqbnUSmz7Kt1HTUjG3Zk=="',
        "django/apps.py,sha256=QTKknzFg2J4ygwa-XvHAxUl1hyHoY0gVfZdfjIedHZ0,123",
        "h1:QTKknzFg2J4ygwa+XvHAxUl1hyHoY0gVfZdfjIedHZ0=",
        "/home/user/projects/memsite/src/components/UserProfileCard2.tsx",
        r"C:\Users\Bob\AppData\Local\Programs\Python\Python311\python.exe",
        "node_modules/@types/react-dom/server.d.ts and some/path/v2/Foo3Bar/index.html",
        "getUserAccountDetailsByEmailAddress2 MAX_CONCURRENT_CONNECTIONS_PER_HOST_V2",
        "css-1q2w3e4r .btn--primary-large__icon_left2 styles_button__3kXyZ",
        "numpy-2.4.6-cp311-cp311-manylinux_2_27_x86_64.whl gpt-4o-mini-2024-07-18",
        "arn:aws:iam::123456789012:role/service-role/MyLambdaRole2 i-0abcd1234efgh5678",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        "pneumonoultramicroscopicsilicovolcanoconiosis2 Donaudampfschifffahrtsgesellschaft1",
        f"<img src='data:image/png;base64,{PICTURE}'> {PICTURE}",
        f"Subject: =?utf-8?b?{LETTER}?=",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKf0TzLwz9wUqVn3Wk1cYb7rZp2Xh5Qd8Gm4Js6Lv0Ba bob@host",
        "M240-160h480v-400H240v400Zm296-1038s41598-023-29610-z",
    ],
)
def test_ordinary_string_is_kept(text: str) -> None:
    assert redact_text(text).text == text

"""Texts made to hang a regular expression: the test ends, so each is read in linear time or near it."""

from __future__ import annotations

import pytest

from memories.gate import redact_text

LENGTH = 20_000


@pytest.mark.parametrize(
    "piece",
    [
        *("a", "1", "1 ", "4111 ", "4111-", "A", "-", "/", "=", '"', "\\n", "\u200b", "ａ", "密码是", "。"),
        *(
            "sk-",
            "ey" + "J-",
            "ey" + "Jaaaaaaaa.",
            "xo" + "xb-",
            "://a:",
            "://a:b@",
            "?token=",
            "token=",
            "password is ",
        ),
        *("-----BEGIN PRIVATE KEY-----", "[redacted:", "[redacted:password]", "seed ", "passphrase abandon "),
        *("1 is my password ", "GB82 ", "aB3kQ9xZ", "mysql -p", "machine a login b password ", "heroku key "),
    ],
)
def test_long_text_of_one_piece_repeated_is_read_to_its_end(piece: str) -> None:
    text = (piece * (LENGTH // len(piece) + 1))[:LENGTH]
    once = redact_text(text).text
    assert redact_text(once).text == once

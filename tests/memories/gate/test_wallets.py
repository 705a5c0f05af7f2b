"""Keys to money."""

from __future__ import annotations

import hashlib

import pytest

from memories.gate import redact_text

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
PHRASE = "abandon ability able about above absent absorb abstract absurd abuse access accident"


def base58_checked(body: bytes) -> str:
    data = body + hashlib.sha256(hashlib.sha256(body).digest()).digest()[:4]
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, place = divmod(number, 58)
        text = ALPHABET[place] + text
    return text


KEY = base58_checked(b"\x80" + bytes(range(32)))
COMPRESSED = base58_checked(b"\x80" + bytes(range(32)) + b"\x01")


@pytest.mark.parametrize("key", [KEY, COMPRESSED])
def test_bitcoin_private_key_is_redacted(key: str) -> None:
    assert redact_text(f"cold storage {key} here").text == "cold storage [redacted:bitcoin_private_key] here"


def test_key_whose_checksum_fails_is_not_taken_for_a_bitcoin_key() -> None:
    changed = KEY[:-1] + ("2" if KEY[-1] == "1" else "1")
    assert "bitcoin" not in redact_text(f"cold storage {changed} here").text


@pytest.mark.parametrize(
    ("before", "phrase", "after"),
    [
        ("my seed phrase is ", PHRASE, " and I keep it safe"),
        ("助记词: ", PHRASE, ""),
        ("Mnemonic: ", PHRASE.replace(" ", ", "), "."),
        ("recovery phrase:\n", PHRASE.replace(" ", "\n"), ""),
    ],
)
def test_recovery_phrase_is_redacted(before: str, phrase: str, after: str) -> None:
    assert redact_text(before + phrase + after).text == f"{before}[redacted:seed_phrase]{after}"


def test_numbered_recovery_phrase_is_redacted() -> None:
    numbered = " ".join(f"{place}. {word}" for place, word in enumerate(PHRASE.split(), 1))
    redacted = redact_text(f"seed phrase: {numbered}").text
    assert not any(word in redacted for word in PHRASE.split()[1:-1])


@pytest.mark.parametrize(
    "text",
    [
        PHRASE,
        "my seed phrase is in the safe behind the picture of the sea and nobody knows",
        "the mnemonic for the planets is: my very educated mother just served us nine pizzas",
        "I planted seeds in the garden behind the house near the river with friends from school",
    ],
)
def test_words_that_are_no_recovery_phrase_are_kept(text: str) -> None:
    assert redact_text(text).text == text

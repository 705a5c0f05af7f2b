"""Private keys as blocks of text, however they were pasted."""

from __future__ import annotations

import base64
import random

import pytest

from memories.gate import redact_text

DASHES = "-" * 5
_BODY = base64.b64encode(random.Random(4).randbytes(900)).decode()  # noqa: S311 - a made-up key
LINES = [_BODY[at : at + 64] for at in range(0, len(_BODY), 64)]


def block(name: str, header: str = "") -> str:
    return "\n".join(
        [f"{DASHES}BEGIN {name}{DASHES}", header + LINES[0], *LINES[1:], f"{DASHES}END {name}{DASHES}"]
    )


def assert_no_line_is_left(text: str) -> None:
    assert not [line for line in LINES if line[:20] in text]


KEY = block("RSA PRIVATE KEY")


@pytest.mark.parametrize("name", ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "])
def test_private_key_is_redacted_as_one_and_prose_around_it_kept(name: str) -> None:
    text = f"This opens the door:\n{block(name + 'PRIVATE KEY')}\nand I like tea."
    assert redact_text(text).text == "This opens the door:\n[redacted:private_key]\nand I like tea."


@pytest.mark.parametrize(
    "pasted",
    [
        KEY.replace("\n", "\r\n"),
        KEY.replace("\n", "\\n"),
        KEY.replace("\n", " "),
        KEY.replace("\n", ""),
        KEY.replace("\n", "\n> "),
        KEY.replace("\n", "\n    "),
        KEY.replace("\n", "\n- "),
        KEY.replace("\n", '\\n"\n"'),
        f'{{"private_key": "{KEY}"}}'.replace("\n", "\\n"),
        f"这是我的私钥：{KEY}，请保密",
    ],
)
def test_no_line_of_a_private_key_is_left_however_it_is_pasted(pasted: str) -> None:
    assert_no_line_is_left(redact_text(pasted).text)


def test_private_key_cut_short_is_redacted_up_to_where_prose_begins() -> None:
    cut = "\n".join(KEY.split("\n")[:6])
    assert redact_text(f"{cut}\nand so on").text == "[redacted:private_key]\nand so on"


def test_encrypted_key_goes_with_its_headers() -> None:
    header = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n"
    assert redact_text(block("RSA PRIVATE KEY", header)).text == "[redacted:private_key]"


def test_body_of_a_key_without_its_frame_is_redacted() -> None:
    assert_no_line_is_left(redact_text("\n".join(LINES[2:8])).text)


def test_openpgp_private_key_is_redacted() -> None:
    text = block("PGP PRIVATE KEY BLOCK", "Version: GnuPG v2\n\n")
    assert redact_text(text).text == "[redacted:pgp_private_key]"


def test_putty_key_is_redacted_whole() -> None:
    head = "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: laptop\nPublic-Lines: 2\n"
    text = head + "\n".join([*LINES[:2], "Private-Lines: 2", *LINES[2:4], "Private-MAC: 0123456789abcdef"])
    assert redact_text(f"{text}\nI like tea.").text == "[redacted:putty_private_key]\nI like tea."


def test_ssh2_private_key_is_redacted() -> None:
    begin, end = "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----", "---- END SSH2 ENCRYPTED PRIVATE KEY ----"
    assert redact_text("\n".join([begin, *LINES, end])).text == "[redacted:ssh2_private_key]"


@pytest.mark.parametrize("name", ["CERTIFICATE", "PUBLIC KEY", "PGP PUBLIC KEY BLOCK", "PGP SIGNATURE"])
def test_public_block_is_kept(name: str) -> None:
    assert redact_text(block(name)).findings == ()


@pytest.mark.parametrize(
    "text",
    [
        f"The file begins with {DASHES}BEGIN PRIVATE KEY{DASHES}.",
        f'if line.startswith("{DASHES}BEGIN RSA PRIVATE KEY{DASHES}"):',
        f"{DASHES}BEGIN PRIVATE KEY{DASHES}\n...\n{DASHES}END PRIVATE KEY{DASHES}",
    ],
)
def test_talk_about_private_keys_is_kept(text: str) -> None:
    assert redact_text(text).text == text

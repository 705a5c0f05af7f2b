"""Secrets that somebody is told to give where something asks, and random strings that others may know."""

from __future__ import annotations

import pytest

from memories.gate import redact_text


@pytest.mark.parametrize(
    ("before", "secret"),
    [
        ("when prompted type ", "sunset_3679Q"),
        ("if it asks, use ", "Tango!88fox"),
        ("just put mango when the box pops up, no, put ", "mango-river-77"),
        ("the vault opens if you type ", "orchid-59-LAMP"),
        ("you get in with ", "Jasmine!Tea3"),
        ("the box will ask, give it ", "Nimbus_404x"),
        ("the prompt wants ", "Violet-Harbor-31"),
        ("提示输入的时候打 ", "xiaobai_2019Z"),
        ("Passwort? ", "Sommer_2031x"),
        ("iPad passcode? ", "491615"),
        ("PIN for the new card? ", "8830"),
        ("门禁密码？ ", "258046"),
        ("Türcode? ", "2580"),
        ("unlock code for dad's phone... ", "020684"),
        ("the code to the building is ", "3906"),
        ("the garage keypad wants ", "5570"),
        ("Das Handy entsperrt man mit ", "774411"),
        ("Mein Reisepass hat die Nummer ", "C4VL0P3T2"),
        ("Reisepass ", "L01X00T47"),
        ("passeport ", "14AB56789"),
        ("身份证号是", "１１０１０１１９９００３０７４５１４"),
    ],
)
def test_secret_goes_by_what_is_said_of_it(before: str, secret: str) -> None:
    redacted = redact_text(f"{before}{secret}")
    assert secret not in redacted.text
    assert redacted.text.startswith(before)


@pytest.mark.parametrize(
    "text",
    [
        "postgres://user:password@localhost:5432/app",
        "DATABASE_URL=postgres://postgres:postgres@127.0.0.1/db",
        "The example uses mysql://user:changeme@example.com/db",
        "Use test card 4242 4242 4242 4242 with any CVC",
        "cards for tests: 4111111111111111 and 378282246310005",
        "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
        "send it to 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
        "donate: bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
        "npub1sn0wdenkukak0d9dfczzeacvhkrgz92ak56egt7vdgzn8pv2wfqqhrjdv9",
        "user_2NNEqL2nrIRdJ194ndJqAHwEfxC logged in",
        "price_1MoBy5LkdIwHu7ixZhnattbh is the monthly plan",
        "chatcmpl-9yHkQ2n3b4v5c6x7z8a9s0d1f2g3 was slow",
        "wireguard public key: xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=",
        "prompted by GPT-4o",
        "vault episode S02E05",
        "is the code reviewed? 3 comments left",
        "Password rules? 12 characters, 1 digit.",
        "The gate code of conduct has 10 points",
        "提示：第3章第2节有答案",
    ],
)
def test_what_others_may_know_stays(text: str) -> None:
    assert redact_text(text).text == text


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [
        ("postgres://app:", "changeme", "@db.acme.io/prod"),
        ("postgres://app:", "Zx81-kiwi", "@localhost/prod"),
        ("I pay with ", "4111 1111 1111 1111", ""),
        ("wifi login ", "team-Liverpool2024", ""),
        ("sign in with ", "user_Sommer2031x", ""),
        ("", "run_KatzenLiebenMilch99", " is the wifi password"),
        ("key from the doc: ", "app-Kq3vT9zLm2Xw8RbN5YcJ7dHs", ""),
        ("send message ", "wJ9lrXUtnFEMIK7MDENGbPxRfiCYzz4XYq", ""),
        ("secret id: ", "t7Qm2Vx9Lr4Zp8Kd3Wn6Ys1B", ""),
        ("session id: ", "t7Qm2Vx9Lr4Zp8Kd3Wn6Ys1B", ""),
        ("auth token, file id ", "t7Qm2Vx9Lr4Zp8Kd3Wn6Ys1B", ""),
        ("minisign key ", "RWRTY0Iy7q2Vx9Lr4Zp8Kd3Wn6Ys1Bt7Qm2Vx9", ""),
        ("my own bitcoin key ", "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", ""),
    ],
)
def test_what_only_resembles_it_goes(before: str, secret: str, after: str) -> None:
    assert secret not in redact_text(f"{before}{secret}{after}").text

"""Secrets known by the words around them, in sentences, files and program text."""

from __future__ import annotations

import pytest

from memories.gate import redact_text
from memories.gate.secrets.context import secret_kind_of_name

KEY = "9f8e7d6c" + "5b4a39281706"

SAID = [
    ("my password is ", "hunter2", ""),
    ("My password is ", "hunter2", " and my dog is Max."),
    ("the wifi password is ", "swordfish", "."),
    ("My Netflix password is ", "sunflower", " and the email is bob@example.com"),
    ("Password for my router is ", "Tr0ub4dor&3", ""),
    ("The password I use for the bank is ", "flix2020", ""),
    ("the password for the server at 10.0.0.5 is ", "toor", ""),
    ("my passwords are ", "hunter2", " in general"),
    ("my password used to be ", "hunter2", ""),
    ("I changed my password to ", "Blue$ky99!", ""),
    ("my passphrase is ", "correct horse battery staple", ""),
    ("The password is: ", "correct-horse-battery-staple", ""),
    ("my laptop's password is “", "Blue Horse 77", "”"),
    ("app password: ", "abcd efgh ijkl mnop", ""),
    ("Password: ", "swordfish", ""),
    ("password:\n", "hunter2", ""),
    ("| password | ", "hunter2", " |"),
    ("**Password**: `", "hunter2", "`"),
    ("DB_PASSWORD=", "swordfish", "\nDB_HOST=localhost"),
    ("export PGPASSWORD=", "s3cr3t", " && psql"),
    ('{"password": "', "hunter2", '"}'),
    ('{\\"password\\": \\"', "hunter2", '\\"}'),
    ("define('DB_PASSWORD', '", "hunter2", "');"),
    ("- name: DB_PASSWORD\n  value: ", "hunter2", ""),
    ("Server=x;User Id=sa;Password=", "MyPass", ";Encrypt=true"),
    ("<password>", "hunter2", "</password>"),
    ("deploy --password ", "hunter2", " --yes"),
    ("用户名admin/密码", "admin123", ""),
    ("我的密码是", "abc123", "，请记住"),
    ("密码：", "hunter2", "。"),
    ("我家wifi密码是 ", "sunshine2020", ""),
    ("我把密码设置成", "abc@123", "了"),
    ("登录密码为：", "Qwer!234", ""),
    ("银行卡密码", "666666", ""),
    ("密码是“", "芝麻开门", "”"),
    ("mi contraseña es ", "Luna2020", "."),
    ("Passwort: ", "hunter2", ""),
    ("パスワードは", "hunter2", "です"),
    ("", "hunter2", " is my password"),
    ("", "abc123", "是我的密码"),
]


@pytest.mark.parametrize(("before", "secret", "after"), SAID)
def test_password_goes_and_what_is_said_of_it_stays(before: str, secret: str, after: str) -> None:
    kinds = ("password", "seed_phrase")
    assert redact_text(before + secret + after).text in {
        f"{before}[redacted:{kind}]{after}" for kind in kinds
    }


@pytest.mark.parametrize(
    ("kind", "before", "secret"),
    [
        ("api_key", "my api key is ", "abcdef12"),
        ("api_key", "openaiApiKey='", KEY),
        ("api_key", "X-Api-Key: ", KEY),
        ("api_key", "api key: ", "550e8400-e29b-41d4-a716-446655440000"),
        ("secret", "client_secret: ", KEY),
        ("secret", "SECRET_KEY = '", "django-insecure-9x!k2(m#4)w8$q"),
        ("secret", "密钥是 ", "aZ9bY8cX7dW6"),
        ("token", "the token for the bot is ", "98asd7f98asd"),
        ("token", "--token ", "abc123def456"),
        ("token", "access token 是 ", "aZ9bY8cX7dW6eV5"),
        ("private_key", "my private key: 0x", "4c0883a6" * 8),
        ("pin", "my PIN is ", "1234"),
        ("pin", "bank pin number: ", "482100"),
        ("card_security_code", "CVV ", "123"),
        ("card_security_code", "安全码：", "456"),
        ("one_time_code", "your verification code is ", "482913"),
        ("one_time_code", "验证码是 ", "482913"),
    ],
)
def test_other_secret_goes_by_the_name_of_its_keyword(kind: str, before: str, secret: str) -> None:
    redacted = redact_text(before + secret).text
    assert redacted in {f"{before}[redacted:{kind}]", f"{before.removesuffix('0x')}[redacted:{kind}]"}


def test_all_values_after_one_keyword_are_redacted() -> None:
    redacted = redact_text("my passwords are hunter2, swordfish9 and trustno1").text
    assert redacted == "my passwords are [redacted:password], [redacted:password] and [redacted:password]"


@pytest.mark.parametrize(
    "text",
    [
        "I keep forgetting my password and have to reset it.",
        "The password must be at least 8 characters long.",
        "My password is very weak.",
        "the password is incorrect, try again",
        "my password is compromised",
        "Password policy: minimum 12 characters, 1 digit",
        "password hash uses sha256 and bcrypt",
        "The password manager I use is 1Password.",
        "The secret ingredient is cinnamon; the key is under the mat.",
        "Our secret meeting is at 10:30.",
        "the access token expires in 3600 seconds, the limit is 128k tokens",
        "tokens: 4096, max_tokens=128000, token_count = 15000",
        "The pin on the map is at 52.5200, 13.4050 and got 1500 likes.",
        "verification code expired",
        "密码是什么？忘记密码了怎么办，请输入密码",
        "密码是必填项，密码错误，请重试",
        "我用的密码管理器是1Password",
        "def login(self, password: str, token: str = '') -> None:",
        "password = getpass.getpass()",
        "password1, password2 = form.cleaned_data",
        "if password != confirm_password:",
        "self.password = password",
        "password=None, token=null, secret=''",
        "API_KEY = os.getenv('API_KEY')",
        "api_key: ${{ secrets.API_KEY }}",
        "password: your_password_here",
        "PASSWORD=$DB_PASSWORD",
        "input[type=password]:focus, a:hover",
        '<input type="password" name="pwd" id="pwd">',
    ],
)
def test_talk_about_secrets_and_code_without_them_is_kept(text: str) -> None:
    assert redact_text(text).text == text


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("password", "password"),
        ("DB_PASS", "password"),
        ("openaiApiKey", "api_key"),
        ("ｐａｓｓｗｏｒｄ", "password"),
        ("passwords", "password"),
        ("client_secret_2", "secret"),
        ("密码", "password"),
        ("password_hint", None),
        ("max_tokens_used", None),
        ("keyboard", None),
    ],
)
def test_name_of_a_field_tells_what_it_holds(name: str, kind: str | None) -> None:
    assert secret_kind_of_name(name) == kind

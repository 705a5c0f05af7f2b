"""Settings as the environment gives them: prices, the mail server, origins, groups of numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Literal

import pytest

from memsite import env


def prices(monkeypatch: pytest.MonkeyPatch, value: str) -> dict[str, tuple[Decimal, Decimal]]:
    monkeypatch.setenv("MEMSITE_MODEL_PRICES", value)
    return env.prices("MEMSITE_MODEL_PRICES")


def test_prices_are_read_by_model(monkeypatch: pytest.MonkeyPatch) -> None:
    assert prices(monkeypatch, "small=0.15/0.60, local/qwen:8b = 0/0") == {
        "small": (Decimal("0.15"), Decimal("0.60")),
        "local/qwen:8b": (Decimal(0), Decimal(0)),
    }


@pytest.mark.parametrize("value", ["small", "small=1", "=1/2", "small=-1/2", "small=a/b", "small=1/2/3"])
def test_a_bad_price_names_the_setting(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    with pytest.raises(env.BadSetting, match="MEMSITE_MODEL_PRICES"):
        prices(monkeypatch, value)


def smtp(monkeypatch: pytest.MonkeyPatch, value: str) -> dict[str, str | int | bool]:
    monkeypatch.setenv("MEMSITE_SMTP_URL", value)
    return env.smtp("MEMSITE_SMTP_URL")


def test_the_mail_servers_address_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert smtp(monkeypatch, "smtps://me%40example.org:p%23ss@mail.example.org") == {
        "EMAIL_HOST": "mail.example.org",
        "EMAIL_PORT": 465,
        "EMAIL_HOST_USER": "me@example.org",
        "EMAIL_HOST_PASSWORD": "p#ss",
        "EMAIL_USE_SSL": True,
        "EMAIL_USE_TLS": False,
    }


@pytest.mark.parametrize("host", ["localhost", "10.0.0.7", "[::1]", "mail_relay", "邮件.example"])
def test_a_mail_server_may_have_a_name_or_an_address(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    assert smtp(monkeypatch, f"smtp://{host}:25")["EMAIL_HOST"] == host.strip("[]")


@pytest.mark.parametrize(
    "value",
    [
        "mail.example.org:25",
        "http://mail.example.org",
        "smtp://",
        "smtp://:25",
        "smtp://[::1",
        "smtp://mail example.org",
        "smtp://-mail..org",
        "smtp://mail.example.org:0",
        "smtp://mail.example.org:70000",
        "smtp://mail.example.org:mail",
        "smtp://me:sesame#1@mail.example.org",
        "smtp://me:sesame/1@mail.example.org",
    ],
)
def test_a_bad_mail_server_names_the_setting_and_no_password(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    with pytest.raises(env.BadSetting, match="MEMSITE_SMTP_URL") as caught:
        smtp(monkeypatch, value)
    assert "sesame" not in str(caught.value)


@pytest.mark.parametrize("value", ["*", "chat.example.org", "https://chat.example.org/", "https://a b"])
def test_what_is_no_origin_names_the_setting(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("MEMSITE_CORS_ORIGINS", value)
    with pytest.raises(env.BadSetting, match="MEMSITE_CORS_ORIGINS"):
        env.origins("MEMSITE_CORS_ORIGINS")


@dataclass(frozen=True)
class Kettle:
    """A group of settings, as the tests' own example."""

    litres: Annotated[int, (1, 5)] = 2
    warm_at: env.Share = 0.5
    hot_at: env.Share = 0.9
    is_on: bool = True
    made_of: Literal["iron", "glass"] = "iron"

    def __post_init__(self) -> None:
        if self.warm_at > self.hot_at:
            raise ValueError("WARM_AT is greater than HOT_AT")


@pytest.fixture
def kettle(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Kettle]:
    """Read the group with these variables set."""
    monkeypatch.setattr(env, "GROUPED", {})

    def read(**values: str) -> Kettle:
        for name, value in values.items():
            monkeypatch.setenv(f"MEMSITE_KETTLE_{name}", value)
        return env.group(Kettle, "KETTLE")

    return read


def test_group_of_settings_has_its_defaults(kettle: Callable[..., Kettle]) -> None:
    assert kettle() == Kettle()
    assert env.GROUPED["MEMSITE_KETTLE_LITRES"] == 2


def test_group_of_settings_is_read_from_the_environment(kettle: Callable[..., Kettle]) -> None:
    found = kettle(LITRES="3", WARM_AT="0.2", IS_ON="off", MADE_OF="glass")
    assert found == Kettle(3, 0.2, 0.9, is_on=False, made_of="glass")


@pytest.mark.parametrize(
    ("name", "value"),
    [("LITRES", "6"), ("LITRES", "1.5"), ("WARM_AT", "1.1"), ("IS_ON", "maybe"), ("MADE_OF", "gold")],
)
def test_bad_setting_of_a_group_is_named(kettle: Callable[..., Kettle], name: str, value: str) -> None:
    with pytest.raises(env.BadSetting, match=f"MEMSITE_KETTLE_{name}"):
        kettle(**{name: value})


def test_settings_of_a_group_that_contradict_each_other_are_named(kettle: Callable[..., Kettle]) -> None:
    with pytest.raises(env.BadSetting, match="WARM_AT is greater than HOT_AT"):
        kettle(WARM_AT="0.95")

"""Prices of models, as the environment gives them."""

from __future__ import annotations

from decimal import Decimal

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

"""Check digits: published examples hold, and a changed digit does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.gate.identifiers import check_digits
from memories.gate.identifiers.bank_numbers import is_card

EXAMPLES: list[tuple[Callable[[str], bool], str]] = [
    (check_digits.luhn, "4111111111111111"),
    (check_digits.luhn, "378282246310005"),
    (check_digits.standard("in_.aadhaar"), "234123412346"),
    (check_digits.standard("iban"), "GB82WEST12345698765432"),
    (check_digits.standard("iban"), "DE89370400440532013000"),
    (check_digits.standard("de.idnr"), "86095742719"),
    (check_digits.standard("cn.ric"), "11010519491231002X"),
    (check_digits.french_nir, "255081416802538"),
    (check_digits.standard("br.cpf"), "52998224725"),
    (check_digits.standard("jp.in_"), "123456789018"),
    (check_digits.standard("gb.nhs"), "9434765919"),
    (check_digits.standard("pl.pesel"), "44051401359"),
    (check_digits.standard("nl.bsn"), "111222333"),
    (check_digits.standard("es.dni"), "12345678Z"),
    (check_digits.standard("es.nie"), "X1234567L"),
    (check_digits.standard("it.codicefiscale"), "RSSMRA85T10A562S"),
    (check_digits.taiwan_id, "A123456789"),
    (check_digits.hong_kong_id, "A1234563"),
    (check_digits.hong_kong_id, "G123456A"),
    (check_digits.singapore_nric, "S1234567D"),
    (check_digits.singapore_nric, "G1234567X"),
]


@pytest.mark.parametrize(("holds", "number"), EXAMPLES)
def test_published_example_holds(holds: Callable[[str], bool], number: str) -> None:
    assert holds(number)


@pytest.mark.parametrize(("holds", "number"), EXAMPLES)
def test_changed_last_digit_does_not_hold(holds: Callable[[str], bool], number: str) -> None:
    digit = max(place for place, character in enumerate(number) if character.isdigit())
    changed = str((int(number[digit]) + 1) % 10)
    assert not holds(number[:digit] + changed + number[digit + 1 :])


@given(st.text("0123456789", min_size=6, max_size=6))
def test_date_in_six_digits_is_checked_without_error(digits: str) -> None:
    assert check_digits.is_short_date(digits) in {True, False}


@pytest.mark.parametrize(
    "digits",
    [
        "4111111111111111",
        "5555555555554444",
        "2223003122003222",
        "378282246310005",
        "6011111111111117",
        "30569309025904",
        "3530111333300000",
        "6200000000000005",
        "6200000000000000000",
    ],
)
def test_test_number_of_a_card_network_is_a_card(digits: str) -> None:
    assert is_card(digits)


@pytest.mark.parametrize(
    "digits", ["4111111111111112", "1234567812345670", "0000000000000000", "9111111111111119"]
)
def test_number_that_fails_luhn_or_has_no_issuer_is_no_card(digits: str) -> None:
    assert not is_card(digits)


def test_thirteen_digits_are_a_card_only_where_cards_are_spoken_of() -> None:
    assert not is_card("4222222222222")
    assert is_card("4222222222222", announced=True)

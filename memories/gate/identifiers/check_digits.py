"""Check digits. python-stdnum has most of them; the others are implemented here.

Each function takes a number without separators and returns whether it can have been issued.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from importlib import import_module
from typing import Final

from stdnum import luhn as stdnum_luhn
from stdnum.fr import nir

# A = 10, B = 11, … in the order in which the areas were numbered
_TAIWAN_AREAS: Final = "ABCDEFGHJKLMNPQRSTUVXYWZIO"
_FIRST_YEAR: Final = 1900
_FIRST_SERIES_CHECK: Final = "JZIHGFEDCBA"  # of Singapore, series S (births before 2000) and T (from 2000)
_FOREIGN_CHECK: Final = "XWUTRQPNMLK"
_LATEST_FOREIGN_CHECK: Final = "KLJNPQRTUWX"
# Months of birth in French numbers. 20 to 42 mean that the month is unknown.
_NIR_MONTHS: Final = frozenset((*range(1, 13), *range(20, 43)))


def standard(module: str) -> Callable[[str], bool]:
    """Return the check of a module of python-stdnum, such as `br.cpf`."""
    is_valid: Callable[[str], bool] = import_module(f"stdnum.{module}").is_valid
    return is_valid


def luhn(digits: str) -> bool:
    """Check a number by ISO/IEC 7812-1.

    Every second digit from the right is doubled, and the sum is a multiple of 10.
    """
    return bool(stdnum_luhn.is_valid(digits))


def french_nir(number: str) -> bool:
    """Check a French number with python-stdnum, and that its sex and month exist."""
    return number[0] in "12" and int(number[3:5]) in _NIR_MONTHS and bool(nir.is_valid(number))


def taiwan_id(number: str) -> bool:
    """Check a letter, read as two digits, and 9 digits with weights 1, 9, 8 … 1, 1.

    The first digit is the sex.
    """
    area = _TAIWAN_AREAS.index(number[0].upper()) + 10
    return (
        number[1] in "1289" and _weighted(f"{area}{number[1:]}", (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)) % 10 == 0
    )


def hong_kong_id(number: str) -> bool:
    """Check one or two letters, 6 digits and a check digit with weights 9 … 1.

    Letters count as 10 to 35, a missing letter as 36.
    """
    padded = number.upper().rjust(9)
    values = [36 if character == " " else int(character, 36) for character in padded]
    return sum(value * weight for value, weight in zip(values, range(9, 0, -1), strict=True)) % 11 == 0


def singapore_nric(number: str) -> bool:
    """Check S, T, F, G or M, 7 digits with weights 2, 7, 6, 5, 4, 3, 2, and a letter."""
    series = number[0].upper()
    total = _weighted(number[1:8], (2, 7, 6, 5, 4, 3, 2)) + {"T": 4, "G": 4, "M": 3}.get(series, 0)
    place = 10 - total % 11 if series == "M" else total % 11
    letters = {"S": _FIRST_SERIES_CHECK, "T": _FIRST_SERIES_CHECK, "M": _LATEST_FOREIGN_CHECK}
    return letters.get(series, _FOREIGN_CHECK)[place] == number[8].upper()


def is_date(year: int, month: int, day: int) -> bool:
    """Return whether a day exists and is not before 1900. The year has four digits."""
    try:
        return date(year, month, day).year >= _FIRST_YEAR
    except ValueError:
        return False


def is_short_date(digits: str) -> bool:
    """Return whether `yymmdd` is a date of the 20th or 21st century."""
    year, month, day = int(digits[:2]), int(digits[2:4]), int(digits[4:6])
    return is_date(1900 + year, month, day) or is_date(2000 + year, month, day)


def _weighted(digits: str, weights: Sequence[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))

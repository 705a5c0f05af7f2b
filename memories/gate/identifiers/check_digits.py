"""Check digits: python-stdnum knows most; those it lacks are here.

Each function takes the number without separators and says whether it can have been issued.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from importlib import import_module
from typing import Final

from stdnum import luhn as stdnum_luhn
from stdnum.fr import nir

_TAIWAN_AREAS: Final = "ABCDEFGHJKLMNPQRSTUVXYWZIO"  # A = 10, B = 11, … in the order the areas were numbered
_FIRST_YEAR: Final = 1900
_FIRST_SERIES_CHECK: Final = "JZIHGFEDCBA"  # of Singapore, for births before 2000 and after
_FOREIGN_CHECK: Final = "XWUTRQPNMLK"
_LATEST_FOREIGN_CHECK: Final = "KLJNPQRTUWX"
# Months of birth in French numbers; 20 to 42 stand for a month that is not known.
_NIR_MONTHS: Final = frozenset((*range(1, 13), *range(20, 43)))


def standard(module: str) -> Callable[[str], bool]:
    """The check of a module of python-stdnum, such as `br.cpf`."""
    is_valid: Callable[[str], bool] = import_module(f"stdnum.{module}").is_valid
    return is_valid


def luhn(digits: str) -> bool:
    """ISO/IEC 7812-1: from the right, every second digit doubled; the sum is a multiple of 10."""
    return bool(stdnum_luhn.is_valid(digits))


def french_nir(number: str) -> bool:
    """python-stdnum's check, and a sex and a month that exist."""
    return number[0] in "12" and int(number[3:5]) in _NIR_MONTHS and bool(nir.is_valid(number))


def taiwan_id(number: str) -> bool:
    """A letter read as two digits and 9 digits, weights 1, 9, 8 … 1, 1; the first digit says the sex."""
    area = _TAIWAN_AREAS.index(number[0].upper()) + 10
    return (
        number[1] in "1289" and _weighted(f"{area}{number[1:]}", (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)) % 10 == 0
    )


def hong_kong_id(number: str) -> bool:
    """One or two letters, 6 digits, a check digit: weights 9 … 1, letters are 10 to 35, a missing one 36."""
    padded = number.upper().rjust(9)
    values = [36 if character == " " else int(character, 36) for character in padded]
    return sum(value * weight for value, weight in zip(values, range(9, 0, -1), strict=True)) % 11 == 0


def singapore_nric(number: str) -> bool:
    """S, T, F, G or M, 7 digits and a letter: weights 2, 7, 6, 5, 4, 3, 2."""
    series = number[0].upper()
    total = _weighted(number[1:8], (2, 7, 6, 5, 4, 3, 2)) + {"T": 4, "G": 4, "M": 3}.get(series, 0)
    place = 10 - total % 11 if series == "M" else total % 11
    letters = {"S": _FIRST_SERIES_CHECK, "T": _FIRST_SERIES_CHECK, "M": _LATEST_FOREIGN_CHECK}
    return letters.get(series, _FOREIGN_CHECK)[place] == number[8].upper()


def is_date(year: int, month: int, day: int) -> bool:
    """A real day from 1900 on; year of four digits."""
    try:
        return date(year, month, day).year >= _FIRST_YEAR
    except ValueError:
        return False


def is_short_date(digits: str) -> bool:
    """`yymmdd` of either century."""
    year, month, day = int(digits[:2]), int(digits[2:4]), int(digits[4:6])
    return is_date(1900 + year, month, day) or is_date(2000 + year, month, day)


def _weighted(digits: str, weights: Sequence[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))

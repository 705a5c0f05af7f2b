"""Check digits of cards and personal numbers.

Each function takes the bare digits (or letters) and says whether they hold.
"""

# ruff: noqa: PLR2004 - the numbers are those of the published rules

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

_VERHOEFF_PERMUTATION: Final = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)
_DNI_LETTERS: Final = "TRWAGMYFPDXBNJZSQVHLCKE"
_TAIWAN_AREAS: Final = "ABCDEFGHJKLMNPQRSTUVXYWZIO"  # A = 10, B = 11, … in the order the areas were numbered
_FISCAL_ODD: Final = (
    1,
    0,
    5,
    7,
    9,
    13,
    15,
    17,
    19,
    21,
    2,
    4,
    18,
    20,
    11,
    3,
    6,
    8,
    12,
    14,
    16,
    10,
    22,
    25,
    24,
    23,
)


def luhn(digits: str) -> bool:
    """ISO/IEC 7812-1: from the right, every second digit doubled; the sum is a multiple of 10."""
    doubled = sum((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)[int(digit)] for digit in digits[-2::-2])
    return (doubled + sum(map(int, digits[::-2]))) % 10 == 0


def verhoeff(digits: str) -> bool:
    """J. Verhoeff, 1969: multiplication in the dihedral group of order 10, as Aadhaar uses it."""
    check = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit)
        for _ in range(place % 8):
            value = _VERHOEFF_PERMUTATION[value]
        check = _dihedral(check, value)
    return check == 0


def _dihedral(left: int, right: int) -> int:
    if left < 5:
        return (left + right) % 5 + (0 if right < 5 else 5)
    return (left - right) % 5 + (5 if right < 5 else 0)


def mod_97(iban: str) -> bool:
    """ISO 13616: country and check digits moved to the end, letters as 10 to 35, remainder 1."""
    moved = iban[4:] + iban[:4]
    return int("".join(str(int(character, 36)) for character in moved)) % 97 == 1


def mod_11_10(digits: str) -> bool:
    """ISO/IEC 7064 MOD 11,10, as the German tax id uses it."""
    product = 10
    for digit in digits[:-1]:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    return (11 - product) % 10 == int(digits[-1])


def weighted(digits: str, weights: Sequence[int]) -> int:
    """Sum of digit times weight; stops at the shorter of the two."""
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def chinese_id(number: str) -> bool:
    """GB 11643-1999, 18 places, the last of which may be X: ISO/IEC 7064 MOD 11-2."""
    total = sum(int(digit) * (2 ** (17 - place) % 11) for place, digit in enumerate(number[:17]))
    return "10X98765432"[total % 11] == number[17].upper()


def french_nir(number: str) -> bool:
    """13 places and a key of 2: 97 less the remainder by 97; Corsica's 2A and 2B read as 19 and 18."""
    body = number[:13].upper().replace("2A", "19").replace("2B", "18")
    return body.isdigit() and 97 - int(body) % 97 == int(number[13:])


def cpf(digits: str) -> bool:
    """Brazil: two check digits by weights 10…2 and 11…2; a number of one repeated digit is none."""
    if len(set(digits)) == 1:
        return False
    return all(
        weighted(digits, range(size + 1, 1, -1)) * 10 % 11 % 10 == int(digits[size]) for size in (9, 10)
    )


def korean_rrn(digits: str) -> bool:
    """13 digits, weights 2…9 and 2…5."""
    return (11 - weighted(digits, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10 == int(digits[12])


def japanese_my_number(digits: str) -> bool:
    """12 digits, the last by weights 6…2 and 7…2 from the left."""
    rest = weighted(digits, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if rest <= 1 else 11 - rest) == int(digits[11])


def nhs(digits: str) -> bool:
    """UK health service, 10 digits: with weights 10 … 1 the sum is a multiple of 11."""
    return weighted(digits, range(10, 0, -1)) % 11 == 0


def pesel(digits: str) -> bool:
    """Poland, 11 digits: with weights 1, 3, 7, 9 … 1, 3, 1 the sum is a multiple of 10."""
    return weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0


def bsn(digits: str) -> bool:
    """Netherlands, 9 digits: with weights 9 … 2, −1 the sum is a multiple of 11."""
    return weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def spanish_dni(number: str) -> bool:
    """8 digits and a letter by the remainder by 23; X, Y, Z of a NIE read as 0, 1, 2."""
    body = number[:-1].upper().translate(str.maketrans("XYZ", "012"))
    return _DNI_LETTERS[int(body) % 23] == number[-1].upper()


def codice_fiscale(code: str) -> bool:
    """Italy, 16 places: odd and even places have their own values, the last letter is the remainder by 26."""
    total = 0
    for place, character in enumerate(code[:15].upper()):
        value = int(character) if character.isdigit() else ord(character) - ord("A")
        total += value if place % 2 else _FISCAL_ODD[value]
    return chr(total % 26 + ord("A")) == code[15].upper()


def taiwan_id(number: str) -> bool:
    """A letter read as two digits and 9 digits, weights 1, 9, 8 … 1, 1."""
    area = _TAIWAN_AREAS.index(number[0].upper()) + 10
    return weighted(f"{area}{number[1:]}", (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)) % 10 == 0


def hong_kong_id(number: str) -> bool:
    """One or two letters, 6 digits, a check digit: weights 9 … 1, letters are 10 to 35, a missing one 36."""
    padded = number.upper().rjust(9)
    values = [36 if character == " " else int(character, 36) for character in padded]
    return sum(value * weight for value, weight in zip(values, range(9, 0, -1), strict=True)) % 11 == 0


def singapore_nric(number: str) -> bool:
    """S, T, F, G or M, 7 digits and a letter: weights 2, 7, 6, 5, 4, 3, 2."""
    series = number[0].upper()
    total = weighted(number[1:8], (2, 7, 6, 5, 4, 3, 2)) + {"T": 4, "G": 4, "M": 3}.get(series, 0)
    letters = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "M": "KLJNPQRTUWX"}.get(series, "XWUTRQPNMLK")
    place = 10 - total % 11 if series == "M" else total % 11
    return letters[place] == number[8].upper()


def is_date(year: int, month: int, day: int) -> bool:
    """A real day from 1900 on; year of four digits."""
    try:
        return date(year, month, day).year >= 1900
    except ValueError:
        return False


def is_short_date(digits: str) -> bool:
    """`yymmdd` of either century."""
    year, month, day = int(digits[:2]), int(digits[2:4]), int(digits[4:6])
    return is_date(1900 + year, month, day) or is_date(2000 + year, month, day)

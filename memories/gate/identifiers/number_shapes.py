"""The written forms of cards and national ids that consist of digits: groups, separators, check digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from memories.gate.identifiers import check_digits
from memories.gate.identifiers.bank_numbers import is_card
from memories.gate.identifiers.check_digits import standard


@dataclass(frozen=True, slots=True)
class Shape:
    """One written form of a number.

    Attributes:
        groups: Lengths of its groups of digits.
        separators: Allowed separators, the same between all groups; if `exact`, the exact sequence.
        announcement: Pattern that the lower-case text around the number must match.
    """

    kind: str
    groups: tuple[int, ...]
    separators: str
    valid: Callable[[str], bool]
    announcement: re.Pattern[str] | None = None
    exact: bool = False


CARD_ANNOUNCED: Final = re.compile(
    r"card|visa|master|amex|american express|unionpay|maestro|diners|jcb|credit|debit|卡|银联"
)
_CHINESE_AREAS: Final = frozenset(
    map(
        str,
        (
            *range(11, 16),
            *range(21, 24),
            *range(31, 38),
            *range(41, 47),
            *range(50, 55),
            *range(61, 66),
            71,
            81,
            82,
            83,
        ),
    )
)
_CHINESE: Final = standard("cn.ric")
_AADHAAR: Final = standard("in_.aadhaar")
_MY_NUMBER: Final = standard("jp.in_")
_CPF: Final = standard("br.cpf")
_GERMAN: Final = standard("de.idnr")
_NHS: Final = standard("gb.nhs")
_SSN_ANNOUNCED: Final = re.compile(r"\bssn\b|social security|\bitin\b|taxpayer|社会安全")
_SIN_ANNOUNCED: Final = re.compile(r"\bsin\b|social insurance|\bnas\b|assurance sociale")
_AADHAAR_ANNOUNCED: Final = re.compile(r"a{1,3}dha{1,3}r|uidai|आधार")
_JAPAN_ANNOUNCED: Final = re.compile(r"マイナンバー|個人番号|my ?number")
_CPF_ANNOUNCED: Final = re.compile(r"\bcpf\b")
_GERMAN_ANNOUNCED: Final = re.compile(r"steuer|tax id|tax number|\bidnr\b|\btin\b|税号")
_NHS_ANNOUNCED: Final = re.compile(r"\bnhs\b|national health")
_PESEL_ANNOUNCED: Final = re.compile(r"\bpesel\b")
_BSN_ANNOUNCED: Final = re.compile(r"\bbsn\b|burgerservicenummer")
_KOREAN_ANNOUNCED: Final = re.compile(r"주민등록|주민번호|\brrn\b|resident registration|居民登录")


def _ssn(digits: str) -> bool:
    """Return whether the number can have been issued: not area 000, 666 or 900–999, group 00, serial 0000."""
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area not in {"000", "666"} and area[0] != "9" and group != "00" and serial != "0000"


def _ssn_or_itin(digits: str) -> bool:
    return _ssn(digits) or (digits[0] == "9" and digits[3] in "56789")


def _chinese_15(number: str) -> bool:
    """Check the form before 1999, which has no check digit: area, date of birth, order."""
    born = check_digits.is_date(1900 + int(number[6:8]), int(number[8:10]), int(number[10:12]))
    return number.isdigit() and number[:2] in _CHINESE_AREAS and number[2:4] != "00" and born


def _korean(digits: str) -> bool:
    return digits[6] in "12345678" and check_digits.is_short_date(digits)


def _aadhaar(digits: str) -> bool:
    """Check an Aadhaar number. Three successive years have the same form and are excluded."""
    years = all("1900" <= digits[at : at + 4] <= "2099" for at in (0, 4, 8))
    return digits[0] in "23456789" and not years and _AADHAAR(digits)


def _card(digits: str) -> bool:
    return is_card(digits)


def _is_announced_card(digits: str) -> bool:
    return is_card(digits, announced=True)


# People also write commas, slashes and line ends between the groups of a card number.
_CARD_SEPARATORS: Final = " -./,_|\n"
_CARD_GROUPS: Final = (
    *((4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (6, 13), (6, 10)),
    *((4, 4, 4, 4, 1), (4, 4, 4, 4, 2), (4, 4, 4, 4, 3)),
)


def _cards() -> Iterator[Shape]:
    for groups in _CARD_GROUPS:
        yield Shape("card_number", groups, _CARD_SEPARATORS, _is_announced_card)
    for length in range(12, 20):
        yield Shape("card_number", (length,), "", _card)
        yield Shape("card_number", (length,), "", _is_announced_card, CARD_ANNOUNCED)


#: Rules in the order in which they are tried. Of two that match at one place, the first applies.
SHAPES: Final = (
    *_cards(),
    Shape("chinese_id", (18,), "", _CHINESE),
    Shape("chinese_id", (6, 8, 4), " -", _CHINESE),
    Shape("chinese_id", (6, 4, 4, 4), " -", _CHINESE),
    Shape("chinese_id", (15,), "", _chinese_15),
    Shape("us_ssn", (3, 2, 4), "-", _ssn),
    Shape("us_ssn", (3, 2, 4), " -.", _ssn_or_itin, _SSN_ANNOUNCED),
    Shape("us_ssn", (9,), "", _ssn_or_itin, _SSN_ANNOUNCED),
    Shape("canadian_sin", (3, 3, 3), " -", check_digits.luhn, _SIN_ANNOUNCED),
    Shape("canadian_sin", (9,), "", check_digits.luhn, _SIN_ANNOUNCED),
    Shape("aadhaar", (4, 4, 4), " -", _aadhaar),
    Shape("aadhaar", (12,), "", _aadhaar, _AADHAAR_ANNOUNCED),
    Shape("japanese_my_number", (12,), "", _MY_NUMBER, _JAPAN_ANNOUNCED),
    Shape("japanese_my_number", (4, 4, 4), " -", _MY_NUMBER, _JAPAN_ANNOUNCED),
    Shape("brazilian_cpf", (3, 3, 3, 2), "..-", _CPF, exact=True),
    Shape("brazilian_cpf", (11,), "", _CPF, _CPF_ANNOUNCED),
    Shape("brazilian_cpf", (3, 3, 3, 2), " -.", _CPF, _CPF_ANNOUNCED),
    Shape("brazilian_cpf", (9, 2), "-", _CPF, _CPF_ANNOUNCED),
    Shape("french_nir", (15,), "", check_digits.french_nir),
    Shape("french_nir", (13, 2), " -", check_digits.french_nir),
    Shape("french_nir", (1, 2, 2, 2, 3, 3, 2), " -.", check_digits.french_nir),
    Shape("german_tax_id", (11,), "", _GERMAN, _GERMAN_ANNOUNCED),
    Shape("german_tax_id", (2, 3, 3, 3), " /-", _GERMAN, _GERMAN_ANNOUNCED),
    Shape("uk_nhs_number", (3, 3, 4), " -", _NHS, _NHS_ANNOUNCED),
    Shape("uk_nhs_number", (10,), "", _NHS, _NHS_ANNOUNCED),
    Shape("polish_pesel", (11,), "", standard("pl.pesel"), _PESEL_ANNOUNCED),
    Shape("dutch_bsn", (9,), "", standard("nl.bsn"), _BSN_ANNOUNCED),
    Shape("korean_rrn", (6, 7), "-", standard("kr.rrn")),
    Shape("korean_rrn", (6, 7), " -", _korean, _KOREAN_ANNOUNCED),
    Shape("korean_rrn", (13,), "", _korean, _KOREAN_ANNOUNCED),
)

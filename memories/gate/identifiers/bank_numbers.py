"""Numbers of payment cards and of bank accounts, by issuer ranges, countries, lengths and check digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from stdnum import iban

from memories.gate.identifiers.check_digits import luhn
from memories.gate.matches import SecretMatch
from memories.gate.vocabulary import words


@dataclass(frozen=True, slots=True)
class Network:
    """One issuer range.

    Attributes:
        low: First digits of the range.
        high: Last first digits of the range, of the same width.
        lengths: Lengths of its numbers.
        announced_lengths: Further lengths that so many other numbers have that the text must mention a card.
    """

    low: str
    high: str
    lengths: frozenset[int]
    announced_lengths: frozenset[int] = frozenset()


_SIXTEEN: Final = frozenset({16})
_TO_19: Final = frozenset({16, 17, 18, 19})

NETWORKS: Final = (
    Network("4", "4", _SIXTEEN, frozenset({13, 19})),  # Visa
    Network("51", "55", _SIXTEEN),  # Mastercard
    Network("2221", "2720", _SIXTEEN),
    Network("34", "34", frozenset({15})),  # American Express
    Network("37", "37", frozenset({15})),
    Network("6011", "6011", _TO_19),  # Discover
    Network("644", "659", _TO_19),  # Discover, RuPay, Troy
    Network("60", "60", _SIXTEEN),  # RuPay, Hipercard
    Network("62", "62", _TO_19),  # UnionPay
    Network("81", "82", _TO_19),  # UnionPay, RuPay
    Network("300", "305", frozenset({14}), _SIXTEEN),  # Diners Club
    Network("3095", "3095", frozenset({14}), _SIXTEEN),
    Network("36", "36", frozenset({14}), _SIXTEEN),
    Network("38", "39", frozenset({14}), _SIXTEEN),
    Network("3528", "3589", _TO_19),  # JCB
    Network("50", "50", _SIXTEEN, frozenset({12, 13, 14, 15, 17, 18, 19})),  # Maestro, Elo
    Network("56", "58", _SIXTEEN, frozenset({12, 13, 14, 15, 17, 18, 19})),
    Network("63", "63", _SIXTEEN, frozenset({12, 13, 14, 15, 17, 18, 19})),
    Network("67", "67", _SIXTEEN, frozenset({12, 13, 14, 15, 17, 18, 19})),
    Network("2200", "2204", _TO_19),  # Mir
    Network("9792", "9792", _SIXTEEN),  # Troy
)
#: The ranges by their first digit; no range begins with two.
_BY_FIRST: Final = {
    digit: tuple(network for network in NETWORKS if network.low[0] == digit) for digit in "0123456789"
}


#: Numbers that payment processors publish for tests. Stripe's other ones begin with 40000.
_PUBLISHED: Final = words(
    """
    4242424242424242 4111111111111111 4012888888881881 4012000033330026 4012000077777777 4009348888881881
    4217651111111119 4500600000000061 4222222222222 4444333322221111 4462030000000000 4484070000000035
    4646464646464644 4911830000000 4917610000000000 4917610000000000003 4977949494949497 4988438843884305
    4166676667666746 5555555555554444 5555444433331111 5585558555855583 5577000055770004 5136333333333335
    5100290029002909 5105105105105100 5200828282828210 5454545454545454 5500000000000004 2223003122003222
    2223000048400011 2222400010000008 2222410740360010 378282246310005 371449635398431 378734493671000
    374500000000008 370000000000002 340000000000009 6011111111111117 6011000990139424 6011981111111113
    6011000991300009 6011000000000004 3056930009020004 30569309025904 38520000023237 36227206271667
    36700102000000 30000000000004 6555900000604105 3566002020360505 3530111333300000 6200000000000005
    6200000000000047 6205500000000000004 6759649826438453 6331101999990016 6304000000000000
    5019717010103742
    """
)
_STRIPE_TESTS: Final = "40000"


def is_card(digits: str, *, announced: bool = False) -> bool:
    """Return whether 12 to 19 digits are a card number. `announced`: whether the text mentions cards."""
    for network in _BY_FIRST.get(digits[0], ()):
        if network.low <= digits[: len(network.low)] <= network.high and (
            len(digits) in network.lengths or (announced and len(digits) in network.announced_lengths)
        ):
            return luhn(digits)
    return False


def is_published_for_tests(digits: str) -> bool:
    """Return whether a payment processor publishes this number of a card for tests."""
    return digits in _PUBLISHED or digits.startswith(_STRIPE_TESTS)


IBAN_KIND: Final = "iban"

_IBAN: Final = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}"
    r"(?:[A-Za-z0-9]{11,29}|(?:[ -][A-Za-z0-9]{4}){2,7}(?:[ -][A-Za-z0-9]{1,3})?)(?![A-Za-z0-9])"
)
_SEPARATOR: Final = re.compile("[ -]")


def find_ibans(text: str) -> Iterator[SecretMatch]:
    """Yield account numbers with the format of their country and valid check digits.

    A match may extend into the next word, so trailing groups are dropped one by one.
    """
    for match in _IBAN.finditer(text):
        ends = [match.end(), *(match.start() + each.start() for each in _SEPARATOR.finditer(match.group()))]
        for end in sorted(ends, reverse=True):
            if iban.is_valid(_SEPARATOR.sub("", text[match.start() : end]), check_country=False):
                yield SecretMatch(IBAN_KIND, match.start(), end)
                break

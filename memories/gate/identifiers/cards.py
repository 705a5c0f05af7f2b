"""Payment card numbers: issuer ranges, lengths and the Luhn check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from memories.gate.identifiers.check_digits import luhn


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


def is_card(digits: str, *, announced: bool = False) -> bool:
    """Return whether 12 to 19 digits are a card number. `announced`: whether the text mentions cards."""
    for network in NETWORKS:
        if network.low <= digits[: len(network.low)] <= network.high:
            lengths = network.lengths | network.announced_lengths if announced else network.lengths
            if len(digits) in lengths:
                return luhn(digits)
    return False

"""Personal identifiers: payment cards, bank accounts, national ids, passports.

Phone numbers and e-mail addresses do not count, because people want to have them remembered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memories.gate.identifiers import documents, numbers
from memories.gate.identifiers.bank_numbers import IBAN_KIND, find_ibans
from memories.gate.matches import SecretMatch
from memories.gate.view import View

#: All kinds of identifiers.
KINDS: Final = frozenset((*numbers.KINDS, *documents.KINDS, IBAN_KIND))

_DIGIT: Final = re.compile(r"\d")
# Six digits with any separators; four digits and a letter; codes of 16 or 9 letters and digits.
_CANDIDATE: Final = re.compile(r"\d(?:[ ./-]?\d){5}|\d{4}[A-Za-z]|[A-Za-z]{6}[A-Za-z0-9]{10}|\b[A-Z0-9]{9}\b")


def find_identifiers(view: View) -> Iterator[SecretMatch]:
    """Yield the identifiers of a view. Findings may overlap."""
    yield from view.find(_find)


def _find(view: View) -> Iterator[SecretMatch]:
    if not (_DIGIT.search(view.text) and _CANDIDATE.search(view.text)):
        return
    yield from numbers.find_numbers(view.text, view.lower)
    yield from find_ibans(view.text)
    yield from documents.find_documents(view.text, view.lower)

"""Numbers of identity documents that mix letters and digits, and passports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from memories.gate import checksums
from memories.gate.findings import Finding

_BEFORE: Final = 60  # characters of the text in which the announcing word may stand
_AFTER: Final = 40
_PASSPORT_DIGITS: Final = 5  # at least


@dataclass(frozen=True, slots=True)
class Document:
    """pattern: the number, where a word starts; valid: given the match without spaces, dots and dashes;
    said: the text around must match this (lower case).
    """

    kind: str
    pattern: re.Pattern[str]
    valid: Callable[[str], bool]
    said: re.Pattern[str] | None = None


def _document(kind: str, pattern: str, valid: Callable[[str], bool], said: str | None = None) -> Document:
    bounded = re.compile(rf"(?<![A-Za-z0-9])(?:{pattern})(?![A-Za-z0-9])")
    return Document(kind, bounded, valid, re.compile(said) if said else None)


def _nino(number: str) -> bool:
    return number[:2].upper() not in {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}


def _taiwan(number: str) -> bool:
    return number[1] in "1289" and checksums.taiwan_id(number)


def _pan(number: str) -> bool:
    """The fourth letter says what the holder is: a person, a company, a trust …"""
    return number[3].upper() in "ABCFGHJLPT"


def _passport(number: str) -> bool:
    return sum(map(str.isdigit, number)) >= _PASSPORT_DIGITS


_FISCAL_DIGIT: Final = "[0-9LMNP-V]"  # a letter stands for a digit where two people would share a code
_FISCAL: Final = (
    rf"(?i:[A-Z]{{6}}{_FISCAL_DIGIT}{{2}}[A-EHLMPRST]{_FISCAL_DIGIT}{{2}}[A-Z]{_FISCAL_DIGIT}{{3}}[A-Z])"
)
_NINO: Final = "[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: ?[0-9]{2}){3} ?[A-D]"
_DNI: Final = r"[0-9]{8}[ -]?[A-Z]|[0-9]{2}\.[0-9]{3}\.[0-9]{3}-?[A-Z]"
_CORSICA: Final = r"[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]) ?2[ABab] ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}"
_HONG_KONG: Final = r"(?i:[A-Z]{1,2})[0-9]{6}"
_PASSPORT: Final = (
    r"(?i:[A-Z]{1,3}[0-9]{6,9})|[A-Z][0-9]{2}[A-Z][0-9]{5}|[CFGHJK][0-9CFGHJKLMNPRTVWXYZ]{8}"
    r"|[0-9]{9}|[0-9]{2}[A-Z]{2}[0-9]{5}"
)
_PASSPORT_SAID: Final = (
    r"passport|pasaporte|passeport|reisepass|護照|护照|通行证|旅券|パスポート|여권|паспорт|travel document"
)

DOCUMENTS: Final = (
    _document("codice_fiscale", _FISCAL, checksums.codice_fiscale),
    _document("uk_nino", _NINO, _nino),
    _document("uk_nino", f"(?i:{_NINO}?)", _nino, r"national insurance|\bnino\b|\bni number"),
    _document("spanish_dni", _DNI, checksums.spanish_dni),
    _document("spanish_dni", f"(?i:{_DNI})", checksums.spanish_dni, r"\bdni\b|\bnif\b"),
    _document("spanish_nie", r"(?i:[XYZ][ -]?[0-9]{7}[ -]?[A-Z])", checksums.spanish_dni),
    _document("french_nir", _CORSICA, checksums.french_nir),
    _document("taiwan_id", r"(?i:[A-Z])[0-9]{9}", _taiwan),
    _document("hong_kong_id", _HONG_KONG + r"\([0-9Aa]\)", checksums.hong_kong_id),
    _document("hong_kong_id", _HONG_KONG + "[0-9Aa]", checksums.hong_kong_id, r"hkid|hong kong|香港"),
    _document("singapore_nric", r"[STFGM][0-9]{7}[A-Z]", checksums.singapore_nric),
    _document("indian_pan", r"(?i:[A-Z]{5}[0-9]{4}[A-Z])", _pan, r"\bpan\b|permanent account|income tax"),
    _document("passport_number", _PASSPORT, _passport, _PASSPORT_SAID),
)
KINDS: Final = tuple({document.kind for document in DOCUMENTS})
_SEPARATORS: Final = str.maketrans("", "", " .-()")


def find_documents(text: str, lower: str) -> Iterator[Finding]:
    """Numbers of identity documents whose check digits hold, or of which the text speaks."""
    for document in DOCUMENTS:
        if document.said is not None and not document.said.search(lower):
            continue
        for match in document.pattern.finditer(text):
            if _is_said(document, lower, match) and document.valid(match.group().translate(_SEPARATORS)):
                yield Finding(document.kind, match.start(), match.end())


def _is_said(document: Document, lower: str, match: re.Match[str]) -> bool:
    if document.said is None:
        return True
    return document.said.search(lower, max(0, match.start() - _BEFORE), match.end() + _AFTER) is not None

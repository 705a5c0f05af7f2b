"""Numbers of identity documents with letters and digits, and passports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from memories.gate.identifiers import check_digits
from memories.gate.identifiers.check_digits import standard
from memories.gate.matches import SecretMatch
from memories.gate.vocabulary import table

_BEFORE: Final = 60  # characters before the number that may contain the keyword
_AFTER: Final = 40
_LEAST_DIGITS: Final = 5  # for documents whose number has no published format
_LEAST_PASSPORT_DIGITS: Final = 2  # German ones may have few


@dataclass(frozen=True, slots=True)
class Document:
    """A kind of document number.

    Attributes:
        pattern: The number, at a word boundary.
        valid: Check of the match without spaces, dots, dashes and parentheses.
        announcement: Pattern that the lower-case text around the number must match.
    """

    kind: str
    pattern: re.Pattern[str]
    valid: Callable[[str], bool]
    announcement: re.Pattern[str] | None = None


def _document(
    kind: str, pattern: str, valid: Callable[[str], bool], announcement: str | None = None
) -> Document:
    bounded = re.compile(rf"(?<![A-Za-z0-9])(?:{pattern})(?![A-Za-z0-9])")
    return Document(kind, bounded, valid, re.compile(announcement) if announcement else None)


def _nino(number: str) -> bool:
    return number[:2].upper() not in {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}


def _pan(number: str) -> bool:
    """Check the fourth letter, which is the type of holder: person, company, trust …"""
    return number[3].upper() in "ABCFGHJLPT"


def _has_digits(number: str, least: int = _LEAST_DIGITS) -> bool:
    return sum(map(str.isdigit, number)) >= least


_FISCAL_DIGIT: Final = "[0-9LMNP-V]"  # a letter replaces a digit if two people would share a code
_FISCAL: Final = (
    rf"(?i:[A-Z]{{6}}{_FISCAL_DIGIT}{{2}}[A-EHLMPRST]{_FISCAL_DIGIT}{{2}}[A-Z]{_FISCAL_DIGIT}{{3}}[A-Z])"
)
_NINO: Final = "[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: ?[0-9]{2}){3} ?[A-D]"
_DNI: Final = r"[0-9]{8}[ -]?[A-Z]|[0-9]{2}\.[0-9]{3}\.[0-9]{3}-?[A-Z]"
_CORSICA: Final = r"[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]) ?2[ABab] ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}"
_HONG_KONG: Final = r"(?i:[A-Z]{1,2})[0-9]{6}"
_PASSPORT: Final = (
    r"(?i:[A-Z]{1,3}[0-9]{6,9})|[A-Z][0-9]{2}[A-Z][0-9]{5}|[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{8}"
    r"|[0-9]{9}|[0-9]{2}[A-Z]{2}[0-9]{5}"
)
_PASSPORT_ANNOUNCED: Final = (
    r"passport|pasaporte|passeport|reisepass|護照|护照|通行证|旅券|パスポート|여권|паспорт|travel document"
)

_DNI_CHECK: Final = standard("es.dni")
_CHECKS: Final[dict[str, Callable[[str], bool]]] = {
    "": bool,
    "digits": _has_digits,
    "filler": lambda number: "<<" in number and _has_digits(number),
}


def _announced() -> Iterator[Document]:
    """Yield the rows of the table `identifiers.toml`."""
    for row in table("identifiers", "identifier"):
        check = row.get("check", "")
        yield _document(row["kind"], row["written"], _CHECKS.get(check) or standard(check), row.get("said"))


DOCUMENTS: Final = (
    _document("codice_fiscale", _FISCAL, standard("it.codicefiscale")),
    _document("uk_nino", _NINO, _nino),
    _document("uk_nino", f"(?i:{_NINO}?)", _nino, r"national insurance|\bnino\b|\bni number"),
    _document("spanish_dni", _DNI, _DNI_CHECK),
    _document("spanish_dni", f"(?i:{_DNI})", _DNI_CHECK, r"\bdni\b|\bnif\b"),
    _document("spanish_nie", r"(?i:[XYZ][ -]?[0-9]{7}[ -]?[A-Z])", standard("es.nie")),
    _document("french_nir", _CORSICA, check_digits.french_nir),
    _document("taiwan_id", r"(?i:[A-Z])[0-9]{9}", check_digits.taiwan_id),
    _document("hong_kong_id", _HONG_KONG + r"\([0-9Aa]\)", check_digits.hong_kong_id),
    _document("hong_kong_id", _HONG_KONG + "[0-9Aa]", check_digits.hong_kong_id, r"hkid|hong kong|香港"),
    _document("singapore_nric", r"[STFGM][0-9]{7}[A-Z]", check_digits.singapore_nric),
    _document("indian_pan", r"(?i:[A-Z]{5}[0-9]{4}[A-Z])", _pan, r"\bpan\b|permanent account|income tax"),
    _document(
        "passport_number", _PASSPORT, partial(_has_digits, least=_LEAST_PASSPORT_DIGITS), _PASSPORT_ANNOUNCED
    ),
    *_announced(),
)
KINDS: Final = tuple({document.kind for document in DOCUMENTS})
_SEPARATORS: Final = str.maketrans("", "", " .-()")


def find_documents(text: str, lower: str) -> Iterator[SecretMatch]:
    """Yield document numbers with valid check digits, near a keyword if their kind requires one."""
    for document in DOCUMENTS:
        if document.announcement is not None and not document.announcement.search(lower):
            continue
        for match in document.pattern.finditer(text):
            if _is_announced(document, lower, match) and document.valid(match.group().translate(_SEPARATORS)):
                yield SecretMatch(document.kind, match.start(), match.end())


def _is_announced(document: Document, lower: str, match: re.Match[str]) -> bool:
    if document.announcement is None:
        return True
    return (
        document.announcement.search(lower, max(0, match.start() - _BEFORE), match.end() + _AFTER) is not None
    )

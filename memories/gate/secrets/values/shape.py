"""Decide whether a token of a sentence looks like a password."""

from __future__ import annotations

import re
from typing import Final

from memories.gate.secrets.values.plausible import is_mixed, is_program_text, is_technical_term, is_template
from memories.gate.secrets.values.randomness import is_hex, measure
from memories.gate.vocabulary import alternatives

_SHORTEST: Final = 6  # characters
_PRODUCT: Final = re.compile(rf"(?:{alternatives('products')})[-_.]?\d{{1,4}}\w{{0,4}}", re.IGNORECASE)
# Ticket ids, flights, models, rooms, sizes, ordinals, counts, resolutions, groups as in phone numbers, plain
# dates, programs with their version, colours.
_LABEL: Final = re.compile(
    r"[A-Z]{1,5}-?\d{1,8}[A-Z]?|[A-Z]{1,5}-[A-Z]{0,4}\d{1,4}[A-Z]{0,2}|[A-Z]{1,3}\d{1,2}-\d{2,4}"
    r"|[A-Za-z]++\d{1,3}(?:\.\d{1,3}){1,3}|#[0-9A-Fa-f]{6}|[Ww]i-?[Ff]i-?\d[A-Z]?|[A-Z0-9]++(?:_[A-Z0-9]++)++"
    r"|\d++(?:[.,]\d++)?[A-Za-z%°€$£]{1,6}|\d++-[a-z]++(?:-[a-z]++)*+|\d++(?:x|×)\d++\w*+|[\d./:+-]+\w?"
    r"|(?:[A-Z]{1,2}[a-z]{2,}+|[A-Z]{2,5}\d{1,3}){3,}"
    r"|(?:new_)?password\d\w*+|[a-z]++(?:_[a-z0-9]++){2,}+|[a-z]++-\d{1,2}"
    r"|[A-Z][A-Za-z]++-\d{1,2}[A-Z]?|(?:[A-Z][a-z]++){1,2}[A-Z]{0,2}|#?\d++|[a-z]{1,4}\d{1,2}"
    r"|[\w.+-]++@[\w-]++(?:\.[\w-]++)++|v\d[\w.+-]*+|\w++(?:\.\w++(?=\.))*+\.[a-z]{2,4}"
    r"|[\w-]++(?:/[\w.-]++)++|@.*|.*://.*"
    r"|(?:19|20)\d\d-\w++|[Qq][1-4]\D?\d++|(?:\d{4}-)?\d{1,2}-[A-Za-z]{3}(?:-\d++)?"
)
# Ids of things, as services write them: the name of the kind, and random letters. Keys have other names, and
# so may a password of a person: what follows the name must not be made of words.
_OBJECT_ID: Final = re.compile(
    r"(?:(?:user|org|organization|team|cus|acct|price|prod|ch|pi|pm|seti|evt|req|msg|thread|asst|run|step|call"
    r"|toolu|resp|ftjob|prj|dpl)_|chatcmpl-)(?P<run>[A-Za-z0-9]{14,40})"
)
_WORDS_OF_AN_ID: Final = 0.4  # largest wordiness of what follows
_MARKS: Final = re.compile(r"[!#$%&*?@^~+_=-]")
_UNWORDLIKE: Final = 0.2  # wordiness of letters of both cases
_ENOUGH_DIGITS: Final = 2


def is_object_id(value: str) -> bool:
    """Return whether a value is the id of a thing, which grants no access: `user_2NNEqL2n…`, `cus_Nff…`."""
    match = _OBJECT_ID.fullmatch(value)
    return match is not None and measure(match["run"]).wordiness < _WORDS_OF_AN_ID


def is_password_like(value: str) -> bool:
    """Return whether a value looks like a password and not like a word, name, label or number."""
    if len(value) < _SHORTEST or is_technical_term(value) or is_template(value) or is_program_text(value):
        return False
    core = value.rstrip("!?")
    if is_object_id(core):
        return False
    if _LABEL.fullmatch(core) or _PRODUCT.fullmatch(core) or is_technical_term(core):
        return False
    digits = sum(map(str.isdigit, value))
    if not is_mixed(value):
        found = measure(value)
        return value.isascii() and value.isalpha() and found.lower > 1 < found.upper and _is_scrambled(value)
    if is_hex(value) and not any(each in "ghijklmnopqrstuvwxyz" for each in value.lower()) and "-" in value:
        return False
    return digits >= _ENOUGH_DIGITS or bool(_MARKS.search(value)) or _is_scrambled(value)


def _is_scrambled(value: str) -> bool:
    """Return whether letters of both cases alternate within a value and form no word."""
    found = measure(value)
    return (
        found.lower > 1 < found.upper
        and found.change >= 2 * _UNWORDLIKE
        and found.wordiness <= 2 * _UNWORDLIKE
    )

"""Decide whether the value after a keyword is the announced secret or a word about it."""

from __future__ import annotations

import re
from typing import Final

from memories.gate.secrets.values import (
    NOT_VALUES,
    Value,
    has_digit,
    is_description,
    is_generated,
    is_mixed,
    is_password_like,
    is_program_text,
    is_technical_term,
    is_template,
    is_word,
)
from memories.gate.vocabulary import words

_LOOSE_LINKS: Final = frozenset({"bare", "markup", "glued", "argument"})
_SHORTEST_PASSWORD: Final = 3  # characters
_SHORTEST_DIGITS: Final = 4  # for a password of digits only
_SHORTEST_LOOSE: Final = 6  # if only a space connects it with the keyword
_SHORTEST_KEY: Final = 6  # if a sentence says that it is the key
_SHORTEST_LOOSE_KEY: Final = 12
_LONGEST_PHRASE: Final = 12  # words
_COMPOUND: Final = 3  # a password may be words joined by dashes, even if each of them is said of passwords
# Verbs of other languages after which a single word counts as the password.
_SURE_VERBS: Final = frozenset({"ist", "lautet", "es", "est", "c'est", "è", "é"})
_SHORTEST_INFLECTED: Final = 5  # letters

# The end of an English clause, after which the word does not describe another one.
_CLAUSE_END: Final = re.compile(
    r"\s*(?:$|[\n.,;:!?)/|]|[^\x00-\x7f]|(?:and|but|for|on|at|in|if|so|please|then|or|with|because|which|btw|lol|haha|thanks|thx|though)\b)"
)
_LINE_END: Final = re.compile(r"[ \t]*(?:$|[\n#;&]|\s)")
_IN_CONNECTION_STRING: Final = re.compile(r";[A-Za-z][A-Za-z ]{1,22}=")
_ENGLISH_VERBS: Final = re.compile(r"is|was|are|were|'s|.* be|.* been|.* to")
_INFLECTED: Final = re.compile(r"[a-z]{2,}(?:ed|ing|ly|able|ible)")
_SPECIAL: Final = re.compile(r"[@#$!%^&*?~+]")
_ABOUT_SECRETS: Final = re.compile(r"(?:pass|pwd|secret|token|key|cred)", re.IGNORECASE)
_VARIABLE: Final = re.compile(r"[A-Za-z_]+\d?")
_CAMEL: Final = re.compile(r"(?=[A-Za-z]*[a-z][A-Z])[A-Za-z]+")
_BRACKET: Final = re.compile(r"[(){}\[\]]")
_JOINTS: Final = re.compile(r"[._-]")
_SENTENCE_WORDS: Final = words(
    """
    a an and are at be can cannot choose confirm create do enter field for forgot from has have here i in
    input invalid is it keep least letters make must my need new not of on or our password passwords please
    repeat required reset should sign sure that the this to too use value was we will with you your
    """
)
_CODES: Final = {
    "pin": re.compile(r"\d{4,8}"),
    "card_security_code": re.compile(r"\d{3,4}"),
    "one_time_code": re.compile(r"\d{4,8}|(?=[A-Za-z-]{0,20}\d)[A-Za-z0-9]{3,10}(?:-[A-Za-z0-9]{3,10}){0,4}"),
}


def is_secret(kind: str, value: Value) -> bool:
    """Return whether a keyword of this kind and this value form a secret."""
    if value.operator in {"==", "==="} and not value.quoted:
        return False
    if kind in _CODES:
        return _CODES[kind].fullmatch(value.text) is not None
    if kind == "secret" and value.link in {"assign", "fallback"} and is_password_like(value.text):
        return True
    return _is_password(value) if kind == "password" else _is_key(value)


def _is_key(value: Value) -> bool:
    text = value.text.removeprefix("0x")
    if not value.quoted and _BRACKET.search(text):
        return False
    if value.link in _LOOSE_LINKS:
        return len(text) >= _SHORTEST_LOOSE_KEY and is_generated(text)
    if is_generated(text):
        return True
    announced = value.link in {"verb", "eastern"} and len(text) >= _SHORTEST_KEY and is_mixed(text)
    return announced and not (is_technical_term(text) or is_program_text(text) or is_template(text))


def _is_password(value: Value) -> bool:
    core = value.text.rstrip("!?")
    if len(core) < _SHORTEST_PASSWORD or is_template(value.text) or is_technical_term(core):
        return False
    if value.link in _LOOSE_LINKS:
        return _is_loose_password(core, value)
    if value.quoted:
        return _is_quoted_password(core, value)
    if is_word(core):
        return _is_word_password(core, value)
    return _is_bare_password(core, value)


def _is_loose_password(core: str, value: Value) -> bool:
    """Check a value that no "is" connects with the keyword: only values that do not look like words count."""
    if value.link == "bare" and value.quoted and not value.operator:
        return _is_quoted_password(core, value)
    if is_program_text(core) or not has_digit(core):
        return False
    if value.link != "bare":
        return len(core) >= _SHORTEST_DIGITS
    return len(core) >= _SHORTEST_LOOSE and is_mixed(core) and not _ABOUT_SECRETS.match(core)


def _is_quoted_password(core: str, value: Value) -> bool:
    """Exclude texts of forms ("Enter your password"), translations, and names of fields."""
    words = core.lower().split()
    if len(words) > 1:
        phrase = core.isascii() and len(words) <= _LONGEST_PHRASE and not _SENTENCE_WORDS.intersection(words)
        return phrase and (core.islower() or has_digit(core))
    if value.link == "assign" and (is_program_text(core) or (not core.isascii() and core.isalpha())):
        return False
    return not (is_word(core) and _ABOUT_SECRETS.search(core))


def _is_word_password(core: str, value: Value) -> bool:
    """Check a password of letters only: it counts if the clause or line ends with it."""
    pieces = _JOINTS.split(core.lower())
    if (NOT_VALUES if len(pieces) < _COMPOUND else _SENTENCE_WORDS).intersection(pieces):
        return False
    if value.link == "assign":
        return _is_assigned_word(core, value)
    if value.link == "tag":
        return value.after.startswith("<")
    if value.link == "verb" and (
        value.operator not in _SURE_VERBS and not _ENGLISH_VERBS.fullmatch(value.operator)
    ):
        return False
    if len(pieces) < _COMPOUND and is_description(core):
        return False
    inflected = len(core) >= _SHORTEST_INFLECTED and _INFLECTED.fullmatch(core)
    return not inflected and _CLAUSE_END.match(value.after) is not None


def _is_assigned_word(core: str, value: Value) -> bool:
    if _IN_CONNECTION_STRING.match(value.after):
        return True
    if is_password_like(core):
        return True
    if "_" in core or "." in core or _CAMEL.fullmatch(core):
        return False
    ending = _CLAUSE_END if value.operator == ":" else _LINE_END
    return ending.match(value.after) is not None


def _is_bare_password(core: str, value: Value) -> bool:
    """Exclude calls, attributes, words of other alphabets, and variables.

    Digits alone must be four or more.
    """
    if is_program_text(core) or core.isalpha():
        return False
    if core.isdigit():
        return len(core) >= _SHORTEST_DIGITS
    if value.link != "assign":
        return True
    if _ABOUT_SECRETS.search(core) and _VARIABLE.fullmatch(core):
        return False
    enough = sum(map(str.isalnum, core)) >= _SHORTEST_PASSWORD
    return enough and (has_digit(core) or _SPECIAL.search(core) is not None)

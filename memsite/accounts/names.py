"""Names of people, keys and applications: what may be one."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from memsite.errors import InvalidInput

#: Letters and symbols, by their category, that are drawn as nothing: Hangul fillers, the empty Braille cell.
_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def is_blank(name: str) -> bool:
    """Return whether a name looks empty: only spaces and invisible characters.

    Letters, digits, punctuation and symbols are visible, except those that are drawn as nothing.
    """
    return not any(unicodedata.category(sign)[0] in "LNPS" and sign not in _BLANKS for sign in name)


def check_visible_name(name: str) -> str:
    """Return the name without surrounding spaces. Raises InvalidInput for one without a visible character."""
    if is_blank(name):
        raise InvalidInput("A name needs at least one visible character.", {"name": "blank"})
    return name.strip()


#: The names of end users, as `memsite.accounts.applications` creates them.
_END_USER: Final = re.compile(r"app-[0-9a-f]{32}(?:-.*)?")
#: Scripts that are mixed within one word (Unicode Technical Standard 39, "highly restrictive").
_TOGETHER: Final = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
#: Letters of other scripts that look like Latin ones (from Unicode's confusables.txt).
_LIKE_LATIN: Final = frozenset(
    "асԁеһіјӏорԛѕԝхуүьАВЕЅІЈКМНОРСТУХ"  # Cyrillic
    "αγινορσυϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"  # Greek
    "օսհոզցյ"  # Armenian
)


def check_username(name: str) -> None:
    """Raise ValidationError for a name that is reserved, or that looks like another name."""
    if _END_USER.fullmatch(name.lower()):
        raise ValidationError(_("Names of this form are reserved for applications."), code="reserved")
    if unicodedata.normalize("NFKC", name) != name:
        raise ValidationError(
            _("This name has characters that look like others. Write it with ordinary letters."),
            code="not_normalised",
        )
    letters = {sign for sign in name if sign.isalpha()}
    scripts = {_script(sign) for sign in letters}
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        raise ValidationError(_("A name may not mix letters of different scripts."), code="mixed_scripts")
    if letters and letters <= _LIKE_LATIN:
        raise ValidationError(_("This name looks like one in Latin letters."), code="confusable")


def _script(letter: str) -> str:
    """Return the first word of the letter's Unicode name: LATIN, CYRILLIC, CJK …"""
    word = re.split(r"[ -]", unicodedata.name(letter, "UNKNOWN"))[0]
    return "CJK" if word == "IDEOGRAPHIC" else word

"""Check account names: none may look like another's, or like that of an application's end user."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

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

"""Join two texts without a model: the fuller one, or the lines of both."""

from __future__ import annotations

from typing import Final

from memories.text.comparison.contrast import find_differences
from memories.text.comparison.wording import has_same_wording
from memories.text.comparison.words import BREAK, Token, fold, split_tokens, words
from memories.text.comparison.words import LONGEST as READ
from memories.text.normalisation import normalise

#: Largest number of characters of a joined text.
LONGEST: Final = 2000
#: Words after which a text continues about the same thing: `a dog` … `named Rex`, but not `a dog` … `phobia`.
_GOING_ON: Final = words(
    "named name called in at on with who that which and but since for because when while from every by "
    "near so until "
    "if as during without including after before together where"
)


def join_texts(a: str, b: str) -> str | None:
    """Join two texts.

    The function does not check whether they may be one; use `contrast.find_differences` for that.

    Returns:
        The fuller text if it contains the other, else the lines of both; None if these exceed 2,000
        characters.
    """
    if has_same_wording(a, b):
        return a if len(a) >= len(b) else b
    if _contains(a, b):
        return a
    if _contains(b, a):
        return b
    lines = [line.strip() for line in a.splitlines() if line.strip()]
    first_keys = {normalise(line) or line for line in lines}
    lines += [
        line.strip()
        for line in b.splitlines()
        if line.strip() and (normalise(line) or line) not in first_keys
    ]
    both = "\n".join(lines)
    return both if len(both) <= LONGEST else None


def _contains(fuller: str, text: str) -> bool:
    """Return whether all lines of `text` occur in `fuller`, or it is a clause of it with the same meaning."""
    lines = {normalise(line) or line.strip() for line in fuller.splitlines()}
    wanted = [normalise(line) or line.strip() for line in text.splitlines() if line.strip()]
    if wanted and all(line in lines for line in wanted):
        return True
    if len(fuller) > READ or len(text) > len(fuller):
        return False
    return _is_clause(split_tokens(fold(text)), split_tokens(fold(fuller))) and not find_differences(
        fuller, text
    )


def _is_clause(text: list[Token], fuller: list[Token]) -> bool:
    part = [token.key for token in text if token.kind != BREAK]
    if not part:
        return False
    whole = [token.key for token in fuller]
    size = len(part)
    for place in _places(whole, part):
        before = fuller[place - 1] if place else None
        after = fuller[place + size] if place + size < len(fuller) else None
        if (before is None or before.kind == BREAK) and (
            after is None or after.kind == BREAK or after.key in _GOING_ON
        ):
            return True
    return False


def _places(whole: list[str], part: list[str]) -> list[int]:
    """Return the position of `part` in `whole`. The search runs on joined text, which takes linear time."""
    haystack, needle = "\x1f".join(["", *whole, ""]), "\x1f".join(["", *part, ""])
    found = haystack.find(needle)
    return [] if found < 0 else [haystack.count("\x1f", 0, found)]

"""Inspects, redacts or refuses a text before anything of it is learnt, indexed, logged or sent to a model."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Final, Literal

from memories.gate import identifiers, secrets
from memories.gate.findings import Finding, Inspection, Redacted, placeholder, union
from memories.gate.usefulness import MARK, says_something
from memories.gate.view import views
from memsite.errors import RefusedByGate

Mode = Literal["redact", "refuse"]

#: Every kind of finding, as it may stand in a placeholder.
KINDS: Final = secrets.KINDS | identifiers.KINDS

# A placeholder may lay bare a token that was glued to what it replaced. More rounds of that than this happen
# only in texts made to cause them, and then everything glued goes at once.
_PASSES: Final = 4
_SPACE: Final = re.compile(r"[ \t\r\n]")
# No rule finds anything in one: words announce secrets, and those that show themselves are longer or mixed.
_WORD: Final = re.compile(r"[a-z]{1,15}")
_MARK: Final = "[redacted:"


def inspect(text: str) -> Inspection:
    """All secrets and personal identifiers of a text."""
    return Inspection(redact(text).findings)


def redact(text: str) -> Redacted:
    """The text with a placeholder such as `[redacted:jwt]` for each finding.

    A text redacted once holds nothing more to redact. A text without findings comes back unchanged.
    """
    if _WORD.fullmatch(text):
        return Redacted(text, ())
    current = text
    findings: tuple[Finding, ...] = ()
    passes = 0
    while fresh := _scan(current):
        passes += 1
        if passes > _PASSES:
            fresh = union(_whole_words(current, fresh))
        findings = _in_original(findings, fresh)
        current = _rewrite(text, findings)
    return Redacted(current, findings)


def guard(text: str, mode: Mode) -> str:
    """What may be kept of a text.

    `redact`: the text with placeholders; RefusedByGate if nothing worth keeping is left beside them, also
    beside those that the text came with.
    `refuse`: the text itself; RefusedByGate if anything was found. The error's detail names kinds only.
    """
    redacted = redact(text)
    if not redacted.findings and _MARK not in text:
        return text
    if redacted.findings and mode == "refuse":
        found = list(Inspection(redacted.findings).kinds)
        raise RefusedByGate("This holds a secret or a personal identifier.", {"kinds": found})
    standing = placeholders().findall(redacted.text)
    if standing and not says_something(placeholders().sub(MARK, redacted.text)):
        kinds = sorted({each.removeprefix(_MARK).removesuffix("]") for each in standing})
        raise RefusedByGate(
            "Nothing but a secret or a personal identifier is left of this.", {"kinds": kinds}
        )
    return redacted.text


def without_placeholders(text: str) -> str:
    """The text with a space where each placeholder stood."""
    return placeholders().sub(" ", text)


@cache
def placeholders() -> re.Pattern[str]:
    """Matches each placeholder the gate writes, and nothing that only looks like one."""
    return re.compile(rf"\[redacted:(?:{'|'.join(sorted(KINDS))})\]")


def _scan(text: str) -> tuple[Finding, ...]:
    """Findings of every reading of the text, in its own offsets.

    Placeholders are blanked first, so that neither they nor the words in them are taken for anything.
    """
    if _MARK in text:
        text = placeholders().sub(_blank, text)
    found: list[Finding] = []
    for view in views(text):
        for finder in (secrets.find_secrets, identifiers.find_identifiers):
            found += [Finding(each.kind, *view.original(each.start, each.end)) for each in finder(view)]
    if not found:
        return ()
    return union(each for each in found if any(map(str.isalnum, text[each.start : each.end])))


def _blank(match: re.Match[str]) -> str:
    """As long as the placeholder, and read as one to be filled in."""
    return f"[{'_' * (len(match.group()) - 2)}]"


def _whole_words(text: str, findings: tuple[Finding, ...]) -> Iterator[Finding]:
    """Each finding widened to the white space around it."""
    spaces = [space.start() for space in _SPACE.finditer(text)]
    edges = [-1, *spaces, len(text)]
    for finding in findings:
        start = edges[bisect_left(spaces, finding.start)] + 1
        yield Finding(finding.kind, start, edges[bisect_left(spaces, finding.end) + 1])


def _rewrite(text: str, findings: tuple[Finding, ...]) -> str:
    parts: list[str] = []
    last = 0
    for finding in findings:
        parts += (text[last : finding.start], placeholder(finding.kind))
        last = finding.end
    return "".join((*parts, text[last:]))


def _in_original(before: tuple[Finding, ...], fresh: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Findings of the rewritten text told in offsets of the original, joined with those already rewritten."""
    shifts = list(
        accumulate((len(placeholder(one.kind)) - (one.end - one.start) for one in before), initial=0)
    )
    starts = [one.start + shift for one, shift in zip(before, shifts, strict=False)]

    def original(offset: int, *, end: bool) -> int:
        """The offset in the original of one in the rewritten text; in a placeholder, the finding's edge."""
        passed = bisect_left(starts, offset)  # the findings whose placeholder starts before it
        last = before[passed - 1] if passed else None
        if last and offset < starts[passed - 1] + len(placeholder(last.kind)):
            return last.end if end else last.start
        return offset - shifts[passed]

    moved = [
        Finding(each.kind, original(each.start, end=False), original(each.end, end=True)) for each in fresh
    ]
    return union((*moved, *before))

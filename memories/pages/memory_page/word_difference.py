"""Compare two wordings by words, and unspaced scripts by characters. Pure, and bounded in time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile, zip_longest
from typing import Final

_UNSPACED: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
#: A character of an unspaced script, a word, or a sign; each with the space behind it, so that the space
#: between two different words does not count as a match.
_TOKEN: Final = re.compile(rf"[{_UNSPACED}]\s*|[^\W{_UNSPACED}]+\s*|[^\w\s]\s*|\s+")
#: Longer texts are compared up to here.
_MOST_CHARACTERS: Final = 20_000
#: Tokens that differ on both sides together: more are shown as one text in place of another. Matching takes
#: time that grows with their square.
_MOST_TOKENS: Final = 1200
#: The least share of matching tokens at which words are compared: below, marks on single words only confuse.
_LEAST_MATCH: Final = 0.25
#: Tokens kept beside a difference; a longer equal part between two differences is left out.
_CONTEXT: Final = 14
#: The most characters of a removed or added part.
_LONGEST_PART: Final = 300

SAME: Final = "same"
REMOVED: Final = "removed"
ADDED: Final = "added"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the comparison. `change` is `SAME`, `REMOVED` or `ADDED`."""

    change: str
    text: str


def compare_wordings(before: str, after: str) -> list[Part]:
    """Return the parts that two texts share and those in which they differ, in reading order.

    Args:
        before: The older text.
        after: The newer text.

    Returns:
        The parts. Texts that share little are one removed and one added part. Long equal parts are cut.
    """
    older, newer = (_TOKEN.findall(text[:_MOST_CHARACTERS]) for text in (before, after))
    old_keys, new_keys = ([token.strip() for token in tokens] for tokens in (older, newer))
    head = _count_equal(old_keys, new_keys)
    tail = _count_equal(old_keys[head:][::-1], new_keys[head:][::-1])
    old_end, new_end = len(older) - tail, len(newer) - tail
    parts = [
        Part(SAME, "".join(newer[:head])),
        *_compare(older[head:old_end], newer[head:new_end], shared=head + tail),
        Part(SAME, "".join(newer[new_end:])),
    ]
    return _shorten(list(_move_spaces([part for part in parts if part.text])))


def fold_parts(
    parts: Sequence[Part], *, characters: int, lines: int
) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Split parts behind so many characters or lines, whichever end first.

    Returns:
        The parts to show and the parts to fold away. A part in which the end lies is cut in two.
    """
    shown: list[Part] = []
    for place, part in enumerate(parts):
        end = _find_end(part.text, characters, lines)
        if end < len(part.text):
            cut = [Part(part.change, part.text[:end])] if end else []
            return (*shown, *cut), (Part(part.change, part.text[end:]), *parts[place + 1 :])
        shown.append(part)
        characters -= end
        lines -= part.text.count("\n")
    return tuple(shown), ()


def _find_end(text: str, characters: int, lines: int) -> int:
    """Return where a text has so many characters or lines, or its length."""
    breaks = [found.end() for found in re.finditer("\n", text[:characters])]
    if lines <= len(breaks):
        return breaks[lines - 1] if lines > 0 else 0
    return min(characters, len(text))


def _count_equal(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many tokens two lists have in common at their start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _compare(older: list[str], newer: list[str], *, shared: int) -> Iterator[Part]:
    """Yield the parts of two lists of tokens; `shared` tokens beside them are equal."""
    matcher = SequenceMatcher(None, [one.strip() for one in older], [one.strip() for one in newer])
    size = len(older) + len(newer)
    alike = 2 * shared + (matcher.ratio() * size if size <= _MOST_TOKENS else 0)
    if size > _MOST_TOKENS or alike < _LEAST_MATCH * (size + 2 * shared):
        yield from (Part(REMOVED, "".join(older)), Part(ADDED, "".join(newer)))
        return
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            yield Part(SAME, "".join(newer[new_start:new_end]))
        else:
            yield Part(REMOVED, "".join(older[old_start:old_end]))
            yield Part(ADDED, "".join(newer[new_start:new_end]))


def _move_spaces(parts: Sequence[Part]) -> Iterator[Part]:
    """Yield the parts, without the space behind a word in the mark of that word where there is another."""
    for part, following in zip_longest(parts, parts[1:]):
        bare = part.text.rstrip()
        if part.change == ADDED and bare:
            yield Part(ADDED, bare)
            if bare != part.text:
                yield Part(SAME, part.text[len(bare) :])
        elif part.change == REMOVED and following is not None and following.change == ADDED and bare:
            yield Part(REMOVED, bare)
        else:
            yield part


def _shorten(parts: list[Part]) -> list[Part]:
    last = len(parts) - 1
    return [
        Part(part.change, _cut_same(part.text, is_first=place == 0, is_last=place == last))
        if part.change == SAME
        else Part(part.change, _cut_end(part.text))
        for place, part in enumerate(parts)
    ]


def _cut_same(text: str, *, is_first: bool, is_last: bool) -> str:
    """Return an equal part with its middle, or its outer end, left out if it is long."""
    tokens = _TOKEN.findall(text)
    kept = _CONTEXT * (1 if is_first or is_last else 2)
    if len(tokens) <= kept + 2 and len(text) <= _LONGEST_PART:
        return text
    before = "" if is_first else _cut_end("".join(tokens[:_CONTEXT])).rstrip()
    after = "" if is_last else _cut_start("".join(tokens[-_CONTEXT:]))
    return f"{before}{' … ' if before and after else '… ' if after else ' …'}{after}"


def _cut_end(text: str) -> str:
    return text if len(text) <= _LONGEST_PART else text[: _LONGEST_PART - 1] + "…"


def _cut_start(text: str) -> str:
    return text if len(text) <= _LONGEST_PART else "…" + text[1 - _LONGEST_PART :]

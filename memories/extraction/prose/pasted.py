"""Find lines of a message that the user did not write: code, logs, quotes, dialogues, recalled memories.

All functions are linear in the length of the message.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence

_RECALLED = re.compile(r"\s*+[<\[]\s*+(?:/\s*+)?memories\b([^>\]]{0,200})", re.IGNORECASE)
_RECALLED_END = re.compile(r"[<\[]\s{0,9}/\s{0,9}memories\b([^>\]]{0,200})", re.IGNORECASE)
_CODE_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_OPEN_TAG = re.compile(r"\s*<([A-Za-z][\w-]{0,40})(?:\s[^>]*)?>")
_CLOSING_TAG = re.compile(r"</([A-Za-z][\w-]{0,40})>")

_MACHINE_LINE = re.compile(
    r"""\s*(?:
      > | \|                                                    # quoted by convention; a table's row
    | \[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d                          # a log's time stamp
    | \[?\d\d:\d\d(?::\d\d)?\]?\s+(?:\[|[A-Z]+\b|[\w\ .]{1,30}:)
    | \[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE|CRITICAL)\b
    | Traceback\ \(most | File\ ".*",\ line | at\ [\w$.]+\( | \$\  | >>>\  | \#!?/
    | (?:import|from|def|class|return|const|let|var|function|public|private|package)\b.*[;{}():=]\s*$
    | [\w.\[\]"']+\s*(?:=|\+=|:=)\s*\S
    | (?:From|To|Cc|Subject|Date|Sent|Re|Fwd)\s*:
    )""",
    re.VERBOSE,
)
_CODE_END = re.compile(r"[{}]$|\);$|</\w+>$")
_SPEAKER_LABEL = re.compile(
    r"\s*\**(?:user|human|me|you|assistant|ai|bot|chatgpt|gpt|claude|system|customer|agent|interviewer"
    r"|client|speaker"
    r"|q|a|用户|助手|客服|甲|乙|问|答|他|她|我|你)(?:\s*\d)?\**\s*+[:：]\s*\S",
    re.IGNORECASE,
)


def is_recalled(text: str) -> bool:
    """Return whether a line opens or closes a block of recalled memories."""
    return _RECALLED.match(text) is not None


def outside_blocks(lines: Sequence[str]) -> list[str]:
    """Return the lines outside code, closed tags and recalled memories, without machine-written ones."""
    closings = _closing_tags(lines)
    kept: list[str] = []
    place = 0
    while place < len(lines):
        end = _block_end(lines, place, closings)
        if end is not None:
            place = end
        elif not _is_pasted(lines[place]):
            kept.append(lines[place])
        place += 1
    return kept


def _closing_tags(lines: Sequence[str]) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        for tag in set(_CLOSING_TAG.findall(line)):
            found[tag].append(place)
    return found


def _block_end(lines: Sequence[str], start: int, closings: Mapping[str, list[int]]) -> int | None:
    """Return the last line of the block that opens at `start`, or None if none opens."""
    line = lines[start]
    if is_recalled(line):
        return _recalled_end(lines, start)
    fence = _CODE_FENCE.match(line)
    if fence:
        mark = fence.group(1)
        later = range(start + 1, len(lines))
        return next((at for at in later if lines[at].lstrip().startswith(mark)), len(lines))
    tag = _OPEN_TAG.match(line)
    if tag:
        ends = closings.get(tag.group(1), [])
        nearest = bisect_left(ends, start)
        # A tag that is never closed is stray: only its own line is dropped.
        return ends[nearest] if nearest < len(ends) else start
    return None


def _recalled_end(lines: Sequence[str], start: int) -> int:
    """Return the last line of the block, or the end of the message if the block is never closed."""
    opening = _RECALLED.match(lines[start])
    delimiter = _bare(opening.group(1)) if opening else ""
    for at in range(start, len(lines)):
        end = _RECALLED_END.search(lines[at])
        # The closing marker must carry the delimiter of the opening one, or recalled text could close the
        # block early.
        if end and (at > start or end.start() > 0) and _bare(end.group(1)) == delimiter:
            return at
    return len(lines)


def _bare(attributes: str) -> str:
    return " ".join(re.findall(r"\w+", attributes))


def _is_pasted(line: str) -> bool:
    return bool(_MACHINE_LINE.match(line) or _CODE_END.search(line.rstrip()) or _SPEAKER_LABEL.match(line))

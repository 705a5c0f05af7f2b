"""Trim a list of messages to a token budget. No Django, no database."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, Literal

from memsite.llm.tokens import count_message_tokens
from memsite.values import MessageRole

Message = Mapping[str, Any]
Count = Callable[[Message], int]
Strategy = Literal["newest_first", "oldest_first"]

ELLIPSIS: Final = "…"
_CHARACTERS_A_TOKEN: Final = 6  # more than ordinary text has
_FIRST_TOKENS: Final = 64  # characters


def trim_messages(
    messages: Sequence[Message],
    max_tokens: int,
    strategy: Strategy = "newest_first",
    count: Count = count_message_tokens,
) -> list[Message]:
    """Return the newest (or oldest) consecutive messages that fit in `max_tokens`, in their order.

    An assistant's tool calls and all of their results are kept together or dropped together with what is
    between them. If the first unit to keep exceeds the budget alone, its texts are cut and end in "…"; if
    even that is too much, nothing is kept.

    Args:
        messages: In OpenAI's format, oldest first; they are not changed.
        count: Returns the tokens of one message; the sum over the result never exceeds `max_tokens`.

    Raises:
        ValueError: If the strategy is unknown.
    """
    if strategy not in ("newest_first", "oldest_first"):
        raise ValueError(f"no trimming strategy is named {strategy!r}")
    units = split_into_units(messages)
    if strategy == "newest_first":
        units.reverse()
    kept = _fitting(units, max_tokens, count)
    if not kept and units:
        kept = [_cut_to_fit(units[0], max_tokens, count)]
    if strategy == "newest_first":
        kept.reverse()
    return [message for unit in kept for message in unit]


def split_into_units(messages: Sequence[Message]) -> list[list[Message]]:
    """Split messages into runs that must stay together: tool calls up to their last result; others alone.

    A result belongs to the nearest earlier call with its id, because clients reuse ids.
    """
    callers: dict[str, int] = {}
    last_results: dict[int, int] = {}
    for place, message in enumerate(messages):
        if message.get("role") == MessageRole.TOOL and message.get("tool_call_id") in callers:
            last_results[callers[message["tool_call_id"]]] = place
        for call in message.get("tool_calls") or ():
            if call.get("id"):
                callers[call["id"]] = place
    bounds, open_until = [], -1
    for place in range(len(messages)):
        if place > open_until:
            bounds.append(place)
        if place in last_results:
            open_until = max(open_until, last_results[place])
    return [list(messages[start:end]) for start, end in pairwise([*bounds, len(messages)])]


def _fitting(units: list[list[Message]], max_tokens: int, count: Count) -> list[list[Message]]:
    left = max_tokens
    for kept, unit in enumerate(units):
        left -= sum(map(count, unit))
        if left < 0:
            return units[:kept]
    return list(units)


def _cut_to_fit(unit: list[Message], max_tokens: int, count: Count) -> list[Message]:
    """Cut the longest texts of a unit until it fits; return an empty list if it cannot fit."""
    unit = list(unit)
    sizes = [count(message) for message in unit]
    for place in sorted(range(len(unit)), key=sizes.__getitem__, reverse=True):
        others = sum(sizes) - sizes[place]
        unit[place] = _cut(unit[place], max_tokens - others, count)
        sizes[place] = count(unit[place])
        if others + sizes[place] <= max_tokens:
            return unit
    return []


def _cut(message: Message, max_tokens: int, count: Count) -> Message:
    """Return the message with the longest beginning of its text that fits and "…", or with "…" alone."""
    content = message.get("content")
    if not isinstance(content, str) or not content:
        return message

    def fits(characters: int) -> bool:
        return count({**message, "content": content[:characters] + ELLIPSIS}) <= max_tokens

    most, too_many = 0, min(len(content), max(_FIRST_TOKENS, max_tokens * _CHARACTERS_A_TOKEN))
    # Search upwards first, so that a long text is not counted whole if only its beginning can fit.
    while too_many < len(content) and fits(too_many):
        most, too_many = too_many, min(len(content), too_many * 2)
    while too_many - most > 1:
        middle = (most + too_many) // 2
        most, too_many = (middle, too_many) if fits(middle) else (most, middle)
    return {**message, "content": content[:most] + ELLIPSIS}

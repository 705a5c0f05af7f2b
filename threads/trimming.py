"""Cutting a list of messages down to a token budget. No Django, no database."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, Literal

from memsite.llm.tokens import count_message_tokens

Message = Mapping[str, Any]
Count = Callable[[Message], int]
Strategy = Literal["newest_first", "oldest_first"]

ELLIPSIS: Final = "…"


def trim(
    messages: Sequence[Message],
    max_tokens: int,
    strategy: Strategy = "newest_first",
    count: Count = count_message_tokens,
) -> list[Message]:
    """The newest (or oldest) messages that fit in `max_tokens`, in their order, without gaps.

    messages: in OpenAI's shape, oldest first; they are not changed.
    count: tokens of one message; the sum over the result is never over `max_tokens`.
    An assistant's tool calls and all of their results stay together, or go together with what lies
    between them. Where the first that would be kept is alone over the budget, its texts are cut to end
    in "…"; where even that is too much, nothing is kept.
    Raises ValueError for an unknown strategy.
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
    """Messages in runs that must not be split: tool calls up to their last result; others one by one.

    A result belongs to the nearest earlier call of its id, since clients reuse ids.
    """
    callers: dict[str, int] = {}
    last_results: dict[int, int] = {}
    for place, message in enumerate(messages):
        if message.get("role") == "tool" and message.get("tool_call_id") in callers:
            last_results[callers[message["tool_call_id"]]] = place
        callers |= {call["id"]: place for call in message.get("tool_calls") or [] if call.get("id")}
    bounds, open_until = [], -1
    for place in range(len(messages)):
        if place > open_until:
            bounds.append(place)
        open_until = max(open_until, last_results.get(place, place))
    return [list(messages[start:end]) for start, end in pairwise([*bounds, len(messages)])]


def _fitting(units: list[list[Message]], max_tokens: int, count: Count) -> list[list[Message]]:
    left = max_tokens
    for kept, unit in enumerate(units):
        left -= sum(map(count, unit))
        if left < 0:
            return units[:kept]
    return list(units)


def _cut_to_fit(unit: list[Message], max_tokens: int, count: Count) -> list[Message]:
    """The unit with its longest texts cut, the longest first, until it fits; empty if it cannot."""
    unit = list(unit)
    for place in sorted(range(len(unit)), key=lambda place: count(unit[place]), reverse=True):
        others = sum(count(message) for index, message in enumerate(unit) if index != place)
        unit[place] = _cut(unit[place], max_tokens - others, count)
        if others + count(unit[place]) <= max_tokens:
            return unit
    return []


def _cut(message: Message, max_tokens: int, count: Count) -> Message:
    """The message with the longest beginning of its text that fits, and "…"; "…" alone if none does."""
    content = message.get("content")
    if not isinstance(content, str) or not content:
        return message
    fits, too_long = 0, len(content)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if count({**message, "content": content[:middle] + ELLIPSIS}) <= max_tokens:
            fits = middle
        else:
            too_long = middle
    return {**message, "content": content[:fits] + ELLIPSIS}

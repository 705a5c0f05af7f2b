"""Limits of a summary: its length, texts that are no summary, and the remark on messages not covered yet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memories.extraction import is_chinese, split_sentences
from memsite.llm.tokens import count_tokens
from threads.conf import SUMMARY

_MARKS: Final = {False: "[+{count} messages not summarised yet]", True: "[+{count} 条消息尚未总结]"}
_ONE: Final = "[+1 message not summarised yet]"
_MARK = re.compile(r"(?:(?<!\s)\s*+\[\+\d{1,9} (?:messages? not summarised yet|条消息尚未总结)\]){1,9}\s*$")
_HTML = re.compile(r"<\s{0,9}+/?\s{0,9}(?:!doctype|html|head|body|div|script|p)\b", re.IGNORECASE)
_REFUSAL = re.compile(
    r"\W*(?:(?:I'?m|I am) (?:sorry|unable|not able)|sorry,|I apologi[sz]e|I (?:can'?t|cannot|won'?t)\b"
    r"|as an AI\b"
    r"|抱歉|对不起|很遗憾|我(?:无法|不能)|作为一?个?\s*(?:AI|人工智能))",
    re.IGNORECASE,
)
_LETTER = re.compile(r"[^\W\d_]")
_CJK = re.compile(r"[\u3400-\u9fff]")


def speaks_chinese(texts: Sequence[str]) -> bool:
    """Return whether more than half of these texts are Chinese."""
    nonblank = [text for text in texts if text.strip()]
    return 2 * sum(map(is_chinese, nonblank)) > len(nonblank)


def is_no_summary(text: str) -> bool:
    """Return whether a text has no words, is HTML or JSON instead of prose, or is a refusal."""
    written = text.strip()
    return not _LETTER.search(written) or bool(
        _HTML.search(written) or _REFUSAL.match(written.replace("’", "'")) or written[0] in "{["
    )


def is_short_enough(text: str) -> bool:
    """Return whether a text is short enough for a summary.

    The limits are 500 characters for Chinese, else 200 words, and 1,000 tokens in any language.
    """
    short = len(text) <= SUMMARY.characters if _is_cjk(text) else len(text.split()) <= SUMMARY.words
    return short and count_tokens(text) <= SUMMARY.most_tokens


def cut_summary(text: str) -> str:
    """Return the longest beginning of whole sentences that fits.

    If the first sentence alone is too long, it is cut and ends in `…`.
    """
    if is_short_enough(text):
        return text
    kept = ""
    for sentence in split_sentences(text):
        joined = join_sentences([kept, sentence])
        if not is_short_enough(joined):
            break
        kept = joined
    return kept or _hard_cut(text)


def join_sentences(parts: Sequence[str]) -> str:
    """Join sentences, with a space unless the next one starts with Chinese."""
    joined = ""
    for part in parts:
        between = " " if joined and part and not _CJK.match(part) else ""
        joined += between + part
    return joined


def add_remark(content: str, count: int, *, chinese: bool) -> str:
    """Return the text with one remark at its end on how many messages it does not cover."""
    mark = _ONE if count == 1 and not chinese else _MARKS[chinese].format(count=count)
    return f"{remove_remark(content)} {mark}".strip()


def remove_remark(content: str) -> str:
    """Return the text without such remarks."""
    return _MARK.sub("", content)


def _is_cjk(text: str) -> bool:
    return 3 * len(_CJK.findall(text)) > len(re.sub(r"\s", "", text))


def _hard_cut(text: str) -> str:
    """Cut by characters with a binary search, because not even one sentence fits."""
    low, high = 0, min(len(text), 20_000)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if is_short_enough(text[:middle].rstrip() + "…") else (low, middle - 1)
    return text[:low].rstrip() + "…"

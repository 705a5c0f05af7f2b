"""Write a summary by rules: the topic, decisions, preferences, what was said and answered, open requests."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from memories.extraction import extract_by_rules_in_context, extract_own_prose, split_sentences
from memories.maintenance import compute_coverage, get_content_terms
from memories.values import Kind, Utterance
from memsite.llm.chat import AnswerSource
from memsite.values import MessageRole
from threads.conf import SUMMARY_MESSAGE_CHARACTERS
from threads.models import Message, TaskStateWriter
from threads.prompt import remove_fenced
from threads.summarization.task_state import TaskStateContent, read_content
from threads.summarization.text.exchanges import (
    Part,
    SpokenMessage,
    close_requests,
    find_result,
    read_exchanges,
    render,
)
from threads.summarization.text.limits import cut_summary, is_short_enough, join_sentences
from threads.summarization.text.loading import SummaryWindow
from threads.summarization.text.structured import (
    Structure,
    SummaryText,
    clean_line,
    limit_state,
    limit_structure,
    redact_summary,
)
from threads.summarization.text.task_rules import find_task_state

_READ: Final = SUMMARY_MESSAGE_CHARACTERS
_SENTENCE: Final = 160  # characters kept of one sentence
_DECISION: Final = re.compile(
    r"\b(?:decided|decide to|decision|agreed|let'?s (?:go with|use|do)|(?:we|I)(?:'ll| will) (?:go with|use)"
    r"|settled on|going with)\b|决定|就用|就这么|选定|定为|采用|同意",
    re.IGNORECASE,
)
_LASTING: Final = frozenset({Kind.PREFERENCE, Kind.GOAL, Kind.LESSON})
#: Messages with their sentences.
_SpokenSentences = Sequence[tuple[Message, list[str]]]
_WRITES: Final = re.compile(r"write|edit|create|patch|apply|modify|save|update|replace", re.IGNORECASE)
_PREFERENCES: Final = "preferences"
_PATH_NAMES: Final = ("path", "file", "filename", "file_path", "filepath")
_NOTHING: Final = {False: "{0} messages without words.", True: "{0} 条没有文字的消息。"}


def summarise_by_rules(window: SummaryWindow, error: str = "") -> SummaryText:
    """Return the old summary plus what rules find in the window, cut to fit; the newest sentences are kept.

    Args:
        error: Why no model wrote it; empty if none is configured.
    """
    sentences = [(row, _read_sentences(row)) for row in window.rows]
    decisions = _decisions(sentences)
    lasting = _lasting(window.rows)
    content = _write(window, sentences, decisions, lasting)
    structure = limit_structure(_structure(window, sentences, decisions, lasting))
    content, structure, state = redact_summary(content, structure, _find_state(window, sentences))
    return SummaryText(cut_summary(content), structure, AnswerSource.FALLBACK, error, state)


def _find_state(window: SummaryWindow, sentences: _SpokenSentences) -> TaskStateContent | None:
    """Return the task state with what the window adds; None if a client wrote it, or nothing is added."""
    if window.state is not None and window.state.written_by == TaskStateWriter.CLIENT:
        return None
    before = read_content(window.state)
    messages = [
        (row.role, lines) for row, lines in sentences if _is_answer(row) or row.role == MessageRole.USER
    ]
    state = limit_state(find_task_state(messages, before))
    return state if state != before else None


def _write(
    window: SummaryWindow, sentences: _SpokenSentences, decisions: Sequence[str], lasting: Sequence[str]
) -> str:
    """Return the summary: topic, decisions and preferences, what was said and answered, open requests."""
    chinese = window.in_chinese()
    messages = [
        SpokenMessage(row.role, lines, find_result(lines) if _is_answer(row) else "")
        for row, lines in sentences
    ]
    is_answered = any(one.result for one in messages)
    topic, requests, others = close_requests(
        list(split_sentences(window.old_text)), is_answered=is_answered, chinese=chinese
    )
    repeated = {line for _, lines in sentences for line in lines if _repeats(line, lasting)}
    found = read_exchanges(
        messages, elsewhere={*decisions, *repeated}, has_topic=bool(window.old_text), chinese=chinese
    )
    decided = [render(Part.DECIDED, one, chinese=chinese) for one in decisions if one not in repeated]
    topic = topic or found.render_topic(chinese=chinese)
    still_open = [*requests, *found.render_open(chinese=chinese)]
    parts = [*topic, *others, *decided, *lasting, *found.exchanged, *still_open]
    kept_longest = {*topic, *decided, *lasting, *(one for one in others if _is_lasting(one, window))}
    return _fitting(parts or [_NOTHING[chinese].format(len(window.rows))], kept_longest)


def _is_lasting(sentence: str, window: SummaryWindow) -> bool:
    """Return whether a sentence of the previous summary tells a decision or a preference."""
    old = _read_previous(window).critical_context.get(_PREFERENCES, "")
    return sentence in old or _DECISION.search(sentence) is not None


def _read_previous(window: SummaryWindow) -> Structure:
    return Structure.of(window.previous.structured) if window.previous is not None else Structure()


def _is_answer(row: Message) -> bool:
    """Return whether a message is an answer of an assistant; not the notice that no model answers."""
    is_notice = isinstance(row.state, dict) and row.state.get("source") == AnswerSource.FALLBACK
    return row.role == MessageRole.ASSISTANT and not is_notice


def _read_sentences(row: Message) -> list[str]:
    """Return the sentences of a message's own prose, each shortened."""
    prose = extract_own_prose(remove_fenced(row.content)[:_READ])
    found = (prose.unmask(sentence) for line in prose.lines for sentence in split_sentences(line))
    return [_ended(short) for one in found if (short := clean_line(one, _SENTENCE))]


def _ended(sentence: str) -> str:
    """Return the sentence with a final punctuation mark, so that it stays separate from others."""
    if sentence[-1] in ".!?…。！？；;":
        return sentence
    return sentence + ("。" if "\u3400" <= sentence[-1] <= "\u9fff" else ".")


def _decisions(sentences: _SpokenSentences) -> list[str]:
    people = (lines for row, lines in sentences if row.role in ("user", "assistant"))
    return [one for lines in people for one in lines if _DECISION.search(one) and one[-1] not in "?？"]


def _lasting(rows: Sequence[Message]) -> list[str]:
    """Return preferences, goals and lessons that the user stated."""
    sentences = [
        Utterance(f"{row.pk}", MessageRole(row.role), remove_fenced(row.content)[:_READ], row.created_at)
        for row in rows
        if row.role == MessageRole.USER
    ]
    found = [one for one in extract_by_rules_in_context(sentences) if one.kind in _LASTING]
    return [_ended(short) for one in found if (short := clean_line(one.content, _SENTENCE))]


def _repeats(sentence: str, others: Iterable[str]) -> bool:
    """Return whether one of the others contains all content words of a sentence that has any."""
    return bool(get_content_terms(sentence)) and any(
        compute_coverage(sentence, [other]) == 1.0 for other in others
    )


def _fitting(found: Sequence[str], kept_longest: set[str]) -> str:
    """Remove duplicates, then the oldest sentences until the rest fits; those to keep and the first last."""
    kept = list(dict.fromkeys(found))
    while len(kept) > 1 and not is_short_enough(join_sentences(kept)):
        passing = [one for one in kept if one not in kept_longest]
        kept.remove((passing or kept[1:])[0])
    return join_sentences(kept)


def _structure(
    window: SummaryWindow,
    sentences: _SpokenSentences,
    decisions: Sequence[str],
    lasting: Sequence[str],
) -> Structure:
    old = _read_previous(window)
    user_lines = [lines[0] for row, lines in sentences if row.role == MessageRole.USER and lines]
    answered = [lines[0] for row, lines in sentences if row.role == MessageRole.ASSISTANT and lines]
    context = dict(old.critical_context)
    if lasting:
        preferences = [context[_PREFERENCES]] if _PREFERENCES in context else []
        context[_PREFERENCES] = join_sentences(
            [*preferences, *(one for one in lasting if one not in join_sentences(preferences))]
        )
    return Structure(
        user_goal=old.user_goal or (user_lines[0] if user_lines else ""),
        last_step=answered[-1] if answered else old.last_step,
        key_decisions=(*old.key_decisions, *decisions),
        modified_files=(*old.modified_files, *_files(window.rows)),
        critical_context=context,
    )


def _files(rows: Sequence[Message]) -> list[str]:
    """Return the paths in calls of tools that write files."""
    found = []
    for row in rows:
        for call in row.tool_calls or []:
            if _WRITES.search(call["function"]["name"]):
                given = _arguments(call["function"]["arguments"])
                found += [given[name] for name in _PATH_NAMES if isinstance(given.get(name), str)]
    return found


def _arguments(text: str) -> dict[str, Any]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}

"""Find a task's goal, steps and findings by rules, where the texts say them plainly. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from memories.maintenance import compute_coverage, get_content_terms
from memsite.values import MessageRole
from threads.summarization.task_state import TaskStateContent

#: "I want to book a train." is a goal; "I want to thank you." and "I want to know …" are none.
_GOAL: Final = re.compile(
    r"(?:(?:hi|hello|ok(?:ay)?|so|now|today)[,.!]? )?"
    r"(?:i|we)(?:'d| would)? (?:want|need|like|have|plan|intend) to "
    r"(?!(?:thank|know|ask|say|tell|hear|be|go to (?:bed|sleep))\b)(?P<goal>.+)"
    r"|(?:my|our|the) goal is (?:to )?(?P<aim>.+)"
    r"|(?:我们?(?:现在|今天)?(?:想要?|要|打算|需要)(?!知道|问|说|谢|睡|你|是|的)|(?:我们?的)?目标是)(?P<zh>.+)",
    re.IGNORECASE,
)
_PAST: Final = "(?:done|finished|completed|fixed|implemented|deployed|merged|booked|installed)"
_DONE: Final = re.compile(
    r"(?:done|finished|completed)\s?[:：]\s?\S"
    rf"|^(?:i|we) (?:have |just ){{0,2}}{_PAST}\b|^(?:i|we)'ve (?:just )?{_PAST}\b"
    rf"|\b(?:is|are|was|were|has been|have been) (?:now |all )?{_PAST}\b"
    r"|完成了|已(?:经)?(?:完成|修好|部署|实现|合并|安装|订好)|[做修弄搞写改][完好定]了",
    re.IGNORECASE,
)
_NOT_DONE: Final = re.compile(
    r"\b(?:not|never|isn't|aren't|wasn't|hasn't|haven't|once|when|if|until|after|before|unless|will|should|must"
    r"|to be)\b|没|未|不|等|如果|之后|以后|一旦|完成了吗",
    re.IGNORECASE,
)
_NEXT: Final = re.compile(
    r"(?:(?:and )?next|the next step is|next steps?\s?:|to ?do\s?:|remaining\s?:|what remains is)\b"
    r"|(?:i|we) (?:still|now) (?:need|have) to\b"
    r"|接下来|下一步|还需要|还要|待办|然后(?:我们?)?要",
    re.IGNORECASE,
)
_FOUND: Final = re.compile(
    r"(?:i|we)(?:'ve)? (?:have |just ){0,2}found (?:out )?(?:that |the )|it turns out\b"
    r"|\b(?:root )?cause (?:is|was)\b|\bthe problem (?:is|was)\b|^findings?\s?:"
    r"|我们?发现|原因(?:是|在于)|问题(?:是|在于|出在)|结果发现",
    re.IGNORECASE,
)
#: Words that say what kind of sentence it is, before its content.
_LEAD: Final = re.compile(
    r"(?:done|finished|completed|next(?: steps?)?|to ?do|remaining|findings?|完成|接下来|下一步|待办)"
    r"\s?[:：,，]\s?",
    re.IGNORECASE,
)
_QUESTION_MARKS: Final = "?？"
#: Share of the content words of a pending step that a completed one has.
_SAME_STEP: Final = 0.6
_PEOPLE: Final = frozenset({MessageRole.USER, MessageRole.ASSISTANT})


def find_task_state(
    messages: Iterable[tuple[str, Sequence[str]]], before: TaskStateContent
) -> TaskStateContent:
    """Return a task state with what messages add to it.

    Args:
        messages: The role and the sentences of each message, oldest first.
        before: The state so far. Its goal stays; its pending steps stay until they are done.
    """
    state = before
    for role, sentences in messages:
        if role in _PEOPLE:
            for sentence in sentences:
                if sentence[-1] not in _QUESTION_MARKS:
                    state = _add(state, sentence, is_user=role == MessageRole.USER)
    return state


def _add(state: TaskStateContent, sentence: str, *, is_user: bool) -> TaskStateContent:
    text = _LEAD.sub("", sentence, count=1) if _LEAD.match(sentence) else sentence
    if _DONE.search(sentence) and not _NOT_DONE.search(sentence):
        pending = tuple(one for one in state.pending_steps if not _is_of(one, text))
        return replace(state, completed_steps=_joined(state.completed_steps, text), pending_steps=pending)
    if _NEXT.match(sentence):
        return replace(state, pending_steps=_joined(state.pending_steps, text))
    if _FOUND.search(sentence):
        return replace(state, key_findings=_joined(state.key_findings, text))
    if is_user and not state.current_goal and (goal := _GOAL.match(sentence)) is not None:
        words = goal["goal"] or goal["aim"] or goal["zh"]
        return replace(state, current_goal=words.rstrip(".。!！;； "))
    return state


def _joined(steps: Collection[str], step: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*steps, step]))


def _is_of(step: str, text: str) -> bool:
    """Return whether a text has most of the content words of a step."""
    return bool(get_content_terms(step)) and compute_coverage(step, [text]) >= _SAME_STEP

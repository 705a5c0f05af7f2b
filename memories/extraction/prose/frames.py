"""The frame of a clause: only statements are learned."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Frame(StrEnum):
    """How a clause is meant."""

    STATEMENT = "statement"
    QUESTION = "question"
    QUOTATION = "quotation"
    HYPOTHETICAL = "hypothetical"
    COMMAND = "command"
    REPORTED = "reported"


class Scope(StrEnum):
    """The effect of a sentence on its neighbours.

    PAYLOAD: a text to work on follows. FICTION: fiction follows, until the user writes about themselves again
    (SELF). WORK_ON_ABOVE: the text before was a text to work on. TAKE_BACK: the sentence before was not
    serious. CORRECTION: a correction follows. ASKED: something to remember follows.
    """

    PAYLOAD = "payload"
    FICTION = "fiction"
    SELF = "self"
    WORK_ON_ABOVE = "work_on_above"
    TAKE_BACK = "take_back"
    CORRECTION = "correction"
    REQUESTED = "asked"


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause, with omitted subjects added and quotations masked.

    Attributes:
        prefix: Adverbial before the subject that is kept ("Last year").
        subject: In Chinese, what an omitted subject refers to.
        correction: Whether the clause corrects something.
        requested: Whether the user asked to remember it.
    """

    text: str
    frame: Frame = Frame.STATEMENT
    chinese: bool = False
    prefix: str = ""
    subject: str = ""
    correction: bool = False
    requested: bool = False

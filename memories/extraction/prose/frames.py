"""What a clause is told as: only a statement is learnt from."""

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
    """What a sentence does to the sentences around it.

    PAYLOAD: what follows is text to work on. FICTION: what follows is made up, until the writer returns to
    themselves (SELF). WORK_ON_ABOVE: what came before was text to work on. TAKE_BACK: the sentence before was
    no earnest. CORRECTION, ASKED: what follows corrects, or is to be remembered.
    """

    PAYLOAD = "payload"
    FICTION = "fiction"
    SELF = "self"
    WORK_ON_ABOVE = "work_on_above"
    TAKE_BACK = "take_back"
    CORRECTION = "correction"
    ASKED = "asked"


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause, its subject supplied where it was left out, quotations still masked.

    prefix: an adverbial before the subject, kept ("Last year"); subject: in Chinese, what an unsaid subject
    refers to; correction: it puts something right; asked: the person asked for it to be remembered.
    """

    text: str
    frame: Frame = Frame.STATEMENT
    chinese: bool = False
    prefix: str = ""
    subject: str = ""
    correction: bool = False
    asked: bool = False

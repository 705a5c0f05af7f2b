"""The clauses of a text, how each is framed, and the statement that a rule finds in one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memories.values import Kind


class Frame(StrEnum):
    """The way in which a clause is meant."""

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
    serious. CORRECTION: a correction follows. REQUESTED: something to remember follows.
    """

    PAYLOAD = "payload"
    FICTION = "fiction"
    SELF = "self"
    WORK_ON_ABOVE = "work_on_above"
    TAKE_BACK = "take_back"
    CORRECTION = "correction"
    REQUESTED = "requested"


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


USER = "user"


@dataclass(frozen=True, slots=True)
class ExtractedStatement:
    """A statement found in a clause.

    Attributes:
        content: A complete sentence, quotations masked.
        predicate: Empty if the clause gives no triple.
        object: Empty if the clause gives no triple.
        ahead: Whether its dates are in the future (a goal).
        correction: Whether it corrects an earlier statement.
        requested: Whether the user asked to remember it.
        name: Name of the person it is about.
        dated: Whether it is an event, so that a bare "in May" says when it began.
    """

    content: str
    kind: Kind = Kind.FACT
    subject: str = USER
    predicate: str = ""
    object: str = ""
    single_valued: bool = False
    confidence: float = 0.8
    ahead: bool = False
    correction: bool = False
    requested: bool = False
    name: str = ""
    dated: bool = False

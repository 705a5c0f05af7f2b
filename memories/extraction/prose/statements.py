"""The result of a rule, before it becomes a candidate."""

from __future__ import annotations

from dataclasses import dataclass

from memories.values import Kind

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

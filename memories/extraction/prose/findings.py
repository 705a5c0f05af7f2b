"""What a rule found in a clause, before it becomes a candidate."""

from __future__ import annotations

from dataclasses import dataclass

USER = "user"


@dataclass(frozen=True, slots=True)
class Finding:
    """A thing learnt: `content` stands alone as a sentence, quotations still masked.

    predicate, object: empty where the clause gives no triple; ahead: its dates lie in the future (a goal);
    dated: it is an event, so that a bare "in May" says when it began.
    """

    content: str
    kind: str = "fact"
    subject: str = USER
    predicate: str = ""
    object: str = ""
    single_valued: bool = False
    confidence: float = 0.8
    ahead: bool = False
    correction: bool = False
    asked: bool = False
    name: str = ""
    dated: bool = False

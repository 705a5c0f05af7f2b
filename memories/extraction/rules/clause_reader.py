"""Split a message into clauses with frames, taking into account how its sentences affect each other."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from memories.extraction.chinese import (
    find_chinese_scope,
    split_chinese_clauses,
    turns_chinese_role_play,
)
from memories.extraction.english import (
    find_english_scope,
    split_english_clauses,
    turns_english_role_play,
)
from memories.extraction.prose import Clause, Frame, Prose, Scope, is_chinese, split_sentences

#: Characters. A longer sentence is pasted text and is not parsed.
LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as written, quotations masked. It has no clauses if it only affects its neighbours."""

    text: str
    clauses: tuple[Clause, ...]
    chinese: bool


@dataclass
class _ClauseReader:
    clauses: list[list[Clause]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    asks: bool = False
    frame: Frame | None = None
    requested: bool = False
    requested_line: int = -1
    correction: bool = False
    subject: str = ""

    def sentence(self, text: str, line: int) -> None:
        chinese = is_chinese(text)
        scope = find_chinese_scope(text) if chinese else find_english_scope(text)
        if scope is Scope.SELF and self.frame is Frame.HYPOTHETICAL:
            self.frame = None
        if self._handled(scope, line):
            return
        requested = self.requested
        read = (
            split_chinese_clauses(text, requested=requested, correction=self.correction, subject=self.subject)
            if chinese
            else split_english_clauses(text, requested=requested, correction=self.correction)
        )
        self.correction = False
        if scope is Scope.PAYLOAD:
            self.frame = Frame.QUOTATION
        if scope is Scope.FICTION:
            self.frame = self.frame or Frame.HYPOTHETICAL
        if self.frame:
            read = [replace(clause, frame=self.frame, requested=False) for clause in read]
        self.subject = read[-1].subject if chinese and read else ""
        self.clauses.append(read)
        self.texts.append(text)

    def _handled(self, scope: Scope | None, line: int) -> bool:
        """Return whether the sentence only affects its neighbours."""
        match scope:
            case Scope.REQUESTED:
                self.requested, self.requested_line, self.asks = True, line, True
            case Scope.CORRECTION:
                self.correction = True
            case Scope.TAKE_BACK:
                if self.clauses:
                    self.clauses[-1] = []
            case Scope.WORK_ON_ABOVE:
                self.clauses, self.texts = [], []
                self.frame = Frame.QUOTATION
            case _:
                return False
        return True


def list_own_sentences(prose: Prose) -> list[Sentence]:
    """Return the user's own sentences, without quotations and texts to work on."""
    reader = _read(prose)
    return [
        Sentence(text, tuple(clauses), is_chinese(text))
        for text, clauses in zip(reader.texts, reader.clauses, strict=True)
        if clauses and any(clause.frame is not Frame.QUOTATION for clause in clauses)
    ]


def asks_to_remember(prose: Prose) -> bool:
    """Return whether the user asks to remember something in this message or before it."""
    reader = _read(prose)
    stated = (clause for clauses in reader.clauses for clause in clauses if clause.frame in _EARNEST)
    return reader.asks or any(clause.requested for clause in stated)


def is_in_role_play(prose: Prose, *, before: bool = False) -> bool:
    """Return whether a person plays a role after a message, given whether they did before it."""
    for line in prose.lines:
        for sentence in split_sentences(line):
            if len(sentence) <= LONGEST:
                turn = turns_chinese_role_play if is_chinese(sentence) else turns_english_role_play
                turned = turn(sentence)
                before = before if turned is None else turned
    return before


_EARNEST: Final = frozenset({Frame.STATEMENT, Frame.COMMAND})


def _read(prose: Prose) -> _ClauseReader:
    reader = _ClauseReader()
    for number, line in enumerate(prose.lines):
        if not line:
            # A request to remember covers the list after it, up to the next empty line.
            reader.requested = reader.requested and reader.requested_line == number - 1
            continue
        for text in split_sentences(line):
            if len(text) <= LONGEST:
                reader.sentence(text, number)
    return reader

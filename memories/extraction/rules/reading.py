"""A message as clauses with their frames, in the light of what its sentences do to each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from memories.extraction.chinese import chinese_clauses, chinese_scope
from memories.extraction.english import english_clauses, english_scope
from memories.extraction.prose import Clause, Frame, Prose, Scope, is_chinese, sentences

#: A sentence longer than this is pasted text, and no grammar is tried on it.
LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as written, quotations masked; no clauses where it only speaks of its neighbours."""

    text: str
    clauses: tuple[Clause, ...]
    chinese: bool


@dataclass
class _Reader:
    clauses: list[list[Clause]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    asks: bool = False
    frame: Frame | None = None
    asked: bool = False
    asked_line: int = -1
    correction: bool = False
    subject: str = ""

    def sentence(self, text: str, line: int) -> None:
        chinese = is_chinese(text)
        scope = chinese_scope(text) if chinese else english_scope(text)
        if scope is Scope.SELF and self.frame is Frame.HYPOTHETICAL:
            self.frame = None
        if self._handled(scope, line):
            return
        asked = self.asked
        read = (
            chinese_clauses(text, asked=asked, correction=self.correction, subject=self.subject)
            if chinese
            else english_clauses(text, asked=asked, correction=self.correction)
        )
        self.correction = False
        if scope is Scope.PAYLOAD:
            self.frame = Frame.QUOTATION
        if scope is Scope.FICTION:
            self.frame = self.frame or Frame.HYPOTHETICAL
        if self.frame:
            read = [replace(clause, frame=self.frame, asked=False) for clause in read]
        self.subject = read[-1].subject if chinese and read else ""
        self.clauses.append(read)
        self.texts.append(text)

    def _handled(self, scope: Scope | None, line: int) -> bool:
        """Whether the sentence only says how to take its neighbours."""
        match scope:
            case Scope.ASKED:
                self.asked, self.asked_line, self.asks = True, line, True
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


def read(prose: Prose) -> Iterator[Clause]:
    """The clauses of a message, in order, each in the frame its message gives it."""
    for clauses in _read(prose).clauses:
        yield from clauses


def own_sentences(prose: Prose) -> list[Sentence]:
    """The sentences a person wrote as their own; texts to work on and quotations are left out."""
    reader = _read(prose)
    return [
        Sentence(text, tuple(clauses), is_chinese(text))
        for text, clauses in zip(reader.texts, reader.clauses, strict=True)
        if clauses and any(clause.frame is not Frame.QUOTATION for clause in clauses)
    ]


def asks_to_remember(prose: Prose) -> bool:
    """Whether the writer asks for something to be remembered, of this message or of what came before."""
    reader = _read(prose)
    stated = (clause for clauses in reader.clauses for clause in clauses if clause.frame in _EARNEST)
    return reader.asks or any(clause.asked for clause in stated)


_EARNEST: Final = frozenset({Frame.STATEMENT, Frame.COMMAND})


def _read(prose: Prose) -> _Reader:
    reader = _Reader()
    for number, line in enumerate(prose.lines):
        if not line:
            # What is to be remembered ends with its list, as its writer left a line free.
            reader.asked = reader.asked and reader.asked_line == number - 1
            continue
        for text in sentences(line):
            if len(text) <= LONGEST:
                reader.sentence(text, number)
    return reader

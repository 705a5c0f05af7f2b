"""Load what the page of one memory shows. The number of queries does not depend on what there is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from memories import ports
from memories.curation import (
    Connection,
    Role,
    count_memories_of_batch,
    list_connections,
    list_stated_relations,
    load_wording_chain,
)
from memories.models import Memory
from memories.models.labels import say_name
from memories.models.predicate_labels import get_predicate_label
from memories.pages.acts import undo_url
from memories.pages.memory_page.history_steps import Step, build_steps
from memories.pages.memory_page.sentences import StatusWords, describe_belief, describe_status, describe_truth
from memories.ports import CitationPlace, SourceText
from memories.storage import Neighbour, list_related, load_sources
from memories.text import OWNER, make_name_key

#: The most characters and lines of a text before the rest is folded away.
_SHOWN: Final = 420
_SHOWN_LINES: Final = 9
#: The most characters in large letters.
_LARGE: Final = 160
_MOST_EVENTS: Final = 300
#: Steps of the history that are shown; earlier ones are folded away.
_STEPS: Final = 10
_MOST_SOURCES: Final = 12
_MOST_CITATIONS: Final = 20
_MOST_RELATED: Final = 12

_ROLE_LABELS: Final[Mapping[Role, Promise]] = {
    Role.SUCCESSOR: _("What took its place"),
    Role.PREDECESSOR: _("Whose place it took"),
    Role.OPPONENT: _("What it contradicts"),
    Role.FORMER_OPPONENT: _("What it once contradicted"),
    Role.BASIS: _("What it was concluded from"),
    Role.RESULT: _("What came of it"),
    Role.SAME_SOURCE: _("Learnt from the same message"),
    Role.COMPARED: _("What it was compared with"),
}


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text whose end is folded away if it is long."""

    start: str
    rest: str

    @property
    def is_long(self) -> bool:
        """Whether it is too long for a heading in large letters."""
        return len(self.start) > _LARGE


@dataclass(frozen=True, slots=True)
class QuotedSource:
    """A source, with its text."""

    source: SourceText
    text: FoldedText


@dataclass(frozen=True, slots=True)
class ConnectionGroup:
    """The connected memories of one role."""

    label: str
    memories: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """The name of someone or something, and the page that shows what else is known of it."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class RelationWords:
    """A relation that the memory states."""

    subject: Term
    predicate: str
    object: Term


@dataclass(frozen=True, slots=True)
class RelatedGroup:
    """Other memories that mention the same thing."""

    term: Term
    memories: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class UndoChoice:
    """The last change, which can be undone.

    Attributes:
        others: How many other memories it changed.
        shown_next: The memory to show afterwards: this one, or the wording before, if this one goes.
    """

    url: str
    others: int
    shown_next: UUID


@dataclass(frozen=True, slots=True)
class Uses:
    """The number of times a memory was opened and cited, in words, and the newest citations."""

    words: str
    places: tuple[CitationPlace, ...]


@dataclass(frozen=True, slots=True)
class PageContent:
    """The content of the page of one memory.

    Attributes:
        sources_left: How many older sources are not shown.
        earlier: The steps of the history that are folded away.
        is_history_cut: Whether even older steps are not loaded.
        lane_url: The page that shows the values of its slot over time; empty without a slot.
    """

    memory: Memory
    text: FoldedText
    status: StatusWords
    truth: str
    belief: str
    sources: tuple[QuotedSource, ...]
    sources_left: int
    earlier: tuple[Step, ...]
    steps: tuple[Step, ...]
    is_history_cut: bool
    undo: UndoChoice | None
    connections: tuple[ConnectionGroup, ...]
    relations: tuple[RelationWords, ...]
    related: tuple[RelatedGroup, ...]
    uses: Uses
    lane_url: str


def load_page_content(memory: Memory, *, owner: UUID) -> PageContent:
    """Return what the page of a memory of the owner shows."""
    references = load_sources([memory.pk], owner=owner).get(memory.pk, [])
    chain = load_wording_chain(memory.pk, owner=owner, most=_MOST_EVENTS)
    steps = build_steps(chain, memory)
    hidden = ports.hidden(None, owner=owner)
    connections = list_connections(memory, references, owner=owner)
    replaced_for = next((one.reason for one in connections if one.role is Role.SUCCESSOR), None)
    return PageContent(
        memory=memory,
        text=fold_text(memory.content),
        status=describe_status(memory, replaced_for=replaced_for, on_left_branch=memory.pk in hidden),
        truth=describe_truth(memory, now=timezone.now()),
        belief=describe_belief(memory),
        sources=_quote(references[-_MOST_SOURCES:], owner=owner),
        sources_left=max(0, len(references) - _MOST_SOURCES),
        earlier=tuple(steps[:-_STEPS]),
        steps=tuple(steps[-_STEPS:]),
        is_history_cut=chain.is_cut,
        undo=_offer_undo(steps, memory, connections, owner=owner),
        connections=_group_connections(connections),
        relations=_state_relations(memory, owner=owner),
        related=_group_related(memory, {one.memory.pk for one in connections}, hidden, owner=owner),
        uses=_count_uses(memory, owner=owner),
        lane_url=f"{reverse('timeline')}?{urlencode({'lane': memory.slot})}" if memory.slot else "",
    )


def fold_text(text: str) -> FoldedText:
    """Return a text with what exceeds some lines folded away, cut between words where that is possible."""
    lines = [line.end() for line in re.finditer("\n", text[: _SHOWN + 1])]
    end = min(_SHOWN, lines[_SHOWN_LINES - 1] if len(lines) >= _SHOWN_LINES else _SHOWN)
    if len(text) <= end + _SHOWN // 4 and end == _SHOWN:
        return FoldedText(text, "")
    space = max(text.rfind(" ", 0, end + 1), text.rfind("\n", 0, end + 1))
    end = space + 1 if space > end * 0.7 else end
    return FoldedText(text[:end], text[end:])


def _quote(references: Sequence[str], *, owner: UUID) -> tuple[QuotedSource, ...]:
    found = ports.sources(references, owner=owner) if references else []
    return tuple(QuotedSource(source, fold_text(source.text)) for source in found)


def _offer_undo(
    steps: Sequence[Step], memory: Memory, connections: Iterable[Connection], *, owner: UUID
) -> UndoChoice | None:
    """Return the undo of the last step: what earlier ones changed may have changed again since."""
    if not steps or not steps[-1].can_undo:
        return None
    last = steps[-1]
    others = count_memories_of_batch(last.batch_id, owner=owner) - last.size
    is_new = any(wording.memory.pk == memory.pk for wording in last.wordings)
    before = [one.memory.pk for one in connections if one.role is Role.PREDECESSOR and is_new]
    return UndoChoice(undo_url(last.batch_id), max(0, others), before[0] if before else memory.pk)


def _group_connections(connections: Iterable[Connection]) -> tuple[ConnectionGroup, ...]:
    groups: dict[Role, dict[UUID, Memory]] = {role: {} for role in _ROLE_LABELS}
    for connection in connections:
        groups[connection.role][connection.memory.pk] = connection.memory
    return tuple(
        ConnectionGroup(str(label), tuple(groups[role].values()))
        for role, label in _ROLE_LABELS.items()
        if groups[role]
    )


def _state_relations(memory: Memory, *, owner: UUID) -> tuple[RelationWords, ...]:
    stated = [
        (one.subject, one.predicate, one.object) for one in list_stated_relations(memory.pk, owner=owner)
    ]
    if memory.subject and memory.predicate and memory.object:
        triple = (memory.subject, memory.predicate, memory.object)
        keys = {tuple(map(make_name_key, one)) for one in stated}
        stated = stated if tuple(map(make_name_key, triple)) in keys else [triple, *stated]
    return tuple(
        RelationWords(make_term(subject), get_predicate_label(predicate), make_term(thing))
        for subject, predicate, thing in stated
    )


def _group_related(
    memory: Memory, connected: Collection[UUID], hidden: frozenset[UUID], *, owner: UUID
) -> tuple[RelatedGroup, ...]:
    found = list_related(memory.pk, owner=owner, limit=_MOST_RELATED + len(connected), hidden=hidden)
    groups: dict[str, list[Memory]] = {}
    others = [one for one in found if _is_telling(one) and one.memory.pk not in connected]
    for neighbour in others[:_MOST_RELATED]:
        groups.setdefault(neighbour.via.name, []).append(neighbour.memory)
    return tuple(RelatedGroup(make_term(name), tuple(memories)) for name, memories in groups.items())


def _is_telling(neighbour: Neighbour) -> bool:
    """Return whether a neighbour mentions the same thing; most memories mention the owner."""
    return neighbour.via.kind != "link" and make_name_key(neighbour.via.name) != OWNER


def _count_uses(memory: Memory, *, owner: UUID) -> Uses:
    """Return the uses of a memory. Its `access_count` counts openings and citations together."""
    cited = ports.count_citations([memory.pk], owner=owner)
    places = ports.citations([memory.pk], owner=owner, most=_MOST_CITATIONS)
    opened = max(0, memory.access_count - cited)
    words = {
        "opened": ngettext("Opened %(count)d time", "Opened %(count)d times", opened) % {"count": opened},
        "cited": ngettext("cited %(count)d time", "cited %(count)d times", cited) % {"count": cited},
    }
    return Uses(gettext("%(opened)s, %(cited)s") % words, tuple(places))


def make_term(name: str) -> Term:
    """Return a name with the page that shows what else is known of it: the graph, or a search."""
    try:
        url = f"{reverse('graph')}?{urlencode({'entity': name})}"
    except NoReverseMatch:
        url = f"{reverse('memories')}?{urlencode({'q': name, 'layer': 'all'})}"
    return Term(say_name(name), url)

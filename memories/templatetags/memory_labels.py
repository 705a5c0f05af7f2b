"""Define template filters that return the labels of kinds, layers and states."""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from memories.curation import HistoryEntry
from memories.models import labels
from memories.models.predicate_labels import get_predicate_label
from memories.pages.graph import relation_list
from memories.pages.graph.graph_query import GraphQuery
from memories.pages.graph.relation_list import Statement
from memories.pages.listing.list_query import ListQuery
from memories.pages.report import report_labels
from memsite.web.templatetags.display import icon, shorten

register = template.Library()

#: The longest name and the longest text of a memory in the list of the graph, in characters.
_MOST_OF_NAME: Final = 80
_MOST_OF_TEXT: Final = 160


@register.filter
def kind_label(kind: str) -> str:
    """Return the label of a kind."""
    return labels.get_label(labels.KIND_LABELS, kind)


@register.filter
def layer_label(layer: str) -> str:
    """Return the label of a layer."""
    return labels.get_label(labels.LAYER_LABELS, layer)


@register.filter
def status_label(status: str) -> str:
    """Return the label of a status."""
    return labels.get_label(labels.STATUS_LABELS, status)


@register.filter
def lifespan_label(lifespan: str) -> str:
    """Return the label of a lifespan."""
    return labels.get_label(labels.LIFESPAN_LABELS, lifespan)


@register.filter
def abstraction_label(level: str) -> str:
    """Return the label of how far a pattern generalises."""
    return labels.get_label(labels.ABSTRACTION_LABELS, level)


@register.filter
def writer_label(writer: str) -> str:
    """Return the label of a writer."""
    return labels.get_label(labels.WRITER_LABELS, writer)


@register.filter
def why_label(why: str) -> str:
    """Return why a memory was recalled, in the language of the page."""
    return labels.describe_reason(why)


@register.simple_tag
@lru_cache(128)  # as many as there are kinds
def kind_mark(kind: str) -> SafeString:
    """Return the icon of a kind on its colour. It is decorative: the name of the kind is beside it."""
    return format_html('<span class="kind-mark kind-{0}">{1}</span>', kind, icon(f"kind-{kind}"))


@register.filter
def actor_label(actor: str) -> str:
    """Return the label of an actor."""
    return labels.get_actor_label(actor)


@register.filter
def event_label(entry: HistoryEntry) -> str:
    """Return the label of an event of a memory's history."""
    return labels.get_label(labels.EVENT_LABELS, entry.event)


@register.filter
def reason_label(reason: str) -> str:
    """Return the label of a conflict's reason."""
    return labels.get_label(report_labels.REASON_LABELS, reason)


@register.filter
def mend_label(act: str) -> str:
    """Return the label of an act."""
    return labels.get_label(report_labels.MEND_LABELS, act)


@register.filter
def dispute_label(reason: str) -> str:
    """Return why time does not decide a dispute; "" if nothing is known."""
    return str(labels.DISPUTE_LABELS.get(reason, ""))


@register.filter
def place_label(number: int) -> str:
    """Return the name of a side of a dispute."""
    return labels.get_place_label(number)


@register.filter
def wrong_label(number: int) -> str:
    """Return the label of the answer that a side of a dispute was wrong."""
    return labels.get_wrong_label(number)


@register.filter
def predicate_label(predicate: str) -> str:
    """Return the label of a relation's predicate."""
    return get_predicate_label(predicate)


@register.simple_tag
def graph_statement(statement: Statement, query: GraphQuery, *, is_further: bool = False) -> SafeString:
    """Return a statement in the list of the graph: the sentence, and the newest memory that states it.

    A page has a hundred of them, and as a template they took most of its time.

    Args:
        statement: The statement.
        query: The page's own query; links keep its time and its number of rings.
        is_further: Whether it is not about the entity of the page, so that its subject is a link, too.
    """
    newest, page = statement.memories[0], reverse("graph")
    subject, label = shorten(statement.subject_words, _MOST_OF_NAME), statement.label
    far = format_html(
        '<a href="{}">{}</a>',
        page + query.around(statement.far.id),
        shorten(relation_list.get_name(statement.far), _MOST_OF_NAME),
    )
    if is_further:
        start = page + query.around(statement.origin.id)
        sentence = format_html('<a href="{}">{}</a> {} {}', start, subject, label, far)
    elif not statement.outgoing:
        name = shorten(relation_list.get_name(statement.origin), _MOST_OF_NAME)
        sentence = format_html("{} {} {}", far, label, name)
    elif statement.predicate:
        sentence = format_html('<span class="unseen">{} {} </span>{}', subject, label, far)
    else:
        sentence = far
    others = ""
    if statement.others:
        words = ngettext("and %(count)s other memory", "and %(count)s other memories", statement.others)
        others = format_html(' <span class="faint">{}</span>', words % {"count": statement.others})
    return format_html(
        '<li class="graph-statement">{}<div><p class="graph-sentence" dir="auto">{}</p>'
        '<p class="graph-memory"><a href="{}" dir="auto">{}</a>{}</p></div></li>',
        kind_mark(statement.kind),
        sentence,
        reverse("memory", args=[newest.memory]),
        shorten(newest.content, _MOST_OF_TEXT),
        others,
    )


@register.simple_tag
def mend_icon(act: str) -> SafeString:
    """Return the icon of an act."""
    return icon(report_labels.MEND_ICONS.get(act, "check"))


@register.simple_tag
def list_query(query: ListQuery, **changes: str | None) -> str:
    """Return the query string of a list with some of its fields changed; `cursor` names the page."""
    cursor = changes.pop("cursor", "")
    text = query.changed(**changes)
    return f"{text}{'' if text == '?' else '&'}{urlencode({'cursor': cursor})}" if cursor else text


@register.simple_tag
def without_tag(query: ListQuery, tag: str) -> str:
    """Return the query string of a list without one of its tags."""
    return query.changed(tags=tuple(other for other in query.tags if other != tag))

"""Define template filters that return the labels of kinds, layers and states."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memories.curation import HistoryEntry
from memories.models import labels
from memories.pages.graph import relation_list
from memories.pages.graph.graph_query import GraphQuery
from memories.pages.graph.predicate_labels import get_predicate_label
from memories.pages.listing.list_query import ListQuery
from memories.pages.report import report_labels
from memories.storage import EntityName
from memsite.web.templatetags.display import icon

register = template.Library()


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
    """Return what an event of a memory's history was."""
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
    """Return the answer that a side of a dispute was wrong."""
    return labels.get_wrong_label(number)


@register.filter
def predicate_label(predicate: str) -> str:
    """Return the label of a relation's predicate."""
    return get_predicate_label(predicate)


@register.filter
def entity_name(entity: EntityName) -> str:
    """Return the name of an entity of the graph."""
    return relation_list.get_name(entity)


@register.filter
def entity_url(entity: EntityName, query: GraphQuery) -> str:
    """Return the page of an entity's graph, at the time and with the rings of a query."""
    return reverse("graph") + query.changed(entity=str(entity.id), predicate=None)


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

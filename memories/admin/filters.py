"""Filters of the list of memories: by kind, layer, status, confidence and writer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.contrib.admin import ModelAdmin, SimpleListFilter
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memories.models.labels import KIND_LABELS, LAYER_LABELS, STAFF_STATUS_LABELS, STAFF_WRITER_LABELS

#: Ranges of confidence, by their value in the address.
CONFIDENCES: Final[Mapping[str, tuple[Promise, Q]]] = {
    "under-50": (_("below 50%"), Q(confidence__lt=0.5)),
    "50-70": (_("50% to 70%"), Q(confidence__gte=0.5, confidence__lt=0.7)),
    "70-90": (_("70% to 90%"), Q(confidence__gte=0.7, confidence__lt=0.9)),
    "from-90": (_("90% and more"), Q(confidence__gte=0.9)),
}


class LabelFilter(SimpleListFilter):
    """Filter by a field whose values have labels.

    Attributes:
        labels: Value → label, in the order of the filter.
    """

    labels: ClassVar[Mapping[str, Promise]]

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin[Any]) -> list[tuple[str, Promise]]:  # type: ignore[override]  # noqa: ARG002 - Django's signature; labels are lazy
        return [(str(value), label) for value, label in self.labels.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002 - Django's signature
        value = self.value()
        return queryset if value is None else queryset.filter(**{str(self.parameter_name): value})


class StatusFilter(LabelFilter):
    title = _("status")
    parameter_name = "status"
    labels = STAFF_STATUS_LABELS


class KindFilter(LabelFilter):
    title = _("kind")
    parameter_name = "kind"
    labels = KIND_LABELS


class LayerFilter(LabelFilter):
    title = _("layer")
    parameter_name = "layer"
    labels = LAYER_LABELS


class WriterFilter(LabelFilter):
    title = _("source")
    parameter_name = "written_by"
    labels = STAFF_WRITER_LABELS


class ConfidenceFilter(LabelFilter):
    title = _("confidence")
    parameter_name = "confidence"
    labels: ClassVar[Mapping[str, Promise]] = {value: label for value, (label, _rows) in CONFIDENCES.items()}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002 - Django's signature
        chosen = CONFIDENCES.get(self.value() or "")
        return queryset.filter(chosen[1]) if chosen else queryset

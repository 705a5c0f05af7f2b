"""The forms of the memory pages."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from memories.models import Memory
from memories.models.labels import KIND_LABELS, LAYER_LABELS, LIFESPAN_LABELS
from memories.values import KINDS, Candidate, Kind, Layer, Writer

LONGEST: Final = 20_000
_DATES: Final = ("valid_from", "valid_until", "occurred_at")
_DAY: Final = "%Y-%m-%d"
_BY_HAND: Final = {
    Layer.SEMANTIC: (
        Kind.FACT,
        Kind.PREFERENCE,
        Kind.GOAL,
        Kind.LESSON,
        Kind.PROJECT,
        Kind.SKILL,
        Kind.CONTEXT,
    ),
    Layer.PROCEDURAL: (Kind.HABIT, Kind.PREFERENCE, Kind.PATTERN),
}


class TagsField(forms.CharField):
    """A list of words separated by commas, without repeats."""

    def prepare_value(self, value: Any) -> Any:  # noqa: ANN401 - Field's signature
        return ", ".join(value) if isinstance(value, (list, tuple)) else value

    def to_python(self, value: Any) -> Any:  # noqa: ANN401 - Field's signature
        text = super().to_python(value) or ""
        words = [word.strip()[:64] for word in text.replace("，", ",").split(",")]
        return list(dict.fromkeys(word for word in words if word))


class DayField(forms.DateField):
    """A day, chosen in the browser's calendar; it may be left empty."""

    def __init__(self, **options: Any) -> None:
        picker = forms.DateInput(format=_DAY, attrs={"type": "date"})
        super().__init__(required=False, input_formats=[_DAY], widget=picker, **options)


def _content() -> forms.CharField:
    return forms.CharField(
        label=_("What should be remembered"), max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 3})
    )


def _importance() -> forms.IntegerField:
    return forms.IntegerField(label=_("Importance in %"), min_value=0, max_value=100, required=False)


class AddForm(forms.Form):
    """A memory that a person writes."""

    content = _content()
    kind = forms.ChoiceField(
        label=_("Kind"),
        initial=f"{Layer.SEMANTIC}:{Kind.FACT}",
        choices=[
            (LAYER_LABELS[layer], [(f"{layer}:{kind}", KIND_LABELS[kind]) for kind in kinds])
            for layer, kinds in _BY_HAND.items()
        ],
    )
    category = forms.CharField(label=_("Category"), max_length=64, required=False)
    tags = TagsField(label=_("Tags"), required=False, help_text=_("Separated by commas."))

    def candidate(self) -> Candidate:
        """Return the candidate for the write path. The form must be valid."""
        given = self.cleaned_data
        layer, _colon, kind = given["kind"].partition(":")
        return Candidate(
            content=given["content"],
            layer=Layer(layer),
            kind=Kind(kind),
            category=given["category"],
            tags=tuple(given["tags"]),
            written_by=Writer.PERSON,
        )


class EditForm(forms.Form):
    """The fields of a memory that a person may change: its dates alone if it has ended.

    Args:
        data: What was posted.
        memory: The memory.
        typed: What to show in place of what is stored.
    """

    content = _content()
    kind = forms.ChoiceField(label=_("Kind"))
    category = forms.CharField(label=_("Category"), max_length=64, required=False)
    tags = TagsField(label=_("Tags"), required=False, help_text=_("Separated by commas."))
    importance = _importance()
    lifespan = forms.ChoiceField(label=_("How long it is kept"), choices=list(LIFESPAN_LABELS.items()))
    valid_from = DayField(label=_("True since"))
    valid_until = DayField(label=_("True until"))
    occurred_at = DayField(label=_("It happened, or was said, on"))

    def __init__(self, data: QueryDict | None, *, memory: Memory, typed: dict[str, Any]) -> None:
        self.memory = memory
        super().__init__(data, initial=_initial(memory) | typed)
        kinds = [(kind, KIND_LABELS[kind]) for kind in KINDS[Layer(memory.layer)]]
        self.fields["kind"].choices = kinds  # type: ignore[attr-defined]  # a ChoiceField
        dates = ("occurred_at",) if memory.layer == Layer.EPISODIC else ("valid_from", "valid_until")
        for name in list(self.fields):
            if name not in dates and (name in _DATES or not memory.is_active):
                del self.fields[name]

    def content_changed(self) -> bool:
        """Return whether the text of the memory was changed."""
        return "content" in self.changed_data

    def changes(self) -> dict[str, Any]:
        """Return the changed fields except content, in the memory's units."""
        changed = {name: self.cleaned_data[name] for name in self.changed_data if name != "content"}
        if "importance" in changed:
            share = changed.pop("importance")
            changed |= {} if share is None else {"importance": share / 100}
        return changed | {name: _begin_day(changed[name]) for name in _DATES if name in changed}

    def clean(self) -> dict[str, Any]:
        """Return the fields, if the memory does not end before it begins."""
        given = super().clean() or {}
        begin, end = given.get("valid_from"), given.get("valid_until")
        if begin and end and begin > end:
            self.add_error("valid_until", _("It cannot end before it begins."))
        return given


def _begin_day(day: date | None) -> datetime | None:
    return None if day is None else datetime(day.year, day.month, day.day, tzinfo=UTC)


def _initial(memory: Memory) -> dict[str, Any]:
    names = ("content", "kind", "category", "tags", "lifespan", *_DATES)
    return {name: getattr(memory, name) for name in names} | {"importance": round(memory.importance * 100)}


class MergeForm(forms.Form):
    """The words of the memory that replaces several."""

    content = forms.CharField(
        label=_("What the merged memory says"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )


class ClearForm(forms.Form):
    """Form that confirms forgetting or erasing many memories: the person types their user name."""

    name = forms.CharField(
        label=_("Your user name, to confirm"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, expected: str, **kwargs: Any) -> None:
        self.expected = expected
        super().__init__(*args, **kwargs)

    def clean_name(self) -> str:
        """Return the typed name, if it is the user's own."""
        name: str = self.cleaned_data["name"]
        if name != self.expected:
            raise forms.ValidationError(_("This is not your user name."))
        return name

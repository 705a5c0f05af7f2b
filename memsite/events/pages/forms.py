"""The form of a new webhook."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from memsite.events.pages.labels import GROUPS
from memsite.events.types import Payload


class WebhookForm(forms.Form):
    """Form for a webhook: its URL, the types of events, and whether texts are sent with them."""

    url = forms.CharField(
        label=_("Address"),
        max_length=2000,
        widget=forms.URLInput(
            attrs={"autocomplete": "off", "placeholder": "https://example.com/hook", "dir": "ltr"}
        ),
        help_text=_("Begins with https:// and leads to a public host."),
    )
    types = forms.MultipleChoiceField(
        label=_("What it is told about"),
        choices=list(GROUPS.items()),
        initial=list(GROUPS),
        widget=forms.CheckboxSelectMultiple,
    )
    full = forms.BooleanField(
        label=_("Send the memory itself, too"),
        required=False,
        help_text=_("Otherwise it gets ids only, and fetches what it may see with a key."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "webhook_%s", **kwargs})

    @property
    def payload(self) -> Payload:
        """The chosen content of the webhook's messages."""
        return Payload.FULL if self.cleaned_data["full"] else Payload.THIN

    def list_types(self) -> list[str]:
        """Return the chosen types; none if all are chosen, so that later types come, too."""
        chosen: list[str] = self.cleaned_data["types"]
        return [] if set(chosen) == set(GROUPS) else chosen

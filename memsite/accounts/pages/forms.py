"""Forms of the settings pages."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memsite.accounts.models import Application, Scope, User
from memsite.accounts.names import is_blank

_SCOPES = [
    (Scope.READ.value, _("Read: search, lists and contexts")),
    (Scope.WRITE.value, _("Write: add, change, forget and erase")),
    (Scope.ADMIN.value, _("Admin: manage API keys")),
]
_LIFETIMES = [("30", _("30 days")), ("90", _("90 days")), ("365", _("One year")), ("", _("Never"))]


def _not_blank(name: str) -> None:
    if is_blank(name):
        raise ValidationError(_("A name needs at least one visible character."))


class KeyForm(forms.Form):
    """What a new key is for, what it may do, and how long it works."""

    name = forms.CharField(
        label=_("What it is for"),
        max_length=100,
        validators=[_not_blank],
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": _("e.g. my editor")}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=_SCOPES,
        initial=[Scope.READ.value, Scope.WRITE.value],
        widget=forms.CheckboxSelectMultiple,
    )
    lifetime = forms.ChoiceField(
        label=_("It stops working after"), choices=_LIFETIMES, initial="90", required=False
    )
    application = forms.ModelChoiceField(
        label=_("For an application"),
        queryset=Application.objects.none(),
        required=False,
        empty_label=_("No: it acts for me"),
        help_text=_("An application's key acts for the application's own end users."),
    )

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = owner.applications.order_by("name")
        if own:
            self.fields["application"].queryset = own  # type: ignore[attr-defined]  # a ModelChoiceField
        else:
            del self.fields["application"]

    def expires_at(self) -> datetime | None:
        """Return when the key expires; None for never."""
        days = self.cleaned_data["lifetime"]
        return timezone.now() + timedelta(days=int(days)) if days else None


class ApplicationForm(forms.Form):
    """The name of a new application."""

    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        validators=[_not_blank],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class DeletionForm(forms.Form):
    """Asks for the person's own name, so that nobody deletes an account by mistake."""

    name = forms.CharField(label=_("Your user name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, *args: Any, username: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._username = username
        self.fields["name"].help_text = username

    def clean_name(self) -> str:
        """Refuse any other name."""
        name: str = self.cleaned_data["name"]
        if name != self._username:
            raise ValidationError(_("This is not the name of your account."))
        return name


class PreferencesForm(forms.Form):
    """A person's choices about their memory; the fields of `Preferences`."""

    memory_on = forms.BooleanField(
        label=_("Memory"),
        required=False,
        help_text=_("Off: nothing is read and nothing is written. What is there stays until you forget it."),
    )
    auto_extract = forms.BooleanField(
        label=_("Learn by itself"),
        required=False,
        help_text=_("Off: what conversations suggest waits for your yes before it is remembered."),
    )
    citations_on = forms.BooleanField(
        label=_("Show what was used"),
        required=False,
        help_text=_("Each reply names the memories it was given, so that you can look and say what helped."),
    )
    language = forms.ChoiceField(
        label=_("Language"), required=False, choices=[("", _("As my browser asks")), *settings.LANGUAGES]
    )

"""Forms of the settings pages."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memsite.accounts.applications import SECRET_CHARACTERS
from memsite.accounts.models import Application, DeletionScope, ProgramHeader, Scope, User
from memsite.accounts.names import check_username, is_blank

_SCOPES = [
    (Scope.READ.value, _("Read: search, lists and contexts")),
    (Scope.WRITE.value, _("Write: add, change, forget and erase")),
    (Scope.ADMIN.value, _("Admin: manage API keys and webhooks")),
]
_LIFETIMES = [("30", _("30 days")), ("90", _("90 days")), ("365", _("One year")), ("", _("Never"))]


def _not_blank(name: str) -> None:
    if is_blank(name):
        raise ValidationError(_("A name needs at least one visible character."))


class KeyForm(forms.Form):
    """Form for a new key: its name, its scopes and its lifetime."""

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
        super().__init__(*args, **{"auto_id": "key_%s", **kwargs})
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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "application_%s", **kwargs})


class ApplicationSettingsForm(forms.Form):
    """Form for the ways in which requests of an application at /v1 name the end user and the conversation."""

    require_user = forms.BooleanField(
        label=_("Several people use it"),
        required=False,
        help_text=_("A request that names nobody is refused. Otherwise all of them would share your memory."),
    )
    headers = forms.MultipleChoiceField(
        label=_("Headers that it sends"),
        choices=[
            (ProgramHeader.OPENWEBUI_TOKEN.value, _("Open WebUI: the user, signed (X-OpenWebUI-User-Jwt)")),
            (ProgramHeader.OPENWEBUI_USER.value, _("Open WebUI: the user (X-OpenWebUI-User-Id)")),
            (ProgramHeader.LITELLM_USER.value, _("LiteLLM: the end user (x-litellm-end-user-id)")),
            (ProgramHeader.SUPERMEMORY_USER.value, _("Supermemory: the user (x-sm-user-id)")),
            (ProgramHeader.OPENWEBUI_CHAT.value, _("Open WebUI: the chat (X-OpenWebUI-Chat-Id)")),
            (ProgramHeader.CONVERSATION.value, _("LibreChat: the conversation (X-Conversation-Id)")),
            (ProgramHeader.LITELLM_SESSION.value, _("LiteLLM: the session (x-litellm-session-id)")),
            (ProgramHeader.CODEX_SESSION.value, _("Codex: the session (session-id)")),
        ],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "Whoever has the key can send any of them. Choose only those that this program sets itself."
        ),
    )
    user_header = forms.CharField(
        label=_("Another header that names the user"),
        max_length=64,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    token_secret = forms.CharField(
        label=_("Secret of the signed user"),
        max_length=SECRET_CHARACTERS,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("FORWARD_USER_INFO_HEADER_JWT_SECRET of Open WebUI. Left empty, it stays as it is."),
    )
    finds_side_requests = forms.BooleanField(
        label=_("Recognise titles and the like"),
        required=False,
        help_text=_("What a program asks for itself, such as a title, is not remembered."),
    )

    def __init__(self, *args: Any, application: Application, **kwargs: Any) -> None:
        names = ("require_user", "headers", "user_header", "finds_side_requests")
        initial = {name: getattr(application, name) for name in names}
        super().__init__(*args, **{"initial": initial, **kwargs})

    def changes(self) -> dict[str, Any]:
        """Return the columns to change. An empty secret leaves the stored one."""
        return {name: value for name, value in self.cleaned_data.items() if name != "token_secret" or value}


class NameForm(forms.Form):
    """A new user name."""

    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        help_text=_("You sign in with it. Memories and threads stay yours."),
        widget=forms.TextInput(attrs={"autocomplete": "username"}),
    )

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **{"initial": {"username": person.get_username()}, **kwargs})
        self._person = person

    def clean_username(self) -> str:
        """Refuse a name that is reserved, looks like another name, or is taken in any case of letters."""
        name: str = self.cleaned_data["username"]
        if name != self._person.get_username():
            check_username(name)
        if User.objects.filter(username__iexact=name).exclude(pk=self._person.pk).exists():
            raise ValidationError(_("Somebody else has this name."))
        return name


class DeletionForm(forms.Form):
    """Asks for the person's own name and password, so that nobody deletes anything by mistake.

    A person who signs in elsewhere has no password here; allauth confirms their identity before.
    """

    name = forms.CharField(label=_("Your user name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._person = person
        self.fields["name"].help_text = format_html(
            gettext("Type {name} to confirm."), name=format_html("<bdi>{}</bdi>", person.get_username())
        )
        if not person.has_usable_password():
            del self.fields["password"]

    def clean_name(self) -> str:
        """Refuse any other name."""
        name: str = self.cleaned_data["name"]
        if name != self._person.get_username():
            raise ValidationError(_("This is not the name of your account."))
        return name

    def clean_password(self) -> str:
        """Refuse another password."""
        password: str = self.cleaned_data["password"]
        if not self._person.check_password(password):
            raise ValidationError(_("This is not your password."))
        return password


class ScopeForm(DeletionForm):
    """Form for the extent of a deletion, besides the confirmation."""

    scope = forms.ChoiceField(
        label=_("What is deleted"),
        choices=[
            (DeletionScope.MEMORIES.value, _("My memories and threads. The account stays, with its keys.")),
            (DeletionScope.ACCOUNT.value, _("The whole account, with everything in it.")),
        ],
        widget=forms.RadioSelect,
    )

    field_order = ("scope", "name", "password")


class PreferencesForm(forms.Form):
    """A person's choices about their memory; fields of `Preferences`."""

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

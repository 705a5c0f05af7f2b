"""Forms of the thread pages."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from memsite.values import new_id, parse_id
from threads.conf import CONTENT_CHARACTERS, TITLE_CHARACTERS


class TitleForm(forms.Form):
    """Form for a thread's title."""

    title = forms.CharField(label=_("Title"), max_length=TITLE_CHARACTERS, required=False)


class MessageForm(forms.Form):
    """Form for a message. The text is not stripped, and line breaks are those of the person's message.

    `client_id` makes a repeated request safe: each form has a new one.
    """

    content = forms.CharField(
        label=_("Your message"),
        max_length=CONTENT_CHARACTERS,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 1, "placeholder": _("Write a message"), "dir": "auto"}),
        error_messages={"required": _("A message needs some words.")},
    )
    client_id = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)

    def clean_content(self) -> str:
        """Return the text, with the line breaks that people type in place of those that browsers send."""
        content: str = self.cleaned_data["content"].replace("\r\n", "\n")
        if not content.strip():
            raise forms.ValidationError(_("A message needs some words."))
        return content

    def clean_client_id(self) -> str:
        """Return the id in its usual form, or a new one."""
        return str(parse_id(self.cleaned_data["client_id"]) or new_id())

    @property
    def request_id(self) -> UUID:
        """The id of the request, to be written into the form again or for the first time."""
        return parse_id(self["client_id"].value() or "") or new_id()


class FirstMessageForm(MessageForm):
    """Form for the message that begins a thread."""

    is_temporary = forms.BooleanField(label=_("Temporary"), required=False)

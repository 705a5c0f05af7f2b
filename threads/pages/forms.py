"""Forms of the thread pages."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from threads.conf import CONTENT_CHARACTERS, TITLE_CHARACTERS


class ThreadForm(forms.Form):
    """Form for a new thread."""

    title = forms.CharField(
        label=_("Title"),
        max_length=TITLE_CHARACTERS,
        required=False,
        help_text=_("Left empty, it is named after its first message."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    is_temporary = forms.BooleanField(
        label=_("Temporary"),
        required=False,
        help_text=_(
            "Nothing of it is remembered and nothing recalled; it is gone when you close it, or after a day."
        ),
    )


class TitleForm(forms.Form):
    """Form for a thread's title."""

    title = forms.CharField(label=_("Title"), max_length=TITLE_CHARACTERS, required=False)


class MessageForm(forms.Form):
    """Form for a message. The text is not stripped."""

    content = forms.CharField(
        label=_("Your message"),
        max_length=CONTENT_CHARACTERS,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": _("Write a message")}),
    )

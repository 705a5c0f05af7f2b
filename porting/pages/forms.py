"""The form that takes files or pasted lines."""

from __future__ import annotations

import io
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from porting.conf import LONGEST_PASTE
from porting.importing import Options, Upload
from porting.values import Format, Learn


class _ManyFiles(forms.ClearableFileInput):
    allow_multiple_selected = True
    template_name = "django/forms/widgets/file.html"


class _FilesField(forms.FileField):
    """A field of one or several files."""

    widget = _ManyFiles

    def clean(self, data: Any, initial: Any = None) -> Any:  # noqa: ANN401 - Django's signature
        """Return the list of the files."""
        many = data if isinstance(data, (list, tuple)) else [data]
        return [super(_FilesField, self).clean(one, initial) for one in many if one]


class ImportForm(forms.Form):
    """Files, or text with a memory on each line."""

    file = _FilesField(
        label=_("Files"),
        required=False,
        allow_empty_file=True,
        help_text=_(
            "The archive as you got it, or the files in it. Several at once if the export came in parts."
        ),
    )
    text = forms.CharField(
        label=_("Or paste memories, one on each line"),
        required=False,
        max_length=LONGEST_PASTE,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("A line may begin with its date: [2026-05-01] - I moved to Lisbon."),
    )
    threads = forms.BooleanField(label=_("Bring the conversations, too"), required=False, initial=True)
    learn = forms.BooleanField(
        label=_("Learn from what you wrote in them"),
        required=False,
        initial=True,
        help_text=_("By fixed rules, without a language model."),
    )

    def clean(self) -> dict[str, Any]:
        """Check that there is something to import, and not both."""
        cleaned = super().clean() or {}
        has_files, has_text = bool(cleaned.get("file")), bool((cleaned.get("text") or "").strip())
        if not self.errors and has_files == has_text:
            message = (
                _("Choose a file, or paste lines.")
                if not has_files
                else _("Choose a file or paste lines, not both.")
            )
            self.add_error("file", message)
        return cleaned

    def list_uploads(self) -> list[Upload]:
        """Return the files, or the pasted lines as one."""
        files: list[UploadedFile[Any]] = self.cleaned_data["file"]
        if files:
            return [Upload(str(one.name), one) for one in files]
        return [Upload("text", io.BytesIO(self.cleaned_data["text"].encode("utf-8", "replace")))]

    def get_options(self) -> Options:
        """Return how to import."""
        learn = Learn.RULES if self.cleaned_data["learn"] else Learn.NONE
        kind = Format.AUTO if self.cleaned_data["file"] else Format.LINES
        return Options(kind, self.cleaned_data["threads"], learn)

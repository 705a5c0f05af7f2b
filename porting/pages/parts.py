"""The sections of the settings page Data, and how long files and imports are kept."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext_lazy as _

from memsite.web.settings_parts import Retention, SettingsPart
from porting.importing import list_imports
from porting.pages.labels import describe_import

_SHOWN = 5  # imports on the page


def make_export_part(*, owner: UUID) -> SettingsPart:  # noqa: ARG001 - every part is made for a person
    """Return the section that offers the export."""
    return SettingsPart("porting/_export.html")


def make_import_part(*, owner: UUID) -> SettingsPart:
    """Return the section that leads to an import and lists the last ones."""
    rows = list_imports(owner=owner, most=_SHOWN)
    return SettingsPart("porting/_import.html", {"imports": [describe_import(row) for row in rows]})


def list_retentions() -> tuple[Retention, ...]:
    """Return how long uploaded files and the list of imports are kept."""
    return (
        Retention(
            _("Files that you uploaded for an import"), _("until the import has ended, 24 hours at most")
        ),
        Retention(_("The list of your imports, without texts"), _("90 days")),
    )

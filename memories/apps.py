from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MemoriesConfig(AppConfig):
    name = "memories"
    verbose_name = _("Long-term memory")

    def ready(self) -> None:
        """Register the parts of other pages that are about memories, and how to count and erase them."""
        from memories.api.rendering import render_active_memory  # noqa: PLC0415 - as above
        from memories.curation import erasing  # noqa: PLC0415 - models are not loaded before
        from memories.gate import redact_text  # noqa: PLC0415 - as above
        from memories.pages.inbox.kinds import load_kinds_part  # noqa: PLC0415 - as above
        from memories.pages.listing.requirements import load_requirements_part  # noqa: PLC0415 - as above
        from memories.pages.overview import (  # noqa: PLC0415 - as above
            list_retentions,
            load_overview_part,
            name_memories,
        )
        from memories.pages.report.report_view import load_status_part  # noqa: PLC0415 - as above
        from memories.storage import count_waiting  # noqa: PLC0415 - as above
        from memsite.accounts.deletion import StoredData, register_stored_data  # noqa: PLC0415 - as above
        from memsite.accounts.pages.privacy import register_names  # noqa: PLC0415 - as above
        from memsite.events.webhooks import register_memories  # noqa: PLC0415 - as above
        from memsite.web import overview, settings_parts  # noqa: PLC0415 - as above
        from memsite.web.layout import register_count  # noqa: PLC0415 - as above

        register_memories(render_active_memory, lambda text: redact_text(text).text)
        register_names("memories", name_memories)
        overview.register_part(load_overview_part)
        register_count("inbox", count_waiting)
        settings_parts.register_settings_part(settings_parts.SettingsPage.MEMORY, load_requirements_part)
        settings_parts.register_settings_part(settings_parts.SettingsPage.MEMORY, load_kinds_part)
        settings_parts.register_settings_part(settings_parts.SettingsPage.STATUS, load_status_part)
        settings_parts.register_retentions(list_retentions)
        register_stored_data(
            StoredData(erasing.count_stored_memories, erasing.erase_some_memories, erasing.UNREACHABLE)
        )

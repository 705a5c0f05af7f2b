from django.apps import AppConfig


class MemoriesConfig(AppConfig):
    name = "memories"
    verbose_name = "Long-term memory"

    def ready(self) -> None:
        """Register the memories' part of the overview, the count of the inbox, and how to erase memories."""
        from memories.curation import erasing  # noqa: PLC0415 - models are not loaded before
        from memories.pages.overview import load_overview_part  # noqa: PLC0415 - as above
        from memories.storage import count_waiting  # noqa: PLC0415 - as above
        from memsite.accounts.deletion import StoredData, register_stored_data  # noqa: PLC0415 - as above
        from memsite.web import overview  # noqa: PLC0415 - as above
        from memsite.web.layout import register_count  # noqa: PLC0415 - as above

        overview.register_part(load_overview_part)
        register_count("inbox", count_waiting)
        register_stored_data(
            StoredData(erasing.count_memories, erasing.erase_some_memories, erasing.UNREACHABLE)
        )

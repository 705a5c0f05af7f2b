from django.apps import AppConfig


class MemoriesConfig(AppConfig):
    name = "memories"
    verbose_name = "Long-term memory"

    def ready(self) -> None:
        """Register the memories' part of the overview, and the count of the inbox in the navigation."""
        from memories.pages.overview import load_overview_part  # noqa: PLC0415 - models are not loaded before
        from memories.storage import count_waiting  # noqa: PLC0415 - as above
        from memsite.web import overview  # noqa: PLC0415 - as above
        from memsite.web.layout import register_count  # noqa: PLC0415 - as above

        overview.register_part(load_overview_part)
        register_count("inbox", count_waiting)

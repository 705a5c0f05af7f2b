from django.apps import AppConfig


class MemoriesConfig(AppConfig):
    name = "memories"
    verbose_name = "Long-term memory"

    def ready(self) -> None:
        from memories.pages.overview import load_overview_part  # noqa: PLC0415 - models are not loaded before
        from memsite.web import overview  # noqa: PLC0415 - models are not loaded before

        overview.register_part(load_overview_part)

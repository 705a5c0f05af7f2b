from django.apps import AppConfig


class MemoriesConfig(AppConfig):
    name = "memories"
    verbose_name = "Long-term memory"

    def ready(self) -> None:
        from memories.pages.overview import part  # noqa: PLC0415 - models are not loaded before
        from memsite.web import overview  # noqa: PLC0415 - models are not loaded before

        overview.register(part)

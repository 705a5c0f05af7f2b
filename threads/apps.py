from django.apps import AppConfig


class ThreadsConfig(AppConfig):
    name = "threads"
    verbose_name = "Threads"

    def ready(self) -> None:
        """Let the memory engine ask threads about sources and citations; show threads on the first page."""
        from memories import ports  # noqa: PLC0415 - models may be imported from now on
        from memsite.web import overview  # noqa: PLC0415 - as above
        from threads.pages.overview import part  # noqa: PLC0415 - as above
        from threads.visibility import Threads  # noqa: PLC0415 - as above

        ports.register(Threads())
        overview.register(part)

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ThreadsConfig(AppConfig):
    name = "threads"
    verbose_name = _("Threads")

    def ready(self) -> None:
        """Register threads as the memory engine's source of messages, and what they add to other pages."""
        from memories import ports  # noqa: PLC0415 - models can be imported only now
        from memsite.accounts.deletion import StoredData, register_stored_data  # noqa: PLC0415 - as above
        from memsite.accounts.pages.privacy import register_names  # noqa: PLC0415 - as above
        from memsite.web import overview  # noqa: PLC0415 - as above
        from memsite.web.settings_parts import register_retentions  # noqa: PLC0415 - as above
        from threads.messages import removal  # noqa: PLC0415 - as above
        from threads.pages.overview import (  # noqa: PLC0415 - as above
            list_retentions,
            load_overview_part,
            name_threads,
        )
        from threads.visibility import ThreadSources  # noqa: PLC0415 - as above

        ports.register(ThreadSources())
        register_names("threads", name_threads)
        overview.register_part(load_overview_part)
        register_retentions(list_retentions)
        register_stored_data(StoredData(removal.count_threads, removal.erase_some_threads))

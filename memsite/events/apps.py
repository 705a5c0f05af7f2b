from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "memsite.events"
    label = "events"
    verbose_name = "Events"

    def ready(self) -> None:
        """Register how long events are kept, and the part of the settings page Programs."""
        from memsite.events.pages.labels import make_part  # noqa: PLC0415 - as above
        from memsite.events.pruning import list_retentions  # noqa: PLC0415 - models are not loaded before
        from memsite.web.settings_parts import (  # noqa: PLC0415 - as above
            SettingsPage,
            register_retentions,
            register_settings_part,
        )

        register_settings_part(SettingsPage.PROGRAMS, make_part)
        register_retentions(list_retentions)

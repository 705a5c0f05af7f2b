from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "memsite.events"
    label = "events"
    verbose_name = "Events"

    def ready(self) -> None:
        """Register how long events are kept."""
        from memsite.events.pruning import list_retentions  # noqa: PLC0415 - models are not loaded before
        from memsite.web.settings_parts import register_retentions  # noqa: PLC0415 - as above

        register_retentions(list_retentions)

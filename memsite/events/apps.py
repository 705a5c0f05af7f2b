from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "memsite.events"
    label = "events"
    verbose_name = "Events"

from django.apps import AppConfig


class RestConfig(AppConfig):
    name = "memsite.rest"
    label = "rest"
    verbose_name = "API"

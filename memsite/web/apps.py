from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "memsite.web"
    label = "web"

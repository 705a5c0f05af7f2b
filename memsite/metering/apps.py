from django.apps import AppConfig


class MeteringConfig(AppConfig):
    name = "memsite.metering"
    label = "metering"
    verbose_name = "Use of models"

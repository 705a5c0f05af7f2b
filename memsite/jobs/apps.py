import logging

from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "memsite.jobs"
    label = "jobs"
    verbose_name = "Jobs"

    def ready(self) -> None:
        """Two lines a job say nothing that the job's row does not: keep django-q2 to its warnings."""
        logging.getLogger("django-q").setLevel(logging.WARNING)

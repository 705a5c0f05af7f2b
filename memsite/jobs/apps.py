import logging

from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "memsite.jobs"
    label = "jobs"
    verbose_name = "Jobs"

    def ready(self) -> None:
        """Limit django-q2's logger to warnings: its two lines per job repeat what the job's row says."""
        logging.getLogger("django-q").setLevel(logging.WARNING)

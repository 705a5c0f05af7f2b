import logging

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    name = "memsite.jobs"
    label = "jobs"
    verbose_name = _("Jobs")

    def ready(self) -> None:
        """Limit django-q2's logger to warnings: its two lines per job repeat what the job's row says."""
        logging.getLogger("django-q").setLevel(logging.WARNING)

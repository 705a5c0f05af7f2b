import logging

from django.apps import AppConfig, apps
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    name = "memsite.jobs"
    label = "jobs"
    verbose_name = _("Jobs")

    def ready(self) -> None:
        """Limit django-q2's logger to warnings, and name its part of the admin by what it holds.

        Its two lines for each job repeat what the job's row says.
        """
        logging.getLogger("django-q").setLevel(logging.WARNING)
        apps.get_app_config("django_q").verbose_name = _("Schedules")

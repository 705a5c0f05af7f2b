"""Settings of the workers that tests start: the site's, without the schedules of its apps."""

from memsite.settings import *  # noqa: F403 - these settings are those and a few more
from memsite.settings import INSTALLED_APPS as _APPS

INSTALLED_APPS = [app for app in _APPS if app not in {"memories", "threads", "porting"}]

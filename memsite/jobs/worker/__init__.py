"""`manage.py work`: the processes that run jobs, and what watches over them."""

from memsite.jobs.worker import cluster
from memsite.jobs.worker.watchdog import Watchdog

__all__ = ["Watchdog", "cluster"]

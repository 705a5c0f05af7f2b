"""`manage.py work`: the processes that run jobs, and what watches over them."""

from memsite.jobs.worker.cluster import POISONED, Cluster, Flag, run_cluster
from memsite.jobs.worker.watchdog import Watchdog

__all__ = [
    "POISONED",
    "Cluster",
    "Flag",
    "Watchdog",
    "run_cluster",
]

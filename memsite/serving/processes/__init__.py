"""Child processes: start them, watch them, and end them with their parent."""

from memsite.serving.processes import processes
from memsite.serving.processes.backoff import Backoff
from memsite.serving.processes.child import Child, Program
from memsite.serving.processes.os_users import NoWayIn, database_user, launch
from memsite.serving.processes.warden import Warden

__all__ = [
    "Backoff",
    "Child",
    "NoWayIn",
    "Program",
    "Warden",
    "database_user",
    "launch",
    "processes",
]

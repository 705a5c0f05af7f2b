"""Child processes: start them, watch them, and end them with their parent."""

from memsite.serving.processes import processes
from memsite.serving.processes.child import Child, Program
from memsite.serving.processes.os_users import NoWayIn, database_user, launch

__all__ = [
    "Child",
    "NoWayIn",
    "Program",
    "database_user",
    "launch",
    "processes",
]

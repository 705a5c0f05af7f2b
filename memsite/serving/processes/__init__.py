"""Child processes: start them, watch them, and end them with their parent."""

from memsite.serving.processes import processes
from memsite.serving.processes.child import Child, Program
from memsite.serving.processes.os_users import NoWayIn, find_database_user, make_launch

__all__ = [
    "Child",
    "NoWayIn",
    "Program",
    "find_database_user",
    "make_launch",
    "processes",
]

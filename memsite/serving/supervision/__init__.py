"""Starting, watching and stopping the processes that make a running site. No Django in here."""

from memsite.serving.supervision.listening import CannotListen, FirstAnswer, open_listener
from memsite.serving.supervision.lock import AlreadyRunning, hold_lock
from memsite.serving.supervision.starting import embedded_running, wait_for_embedded, wait_for_server
from memsite.serving.supervision.stopping import Stopping, StopRequested, catch_stop_signals
from memsite.serving.supervision.supervisor import Supervisor

__all__ = [
    "AlreadyRunning",
    "CannotListen",
    "FirstAnswer",
    "StopRequested",
    "Stopping",
    "Supervisor",
    "catch_stop_signals",
    "embedded_running",
    "hold_lock",
    "open_listener",
    "wait_for_embedded",
    "wait_for_server",
]

"""Starting, watching and stopping the processes that make a running site. No Django in here."""

from memsite.serving.supervision.listening import CannotListen, FirstAnswer, listen
from memsite.serving.supervision.lock import AlreadyRunning, held
from memsite.serving.supervision.starting import embedded_running, wait_for_embedded, wait_for_server
from memsite.serving.supervision.stopping import StopAsked, Stopping, listening_for_stop
from memsite.serving.supervision.supervisor import Supervisor

__all__ = [
    "AlreadyRunning",
    "CannotListen",
    "FirstAnswer",
    "StopAsked",
    "Stopping",
    "Supervisor",
    "embedded_running",
    "held",
    "listen",
    "listening_for_stop",
    "wait_for_embedded",
    "wait_for_server",
]

"""The methods of the clients, by what they are about. Each is described once, for both clients."""

from memsite.resources.account import Account, Keys
from memsite.resources.branches import Branches
from memsite.resources.events import Events, Exports, Imports
from memsite.resources.memories import Memories
from memsite.resources.replies import Replies
from memsite.resources.reports import Reports
from memsite.resources.threads import Threads
from memsite.resources.upkeep import Upkeep
from memsite.resources.webhooks import Webhooks

__all__ = [
    "Account",
    "Branches",
    "Events",
    "Exports",
    "Imports",
    "Keys",
    "Memories",
    "Replies",
    "Reports",
    "Threads",
    "Upkeep",
    "Webhooks",
]

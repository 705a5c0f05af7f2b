"""Database tables of short-term memory. Every row belongs to an owner."""

from threads.models.branch import Branch, Line
from threads.models.compaction import ContextMetrics, Offload
from threads.models.learning import Learning
from threads.models.memory_references import Citation, CitationRole, Kept
from threads.models.message import Message
from threads.models.reply import Reply, ReplyStatus
from threads.models.sent_context import SentContext
from threads.models.summary import ThreadSummary
from threads.models.task_state import TaskState, TaskStateWriter
from threads.models.thread import Thread

__all__ = [
    "Branch",
    "Citation",
    "CitationRole",
    "ContextMetrics",
    "Kept",
    "Learning",
    "Line",
    "Message",
    "Offload",
    "Reply",
    "ReplyStatus",
    "SentContext",
    "TaskState",
    "TaskStateWriter",
    "Thread",
    "ThreadSummary",
]

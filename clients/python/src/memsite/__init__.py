"""A client of Memsite, a memory service for AI chat.

with Memsite("http://127.0.0.1:8000", key) as memsite:
    memsite.memories.add("Alice lives in Berlin.")
    memsite.memories.search("Where does she live?").memories[0].content
"""

from memsite import webhooks
from memsite.client import VERSION, AsyncMemsite, Memsite
from memsite.errors import (
    AnswerError,
    Conflict,
    ConnectionFailed,
    Forbidden,
    Invalid,
    MemsiteError,
    MethodNotAllowed,
    ModelError,
    NotAuthenticated,
    NotFound,
    RefusedByGate,
    TooLarge,
    TooManyRequests,
    TooSlow,
    Unavailable,
    UnexpectedAnswer,
    UnsupportedMediaType,
    WebhookInvalid,
)

__version__ = VERSION
__all__ = [
    "AnswerError",
    "AsyncMemsite",
    "Conflict",
    "ConnectionFailed",
    "Forbidden",
    "Invalid",
    "Memsite",
    "MemsiteError",
    "MethodNotAllowed",
    "ModelError",
    "NotAuthenticated",
    "NotFound",
    "RefusedByGate",
    "TooLarge",
    "TooManyRequests",
    "TooSlow",
    "Unavailable",
    "UnexpectedAnswer",
    "UnsupportedMediaType",
    "WebhookInvalid",
    "webhooks",
]

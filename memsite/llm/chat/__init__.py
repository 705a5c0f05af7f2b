"""Chat models: a call, its answer or stream, retries, and answers as validated objects."""

from memsite.llm.chat import bodies, retry, structured
from memsite.llm.chat.answers import CollectedAnswer, RelayedEvent, counted
from memsite.llm.chat.chat import (
    MODEL_TIERS,
    AnswerSource,
    ChatMessage,
    ChatModel,
    Chunk,
    Completion,
    JsonSchema,
    ModelTier,
    Usage,
)
from memsite.llm.chat.retry import BadAnswer, RefusedRequest, TransientModelError, time_limit
from memsite.llm.chat.streaming import close_clients
from memsite.llm.chat.structured import ask_structured

__all__ = [
    "MODEL_TIERS",
    "AnswerSource",
    "BadAnswer",
    "ChatMessage",
    "ChatModel",
    "Chunk",
    "CollectedAnswer",
    "Completion",
    "JsonSchema",
    "ModelTier",
    "RefusedRequest",
    "RelayedEvent",
    "TransientModelError",
    "Usage",
    "ask_structured",
    "bodies",
    "close_clients",
    "counted",
    "retry",
    "structured",
    "time_limit",
]

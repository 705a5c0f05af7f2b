"""The gate: secrets and personal identifiers never get past it.

Everything that is derived from what people write goes through one of these: memories and their metadata,
terms, vectors, graph, events, summaries, jobs, logs, prompts. Plain Python; nothing here imports Django.
"""

from memories.gate.findings import Finding, Inspection, Redacted
from memories.gate.gate import KINDS, Mode, guard, inspect, redact
from memories.gate.structured import JsonValue, redact_json, redact_together

__all__ = [
    "KINDS",
    "Finding",
    "Inspection",
    "JsonValue",
    "Mode",
    "Redacted",
    "guard",
    "inspect",
    "redact",
    "redact_json",
    "redact_together",
]

"""The gate: find and remove secrets and personal identifiers.

Everything derived from what people write passes one of these functions: memories and their metadata, terms,
vectors, graph, events, summaries, jobs, logs and prompts. The package is plain Python and does not import
Django.
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

"""The gate: find and remove secrets and personal identifiers.

Everything derived from what people write passes one of these functions: memories and their metadata, terms,
vectors, graph, events, summaries, jobs, logs and prompts. The package is plain Python and does not import
Django.
"""

from memories.gate.gate import KINDS, Mode, check_remainder, guard_text, inspect_text, redact_text
from memories.gate.matches import Inspection, Redacted, SecretMatch
from memories.gate.structured import JsonValue, redact_json, redact_together

__all__ = [
    "KINDS",
    "Inspection",
    "JsonValue",
    "Mode",
    "Redacted",
    "SecretMatch",
    "check_remainder",
    "guard_text",
    "inspect_text",
    "redact_json",
    "redact_text",
    "redact_together",
]

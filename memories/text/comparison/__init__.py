"""May two texts be one? Identity, what keeps texts apart, what a merged text must keep. Pure."""

from memories.text.comparison.contradiction import find_contradiction
from memories.text.comparison.contrast import find_differences
from memories.text.comparison.fingerprint import (
    compute_erasure_digest,
    compute_fingerprint,
    get_unnamed_subject,
)
from memories.text.comparison.joining import join_texts
from memories.text.comparison.losslessness import Sources, find_invented_details, find_lost_details
from memories.text.comparison.reading import get_content
from memories.text.comparison.wording import compute_wording_key, has_same_wording
from memories.text.comparison.words import words

__all__ = [
    "Sources",
    "compute_erasure_digest",
    "compute_fingerprint",
    "compute_wording_key",
    "find_contradiction",
    "find_differences",
    "find_invented_details",
    "find_lost_details",
    "get_content",
    "get_unnamed_subject",
    "has_same_wording",
    "join_texts",
    "words",
]

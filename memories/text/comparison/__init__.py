"""May two texts be one? Identity, what keeps texts apart, what a merged text must keep. Pure."""

from memories.text.comparison import contrast, joining, losslessness, wording
from memories.text.comparison.contradiction import contradictory
from memories.text.comparison.contrast import differences
from memories.text.comparison.fingerprint import erasure_digest, fingerprint, unnamed_subject
from memories.text.comparison.joining import joined
from memories.text.comparison.losslessness import Sources, invented, lost
from memories.text.comparison.reading import content_of
from memories.text.comparison.wording import same_wording, wording_key
from memories.text.comparison.words import words

__all__ = [
    "Sources",
    "content_of",
    "contradictory",
    "contrast",
    "differences",
    "erasure_digest",
    "fingerprint",
    "invented",
    "joined",
    "joining",
    "losslessness",
    "lost",
    "same_wording",
    "unnamed_subject",
    "wording",
    "wording_key",
    "words",
]

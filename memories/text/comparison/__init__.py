"""May two texts be one? Identity, what keeps texts apart, what a merged text must keep. Pure."""

from memories.text.comparison.fingerprint import erasure_digest, fingerprint, unnamed_subject

__all__ = ["erasure_digest", "fingerprint", "unnamed_subject"]

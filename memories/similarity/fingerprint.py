"""When are two memories the same one by their parts? Identity by fingerprint."""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime
from uuid import UUID

from memories.candidates import EPISODIC
from memories.normalisation import normalise


def fingerprint(  # noqa: PLR0913 - the parts of an identity
    *,
    owner: UUID,
    layer: str,
    kind: str,
    content: str,
    subject: str = "",
    predicate: str = "",
    object: str = "",  # noqa: A002 - the field's standard term
    session: str = "",
    occurred_at: datetime | None = None,
) -> bytes:
    """16 bytes that say which memory this is, within its owner.

    An episode is its session, time and words; a relation its triple; an entity its subject;
    anything else its words. A text without a letter or digit is its raw self.
    """
    if layer == EPISODIC:
        moment = occurred_at.astimezone(UTC).isoformat() if occurred_at else ""
        parts = [session, moment, normalise(content) or content]
    elif kind == "relation" and subject and predicate and object:
        parts = ["relation", normalise(subject), normalise(predicate), normalise(object)]
    elif kind == "entity" and subject:
        parts = ["entity", normalise(subject)]
    else:
        parts = [normalise(content) or content]
    joined = "\x1f".join([owner.hex, layer, *parts])
    return hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def erasure_digest(secret_key: str, fingerprint: bytes, reference: str = "") -> bytes:
    """What is left of an erased memory: a keyed hash that recognises it and gives nothing away."""
    return hmac.new(secret_key.encode(), fingerprint + reference.encode(), hashlib.sha256).digest()

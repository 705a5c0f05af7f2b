"""Fingerprints: the identity of a memory, computed from its parts."""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from memories.text.naming import OWNER, make_name_key
from memories.text.normalisation import RULES, normalise
from memories.values import Kind, Layer

#: Words of a name that do not identify anybody.
_EMPTY: Final = frozenset({"the", "a", "an", "of", "my", "our", "s", OWNER})


def compute_fingerprint(  # noqa: PLR0913 - the parts of an identity
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
    rules: int = RULES,
) -> bytes:
    """Return 16 bytes that identify a memory within its owner.

    An episode is identified by session, time and words; a relation by its triple; an entity by its subject.
    Any other memory is identified by its words, and by its subject if the words do not name it. A text
    without a letter or digit is used unnormalised.

    Args:
        owner: Owner of the memory.
        layer: Layer of the memory.
        kind: Kind of the memory.
        content: Text of the memory.
        subject: Subject of its triple.
        predicate: Predicate of its triple.
        object: Object of its triple.
        session: Session of an episode.
        occurred_at: Time of an episode.
        rules: Version of the rules of `normalise`. Under rules 1, a fact was identified by its words alone.
    """
    words = normalise(content, rules=rules) or content
    if layer == Layer.EPISODIC:
        moment = occurred_at.astimezone(UTC).isoformat() if occurred_at else ""
        parts = [session, moment, words]
    elif kind == Kind.RELATION and subject and predicate and object:
        parts = [
            "relation",
            normalise(subject, rules=rules),
            normalise(predicate, rules=rules),
            normalise(object, rules=rules),
        ]
    elif kind == Kind.ENTITY and subject:
        parts = ["entity", normalise(subject, rules=rules)]
    else:
        about = get_unnamed_subject(subject, content) if rules > 1 else ""
        parts = [words, f"about {about}"] if about else [words]
    joined = "\x1f".join([owner.hex, layer, *parts])
    return hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def get_unnamed_subject(subject: str, content: str) -> str:
    """Return the key of the subject if it is not the owner and the text does not name it.

    Otherwise the result is empty. "Was born in Marseille" about Anna differs from the same words about the
    owner. "Anna was born in Marseille" needs no subject.
    """
    key = make_name_key(subject) if subject else ""
    if key in {"", OWNER}:
        return ""
    text = normalise(content)
    words = set(text.split())
    named = key in text or any(word in words for word in key.split() if word not in _EMPTY)
    return "" if named else key


def compute_erasure_digest(secret_key: str, fingerprint: bytes, reference: str = "") -> bytes:
    """Return a keyed hash of an erased memory, which recognises it but reveals nothing about it."""
    return hmac.new(secret_key.encode(), fingerprint + reference.encode(), hashlib.sha256).digest()

"""When are two memories the same one by their parts? Identity by fingerprint."""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from memories.text.naming import OWNER, name_key
from memories.text.normalisation import RULES, normalise
from memories.values import EPISODIC

#: Words of a name that say nothing of whom it names.
_EMPTY: Final = frozenset({"the", "a", "an", "of", "my", "our", "s", OWNER})


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
    rules: int = RULES,
) -> bytes:
    """16 bytes that say which memory this is, within its owner.

    An episode is its session, time and words; a relation its triple; an entity its subject;
    anything else its words, and whom they are about where the words do not say so. A text without a letter
    or digit is its raw self. rules: those of `normalise`; by rules 1 a fact was its words alone.
    """
    words = normalise(content, rules=rules) or content
    if layer == EPISODIC:
        moment = occurred_at.astimezone(UTC).isoformat() if occurred_at else ""
        parts = [session, moment, words]
    elif kind == "relation" and subject and predicate and object:
        parts = [
            "relation",
            normalise(subject, rules=rules),
            normalise(predicate, rules=rules),
            normalise(object, rules=rules),
        ]
    elif kind == "entity" and subject:
        parts = ["entity", normalise(subject, rules=rules)]
    else:
        about = unnamed_subject(subject, content) if rules > 1 else ""
        parts = [words, f"about {about}"] if about else [words]
    joined = "\x1f".join([owner.hex, layer, *parts])
    return hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def unnamed_subject(subject: str, content: str) -> str:
    """The key of whom a text is about, where that is not the owner and the text does not name them.

    "Was born in Marseille" of Anna is not the same as of the owner; "Anna was born in Marseille" says it all.
    """
    key = name_key(subject) if subject else ""
    if key in {"", OWNER}:
        return ""
    text = normalise(content)
    words = set(text.split())
    named = key in text or any(word in words for word in key.split() if word not in _EMPTY)
    return "" if named else key


def erasure_digest(secret_key: str, fingerprint: bytes, reference: str = "") -> bytes:
    """What is left of an erased memory: a keyed hash that recognises it and gives nothing away."""
    return hmac.new(secret_key.encode(), fingerprint + reference.encode(), hashlib.sha256).digest()

"""Stored rows, made by hand, in which tests break one law at a time."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.durability.clients import Acknowledged
from bench.durability.stored import Stored, StoredMemory, StoredMessage


def message(depth: int, content: str, parent: str | None, role: str = "user") -> StoredMessage:
    return StoredMessage(f"m{depth}", parent, depth, role, content, f"client-{depth}", is_learnt=True)


def memory(name: str, content: str, layer: str = "semantic", sources: tuple[str, ...] = ()) -> StoredMemory:
    kind, session = ("conversation", "0:1") if layer == "episodic" else ("fact", "default")
    return StoredMemory(
        id=name,
        layer=layer,
        kind=kind,
        content=content,
        status="active",
        triple=("", "", ""),
        session=session,
        turn=int(name[1:]) if layer == "episodic" else 0,
        written_by="thread" if layer == "episodic" else "rules",
        occurrence_count=1,
        sources=sources,
        entities=(),
        vectors=1,
    )


@pytest.fixture
def stored() -> Stored:
    """A thread of two messages, their episodes, a fact learnt from the first, and a stated memory."""
    memories = (
        memory("e1", "I live in Berlin.", "episodic", ("0/0",)),
        memory("e2", "Nice city.", "episodic", ("0/1",)),
        memory("f1", "The user lives in Berlin.", sources=("0/0",)),
        memory("s1", "The office closes at six."),
    )
    return Stored(
        threads={0: (message(0, "I live in Berlin.", None), message(1, "Nice city.", "m0", "assistant"))},
        heads={0: "m1"},
        memories=memories,
        sequence=(1, 2, 3, 4),
        created=Counter(one.id for one in memories),
        counted=4,
        log_gaps=0,
        logged=4,
        learnings=2,
    )


@pytest.fixture
def acknowledged() -> Acknowledged:
    """What its writers were told is stored."""
    return Acknowledged(
        messages={0: [("client-0", "m0"), ("client-1", "m1")]},
        memories=[("The office closes at six.", "s1")],
    )

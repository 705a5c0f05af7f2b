"""Signals of talk: who spoke, when, what was asked, how much a turn tells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index import AROUND_SIMILARITY, OwnerIndex, inherited, summed_around
from memories.retrieval.query import Query, windows
from memories.text import Cue

Float32 = NDArray[np.float32]
Mask = NDArray[np.bool_]


def signals(index: OwnerIndex, query: Query, eligible: Mask) -> dict[str, Float32]:
    """Named (n,) signals; one that could only be 0 for this query is left out.

    speaker: the one speaker named said it (or, of what nobody said, it speaks of them); subject: the same for
    the first of several named; date, when: [0, 1]; question: a turn that only asks; and how much a turn tells
    (length, names, rarest), as differences from the eligible turns' mean, so that turns and other memories
    stay comparable.
    """
    found: dict[str, Float32] = {}
    if query.speaker:
        found["speaker"] = _of_speaker(index, query.speaker)
    if query.subject:
        found["subject"] = _of_speaker(index, query.subject)
    if query.windows:
        found["date"] = windows.score(query.windows, moments(index))
    if query.asks_when:
        found["when"] = index.kept("when", lambda: _cued(index, Cue.TIME).astype(np.float32))
    if not index.turns.order.size:
        return found
    if eligible.all():
        return found | index.kept("telling", lambda: _telling(index, eligible))
    return found | _telling(index, eligible)


def _telling(index: OwnerIndex, eligible: Mask) -> dict[str, Float32]:
    turns = index.turns.place >= 0
    telling = {
        "question": _cued(index, Cue.IS_QUESTION).astype(np.float32),
        "length": np.log1p(index.column("length").astype(np.float32)),
        "names": index.names.values,
        "rarest": index.kept("rarest", index.terms.rarest),
    }
    return {name: _centred(values, turns, eligible) for name, values in telling.items()}


def _cued(index: OwnerIndex, cue: Cue) -> Mask:
    return (index.column("cues") & cue) > 0


def asked(index: OwnerIndex, values: Float32) -> Float32:
    """The turn before's value if it asks and its value is positive: an answer inherits its question."""
    asks = index.kept("asks", lambda: _cued(index, Cue.ASKS))
    return inherited(values, asks, index.turns)


def mean_around(index: OwnerIndex, values: Float32) -> Float32:
    """Weighted mean of each turn's value and those around it; rows outside any session keep theirs."""
    turns = index.turns
    weight = index.kept("around", lambda: summed_around(np.ones_like(values), turns, AROUND_SIMILARITY))
    return summed_around(values, turns, AROUND_SIMILARITY) / weight


def moments(index: OwnerIndex) -> NDArray[np.float64]:
    """When what a memory tells took place: occurred, else valid from, else written. Seconds since 1970."""
    moment = index.number("occurred_at")
    for column in ("valid_from", "created_at"):
        moment = np.where(np.isnan(moment), index.number(column), moment)
    return moment


def _of_speaker(index: OwnerIndex, speaker: str) -> Float32:
    said = index.words["speaker"].mask([speaker])
    told = index.words["speaker"].mask([""]) & index.mentions(speaker)
    return (said | told).astype(np.float32)


def _centred(values: Float32, turns: Mask, eligible: Mask) -> Float32:
    """Less the mean of the eligible turns; 0 for what is no turn."""
    among = values[turns & eligible]
    mean = np.float32(among.mean()) if among.size else np.float32(0)
    return np.where(turns, values - mean, np.float32(0))

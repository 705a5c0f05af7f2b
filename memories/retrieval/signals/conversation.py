"""Signals of conversations: speaker, date, question and how much information a turn carries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index import AROUND_SIMILARITY, OwnerIndex, inherit_from_question, sum_around_turns
from memories.retrieval.query import Query, score_times
from memories.text import Cue

Float32 = NDArray[np.float32]
Mask = NDArray[np.bool_]


def compute_conversation_signals(index: OwnerIndex, query: Query, eligible: Mask) -> dict[str, Float32]:
    """Compute named (n,) signals. Signals that would be 0 for this query are left out.

    `speaker`: the named speaker said it or, if it has no speaker, it mentions that person. `subject`: the
    same for the first of several speakers named. `date` and `when`: match with the time asked for, in [0, 1].
    `question`: the turn only asks. `length`, `names` and `rarest`: how much information a turn carries, as
    the difference from the mean of the eligible turns, so that turns and other memories stay comparable.
    """
    found: dict[str, Float32] = {}
    if query.speaker:
        found["speaker"] = _of_speaker(index, query.speaker)
    if query.subject:
        found["subject"] = _of_speaker(index, query.subject)
    if query.windows:
        found["date"] = score_times(query.windows, moments(index))
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


def inherit_value(index: OwnerIndex, values: Float32) -> Float32:
    """Return the value that each answer inherits from its question.

    This is the value of the turn before if that turn asks and its value is positive, else 0.
    """
    asks = index.kept("asks", lambda: _cued(index, Cue.ASKS))
    return inherit_from_question(values, asks, index.turns)


def mean_around(index: OwnerIndex, values: Float32) -> Float32:
    """Return the weighted mean of each turn and its neighbours. Rows outside any session keep their value."""
    turns = index.turns
    weight = index.kept("around", lambda: sum_around_turns(np.ones_like(values), turns, AROUND_SIMILARITY))
    return sum_around_turns(values, turns, AROUND_SIMILARITY) / weight


def moments(index: OwnerIndex) -> NDArray[np.float64]:
    """Return when the content of each memory took place, in seconds since 1970.

    This is the time of occurrence, else the start of validity, else the time of writing.
    """
    moment = index.number("occurred_at")
    for column in ("valid_from", "created_at"):
        moment = np.where(np.isnan(moment), index.number(column), moment)
    return moment


def _of_speaker(index: OwnerIndex, speaker: str) -> Float32:
    spoken = index.words["speaker"].mask([speaker])
    mentioned = index.words["speaker"].mask([""]) & index.mentions(speaker)
    return (spoken | mentioned).astype(np.float32)


def _centred(values: Float32, turns: Mask, eligible: Mask) -> Float32:
    """Subtract the mean of the eligible turns; return 0 for rows that are not turns."""
    among = values[turns & eligible]
    mean = np.float32(among.mean()) if among.size else np.float32(0)
    return np.where(turns, values - mean, np.float32(0))

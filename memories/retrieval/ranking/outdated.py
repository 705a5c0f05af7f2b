"""Find what a newer memory makes outdated for a question."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories import conf
from memories.retrieval.estimates import STATEMENTS, Statements, find_replacements
from memories.retrieval.index import ROLES, OwnerIndex
from memories.retrieval.query import Query, is_question, wants_current
from memories.retrieval.ranking.relevance import holds_identifier
from memories.retrieval.signals import Probe
from memories.text import Cue
from memories.values import Status

Float32 = NDArray[np.float32]
Rows = NDArray[np.int64]

_DIGITS: Final = 4  # of a difference of confidences
#: Memories of less relevance are not compared: they neither replace others nor would be told.
_LEAST_RELEVANCE: Final = 0.5
#: Logit by which more certainty is asked for an input that is no question: a task may need both statements.
_TASK_CAUTION: Final = 0.75


class Replaced(NamedTuple):
    """What the comparison of the best statements changes in the relevance of rows.

    Attributes:
        lost: (m,) What each row loses because a newer one makes it outdated.
        gained: (m,) What each gains because it makes an older one outdated that was more relevant.
        replacing: Numbers of the rows that make others outdated.
    """

    lost: Float32
    gained: Float32
    replacing: Rows


def weigh_outdated(
    index: OwnerIndex,
    query: Query,
    probe: Probe,
    rows: Rows,
    relevance: Float32,
    logits: Float32,
    weighed: Float32,
    *,
    moment: float,
) -> Replaced:
    """Return how the relevance of rows changes, because newer statements probably make older ones outdated.

    The older one loses its relevance. The newer one, which answers the same question, is at least as relevant
    as the older one was before. Nothing is outdated for a question about the past, or for one that several
    statements may answer together. No statement is outdated by what was said before its `restated_at`.

    Args:
        index: Memories of one owner.
        query: Parsed query.
        probe: Embedded query.
        rows: (m,) Rows to compare; the best `STATEMENTS` of them are.
        relevance: (m,) In [0, 1].
        logits: (m,) How much each row matters; see `estimate_relevance`.
        weighed: (m,) Relevance plus priors, by which the best are chosen.
        moment: Time of the question, in seconds. What was said again later does not count.
    """
    lost, gained = np.zeros_like(relevance), np.zeros_like(relevance)
    if probe.sentence is None or index.sentences is None or not wants_current(query, moment):
        return Replaced(lost, gained, rows[:0])
    order = np.argsort(-weighed, kind="stable")
    comparable = index.sentences.filled[rows] & ~index.dialogue[rows]
    comparable &= ~index.words["speaker"].mask(ROLES - {"user", "用户"})[rows]
    comparable &= (index.column("cues")[rows] & Cue.ONLY_ASKS) == 0
    comparable &= relevance >= _LEAST_RELEVANCE
    best = order[comparable[order]][:STATEMENTS]
    may_replace = _may_replace(index, query, rows[best]) & ~was_restated(
        index, rows[best], rows[best], moment=moment
    )
    replacement = find_replacements(
        probe.sentence,
        Statements(
            index.sentences.get_vectors(rows[best]),
            _get_times(index, rows[best]),
            logits[best],
            index.lineage.number_sayings(rows[best]),
        ),
        may_replace=may_replace,
        caution=0.0 if is_question(query.text) else _TASK_CAUTION,
    )
    for place in np.flatnonzero(replacement >= 0):
        last = place
        while replacement[last] >= 0:
            last = replacement[last]
        more = relevance[best[place]] - relevance[best[last]]
        gained[best[last]] = max(gained[best[last]], more * conf.RECALL.outdated_loss)
        lost[best[place]] = relevance[best[place]] * conf.RECALL.outdated_loss
    replacing = np.unique(replacement[replacement >= 0])
    return Replaced(lost, gained, rows[best[replacing]])


def _may_replace(index: OwnerIndex, query: Query, rows: Rows) -> NDArray[np.bool_]:
    """Return (m, m) whether the second of two statements may make the first outdated.

    Nothing makes a statement outdated that a person pinned, that is in dispute (only a person decides which
    side is true, so both are found), or that holds an identifier of the query; nor does what another speaker
    said, what is said of somebody else, what adds one more of a kind, or a limited stay or state, which ends
    only another such. As in writing, no statement replaces another that is much surer,
    or any while it waits for confirmation.
    """
    confidence = index.number("confidence")[rows]
    unsure = index.words["status"].mask([Status.PENDING])[rows]
    less_sure = (confidence[:, None] - confidence[None, :]).round(_DIGITS) >= conf.WRITING.less_sure
    speaker = index.words["speaker"].codes[rows]
    unnamed = index.words["speaker"].mask([""])[rows]
    cues = index.column("cues")[rows]
    adds, other = (cues & Cue.ADDS) > 0, (cues & Cue.OF_ANOTHER) > 0
    ends = (cues & Cue.TEMPORARY) > 0
    may: NDArray[np.bool_] = (speaker[:, None] == speaker[None, :]) | unnamed[:, None] | unnamed[None, :]
    may &= (other[:, None] == other[None, :]) & ~adds[None, :] & (ends[:, None] | ~ends[None, :])
    may &= ~keeps_relevance(index, query, rows)[:, None] & ~unsure[None, :] & ~less_sure
    return may


def keeps_relevance(index: OwnerIndex, query: Query, rows: Rows) -> NDArray[np.bool_]:
    """Return (m,) whether each row is pinned, in dispute, or holds an identifier of the query."""
    return is_kept_by_person(index, rows) | holds_identifier(index, query, rows)


def is_kept_by_person(index: OwnerIndex, rows: Rows) -> NDArray[np.bool_]:
    """Return (m,) whether each row is pinned, or in dispute until a person decides."""
    kept: NDArray[np.bool_] = (
        index.column("pinned")[rows] | index.words["status"].mask([Status.DISPUTED])[rows]
    )
    return kept


def was_restated(index: OwnerIndex, rows: Rows, others: Rows, *, moment: float) -> NDArray[np.bool_]:
    """Return (m, k) whether each row was said again, or confirmed by a person, after each other was said.

    Args:
        index: Memories of one owner.
        rows: (m,) Rows.
        others: (k,) Rows that may make them outdated.
        moment: Time of the question, in seconds. What was said again later does not count.
    """
    restated = index.number("restated_at")[rows][:, None]
    after: NDArray[np.bool_] = (restated <= moment) & (restated >= _get_times(index, others)[None, :])
    return after


def _get_times(index: OwnerIndex, rows: Rows) -> NDArray[np.float64]:
    """Return (m,) when each row was first said, in seconds; when it was written if that is not known."""
    stated = index.number("occurred_at")[rows]
    times: NDArray[np.float64] = np.where(np.isnan(stated), index.number("created_at")[rows], stated)
    return times

"""Make what followed answer for what is no longer so.

"I live in Berlin" ended when the person said "I moved to Paris". For a question about now, the message that
taught the first is left out, and the second is at least as relevant as the first would be. A question about
the past changes nothing: the message answers it, with its date.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories.retrieval.index import OwnerIndex
from memories.retrieval.query import Query, asks_about_past
from memories.retrieval.ranking.outdated import is_kept_by_person
from memories.retrieval.signals import select_best

Float32 = NDArray[np.float32]
Rows = NDArray[np.int64]

#: Former facts that are compared with a question at most, the best.
_MOST: Final = 40
#: A turn says more than what is over in it if that is less relevant than this share of the whole turn.
_OTHER_SHARE: Final = 0.3
#: An heir of less relevance of its own does not answer the question: it is about another part of the turn.
_LEAST_ANSWER: Final = 0.05


class FormerFacts(NamedTuple):
    """What is over at the time of a question, as far as it may answer it. `former` says what each row is.

    Attributes:
        facts: (k,) Rows that are over.
        heirs: (k,) The eligible row that answers for each; -1 for none.
        turns: (t,) Eligible turns that taught them.
        taught: (t,) For each turn, the position in `facts`.
    """

    facts: Rows
    heirs: Rows
    turns: Rows
    taught: Rows


def select_former(
    index: OwnerIndex,
    query: Query,
    scores: Float32,
    eligible: NDArray[np.bool_],
    over: NDArray[np.bool_] | None,
    *,
    moment: float,
) -> FormerFacts:
    """Return the best facts that are over, best first, with their heirs and turns.

    For a question about the past there are none. A turn that also tells what replaced the fact, that a person
    pinned or confirmed since, or that is in dispute, is not among the turns.

    Args:
        index: Memories of one owner.
        query: Parsed query.
        scores: (n,) Fused scores.
        eligible: (n,) Rows that may be found.
        over: (f,) Which of `index.former.facts` are over at the time of the question; None if none is.
        moment: Time of the question, in seconds.
    """
    former, nothing = index.former, np.zeros(0, dtype=np.int64)
    if over is None or not over.any() or asks_about_past(query, moment):
        return FormerFacts(nothing, nothing, nothing, nothing)
    chosen = select_best(scores[former.facts], over, _MOST)
    chosen = chosen[np.argsort(-scores[former.facts[chosen]], kind="stable")]
    facts = former.facts[chosen]
    heirs = [index.lineage.find_heir(row, index.slot, eligible) for row in facts.tolist()]
    place = np.full(len(former), -1)
    place[chosen] = np.arange(chosen.size)
    kept = np.flatnonzero(eligible[former.turns] & (place[former.taught] >= 0))
    turns, taught = former.turns[kept], place[former.taught[kept]]
    stays = is_kept_by_person(index, turns) | _was_confirmed(index, turns, facts[taught], moment=moment)
    tells = [
        index.lineage.tells_of_change(turn, fact, index.slot)
        for turn, fact in zip(turns.tolist(), facts[taught].tolist(), strict=True)
    ]
    left_out = ~(stays | np.array(tells, dtype=bool))
    return FormerFacts(facts, np.array(heirs, dtype=np.int64), turns[left_out], taught[left_out])


def _was_confirmed(index: OwnerIndex, turns: Rows, facts: Rows, *, moment: float) -> NDArray[np.bool_]:
    """Return (t,) whether each turn was said again or confirmed after what it taught was over.

    What a person forgot, or ended without saying when, is not said to be true by what was confirmed before.
    """
    restated = index.number("restated_at")[turns]
    over_since = np.fmax(index.number("retired_at")[facts], index.number("ended_at")[facts])
    confirmed: NDArray[np.bool_] = (restated <= moment) & (restated > over_since)
    return confirmed


def weigh_former(
    former: FormerFacts, former_relevance: Float32, rows: Rows, relevance: Float32
) -> tuple[Float32, Float32]:
    """Return what each row loses because it tells what is over, and what it gains as an heir: (m,) each.

    Args:
        former: What is over.
        former_relevance: (k,) Relevance of `former.facts`.
        rows: (m,) Rows, the heirs among them.
        relevance: (m,) Their relevance.
    """
    lost, inherited = np.zeros_like(relevance), former_relevance.copy()
    place = {int(row): at for at, row in enumerate(rows)}
    for turn, fact in zip(former.turns.tolist(), former.taught.tolist(), strict=True):
        at, heir = place.get(turn), place.get(int(former.heirs[fact]))
        if heir is not None and relevance[heir] < _LEAST_ANSWER:
            inherited[fact] = 0.0  # the question is about another part of what the turn says
            continue
        if at is not None and former_relevance[fact] >= _OTHER_SHARE * relevance[at]:
            lost[at] = relevance[at]
            inherited[fact] = max(inherited[fact], relevance[at])
    gained = np.zeros_like(relevance)
    for heir, value in zip(former.heirs.tolist(), inherited.tolist(), strict=True):
        at = place.get(heir)
        if at is not None:
            gained[at] = max(gained[at], value - relevance[at])
    return lost, gained

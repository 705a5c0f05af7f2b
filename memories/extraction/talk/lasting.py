"""Estimate from its sentence vector whether a statement that no rule reads tells something that lasts.

Something lasts if it concerns the speaker, or a person, animal or thing of theirs, and will still matter in
months. `bench.lasting` fits the estimate, and writes it to `lasting.npz`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories.extraction.talk.talk import get_quoted_words, points_at_conversation
from memories.values import Candidate

Float32 = NDArray[np.float32]
#: Returns vectors (len(texts), d).
Embed = Callable[[Sequence[str]], Float32]

LASTING_FILE: Final = Path(__file__).with_name("lasting.npz")
#: Logits. Of what is kept with at least this, 94 % lasts, in messages of people whom the fit did not see.
LEAST: Final = 0.2
#: Statements estimated at once, and their characters together. This takes 0.6 s on an idle core, or 3 s if
#: each has hundreds of Chinese characters; the job that learns has 60.
MOST: Final = 64
MOST_CHARACTERS: Final = 4_000
#: Somebody whom only earlier words name: the words alone do not say of whom they are true.
_SOMEBODY: Final = re.compile(r"(?:he|she|they|his|her|their)\b|[他她它]", re.IGNORECASE)
_SPEAKER: Final = re.compile(r"\b(?:I|me|my|mine|we|us|our)\b|[我咱俺]", re.IGNORECASE)
_UNSURE: Final = re.compile(
    r"\b(?:might|may(?= )|maybe|perhaps|possibly|could)\b|可能|也许|说不定|没准|兴许|如果|要是", re.IGNORECASE
)


class _Fitted(NamedTuple):
    """The fitted values: (d,) weights and bias of the logit."""

    weights: Float32
    bias: float


def keep_lasting(candidates: Sequence[Candidate], embed: Embed) -> list[Candidate]:
    """Return the candidates; those with `only_changes` whose words tell something that lasts lose this mark.

    What is unsure, addresses the assistant, or is true of somebody whom only earlier words name, keeps it.

    Args:
        candidates: The candidates. Only the first with `only_changes` are estimated, up to `MOST` and
            `MOST_CHARACTERS`.
        embed: Embeds passages; called once, and not at all if there is nothing to estimate.
    """
    kept = list(candidates)
    words = {place: get_quoted_words(one.content) for place, one in enumerate(kept) if one.only_changes}
    places = [place for place, text in words.items() if may_last(text)][:MOST]
    read = accumulate(len(words[place]) for place in places)
    places = [place for place, total in zip(places, read, strict=True) if total <= MOST_CHARACTERS]
    if not places:
        return kept
    vectors = embed([words[place] for place in places])
    for place, logit in zip(places, estimate_lasting(vectors), strict=True):
        if logit >= LEAST:
            kept[place] = replace(kept[place], only_changes=False)
    return kept


def may_last(words: str) -> bool:
    """Return whether a statement is sure, and says by itself of whom it is true."""
    if points_at_conversation(words) or _UNSURE.search(words):
        return False
    return not _SOMEBODY.match(words) or _SPEAKER.search(words) is not None


def estimate_lasting(vectors: Float32) -> Float32:
    """Return the logits (n,) that statements with these sentence vectors (n, d) tell something that lasts."""
    fitted = _load()
    return np.asarray(vectors @ fitted.weights + fitted.bias, dtype=np.float32)


@lru_cache(maxsize=1)
def _load() -> _Fitted:
    with np.load(LASTING_FILE) as stored:
        return _Fitted(stored["weights"], float(stored["bias"]))

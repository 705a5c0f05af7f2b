"""Estimate from its sentence vector whether a statement that no rule reads tells something that lasts.

Something lasts if it concerns the speaker, or a person, animal or thing of theirs, and will still matter in
months. The estimate is a kernel ridge regression. `bench.lasting` fits it, and writes it to `lasting.npz`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, groupby, islice
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories.extraction.talk.talk import LONGEST, get_quoted_words, points_at_conversation, quote_remark
from memories.text import MOST as MOST_NAMES
from memories.values import Candidate

Float32 = NDArray[np.float32]
#: Returns vectors (len(texts), d).
Embed = Callable[[Sequence[str]], Float32]

LASTING_FILE: Final = Path(__file__).with_name("lasting.npz")
#: γ of the kernel, and parts of a standard deviation in which scaled vectors are stored.
_GAMMA: Final = 0.003
_PARTS: Final = 25
#: Scores. Of short messages written to be hard, by people whom the fit did not see, 85 % of what is kept with
#: at least this lasts; of talk, with what rules read, 92 %.
LEAST: Final = 0.15
#: Statements of a batch that are estimated, and their characters together. This takes 2 s on an idle core, or
#: 8 s if each has hundreds of Chinese characters; a batch of a job that learns has 20.
MOST: Final = 256
MOST_CHARACTERS: Final = 12_000
#: Sentences of one message that are estimated together.
MOST_JOINED: Final = 3
#: A space between two Chinese sentences.
_JOINT: Final = re.compile(r"(?<=[。！？…]) ")
#: Somebody whom only earlier words name: the words alone do not say of whom they are true.
_SOMEBODY: Final = re.compile(r"(?:he|she|they|his|her|their)\b|[他她它]", re.IGNORECASE)
_SPEAKER: Final = re.compile(r"\b(?:I|me|my|mine|we|us|our)\b|[我咱俺]", re.IGNORECASE)
_UNSURE: Final = re.compile(
    r"\b(?:might|may(?= )|maybe|perhaps|possibly|could)\b|可能|也许|说不定|没准|兴许|如果|要是", re.IGNORECASE
)


class LastingModel(NamedTuple):
    """Statements of which it is known whether they last, for vectors of d dimensions.

    Attributes:
        mean: (d,) Mean of their unit vectors.
        spread: (d,) Standard deviation.
        examples: (n, d) Their vectors as of `scale`.
        weights: (n,) Weight of each.
    """

    mean: Float32
    spread: Float32
    examples: NDArray[np.int8]
    weights: Float32

    def scale(self, vectors: NDArray[np.floating]) -> NDArray[np.int8]:
        """Return vectors (n, d) with mean 0 and deviation 1 in each dimension, in parts of 1 / `_PARTS`."""
        units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        scaled: NDArray[np.floating] = (units - self.mean) / self.spread
        return np.asarray((scaled * _PARTS).round().clip(-127, 127), dtype=np.int8)


class _Passage(NamedTuple):
    """Words to estimate: those of one candidate, or of several that follow each other in one message.

    Attributes:
        places: The places of the candidates.
    """

    places: tuple[int, ...]
    words: str


def keep_lasting(candidates: Sequence[Candidate], embed: Embed) -> list[Candidate]:
    """Return the candidates in order; those that tell something that lasts lose the mark `only_changes`.

    Sentences of a message that only together tell something that lasts become one quotation, in the place of
    the first; the others keep the mark. So does what is unsure, addresses the assistant, or is true of
    somebody whom only earlier words name.

    Args:
        candidates: The candidates. Only the first with `only_changes` are estimated, up to `MOST` and
            `MOST_CHARACTERS`, both counted with the passages of several sentences.
        embed: Embeds passages; called once, and not at all if there is nothing to estimate.
    """
    kept, passages = list(candidates), _limit(_list_passages(candidates))
    if not passages:
        return kept
    scores = estimate_lasting(embed([one.words for one in passages]))
    lasting = [one for one, score in zip(passages, scores, strict=True) if score >= LEAST]
    alone = {one.places[0] for one in lasting if len(one.places) == 1}
    for passage in lasting:
        joined = [candidates[place] for place in passage.places]
        if len(joined) == 1 and kept[passage.places[0]].only_changes:
            kept[passage.places[0]] = replace(joined[0], only_changes=False)
        elif len(joined) > 1 and not alone.issuperset(passage.places):
            kept[passage.places[0]] = _join(joined, passage.words)
            for place in passage.places[1:]:
                kept[place] = candidates[place]
            alone -= set(passage.places)
    return kept


def _list_passages(candidates: Sequence[Candidate]) -> Iterator[_Passage]:
    """Yield the words of each candidate that may last, then those of several that follow each other."""
    for (message, only_changes), numbered in groupby(enumerate(candidates), key=_get_message):
        if not only_changes:
            continue
        words = {place: get_quoted_words(one.content) for place, one in numbered}
        for is_stated, run in groupby(words.items(), key=lambda item: is_sure(item[1])):
            texts = dict(run) if is_stated else {}
            yield from (_Passage((place,), text) for place, text in texts.items() if may_last(text))
            whole = _JOINT.sub("", " ".join(texts.values()))
            first = next(iter(texts.values()), "")
            if message and 1 < len(texts) <= MOST_JOINED and len(whole) <= LONGEST and may_last(first):
                yield _Passage(tuple(texts), whole)


def _get_message(numbered: tuple[int, Candidate]) -> tuple[tuple[str, ...], bool]:
    return numbered[1].sources, numbered[1].only_changes


def _limit(passages: Iterator[_Passage]) -> list[_Passage]:
    """Return the first passages, up to `MOST` and `MOST_CHARACTERS`."""
    first = list(islice(passages, MOST))
    read = accumulate(len(one.words) for one in first)
    return [one for one, total in zip(first, read, strict=True) if total <= MOST_CHARACTERS]


def _join(candidates: Sequence[Candidate], words: str) -> Candidate:
    """Return one candidate with the words of all, without the mark `only_changes`."""
    quoted = quote_remark(words)
    return replace(
        candidates[0],
        content=quoted.content if quoted else candidates[0].content,
        entities=tuple(dict.fromkeys(name for one in candidates for name in one.entities))[:MOST_NAMES],
        sensitive=any(one.sensitive for one in candidates),
        only_changes=False,
    )


def may_last(words: str) -> bool:
    """Return whether a statement is sure, and says by itself of whom it is true."""
    return is_sure(words) and (not _SOMEBODY.match(words) or _SPEAKER.search(words) is not None)


def is_sure(words: str) -> bool:
    """Return whether a statement is no guess, and does not point at the conversation."""
    return not points_at_conversation(words) and _UNSURE.search(words) is None


def estimate_lasting(vectors: NDArray[np.floating], model: LastingModel | None = None) -> Float32:
    """Return scores (n,) of statements: above 0 if those with like vectors mostly tell something that lasts.

    Args:
        vectors: (n, d) Sentence vectors.
        model: What is known; None for the values of `lasting.npz`.
    """
    model = model or _load()
    return np.asarray(compute_kernel(model.scale(vectors), model.examples) @ model.weights, dtype=np.float32)


def compute_kernel(vectors: NDArray[np.int8], others: NDArray[np.int8]) -> Float32:
    """Return (n, m) exp(−γ · squared distance) of scaled vectors (n, d) and (m, d)."""
    left, right = vectors.astype(np.float32) / _PARTS, others.astype(np.float32) / _PARTS
    squares = (left**2).sum(axis=1)[:, None] + (right**2).sum(axis=1)[None, :]
    return np.asarray(np.exp(-_GAMMA * (squares - 2 * left @ right.T)), dtype=np.float32)


@lru_cache(maxsize=1)
def _load() -> LastingModel:
    with np.load(LASTING_FILE) as stored:
        return LastingModel(**{name: stored[name] for name in LastingModel._fields})

"""Fit by which sentence vectors statements tell something that lasts, and write it beside `lasting.py`.

python -m bench.lasting

Learns from `bench/lasting.tsv`, by kernel ridge regression. A line is an author, a source, a label and a
text, with tabs between. A `message` with label 1 tells something about its author that will still matter in
months, one with 0 does not. A `pair` is one of two statements, weeks to years apart, in which an author tells
something of themselves; there are many, all with label 1, so that each counts less. The messages of
`others` are about people to whom nothing ties their author; they are in every fit, and not measured.

What it prints was measured on messages of an author that the fit did not see, and only on what no rule reads.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from memories.extraction.talk import LastingModel
    from memsite.llm.embedding import SentenceEmbedder

Float64 = NDArray[np.float64]

DATA_FILE: Final = Path(__file__).with_name("lasting.tsv")
_BOUNDS: Final = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
_PAIR_COUNT: Final = 0.3
#: Added to the diagonal of the kernel matrix, for a statement of a class with as many as the other.
_RIDGE: Final = 1.0
_OTHERS: Final = "others"
#: Real talk has more of them than these messages.
_OTHERS_COUNT: Final = 3.0
_AT: Final = datetime(2026, 3, 4, 9, tzinfo=UTC)


class _Sentence(NamedTuple):
    """A sentence of a text.

    Attributes:
        is_vague: Whether it is what no rule reads, and is therefore estimated when messages are learnt from.
    """

    author: str
    source: str
    lasts: bool
    text: str
    is_vague: bool


def main() -> None:
    """Print what a fit on the others says of each author's statements; write the fit on all."""
    from bench.fusion import set_up  # noqa: PLC0415 - reads the settings

    set_up()
    from memories.extraction.talk import LASTING_FILE, estimate_lasting  # noqa: PLC0415 - as above
    from memsite.llm.embedding import SentenceEmbedder  # noqa: PLC0415 - as above

    sentences = [one for line in DATA_FILE.read_text(encoding="utf-8").splitlines() for one in _split(line)]
    vectors = _embed(SentenceEmbedder(), sentences)
    lasts = np.array([one.lasts for one in sentences], dtype=np.float64)
    is_message = np.array([one.source == "message" for one in sentences])
    authors = np.array([one.author for one in sentences])
    counts = np.select([authors == _OTHERS, is_message], [_OTHERS_COUNT, 1.0], _PAIR_COUNT)
    scores = np.zeros(len(sentences))
    people = sorted(set(authors[is_message]) - {_OTHERS})
    for author in people:
        held_out = authors == author
        fitted = _fit(vectors[~held_out], lasts[~held_out], counts[~held_out])
        scores[held_out] = estimate_lasting(vectors[held_out], fitted)
    is_vague = np.array([one.is_vague for one in sentences])
    for author in ("all", *people):
        counted = is_vague & ((authors == author) if author in people else (authors != _OTHERS))
        _report(author, scores, lasts > 0, counted & is_message, counted & ~is_message)
    np.savez_compressed(LASTING_FILE, **_fit(vectors, lasts, counts)._asdict())


def _fit(vectors: Float64, lasts: Float64, counts: Float64) -> LastingModel:
    """Return the examples with their weights (K + D)⁻¹ y (Rasmussen and Williams 2006, 2.3).

    y are the labels, 1 or −1, and K is the kernel of `estimate_lasting`. D is diagonal: the more a statement
    counts, the smaller its value, so that the fit comes closer to its label. Both classes count the same.

    Args:
        vectors: (n, d) Unit vectors.
        lasts: (n,) 1 or 0.
        counts: (n,) How much each statement counts.
    """
    from memories.extraction.talk import LastingModel, compute_kernel  # noqa: PLC0415 - reads the settings

    mean, spread = vectors.mean(axis=0).astype(np.float32), vectors.std(axis=0).astype(np.float32)
    model = LastingModel(mean, spread, np.zeros((0, mean.size), np.int8), np.zeros(0, np.float32))
    examples = model.scale(vectors)
    shares = np.where(lasts > 0, counts / counts[lasts > 0].sum(), counts / counts[lasts == 0].sum()) / 2
    kernel = compute_kernel(examples, examples).astype(np.float64)
    kernel[np.diag_indices_from(kernel)] += _RIDGE / (shares * len(lasts))
    weights = np.linalg.solve(kernel, np.where(lasts > 0, 1.0, -1.0))
    return model._replace(examples=examples, weights=weights.astype(np.float32))


def _split(line: str) -> list[_Sentence]:
    """Return the statements of a text that no rule reads, and its sentences."""
    from memories.extraction import extract_by_rules, extract_own_prose  # noqa: PLC0415 - reads the settings
    from memories.extraction.rules import list_own_sentences  # noqa: PLC0415 - as above
    from memories.extraction.talk import get_quoted_words, may_last, quote_remark  # noqa: PLC0415 - as above
    from memories.values import Utterance  # noqa: PLC0415 - as above
    from memsite.values import MessageRole  # noqa: PLC0415 - as above

    author, source, label, text = line.split("\t")
    learnt = extract_by_rules([Utterance("message:1", MessageRole.USER, text, _AT)], vague=True)
    vague = [get_quoted_words(one.content) for one in learnt if one.only_changes]
    prose = extract_own_prose(text)
    quoted = [quote_remark(prose.unmask(one.text)) for one in list_own_sentences(prose)]
    whole = [get_quoted_words(one.content) for one in quoted if one]
    read = [words for words in whole if _shorten(words) not in {_shorten(one) for one in vague}]
    return [
        _Sentence(author, source, label == "1", words, is_vague and may_last(words))
        for some, is_vague in ((vague, True), (read, False))
        for words in some
    ]


def _shorten(text: str) -> str:
    """Return the first words of a text, without the dates that extraction adds."""
    return re.sub(r"\s*[(（].*", "", text).rstrip(".。")


def _embed(embedder: SentenceEmbedder, sentences: list[_Sentence]) -> Float64:
    vectors = embedder.embed_passages([one.text for one in sentences]).astype(np.float64)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def _report(
    author: str,
    scores: Float64,
    lasts: NDArray[np.bool_],
    of_messages: NDArray[np.bool_],
    of_pairs: NDArray[np.bool_],
) -> None:
    for least in _BOUNDS:
        kept = (scores >= least) & of_messages
        right, of, added = int((kept & lasts).sum()), int((of_messages & lasts).sum()), int(kept.sum())
        print(
            f"{author} from {least:4.2f}: {right} of {of} statements that last, {added - right} others"
            f" ({right / max(1, added):.1%} right); {(scores[of_pairs] >= least).sum()} of {of_pairs.sum()}"
            " pairs"
        )


if __name__ == "__main__":
    main()

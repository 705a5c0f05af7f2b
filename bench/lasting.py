"""Fit by which sentence vectors statements tell something that lasts, and write it beside `lasting.py`.

python -m bench.lasting

Learns from `bench/lasting.tsv`, by logistic regression. A line is an author, a source, a label and a text,
with tabs between. A `message` with label 1 tells something about its author that will still matter in months,
one with 0 does not. A `pair` is one of two statements, weeks to years apart, in which an author tells
something of themselves; there are many, all with label 1, so that each counts a tenth. The messages of
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

from bench.needs import fit_logit

if TYPE_CHECKING:
    from memsite.llm.embedding import SentenceEmbedder

Float64 = NDArray[np.float64]

DATA_FILE: Final = Path(__file__).with_name("lasting.tsv")
_BOUNDS: Final = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7)
_PAIR_COUNT: Final = 0.1
_OTHERS: Final = "others"
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
    from memories.extraction.talk import LASTING_FILE  # noqa: PLC0415 - as above
    from memsite.llm.embedding import SentenceEmbedder  # noqa: PLC0415 - as above

    sentences = [one for line in DATA_FILE.read_text(encoding="utf-8").splitlines() for one in _split(line)]
    vectors = _embed(SentenceEmbedder(), sentences)
    lasts = np.array([one.lasts for one in sentences], dtype=np.float64)
    is_message = np.array([one.source == "message" for one in sentences])
    counts = np.where(is_message, 1.0, _PAIR_COUNT)
    authors = np.array([one.author for one in sentences])
    logits = np.zeros(len(sentences))
    people = sorted(set(authors) - {_OTHERS})
    for author in people:
        held_out = authors == author
        weights, bias = fit_logit(vectors[~held_out], lasts[~held_out], counts[~held_out])
        logits[held_out] = vectors[held_out] @ weights + bias
    is_vague = np.array([one.is_vague for one in sentences])
    for author in ("all", *people):
        counted = is_vague & ((authors == author) if author in people else (authors != _OTHERS))
        _report(author, logits, lasts > 0, counted & is_message, counted & ~is_message)
    weights, bias = fit_logit(vectors, lasts, counts)
    np.savez(LASTING_FILE, weights=weights.astype(np.float32), bias=np.float64(bias))


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
    return embedder.embed_passages([one.text for one in sentences]).astype(np.float64)


def _report(
    author: str,
    logits: Float64,
    lasts: NDArray[np.bool_],
    of_messages: NDArray[np.bool_],
    of_pairs: NDArray[np.bool_],
) -> None:
    for least in _BOUNDS:
        kept = (logits >= least) & of_messages
        right, of, added = int((kept & lasts).sum()), int((of_messages & lasts).sum()), int(kept.sum())
        print(
            f"{author:4} from {least:4.2f}: {right} of {of} statements that last, {added - right} others"
            f" ({right / max(1, added):.1%} right); {np.mean(logits[of_pairs] >= least):.1%} of pairs"
        )


if __name__ == "__main__":
    main()

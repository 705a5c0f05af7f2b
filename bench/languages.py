"""Find the directions by which the bundled sentence model tells languages apart.

python -m bench.languages

Writes them to the model's folder. Vectors of the same language lie together, so that a question finds
memories in its own language before those that answer it. `bench/languages.json` holds the same sentences in
several languages. The differences of the mean vectors span the directions, which the embedder removes from
every vector. Other directions make other vectors: give the model another name then (`SENTENCE_MODEL`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import numpy as np

_SENTENCES: Final = Path(__file__).with_name("languages.json")


def main() -> None:
    """Write the directions, and print how far apart the languages are along each."""
    from bench.fusion import set_up  # noqa: PLC0415 - reads the settings

    set_up()
    from memsite.llm.embedding.sentences import LANGUAGES_FILE, SentenceEmbedder  # noqa: PLC0415 - as above

    embedder = SentenceEmbedder(is_neutral=False)
    sentences: dict[str, list[str]] = json.loads(_SENTENCES.read_text(encoding="utf-8"))
    means = []
    for some in sentences.values():
        queries = np.stack([embedder.embed_query(text) for text in some])
        means.append(np.concatenate([embedder.embed_passages(some), queries]).mean(axis=0))
    _, spread, directions = np.linalg.svd(np.stack(means) - np.mean(means, axis=0), full_matrices=False)
    np.save(LANGUAGES_FILE, directions[: len(sentences) - 1].astype(np.float32))
    print(f"{', '.join(sentences)}: {LANGUAGES_FILE}; apart by {np.round(spread, 3).tolist()}")


if __name__ == "__main__":
    main()

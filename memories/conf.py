"""Weights, rates and thresholds of long-term memory: each with its unit and its source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# Recall: fusion ------------------------------------------------------------------------------------------
# Weights of the linear fusion. Unit: logits of "this memory answers the query" per unit of the signal.
# Signals that are measures (keyword, similarity, tokens, graph and what is derived from them) are z-scores
# over the memories that could answer; the others are in [0, 1], length is ln(1 + content words).

#: For embedders with token vectors.
TOKEN_WEIGHTS: Final[Mapping[str, float]] = {
    "keyword": 0.235,
    "similarity": 0.05,
    "tokens": 0.28,
    "concepts": 0.1,
    "asked_similarity": 0.17,
    "around_similarity": 0.34,
    "session_keyword": 0.26,
    "session_similarity": 0.08,
    "session_tokens": 0.24,
    "graph": 0.1,
    "speaker": 2.64,
    "subject": 0.83,
    "date": 4.15,
    "when": 1.88,
    "question": -0.5,
    "length": 0.47,
    "names": 0.3,
    "rarest": 0.42,
}
#: For embedders that give one vector a text.
VECTOR_WEIGHTS: Final[Mapping[str, float]] = {
    "keyword": 0.30,
    "similarity": 0.45,
    "asked_similarity": 0.27,
    "session_keyword": 0.28,
    "session_similarity": 0.50,
    "graph": 0.10,
    "speaker": 2.5,
    "date": 4.0,
    "when": 2.3,
    "question": -0.74,
    "length": 0.57,
}
#: Words alone: the query could not be embedded.
WORD_WEIGHTS: Final[Mapping[str, float]] = {
    "keyword": 0.60,
    "asked_keyword": 0.27,
    "session_keyword": 0.60,
    "graph": 0.10,
    "speaker": 2.5,
    "date": 4.0,
    "when": 2.3,
    "question": -0.74,
    "length": 0.57,
}

# Recall: thresholds of relevance, reference scale in [0, 1] ----------------------------------------------
THRESHOLDS: Final[Mapping[str, float]] = {"episodic": 0.65, "semantic": 0.70, "procedural": 0.60}

# Recall: priors ------------------------------------------------------------------------------------------
RECENCY_RATE: Final = 0.1  # per day since last use
FREQUENCY_RATE: Final = 0.2  # per ln(1 + accesses)
LAYER_PRIOR: Final[Mapping[str, float]] = {"procedural": 3.0, "semantic": 2.0, "episodic": 1.0}
#: What each prior may add to relevance at most. Together they bound by how much a less relevant memory can
#: come before a more relevant one.
PRIOR_SHARES: Final[Mapping[str, float]] = {
    "recency": 0.04,
    "frequency": 0.03,
    "layer": 0.03,
    "importance": 0.03,
    "confidence": 0.02,
}

"""Weights, rates and thresholds of long-term memory, each with its unit and its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from memsite.env import Share, group

# Recall: fusion ------------------------------------------------------------------------------------------
# Weights of the linear fusion. Unit: logits of "this memory answers the query" per unit of the signal.
# Measures (keyword, similarity, tokens, concepts, graph, and signals derived from them) are z-scores over the
# eligible memories; speaker, subject, date and when are from 0 to 1; question, length, names and rarest are
# differences from the mean turn: in turns that only ask, in ln(1 + content words), in names, in idf.
# Fitted by listwise logistic regression on five public two-person conversations of 370 to 690 turns, each
# left out once for validation: 78.1 % of the evidence among the first 5, 83.4 % among the first 10. The graph
# propagates matches of words and tokens: its weight is the sum of their weights for a fact, their sessions
# included, so that a match propagated in full counts like a match of the memory itself (`bench.graph`,
# docs/evaluation.md).

#: For embedders with token vectors. The weights of sentence vectors are fitted by `bench.fusion`, beside the
#: others, which stay: on two of these conversations, each left out once, 79.0 and 84.9 % become 81.0, 86.2.
TOKEN_WEIGHTS: Final[Mapping[str, float]] = {
    "keyword": 0.24,
    "similarity": 0.03,
    "tokens": 0.28,
    "concepts": 0.09,
    "sentence": 0.5,
    "around_sentence": 0.1,
    "session_sentence": 0.3,
    "asked_similarity": 0.17,
    "around_similarity": 0.35,
    "session_keyword": 0.26,
    "session_similarity": 0.07,
    "session_tokens": 0.24,
    "graph": 0.5,
    "speaker": 2.64,
    "subject": 0.82,
    "date": 4.1,
    "when": 1.9,
    "question": -0.5,
    "length": 0.46,
    "names": 0.3,
    "rarest": 0.42,
}
#: For memories outside conversations that have a sentence vector, if the query has one. Everyday questions
#: are asked in other words than their memories: beside sentence vectors, the other signals count half of what
#: they count alone. If sentence vectors counted half as much, the first 5 would hold 64 instead of 74 % of
#: the answers to everyday questions; 1.75 times as much, 80 %, but of conversations read as plain text, whose
#: questions share words with their answers, 64 instead of 67 %.
STATEMENT_WEIGHTS: Final[Mapping[str, float]] = {
    **{name: weight / 2 for name, weight in TOKEN_WEIGHTS.items() if not name.endswith("sentence")},
    "sentence": 2.0,
}
#: For embedders with one vector per text. Similarity is higher than fitted, because the fit used static
#: vectors.
VECTOR_WEIGHTS: Final[Mapping[str, float]] = {
    "keyword": 0.43,
    "similarity": 0.35,
    "concepts": 0.08,
    "asked_similarity": 0.17,
    "around_similarity": 0.32,
    "session_keyword": 0.38,
    "session_similarity": 0.17,
    "graph": 0.8,
    "speaker": 2.64,
    "subject": 0.85,
    "date": 4.2,
    "when": 1.9,
    "question": -0.5,
    "length": 0.6,
    "names": 0.3,
    "rarest": 0.42,
}
#: For words alone, if the query could not be embedded.
WORD_WEIGHTS: Final[Mapping[str, float]] = {
    "keyword": 0.64,
    "concepts": 0.14,
    "asked_keyword": 0.14,
    "session_keyword": 0.49,
    "graph": 1.1,
    "speaker": 2.66,
    "subject": 0.88,
    "date": 4.4,
    "when": 1.9,
    "question": -0.44,
    "length": 0.8,
    "names": 0.3,
    "rarest": 0.43,
}

# Recall: relevance ---------------------------------------------------------------------------------------
# Logits that a memory answers the query, from absolute measures: √ of the share of the query's idf mass that
# the memory covers (words), cosine of content tokens, reference similarity of stored vectors, and the signals
# speaker and date. Fitted on questions with their answers against questions about nothing stored, then
# shifted so that a threshold of 0.70 keeps 5 of 6 answers found and passes 1 of 15 unrelated questions.
# Scripts without spaces are counted in characters and bigrams, of which a paraphrase shares fewer.
# A share of words below `enough` counts share / enough of its root: one common word of three proves little.
EVIDENCE: Final[Mapping[str, Mapping[str, float]]] = {
    "spaced": {
        "base": -1.48, "words": 4.37, "enough": 0.45, "cosine": 3.19, "speaker": 1.5, "date": 0.8,
        "vector_base": -4.3, "reference": 8.0, "words_base": -1.0,
    },
    "unspaced": {
        "base": -1.94, "words": 9.63, "enough": 0.13, "cosine": 0.83, "speaker": 1.5, "date": 0.8,
        "vector_base": -4.3, "reference": 8.0, "words_base": -1.7,
    },
}  # fmt: skip

#: Logits added to the estimate from sentence vectors (`estimates.relevance`): a memory of the speaker that
#: the query names, of the time that it names, and what a memory inherits from its bridge.
SENTENCE_EVIDENCE: Final[Mapping[str, float]] = {"speaker": 1.0, "date": 1.5, "linked": 3.0}
#: Logits that a memory of somebody else loses for a question about the person. So does a memory that does not
#: name whom another question names, if some memory does.
ANOTHER_LOSS: Final = 2.0

#: For turns of conversations between people that have a sentence vector: `words` weighs √ of the share of the
#: query's words, `sentence` counts per 0.01 by which the cosine is above what is usual for the query. Fitted
#: by logistic regression on the first results of questions about conversations, then shifted: a threshold of
#: 0.70 passes 90 % of the answers among the first 40.
TALK_EVIDENCE: Final[Mapping[str, float]] = {
    "base": -0.8, "words": 2.3, "sentence": 0.3, "speaker": 1.0, "date": 1.5,
}  # fmt: skip

#: The share of the words covered by a bridge that counts as covered by a memory reached over it. Of the far
#: ends of chains, a threshold of 0.70 passes 48 % with a share of 0 and 76 % with 0.5; with a share nearer to
#: 1, most other memories about the same person pass too (docs/evaluation.md).
LINKED_SHARE: Final = 0.5

#: The share of its relevance that a memory about other years keeps if the query names a year. The best match
#: then stays above the thresholds, because the year of the question may be wrong; weaker ones do not.
OTHER_YEAR_SHARE: Final = 0.75

#: What orders memories of nearly the same relevance: logits for each unit of the fused score, and of the
#: priors.
FUSED_SHARE: Final = 0.5
PRIOR_LOGIT: Final = 4.0
# Recall: thresholds of relevance, reference scale in [0, 1] ----------------------------------------------
#: With less evidence than this, from 0 to 1, a row is not relevant however well its neighbours match. On five
#: LoCoMo conversations, 0.20 finds 0.4 points less among the first 5.
LEAST_EVIDENCE: Final = 0.15

# Recall: priors ------------------------------------------------------------------------------------------
#: The most that each prior may add to the relevance. Together they limit by how much a less relevant memory
#: can rank before a more relevant one.
PRIOR_SHARES: Final[Mapping[str, float]] = {
    "recency": 0.04,
    "frequency": 0.03,
    "layer": 0.03,
    "importance": 0.03,
    "confidence": 0.02,
}

# Writing: one memory or two, and conflicts -----------------------------------------------------------------
#: Similar memories examined for each new memory.
MOST_SIMILAR: Final = 3
#: How many of these a memory is linked with if they stay two.
LINKED: Final = 2
#: Pairs in one call of a model, and calls in one job.
JUDGED_AT_ONCE: Final = 12
JUDGING_CALLS: Final = 4

# Settings -------------------------------------------------------------------------------------------------
# docs/settings.md describes each; a field is read from MEMSITE_<group>_<FIELD>.


@dataclass(frozen=True, slots=True)
class ExtractionSettings:
    """When and how memories are extracted from messages."""

    enabled: bool = True
    window_messages: Annotated[int, (1, 1_000)] = 10  # waiting ones, read at once: five rounds
    window_tokens: Annotated[int, (100, 100_000)] = 4_000
    quiet_minutes: Annotated[int, (1, 10_000)] = 10  # silence after which waiting messages are read
    user_characters: Annotated[int, (100, 100_000)] = 500  # of one message in a window
    assistant_characters: Annotated[int, (100, 100_000)] = 1_000
    user_least: Annotated[int, (0, 10_000)] = 20  # characters below which, both, no model is asked
    assistant_least: Annotated[int, (0, 10_000)] = 50
    temperature: Annotated[float, (0.0, 2.0)] = 0.3
    least_importance: Share = 0.5  # of what is kept, except context


@dataclass(frozen=True, slots=True)
class WritingSettings:
    """Limits of writing: the least confidence, when two memories may be one, what a model may retire."""

    semantic_confidence: Share = 0.6  # least confidence of what is learnt
    procedural_confidence: Share = 0.8
    #: Reference similarity from which two memories of one layer and kind may be one: proposed, never decided.
    similar: Share = 0.85
    #: Where a model decides, it is also asked about less similar ones: static vectors put one in three
    #: paraphrases of few words below 0.85, and no two different facts of our sample above 0.70.
    asked: Share = 0.70
    #: A newer statement does not end an older one if its confidence is lower by this much: both are disputed.
    less_sure: Share = 0.3
    #: How much may be retired or ended in 24 hours because of models' answers: this share of the owner's
    #: active memories, or this number if it is greater.
    model_share: Share = 0.05
    model_least: Annotated[int, (0, 100_000)] = 20


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """Least relevance of results by layer, what outdated ones lose, and how priors weigh in."""

    episodic_relevance: Share = 0.65
    semantic_relevance: Share = 0.70
    procedural_relevance: Share = 0.60
    #: Share of its relevance that a statement loses if a newer one that answers makes it outdated.
    outdated_loss: Share = 1.0
    recency_rate: Annotated[float, (0.0, 10.0)] = 0.1  # per day since last use
    frequency_rate: Annotated[float, (0.0, 10.0)] = 0.2  # per ln(1 + accesses)
    episodic_prior: Annotated[float, (0.0, 100.0)] = 1.0
    semantic_prior: Annotated[float, (0.0, 100.0)] = 2.0
    procedural_prior: Annotated[float, (0.0, 100.0)] = 3.0


@dataclass(frozen=True, slots=True)
class ReflectionSettings:
    """When reflection is due, and what it accepts."""

    episodes: Annotated[int, (1, 10_000)] = 10  # unread ones after which facts are extracted
    least_seen: Annotated[int, (2, 1_000)] = 2  # memories that show a pattern
    pattern_confidence: Share = 0.8
    similar: Share = 0.85  # reference similarity from which memories are compressed into one
    most_compressed: Annotated[int, (2, 100)] = 10

    def __post_init__(self) -> None:
        if self.least_seen > self.most_compressed:
            raise ValueError("LEAST_SEEN is greater than MOST_COMPRESSED")


@dataclass(frozen=True, slots=True)
class ForgettingSettings:
    """How memories fade, and when they are forgotten and erased. `core` memories do not fade."""

    long_rate: Annotated[float, (0.0, 10.0)] = 0.01  # λ per day
    working_rate: Annotated[float, (0.0, 10.0)] = 0.07
    temporary_rate: Annotated[float, (0.0, 10.0)] = 0.2
    forgotten_under: Share = 0.1
    fading_under: Share = 0.3
    in_use_over: Share = 0.7
    lowered_to: Share = 0.8  # of base_importance, once, while fading
    cleanup_days: Annotated[int, (1, 36_500)] = 90
    cleanup_importance: Share = 0.3
    cleanup_uses: Annotated[int, (0, 1_000_000)] = 2
    erased_days: Annotated[int, (1, 36_500)] = 365

    def __post_init__(self) -> None:
        if not self.forgotten_under <= self.fading_under <= self.in_use_over:
            raise ValueError("FORGOTTEN_UNDER ≤ FADING_UNDER ≤ IN_USE_OVER does not hold")


@dataclass(frozen=True, slots=True)
class GcSettings:
    """What `gc` collects by default, and the age below which it collects nothing."""

    max_age_days: Annotated[int, (0, 36_500)] = 90
    min_access_count: Annotated[int, (0, 1_000_000)] = 1
    safe_days: Annotated[int, (0, 36_500)] = 7


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """From when a report lists a memory, and what it calls healthy."""

    unsure: Share = 0.7  # confidence below which a person is asked
    stale_days: Annotated[int, (1, 36_500)] = 90  # after the last use
    unused_days: Annotated[int, (1, 36_500)] = 30  # after the creation
    waiting_days: Annotated[int, (1, 36_500)] = 14  # for a person's decision
    healthy_forgotten: Share = 0.3
    healthy_least: Annotated[int, (1, 10_000_000)] = 100  # memories of one owner
    healthy_most: Annotated[int, (1, 10_000_000)] = 500

    def __post_init__(self) -> None:
        if self.healthy_least > self.healthy_most:
            raise ValueError("HEALTHY_LEAST is greater than HEALTHY_MOST")


EXTRACTION: Final = group(ExtractionSettings, "EXTRACTION")
WRITING: Final = group(WritingSettings, "WRITING")
RECALL: Final = group(RecallSettings, "RECALL")
REFLECTION: Final = group(ReflectionSettings, "REFLECTION")
FORGETTING: Final = group(ForgettingSettings, "FORGETTING")
GC: Final = group(GcSettings, "GC")
REPORT: Final = group(ReportSettings, "REPORT")

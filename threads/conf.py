"""Constants and settings of short-term memory, each with its unit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Final, Literal

from memsite.env import Share, group
from memsite.serving.postgres import RECALL_THREADS

# Limits of one request --------------------------------------------------------------------------------------
TITLE_CHARACTERS: Final = 200
EXTERNAL_ID_CHARACTERS: Final = 200  # of the id that a program gives a thread
PROMPT_CHARACTERS: Final = 200_000
CONTENT_CHARACTERS: Final = 1_000_000
ID_CHARACTERS: Final = 255
JSON_CHARACTERS: Final = 100_000  # of metadata or state, as compact JSON
CONTENT_PARTS: Final = 1_000  # in one message with content parts
TOOL_CALLS: Final = 128  # in one message
BATCH_MESSAGES: Final = 1_000
CLOCK_SKEW: Final = timedelta(minutes=5)  # how far a client's clock may be ahead of ours

# Threads ----------------------------------------------------------------------------------------------------
MADE_TITLE_CHARACTERS: Final = 80  # of a title made from the first message
TEMPORARY_LIFETIME: Final = timedelta(hours=24)
SESSION_SILENCE: Final = timedelta(hours=6)

# Histories that clients send again --------------------------------------------------------------------------
ALIGN_WITHIN: Final = timedelta(days=30)  # since a thread's last change, for it to be found by its answers
ALIGN_TURNS: Final = 400  # newest messages of a request that are looked up
ALIGN_THREADS: Final = 16  # threads that are compared with one request
ALIGN_ROWS: Final = 4_000  # stored messages that are compared with one request
ANCHOR_CHARACTERS: Final = 40  # of an answer and what is right before it, to recognise a conversation
RETRY_WITHIN: Final = timedelta(minutes=10)  # in which a first message that nobody answered is sent again

# Replies ----------------------------------------------------------------------------------------------------
STOP_LOOK_SECONDS: Final = 0.5  # between checks whether a person asked to stop a reply
DRAFT_SECONDS: Final = 10.0  # between saves of the answers that a process is writing
FOLLOWED_FOR: Final = timedelta(
    seconds=6
)  # for which a draft is saved at each look, once a page asked for it
STORE_WITHIN: Final = 60.0  # seconds to retry storing an answer while the database is unavailable
REPLY_LOST_AFTER: Final = timedelta(minutes=1)  # without a sign of life of the process that writes it
REPLY_SILENT_AFTER: Final = timedelta(seconds=30)  # without one, after which a person may try again
REPLIES_ENDED: Final = 1_000  # lost replies that one sweep ends
OUTPUT_TOKENS: Final = 100_000  # limit of max_output_tokens

# Learning ---------------------------------------------------------------------------------------------------
LEARN_BATCH: Final = 100  # messages learnt from in one transaction
LEARN_BYTES: Final = 500_000  # of their texts; a longer message is a batch of its own
CONTEXT_MESSAGES: Final = 6  # earlier messages read as context, so that "no, the other one" can be understood
LEARN_SECONDS: Final = 25.0  # of the job's 60; then another job continues: a batch may take the rest
READ_SECONDS: Final = 20.0  # of the job's 60; no window is started after that
MODEL_SECONDS: Final = 50.0  # of the job's 60, by which a model must have answered
LEAST_MODEL_SECONDS: Final = 1.0
LEASE_SECONDS: Final = 120.0
EPISODE_CHARACTERS: Final = 4_000  # of one episode; a longer message makes several
EPISODE_PARTS: Final = 16  # of one message; the rest is in the transcript only
SOURCE_CHARACTERS: Final = (
    100_000  # of one message that are redacted for learning, more than its episodes hold
)
CONTEXT_CHARACTERS: Final = 8_000  # of one earlier message that is read as context
REDACTED_MARGIN: Final = 20_000  # characters redacted beyond a cut: longer than any secret, and dropped
SWEEP_THREADS: Final = 1_000  # queued by one sweep
EXTRACT_WAIT: Final = 60.0  # seconds a response waits at most
OUTCOME_MESSAGES: Final = 200  # newest messages whose outcome `extract` reports

# Summaries --------------------------------------------------------------------------------------------------
SUMMARY_WINDOW: Final = 50  # messages of one summary; more take several, each based on the last
SUMMARY_WINDOW_TOKENS: Final = 12_000  # tokens of a window; it has at least one message
SUMMARY_MESSAGE_CHARACTERS: Final = 2_000  # of one message as a model sees it: its beginning and its end
SUMMARY_TOOL_CHARACTERS: Final = 500  # of a tool's result
SUMMARY_ANSWER_TOKENS: Final = 3_000  # limit of a model's answer
OWED_WITHIN: Final = timedelta(days=7)  # since the newest message, for a lost summary to be queued again
SUMMARY_RETRY: Final = timedelta(minutes=5)  # after a model's first failure; doubled with each further one
SUMMARY_LATEST_RETRY: Final = timedelta(hours=12)  # upper limit of the doubling
STATE_GOAL_CHARACTERS: Final = 2_000  # of a task state's goal
STATE_STEP_CHARACTERS: Final = 1_000  # of one step or finding
STATE_STEPS: Final = 100  # in each list of a task state

# Compaction -------------------------------------------------------------------------------------------------
COMPACTION_GROWTH: Final = 0.05  # of pre_rot: growth until an incompressible branch is tried again
MOST_KEPT_LAST: Final = 1_000
BULKY_TOKENS: Final = 100  # smaller messages are skipped: a pointer would cost as much
COMPACTION_SECONDS: Final = 120.0  # lease of one run
COMPACTION_BATCH: Final = 20  # messages read, and written in one transaction
RESTORED_AT_ONCE: Final = 200  # messages restored, or read in full, by one request

# Context ----------------------------------------------------------------------------------------------------
MOST_MAX_TOKENS: Final = 10_000_000
NEARBY_RELEVANCE: Final = 0.5  # least relevance of episodes said around a memory; unrelated texts are below
NEARBY_SURE: Final = 0.85  # least relevance of the best memory for neighbours to be considered
NEARBY_TURNS: Final = 5  # turns of a conversation before and after it
RECALL_HITS: Final = 100  # most hits requested, however large the window
RECALL_LEAST_HITS: Final = 12  # least hits requested
LINE_TOKENS: Final = 20  # nearly every memory takes at least so many
SECONDARY_HITS: Final = 20  # hits of the last messages alone
RECALL_AT_ONCE: Final = RECALL_THREADS  # per process; while all are busy, a context has no memories
SECONDARY_SHARE: Final = 0.9  # of its relevance that a memory keeps if only they find it
QUERY_CHARACTERS: Final = 2_000  # of a recall query: its beginning and its end

# Retrieving within a thread ---------------------------------------------------------------------------------
RETRIEVE_LIMIT: Final = 10
RETRIEVE_MESSAGES: Final = 10_000  # newest messages that a query is compared with
RETRIEVE_WORDS: Final = 0.5  # share of 1 − similarity that is added if all of the query's words occur
RETRIEVE_KEPT: Final = 20_000  # messages whose vectors and words a process caches: about 1 KB each
RETRIEVE_BATCH: Final = 250  # texts embedded at once
RETRIEVE_REMOTE: Final = 500  # texts sent to a remote embedder per query; later queries continue from there
IDS_PAGE: Final = 1_000
MOST_IDS: Final = 10_000  # in one page of thread ids
COUNTED_MESSAGES: Final = 1_000  # messages that one request can count the tokens of

# Exports ----------------------------------------------------------------------------------------------------
EXPORT_PAGE: Final = 200  # messages read and sent at once

# Settings -------------------------------------------------------------------------------------------------
# docs/settings.md describes each; a field is read from MEMSITE_<group>_<FIELD>.


@dataclass(frozen=True, slots=True)
class SummarySettings:
    """When a summary is due, how long it may be, and which model writes it."""

    messages: Annotated[int, (1, 10_000)] = 10  # new ones after which it is due
    tokens: Annotated[int, (1, 1_000_000)] = 3_000  # of new messages after which it is due
    words: Annotated[int, (10, 10_000)] = 200  # at most
    characters: Annotated[int, (20, 50_000)] = 500  # of a Chinese summary, at most
    most_tokens: Annotated[int, (50, 50_000)] = 1_000  # in any language
    temperature: Annotated[float, (0.0, 2.0)] = 0.3
    slot: Literal["fast", "primary"] = "fast"


@dataclass(frozen=True, slots=True)
class CompactionSettings:
    """Defaults of a thread's own settings, and the target of a compaction."""

    pre_rot: Annotated[int, (100, MOST_MAX_TOKENS)] = 150_000  # live tokens from which answers get worse
    compact_at: Annotated[float, (0.01, 1.0)] = 0.8  # of pre_rot
    summarise_at: Annotated[float, (0.01, 1.0)] = 0.95  # of pre_rot
    compact_to: Share = 0.6  # of pre_rot, if enough content is bulky
    keep_last: Annotated[int, (1, MOST_KEPT_LAST)] = 10  # messages of a branch that are never offloaded
    tool_result_tokens: Annotated[int, (1, MOST_MAX_TOKENS)] = 4_000  # a larger result is offloaded at once

    def __post_init__(self) -> None:
        if not self.compact_to <= self.compact_at <= self.summarise_at:
            raise ValueError("COMPACT_TO ≤ COMPACT_AT ≤ SUMMARISE_AT does not hold")


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """The window of a context, the shares of its parts, and which memories it includes."""

    max_tokens: Annotated[int, (1, MOST_MAX_TOKENS)] = 8_000  # of the window, where a request names none
    system_prompt_share: Share = 0.10
    summary_share: Share = 0.10  # of summary and task state together
    retrieved_share: Share = 0.25
    input_share: Share = 0.15  # the recent messages have what remains
    reserved_share: Share = 0.25  # for the answer, in addition to the window
    reserved_tokens: Annotated[int, (0, MOST_MAX_TOKENS)] = 4_096  # of this reserve at most
    requirement_tokens: Annotated[int, (0, MOST_MAX_TOKENS)] = 300  # of what every answer must respect
    craft_tokens: Annotated[int, (0, MOST_MAX_TOKENS)] = 200  # of what answers about programming must respect
    relevance: Share = 0.7  # least calibrated relevance of a memory
    best_memories: Annotated[int, (0, 100)] = 3  # included even beyond their share
    most_memories: Annotated[int, (1, 1_000)] = 8  # beyond these only what is certainly relevant
    sure_relevance: Share = 0.93  # from which a memory is certainly relevant
    secondary_messages: Annotated[int, (0, 100)] = 3  # last ones that form the second recall query

    def __post_init__(self) -> None:
        if self.system_prompt_share + self.summary_share + self.retrieved_share + self.input_share > 1:
            raise ValueError("the shares of the window add up to more than 1")
        if not self.best_memories <= self.most_memories:
            raise ValueError("BEST_MEMORIES ≤ MOST_MEMORIES does not hold")
        if not self.relevance <= self.sure_relevance:
            raise ValueError("RELEVANCE ≤ SURE_RELEVANCE does not hold")


SUMMARY: Final = group(SummarySettings, "SUMMARY")
COMPACTION: Final = group(CompactionSettings, "COMPACTION")
CONTEXT: Final = group(ContextSettings, "CONTEXT")
#: The tokens of a window where a request names none.
DEFAULT_MAX_TOKENS: Final = CONTEXT.max_tokens

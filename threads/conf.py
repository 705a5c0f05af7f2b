"""Numbers of short-term memory: each with its unit."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from memsite.serving.postgres import RECALL_THREADS

# What one request may bring ---------------------------------------------------------------------------------
TITLE_CHARACTERS: Final = 200
PROMPT_CHARACTERS: Final = 200_000
CONTENT_CHARACTERS: Final = 1_000_000
ID_CHARACTERS: Final = 255
JSON_CHARACTERS: Final = 100_000  # of metadata or a state, as compact JSON
CONTENT_PARTS: Final = 1_000  # in one message whose content comes as parts
TOOL_CALLS: Final = 128  # in one message
BATCH_MESSAGES: Final = 1_000
CLOCK_SKEW: Final = timedelta(minutes=5)  # by which a client's clock may be ahead of ours

# Threads ----------------------------------------------------------------------------------------------------
MADE_TITLE_CHARACTERS: Final = 80  # of a title taken from the first message
TEMPORARY_LIFETIME: Final = timedelta(hours=24)
SESSION_SILENCE: Final = timedelta(hours=6)

# Replies ----------------------------------------------------------------------------------------------------
STOP_LOOK_SECONDS: Final = 0.5  # between looks whether a person wants an answer to stop
STORE_WITHIN: Final = 60.0  # seconds for which an answer is kept for a database that is away
REPLY_PATIENCE: Final = timedelta(minutes=2)  # for which a message sent again waits for the reply begun first
REPLY_LIFETIME: Final = timedelta(hours=1)  # after which a reply that has not ended is given up for lost
OUTPUT_TOKENS: Final = 100_000  # that may be asked of an answer

# Learning ---------------------------------------------------------------------------------------------------
LEARN_BATCH: Final = 100  # messages written in one transaction
CONTEXT_MESSAGES: Final = 6  # learnt before, read again so that "no, the other one" can be understood
LEARN_SECONDS: Final = 40.0  # of the job's 60, after which another job goes on
READ_SECONDS: Final = 20.0  # of the job's 60, after which no further window is begun
MODEL_SECONDS: Final = 50.0  # of the job's 60, by which a model must have answered
LEAST_MODEL_SECONDS: Final = 1.0
WINDOW_MESSAGES: Final = 10  # that wait are read by a model: five rounds
WINDOW_TOKENS: Final = 4_000  # that wait are read, too, however few messages they are
QUIET: Final = timedelta(minutes=10)  # without a message, after which what waits is read
LEASE_SECONDS: Final = 120.0
EPISODE_CHARACTERS: Final = 4_000  # of one episode; a longer message makes several
EPISODE_PARTS: Final = 16  # of one message; what is beyond stays in the transcript alone
SWEEP_THREADS: Final = 1_000  # queued by one sweep
EXTRACT_WAIT: Final = 60.0  # seconds an answer is held back at most
OUTCOME_MESSAGES: Final = 200  # newest messages whose outcome `extract` answers

# Summaries --------------------------------------------------------------------------------------------------
SUMMARY_MESSAGES: Final = 10  # new ones after which a summary is due
SUMMARY_TOKENS: Final = 3_000  # of new messages after which it is due, however few they are
SUMMARY_WORDS: Final = 200  # of a summary at most
SUMMARY_CHARACTERS: Final = 500  # of a Chinese summary at most
SUMMARY_MOST_TOKENS: Final = 1_000  # of a summary at most, in any language
SUMMARY_WINDOW: Final = 50  # messages that one summary takes in; more make several, one on the other
SUMMARY_WINDOW_TOKENS: Final = 12_000  # of them, at least one message
SUMMARY_SAID_CHARACTERS: Final = 2_000  # of one message that a model is shown: its beginning and its end
SUMMARY_TOOL_CHARACTERS: Final = 500  # of a tool's result
SUMMARY_ANSWER_TOKENS: Final = 3_000  # that a model may answer
SUMMARY_RETRY: Final = timedelta(minutes=5)  # after a model's first failure; doubled with each one more
SUMMARY_LATEST_RETRY: Final = timedelta(hours=12)  # that doubling comes to at most
STATE_GOAL_CHARACTERS: Final = 2_000  # of a task state's goal
STATE_STEP_CHARACTERS: Final = 1_000  # of one step or finding
STATE_STEPS: Final = 100  # in each list of a task state

# Compaction -------------------------------------------------------------------------------------------------
PRE_ROT: Final = 150_000  # live tokens of a line from which a model's answers grow worse
COMPACTION_AT: Final = 0.8  # of pre_rot
SUMMARISATION_AT: Final = 0.95  # of pre_rot
COMPACTED_TO: Final = 0.6  # of pre_rot: what a compaction leaves, where enough is bulky
COMPACTION_GROWTH: Final = 0.05  # of pre_rot, before a line that could not be made smaller is tried again
KEEP_LAST: Final = 10  # messages of a line that are never touched
MOST_KEPT_LAST: Final = 1_000
TOOL_RESULT_TOKENS: Final = 4_000  # of one tool result, over which it is offloaded at once
BULKY_TOKENS: Final = 100  # a message of no more is not looked at: its pointer would cost as much
COMPACTION_SECONDS: Final = 120.0  # of the lease of one run
COMPACTION_BATCH: Final = 20  # messages read, and written in one transaction
RESTORED_AT_ONCE: Final = 200  # messages brought back, or read whole, by one request

# Context ----------------------------------------------------------------------------------------------------
DEFAULT_MAX_TOKENS: Final = 8_000
MOST_MAX_TOKENS: Final = 10_000_000
RECALL_RELEVANCE: Final = 0.7  # least calibrated relevance of a memory in a context
NEARBY_RELEVANCE: Final = 0.5  # least one of what was said around it: what unrelated texts stay under
NEARBY_SURE: Final = 0.85  # least one of the best memory, if it is looked around the relevant ones at all
NEARBY_TURNS: Final = 5  # of a conversation, before and after it
RECALL_HITS: Final = 100  # asked of the search at most, however large the window
RECALL_LEAST_HITS: Final = 12  # asked of it at least
LINE_TOKENS: Final = 20  # a memory costs at least so many, nearly always
SECONDARY_HITS: Final = 20  # that only the last messages find
RECALL_SURE: Final = 3  # best hits that go in before the budget of `retrieved` is asked
RECALL_AT_ONCE: Final = RECALL_THREADS  # in one process; one more finds no room, its context goes without
SECONDARY_MESSAGES: Final = 3  # last messages that make the second recall query
QUERY_CHARACTERS: Final = 2_000  # of a recall query: its beginning and its end

# Retrieving within a thread ---------------------------------------------------------------------------------
RETRIEVE_LIMIT: Final = 10
RETRIEVE_MESSAGES: Final = 10_000  # of a line that one query is compared with, the newest
RETRIEVE_WORDS: Final = 0.5  # of what similarity leaves open, given for all of the query's words
RETRIEVE_KEPT: Final = 20_000  # messages whose vectors and words a process keeps: about 1 KB each
RETRIEVE_BATCH: Final = 250  # texts embedded at once
RETRIEVE_REMOTE: Final = 500  # that a remote embedder is shown for one query; later queries go on from there
IDS_PAGE: Final = 1_000
MOST_IDS: Final = 10_000  # in one page of thread ids
COUNTED_MESSAGES: Final = 1_000  # whose tokens one request may ask for

# Exports ----------------------------------------------------------------------------------------------------
EXPORT_PAGE: Final = 200  # messages read and sent at once

"""Numbers of short-term memory: each with its unit."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

# What one request may bring ---------------------------------------------------------------------------------
TITLE_CHARACTERS: Final = 200
PROMPT_CHARACTERS: Final = 200_000
CONTENT_CHARACTERS: Final = 1_000_000
ID_CHARACTERS: Final = 255
JSON_CHARACTERS: Final = 100_000  # of metadata or a state, as compact JSON
TOOL_CALLS: Final = 128  # in one message
BATCH_MESSAGES: Final = 1_000
CLOCK_SKEW: Final = timedelta(minutes=5)  # by which a client's clock may be ahead of ours

# Threads ----------------------------------------------------------------------------------------------------
MADE_TITLE_CHARACTERS: Final = 80  # of a title taken from the first message
TEMPORARY_LIFETIME: Final = timedelta(hours=24)
SESSION_SILENCE: Final = timedelta(hours=6)

# Learning ---------------------------------------------------------------------------------------------------
LEARN_BATCH: Final = 100  # messages written in one transaction
CONTEXT_MESSAGES: Final = 6  # learnt before, read again so that "no, the other one" can be understood
LEARN_SECONDS: Final = 40.0  # of the job's 60, after which another job goes on
LEASE_SECONDS: Final = 120.0
EPISODE_CHARACTERS: Final = 4_000  # of one episode; a longer message makes several
EPISODE_PARTS: Final = 16  # of one message; what is beyond stays in the transcript alone
SWEEP_THREADS: Final = 1_000  # queued by one sweep
EXTRACT_WAIT: Final = 60.0  # seconds an answer is held back at most
OUTCOME_MESSAGES: Final = 200  # newest messages whose outcome `extract` answers

# Context ----------------------------------------------------------------------------------------------------
DEFAULT_MAX_TOKENS: Final = 8_000
MOST_MAX_TOKENS: Final = 10_000_000
RECALL_RELEVANCE: Final = 0.7  # least calibrated relevance of a memory in a context
RECALL_HITS: Final = 40  # asked of the search
RECALL_SURE: Final = 3  # best hits that go in before the budget of `retrieved` is asked
RECALL_AT_ONCE: Final = 6  # recalls in one process; one more finds no room and the context goes out without
SECONDARY_MESSAGES: Final = 3  # last messages that make the second recall query
QUERY_CHARACTERS: Final = 2_000  # of a recall query: its beginning and its end

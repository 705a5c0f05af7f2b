"""Constants of reflection, each with its unit."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

# Jobs -------------------------------------------------------------------------------------------------------
JOB_SECONDS: Final = 600  # for several model calls with retries
LEASE_SECONDS: Final = 630.0
FACTS_SECONDS: Final = 200.0  # after this, the remaining episodes are left to another job
WAIT_SECONDS: Final = 60.0  # longest time for which a response is delayed
TRIES: Final = 3  # attempts if sources change meanwhile

# Scope ------------------------------------------------------------------------------------------------------
MOST_LOOKED_AT: Final = 1_000  # memories, for the rules
RECENT: Final = 100  # newest memories, for the source `recent`
TOPIC: Final = 50  # memories found, for the source `topic`
TOPIC_RELEVANCE: Final = 0.35  # their least calibrated relevance
SHOWN: Final = 80  # memories in one prompt
SHOWN_CHARACTERS: Final = 600  # of each memory

# Facts ------------------------------------------------------------------------------------------------------
EPISODES_AT_ONCE: Final = 20  # per window
WINDOW_CHARACTERS: Final = 12_000  # about 4,000 tokens
ASKING_SECONDS: Final = 150.0  # after this, the rules read the remaining episodes

# Patterns ---------------------------------------------------------------------------------------------------
LEAST_DAYS: Final = 3  # on one weekday, before it counts as a habit of that day
MOST_PATTERNS: Final = 20  # per run
PATTERN_CHARACTERS: Final = 300
SENTENCE_CHARACTERS: Final = 300  # a longer sentence is a story and is not parsed

# Compression ------------------------------------------------------------------------------------------------
MOST_TRIED: Final = 2_000  # similar pairs that may not be joined, before the search stops
COMPRESSED_CHARACTERS: Final = 2_000
LEAST_COVERED: Final = 0.5  # share of a sentence's content words that the other side must contain
RETIRED_AT_LEAST: Final = 20  # memories that a model's proposal may retire, or
RETIRED_SHARE: Final = 0.05  # this share of the owner's memories, whichever is more

# Inference --------------------------------------------------------------------------------------------------
MOST_INFERRED: Final = 10  # per run
INFERRED_CONFIDENCE: Final = 0.8  # at most
INFERRED_CHARACTERS: Final = 500
SAME_MATTER: Final = 0.5  # reference similarity from which a memory is checked for a contradiction

#: Rows of runs that finished longer ago are deleted.
KEPT: Final = timedelta(days=90)

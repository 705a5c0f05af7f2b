"""Numbers of reflection: each with its unit."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

# Jobs -------------------------------------------------------------------------------------------------------
JOB_SECONDS: Final = 600  # several calls to a model, each with its retries
LEASE_SECONDS: Final = 630.0
FACTS_SECONDS: Final = 200.0  # after which extracting facts leaves the rest to another job
WAIT_SECONDS: Final = 60.0  # an answer is held back at most
TRIES: Final = 3  # at what moved meanwhile

# What is looked at ------------------------------------------------------------------------------------------
MOST_LOOKED_AT: Final = 1_000  # memories, by the rules
RECENT: Final = 100  # newest memories that the source `recent` means
TOPIC: Final = 50  # memories that the source `topic` finds
TOPIC_RELEVANCE: Final = 0.35  # least calibrated relevance of these
SHOWN: Final = 80  # memories in one prompt
SHOWN_CHARACTERS: Final = 600  # of each

# Facts ------------------------------------------------------------------------------------------------------
EPISODES_AT_ONCE: Final = 20  # in one window
WINDOW_CHARACTERS: Final = 12_000  # about 4,000 tokens
ASKING_SECONDS: Final = 150.0  # after which the rules read what is left of these episodes

# Patterns ---------------------------------------------------------------------------------------------------
LEAST_SEEN: Final = 2  # memories that show it
LEAST_CONFIDENCE: Final = 0.8
LEAST_DAYS: Final = 3  # of one weekday, before it counts as a habit of that day
MOST_PATTERNS: Final = 20  # of one run
PATTERN_CHARACTERS: Final = 300
SENTENCE_CHARACTERS: Final = 300  # a longer one tells a story; no grammar is tried on it

# Compressing ------------------------------------------------------------------------------------------------
SIMILAR: Final = 0.85  # reference similarity
MOST_COMPRESSED: Final = 10  # memories into one
MOST_TRIED: Final = 2_000  # pairs that are alike and may not become one, before the search is given up
COMPRESSED_CHARACTERS: Final = 2_000
LEAST_COVERED: Final = 0.5  # share of a sentence's content words that must be found on the other side
RETIRED_AT_LEAST: Final = 20  # memories a model's proposal may retire, or
RETIRED_SHARE: Final = 0.05  # this share of what the owner has, whichever is more

# Inferring --------------------------------------------------------------------------------------------------
MOST_INFERRED: Final = 10  # of one run
INFERRED_CONFIDENCE: Final = 0.8  # at most
INFERRED_CHARACTERS: Final = 500
SAME_MATTER: Final = 0.5  # reference similarity over which what was said is asked whether it contradicts

#: Rows of runs finished longer ago than this go.
KEPT: Final = timedelta(days=90)

"""Numbers of export and import."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

#: Limits of what is read from an uploaded file.
MOST_UNPACKED: Final = 4 * 1024**3  # bytes of all members of an archive together
MOST_RATIO: Final = 200  # unpacked bytes for each packed one, past the first megabyte
MOST_ENTRIES: Final = 100_000  # of an archive
MOST_FILES: Final = 20  # uploaded for one import
MOST_THREADS: Final = 100_000
LONGEST_ITEM: Final = 50_000_000  # bytes of one conversation
MOST_VALUES: Final = 2_000_000  # texts, numbers, objects, … of one conversation
DEEPEST: Final = 64  # levels of JSON in one conversation
LONGEST_TEXT: Final = 50_000_000  # characters of lines
LONGEST_LINE: Final = 1_000_000  # characters of one of them that are read
LONGEST_PASTE: Final = 200_000  # characters in the form
LONGEST_STATEMENT: Final = 20_000  # characters of one imported memory; longer ones are left out
LONGEST_LEARNT: Final = 2_000  # characters of a message that the rules read

#: How much one transaction writes.
MEMORIES_AT_ONCE: Final = 200
RECORDS_AT_ONCE: Final = 500
MESSAGES_AT_ONCE: Final = 500
CHARACTERS_AT_ONCE: Final = 2_000_000

#: Seconds that one job of an import works before it queues the next, and may take at most.
TURN_SECONDS: Final = 40.0
JOB_SECONDS: Final = 300
LEASE_SECONDS: Final = 330.0

EXAMPLES: Final = 5
MOST_WARNINGS: Final = 100
#: How long a file waits for the person's decision, and a finished import is listed.
WAITS: Final = timedelta(hours=24)
LISTED: Final = timedelta(days=90)

STATED_CONFIDENCE: Final = 0.9
INFERRED_CONFIDENCE: Final = 0.7

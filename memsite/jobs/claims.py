"""The claim of the job that is running, and the id of the worker that runs it."""

from __future__ import annotations

import os
import uuid
from contextvars import ContextVar
from typing import Final

from memsite.ids import parse_id

WORKER_VARIABLE: Final = "MEMSITE_WORKER_ID"

#: The claim of the running job; None outside of jobs.
current: Final[ContextVar[uuid.UUID | None]] = ContextVar("memsite_job_claim", default=None)


def worker() -> uuid.UUID | None:
    """Return the id of the `manage.py work` that started this process; None in any other process."""
    return parse_id(os.environ.get(WORKER_VARIABLE, ""))

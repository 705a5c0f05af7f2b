"""What happens to memories beside adding and searching: extraction, reflection, cleaning up, citations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memsite.results import (
    Collected,
    ExtractedMessages,
    JudgedCitation,
    Page,
    QueuedExtraction,
    QueuedReflection,
    Reflection,
    ReflectionPart,
)
from memsite.wire import (
    Call,
    Mode,
    Resource,
    call_as,
    call_as_either,
    call_for_page,
    operation,
    without_nones,
)

_PATH = "/api/memories"


def seconds_of(wait: bool | float | None) -> float:  # noqa: FBT001 - as the API takes it
    """Return the seconds that the server may hold an answer."""
    return 60.0 if wait is True else float(wait or 0)


class Upkeep(Resource[Mode]):
    """Extraction, reflection and cleaning up."""

    @operation
    def extract(
        self, messages: Sequence[Mapping[str, Any]], *, wait: bool | float | None = None
    ) -> Call[ExtractedMessages | QueuedExtraction]:
        """Learn from up to 100 messages without a thread.

        Args:
            messages: Each with `role`, `content`, and if known `speaker` and `created_at`.
            wait: Seconds to wait for the result; True for 60.
        """
        body = without_nones(messages=[dict(message) for message in messages], wait=wait)
        return call_as_either(
            ExtractedMessages, QueuedExtraction, "POST", f"{_PATH}/extract", body=body, wait=seconds_of(wait)
        )

    @operation
    def get_extraction(self, extraction_id: str) -> Call[ExtractedMessages]:
        """Return what was learnt from such messages."""
        return call_as(ExtractedMessages, "GET", f"{_PATH}/extract/{extraction_id}")

    @operation
    def reflect(
        self, /, what: str | None = None, *, wait: bool | float | None = None, **options: Any
    ) -> Call[Reflection | QueuedReflection]:
        """Find facts and patterns in memories.

        Args:
            what: `facts`, `patterns`, `compress`, `infer` or `consolidate`.
            wait: Seconds to wait for the result; True for 60.
            options: `ids`, `layer`, `source`, `topic_query`, `dry_run`.
        """
        body = without_nones(what=what, wait=wait, **options)
        return call_as_either(
            Reflection, QueuedReflection, "POST", f"{_PATH}/reflect", body=body, wait=seconds_of(wait)
        )

    @operation
    def list_reflections(self, /, **query: Any) -> Call[Page[ReflectionPart]]:
        """Return a page of reflections, newest first."""
        return call_for_page(ReflectionPart, f"{_PATH}/reflect", query)

    @operation
    def collect(self, /, **options: Any) -> Call[Collected]:
        """Forget old ones; `options`: `layers`, `max_age_days`, `min_access_count`, `dry_run`."""
        return call_as(Collected, "POST", f"{_PATH}/gc", body=options)

    @operation
    def judge_citation(self, citation_id: str, *, useful: bool | None) -> Call[JudgedCitation]:
        """Say whether a memory was useful in a context; None takes the judgement back."""
        return call_as(JudgedCitation, "PATCH", f"/api/citations/{citation_id}", body={"useful": useful})

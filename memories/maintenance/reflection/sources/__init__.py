"""The memories that a reflection looks at, and how well they support a proposal."""

from memories.maintenance.reflection.sources.coverage import content_terms, coverage, distinct, facts_of
from memories.maintenance.reflection.sources.extracting import extracted
from memories.maintenance.reflection.sources.likeness import clusters, likeness, nearness
from memories.maintenance.reflection.sources.pool import (
    INFERRED,
    looked_at,
    moved,
    next_window,
    said,
    unreflected,
)
from memories.maintenance.reflection.sources.support import (
    Backing,
    Origins,
    backings,
    confidence,
    is_pattern,
    occurrences,
    strength,
)

__all__ = [
    "INFERRED",
    "Backing",
    "Origins",
    "backings",
    "clusters",
    "confidence",
    "content_terms",
    "coverage",
    "distinct",
    "extracted",
    "facts_of",
    "is_pattern",
    "likeness",
    "looked_at",
    "moved",
    "nearness",
    "next_window",
    "occurrences",
    "said",
    "strength",
    "unreflected",
]

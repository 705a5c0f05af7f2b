"""The memories that a reflection looks at, and how well they support a proposal."""

from memories.maintenance.reflection.sources.coverage import (
    compute_coverage,
    drop_repeated_facts,
    get_content_terms,
    split_facts,
)
from memories.maintenance.reflection.sources.episode_extraction import extract_candidates
from memories.maintenance.reflection.sources.pool import (
    INFERRED,
    has_changed,
    list_examined,
    list_next_episodes,
    list_statements,
    list_unreflected,
)
from memories.maintenance.reflection.sources.similarity import (
    compute_similarities,
    compute_text_similarities,
    find_clusters,
)
from memories.maintenance.reflection.sources.support import (
    Origins,
    StatementSupport,
    compute_confidence,
    compute_strength,
    count_occurrences,
    find_support,
    is_pattern,
)

__all__ = [
    "INFERRED",
    "Origins",
    "StatementSupport",
    "compute_confidence",
    "compute_coverage",
    "compute_similarities",
    "compute_strength",
    "compute_text_similarities",
    "count_occurrences",
    "drop_repeated_facts",
    "extract_candidates",
    "find_clusters",
    "find_support",
    "get_content_terms",
    "has_changed",
    "is_pattern",
    "list_examined",
    "list_next_episodes",
    "list_statements",
    "list_unreflected",
    "split_facts",
]

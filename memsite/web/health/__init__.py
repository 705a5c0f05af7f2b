"""Whether the site answers and can work, for programs and for people."""

from memsite.web.health.health import healthz, readyz, status
from memsite.web.health.native_health import answer_health, is_health

__all__ = [
    "answer_health",
    "healthz",
    "is_health",
    "readyz",
    "status",
]

"""What is done to a request before any view sees it: its body is bounded, its headers are checked."""

from __future__ import annotations

from memsite.edge.bodies import BoundedBodies as BoundedBodies
from memsite.edge.callers import identify as identify

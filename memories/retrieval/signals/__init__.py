"""Scores of an index for a query, and their fusion into one."""

from memories.retrieval.signals.fusion import best, fused
from memories.retrieval.signals.signals import Probe, Signals, probe_of, probes_of, signals

__all__ = [
    "Probe",
    "Signals",
    "best",
    "fused",
    "probe_of",
    "probes_of",
    "signals",
]

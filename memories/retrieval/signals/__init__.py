"""Scores of an index for a query, and their fusion into one."""

from memories.retrieval.signals.fusion import fuse_signals, select_best
from memories.retrieval.signals.signals import Probe, Signals, compute_signals, make_probe, probes_of

__all__ = [
    "Probe",
    "Signals",
    "compute_signals",
    "fuse_signals",
    "make_probe",
    "probes_of",
    "select_best",
]

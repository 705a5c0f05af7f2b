"""Measures a running site: recall, latency, throughput, growth, writing, disk."""

import os

# A client shares the machine with what it measures: numpy's second thread would spin on the site's core.
# Read when numpy is first imported, so it stands here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

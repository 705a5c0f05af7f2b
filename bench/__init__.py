"""Measure a running site: recall, latency, throughput, growth, writing, disk."""

import os

# The client shares the machine with the site it measures: numpy's second thread would use the site's core.
# numpy reads this when it is first imported, so it is set here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

"""The cluster as its watchdog sees it, before there is one. What one does is in test_real_worker.py."""

import uuid

from memsite.jobs.worker.cluster_process import ClusterProcess


def test_cluster_that_was_not_started_is_in_trouble_and_not_up() -> None:
    cluster = ClusterProcess(uuid.uuid4())
    assert cluster.trouble() == "it ended"
    assert not cluster.is_up()


def test_ending_a_cluster_that_was_not_started_does_nothing() -> None:
    assert not ClusterProcess(uuid.uuid4()).end(grace=0)

"""Rows of threads are seen by their owner alone."""

from django.db import migrations

from memsite.serving.postgres import owner_policy

TABLES = (
    "threads_branch",
    "threads_citation",
    "threads_contextmetrics",
    "threads_kept",
    "threads_learning",
    "threads_line",
    "threads_message",
    "threads_offload",
    "threads_reply",
    "threads_taskstate",
    "threads_thread",
    "threads_threadsummary",
)


class Migration(migrations.Migration):
    dependencies = [("threads", "0011_reply_drafts")]

    operations = [owner_policy(table) for table in TABLES]

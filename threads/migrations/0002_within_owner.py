"""References between an owner's rows carry the owner: none can cross to another's."""

from django.db import migrations

from memsite.accounts.owned import owner_foreign_key

THREAD = "threads_thread"
LINE = "threads_line"
MESSAGE = "threads_message"
BRANCH = "threads_branch"


class Migration(migrations.Migration):
    dependencies = [("threads", "0001_initial")]

    operations = [
        owner_foreign_key(THREAD, "current_branch_id", BRANCH, unlink=True),
        owner_foreign_key(LINE, "thread_id", THREAD),
        owner_foreign_key(LINE, "origin_id", LINE),
        owner_foreign_key(BRANCH, "thread_id", THREAD),
        owner_foreign_key(BRANCH, "line_id", LINE),
        owner_foreign_key(BRANCH, "head_id", MESSAGE, unlink=True),
        owner_foreign_key(MESSAGE, "thread_id", THREAD),
        owner_foreign_key(MESSAGE, "line_id", LINE),
        owner_foreign_key(MESSAGE, "parent_id", MESSAGE, unlink=True),
        owner_foreign_key("threads_threadsummary", "thread_id", THREAD),
        owner_foreign_key("threads_threadsummary", "last_message_id", MESSAGE),
        owner_foreign_key("threads_offload", "message_id", MESSAGE),
        owner_foreign_key("threads_taskstate", "thread_id", THREAD),
        owner_foreign_key("threads_learning", "thread_id", THREAD),
        owner_foreign_key("threads_citation", "thread_id", THREAD),
        owner_foreign_key("threads_citation", "message_id", MESSAGE, unlink=True),
    ]

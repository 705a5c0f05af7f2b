from __future__ import annotations

from django.urls import path

from threads.api import (
    branches,
    compaction,
    contexts,
    exports,
    jobs,
    messages,
    replies,
    retrieving,
    summaries,
    threads,
)

urlpatterns = [
    path("jobs/<str:job_id>", jobs.JobView.as_view(), name="api_job"),
    path("citations/<str:citation_id>", contexts.CitationView.as_view(), name="api_citation"),
    path("threads", threads.ThreadsView.as_view(), name="api_threads"),
    path("threads/ids", threads.IdsView.as_view(), name="api_thread_ids"),
    path("tokens/count", retrieving.TokensView.as_view(), name="api_tokens_count"),
    path("threads/<str:thread_id>", threads.ThreadView.as_view(), name="api_thread"),
    path("threads/<str:thread_id>/settings", compaction.SettingsView.as_view(), name="api_thread_settings"),
    path("threads/<str:thread_id>/compact", compaction.CompactView.as_view(), name="api_compact"),
    path("threads/<str:thread_id>/restore", compaction.RestoreView.as_view(), name="api_restore"),
    path("threads/<str:thread_id>/offloaded", compaction.OffloadedView.as_view(), name="api_offloaded"),
    path("threads/<str:thread_id>/metrics", compaction.MetricsView.as_view(), name="api_thread_metrics"),
    path("threads/<str:thread_id>/close", threads.CloseView.as_view(), name="api_thread_close"),
    path("threads/<str:thread_id>/extract", contexts.ExtractView.as_view(), name="api_thread_extract"),
    path("threads/<str:thread_id>/summarise", summaries.SummariseView.as_view(), name="api_summarise"),
    path("threads/<str:thread_id>/summary", summaries.SummaryView.as_view(), name="api_summary"),
    path(
        "threads/<str:thread_id>/summary/<str:summary_id>/restore",
        summaries.RestoreView.as_view(),
        name="api_summary_restore",
    ),
    path("threads/<str:thread_id>/task-state", summaries.TaskStateView.as_view(), name="api_task_state"),
    path("threads/<str:thread_id>/context", contexts.ContextView.as_view(), name="api_thread_context"),
    path("threads/<str:thread_id>/branches", branches.BranchesView.as_view(), name="api_branches"),
    path("threads/<str:thread_id>/branches/<str:branch>", branches.BranchView.as_view(), name="api_branch"),
    path(
        "threads/<str:thread_id>/cleanup-branches",
        branches.CleanupView.as_view(),
        name="api_cleanup",
    ),
    path("threads/<str:thread_id>/reply", replies.ReplyView.as_view(), name="api_reply"),
    path("threads/<str:thread_id>/reply/stop", replies.StopView.as_view(), name="api_reply_stop"),
    path("threads/<str:thread_id>/checkout", branches.CheckoutView.as_view(), name="api_checkout"),
    path("threads/<str:thread_id>/undo", branches.UndoView.as_view(), name="api_thread_undo"),
    path("threads/<str:thread_id>/compare", branches.CompareView.as_view(), name="api_compare"),
    path("threads/<str:thread_id>/take-back", branches.TakeBackView.as_view(), name="api_take_back"),
    path("threads/<str:thread_id>/keep", branches.KeepView.as_view(), name="api_keep"),
    path("threads/<str:thread_id>/messages", messages.MessagesView.as_view(), name="api_messages"),
    path("threads/<str:thread_id>/messages/count", messages.CountView.as_view(), name="api_messages_count"),
    path(
        "threads/<str:thread_id>/messages/<str:message>", messages.MessageView.as_view(), name="api_message"
    ),
    path("threads/<str:thread_id>/retrieve", retrieving.RetrieveView.as_view(), name="api_thread_retrieve"),
    path("threads/<str:thread_id>/export", exports.ExportView.as_view(), name="api_thread_export"),
]

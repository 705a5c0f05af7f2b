from __future__ import annotations

from django.urls import path

from memories.api import conflicts, exports, extracting, forgetting, graph, reflection, reports, views

urlpatterns = [
    path("memories", views.MemoriesView.as_view(), name="api_memories"),
    path("memories/batch", views.BatchView.as_view(), name="api_memories_batch"),
    path("memories/search", views.SearchView.as_view(), name="api_memories_search"),
    path("memories/stats", views.StatsView.as_view(), name="api_memories_stats"),
    path("memories/extract", extracting.ExtractView.as_view(), name="api_memories_extract"),
    path(
        "memories/extract/<str:given_id>", extracting.ExtractedView.as_view(), name="api_memories_extracted"
    ),
    path("memories/export", exports.ExportView.as_view(), name="api_memories_export"),
    path("memories/graph", graph.GraphView.as_view(), name="api_memories_graph"),
    path("memories/reports", reports.ReportsView.as_view(), name="api_memory_reports"),
    path("memories/reports/latest", reports.LatestReportView.as_view(), name="api_memory_report_latest"),
    path("memories/reports/<str:report_id>", reports.ReportView.as_view(), name="api_memory_report"),
    path("memories/reports/<str:report_id>/mend", reports.MendView.as_view(), name="api_memory_report_mend"),
    path("memories/conflicts", conflicts.ConflictsView.as_view(), name="api_memories_conflicts"),
    path("memories/merge", conflicts.MergeView.as_view(), name="api_memories_merge"),
    path("memories/undo", views.UndoView.as_view(), name="api_memories_undo"),
    path("memories/reflect", reflection.ReflectView.as_view(), name="api_memories_reflect"),
    path("memories/gc", forgetting.GcView.as_view(), name="api_memories_gc"),
    path("memories/forget", forgetting.ForgetView.as_view(), name="api_memories_forget"),
    path("memories/<str:memory_id>", views.MemoryView.as_view(), name="api_memory"),
    path("memories/<str:memory_id>/restore", views.RestoreView.as_view(), name="api_memory_restore"),
    path("memories/<str:memory_id>/resolve", conflicts.ResolveView.as_view(), name="api_memory_resolve"),
    path("memories/<str:memory_id>/history", views.HistoryView.as_view(), name="api_memory_history"),
    path("memories/<str:memory_id>/related", graph.RelatedView.as_view(), name="api_memory_related"),
]

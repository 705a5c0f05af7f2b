from __future__ import annotations

from django.urls import path

from memories.api import views

urlpatterns = [
    path("memories", views.MemoriesView.as_view(), name="api_memories"),
    path("memories/batch", views.BatchView.as_view(), name="api_memories_batch"),
    path("memories/search", views.SearchView.as_view(), name="api_memories_search"),
    path("memories/stats", views.StatsView.as_view(), name="api_memories_stats"),
    path("memories/undo", views.UndoView.as_view(), name="api_memories_undo"),
    path("memories/<str:memory_id>", views.MemoryView.as_view(), name="api_memory"),
    path("memories/<str:memory_id>/restore", views.RestoreView.as_view(), name="api_memory_restore"),
    path("memories/<str:memory_id>/history", views.HistoryView.as_view(), name="api_memory_history"),
]

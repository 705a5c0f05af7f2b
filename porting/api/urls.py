from __future__ import annotations

from django.urls import path

from porting.api import views

urlpatterns = [
    path("export", views.ExportView.as_view(), name="api_export"),
    path("memories/import", views.ImportView.as_view(), name="api_import_begin"),  # before memories/<id>
    path("imports", views.ImportsView.as_view(), name="api_imports"),
    path("imports/<str:import_id>", views.ImportStatusView.as_view(), name="api_import"),
    path("imports/<str:import_id>/cancel", views.CancelView.as_view(), name="api_import_cancel"),
    path("imports/<str:import_id>/undo", views.UndoView.as_view(), name="api_import_undo"),
]

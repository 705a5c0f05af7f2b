"""URLs of the import pages, below the settings page Data."""

from django.urls import path

from porting.pages import views

urlpatterns = [
    path("import/", views.begin, name="import_begin"),
    path("import/<uuid:import_id>/", views.show, name="import"),
    path("import/<uuid:import_id>/start/", views.start, name="import_start"),
    path("import/<uuid:import_id>/cancel/", views.cancel, name="import_cancel"),
    path("import/<uuid:import_id>/undo/", views.undo, name="import_undo"),
]

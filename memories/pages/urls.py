from django.urls import path

from memories.pages import acts, adding, editing, erasing, listing, one
from memories.pages.report import report

urlpatterns = [
    path("", listing.memories, name="memories"),
    path("add/", adding.add, name="add_memory"),
    path("forget/", acts.forget_many, name="forget_memories"),
    path("clear/", erasing.clear, name="clear_memories"),
    path("report/", report.report, name="memory_report"),
    path("report/make/", report.make_report, name="make_memory_report"),
    path("report/<uuid:report_id>/mend/", report.mend_finding, name="mend_finding"),
    path("undo/<uuid:batch_id>/", acts.undo, name="undo_batch"),
    path("<uuid:memory_id>/", one.memory, name="memory"),
    path("<uuid:memory_id>/edit/", editing.edit, name="edit_memory"),
    path("<uuid:memory_id>/pin/", acts.pin, name="pin_memory"),
    path("<uuid:memory_id>/confirm/", acts.confirm, name="confirm_memory"),
    path("<uuid:memory_id>/forget/", acts.forget, name="forget_memory"),
    path("<uuid:memory_id>/restore/", acts.restore, name="restore_memory"),
    path("<uuid:memory_id>/erase/", erasing.erase, name="erase_memory"),
]

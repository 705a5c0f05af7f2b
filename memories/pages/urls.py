from django.urls import path

from memories.pages import acts, adding, editing, erasing, first_memory, listing, memory_page
from memories.pages.report import report

urlpatterns = [
    path("", listing.list_memories_page, name="memories"),
    path("tell/", first_memory.tell, name="tell"),
    path("ask/", first_memory.ask, name="ask"),
    path("add/", adding.add_memory, name="add_memory"),
    path("forget/", acts.forget_many, name="forget_memories"),
    path("clear/", erasing.forget_all, name="clear_memories"),
    path("report/", report.show_report, name="memory_report"),
    path("report/make/", report.make_report, name="make_memory_report"),
    path("report/<uuid:report_id>/mend/", report.mend_finding, name="mend_finding"),
    path("undo/<uuid:batch_id>/", acts.undo_batch, name="undo_batch"),
    path("<uuid:memory_id>/", memory_page.show_memory, name="memory"),
    path("<uuid:memory_id>/edit/", editing.edit_memory, name="edit_memory"),
    path("<uuid:memory_id>/pin/", acts.pin_memory, name="pin_memory"),
    path("<uuid:memory_id>/confirm/", acts.confirm_memory, name="confirm_memory"),
    path("<uuid:memory_id>/forget/", acts.forget_memory, name="forget_memory"),
    path("<uuid:memory_id>/restore/", acts.restore_memory, name="restore_memory"),
    path("<uuid:memory_id>/erase/", erasing.erase_memory, name="erase_memory"),
]

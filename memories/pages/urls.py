from django.urls import include, path

from memories.pages import first_memory
from memories.pages.acts import adding, editing, erasing, single
from memories.pages.listing import bulk_acts, list_page, whole_acts
from memories.pages.memory_page import one_page
from memories.pages.report import report
from memories.pages.timeline import timeline_page

urlpatterns = [
    path("", list_page.list_memories_page, name="memories"),
    path("tell/", first_memory.tell, name="tell"),
    path("ask/", first_memory.ask, name="ask"),
    path("add/", adding.add_memory, name="add_memory"),
    path("keep/", bulk_acts.change_selected, {"act": "keep"}, name="keep_memories"),
    path("forget/", bulk_acts.change_selected, {"act": "forget"}, name="forget_memories"),
    path("pin/", bulk_acts.change_selected, {"act": "pin"}, name="pin_memories"),
    path("unpin/", bulk_acts.change_selected, {"act": "unpin"}, name="unpin_memories"),
    path("kind/", bulk_acts.change_selected, {"act": "kind"}, name="change_kind_of_memories"),
    path("tag/", bulk_acts.change_selected, {"act": "tag"}, name="tag_memories"),
    path("untag/", bulk_acts.change_selected, {"act": "untag"}, name="untag_memories"),
    path("merge/", whole_acts.merge_selected, name="merge_memories"),
    path("erase/", whole_acts.erase_selected, name="erase_memories"),
    path("clear/", erasing.forget_all, name="clear_memories"),
    path("graph/", include("memories.pages.graph.urls")),
    path("timeline/", timeline_page.show_timeline, name="timeline"),
    path("report/", report.show_report, name="memory_report"),
    path("report/history/", report.list_reports, name="memory_reports"),
    path("report/<uuid:report_id>/", report.show_older_report, name="older_report"),
    path("report/make/", report.make_report, name="make_memory_report"),
    path("report/<uuid:report_id>/mend/", report.mend_finding, name="mend_finding"),
    path("undo/<uuid:batch_id>/", bulk_acts.undo_batch, name="undo_batch"),
    path("<uuid:memory_id>/", one_page.show_memory, name="memory"),
    path("<uuid:memory_id>/edit/", editing.edit_memory, name="edit_memory"),
    path("<uuid:memory_id>/pin/", single.pin_memory, name="pin_memory"),
    path("<uuid:memory_id>/confirm/", single.confirm_memory, name="confirm_memory"),
    path("<uuid:memory_id>/forget/", single.forget_memory, name="forget_memory"),
    path("<uuid:memory_id>/restore/", single.restore_memory, name="restore_memory"),
    path("<uuid:memory_id>/erase/", erasing.erase_memory, name="erase_memory"),
]

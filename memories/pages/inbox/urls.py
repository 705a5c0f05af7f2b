from django.urls import path

from memories.pages.inbox import inbox_page

urlpatterns = [
    path("", inbox_page.show_inbox, name="inbox"),
    path("keep/", inbox_page.keep_pending, name="keep_pending"),
    path("reject/", inbox_page.reject_pending, name="reject_pending"),
    path("merge/", inbox_page.merge_proposed, name="merge_proposed"),
    path("separate/", inbox_page.keep_separate, name="keep_separate"),
    path("always/", inbox_page.always_keep, name="always_keep"),
    path("always/undo/<uuid:batch_id>/", inbox_page.undo_always_keep, name="undo_always_keep"),
    path("never/", inbox_page.choose_refused_kinds, name="refuse_kinds"),
    path("ask/", inbox_page.ask_again_about_kind, name="ask_again"),
    path("<uuid:memory_id>/edit/", inbox_page.edit_pending, name="edit_pending"),
]

from django.urls import path

from threads.pages import acts, branch_pages, chat, context_page, conversation, listing, live, recalled

urlpatterns = [
    path("", listing.show_threads, name="threads"),
    path("new/", chat.show_new_thread, name="new_thread"),
    path("citations/<uuid:citation_id>/rate/", recalled.rate_cited, name="rate_citation"),
    path("<uuid:thread_id>/", conversation.show_thread, name="thread"),
    path("<uuid:thread_id>/say/", chat.say, name="say"),
    path("<uuid:thread_id>/stop/", chat.stop_reply, name="stop_reply"),
    path("<uuid:thread_id>/live/", live.follow_thread, name="follow_thread"),
    path("<uuid:thread_id>/rename/", acts.rename_thread, name="rename_thread"),
    path("<uuid:thread_id>/go-back/", acts.move_head, name="go_back"),
    path("<uuid:thread_id>/close/", acts.close_thread, name="close_thread"),
    path("<uuid:thread_id>/delete/", acts.delete_thread, name="delete_thread"),
    path("<uuid:thread_id>/compare/", branch_pages.compare, name="compare_branches"),
    path("<uuid:thread_id>/branches/<uuid:branch>/name/", branch_pages.name_branch, name="name_branch"),
    path("<uuid:thread_id>/branches/<uuid:branch>/take-back/", branch_pages.take_back, name="take_back"),
    path("<uuid:thread_id>/branches/<uuid:branch>/delete/", branch_pages.remove_branch, name="delete_branch"),
    path("<uuid:thread_id>/context/<uuid:message_id>/", context_page.show_context, name="sent_context"),
    path("<uuid:thread_id>/<uuid:message_id>/edit/", chat.edit_message, name="edit_message"),
    path("<uuid:thread_id>/<uuid:message_id>/again/", chat.answer_again, name="answer_again"),
    path("<uuid:thread_id>/<uuid:message_id>/text/", acts.show_text, name="message_text"),
    path("<uuid:thread_id>/<uuid:message_id>/remember/", acts.set_do_not_remember, name="remember_message"),
    path("<uuid:thread_id>/<uuid:message_id>/keep/", acts.remember_message, name="keep_message"),
]

from django.urls import path

from threads.pages import acts, conversation, listing

urlpatterns = [
    path("", listing.show_threads, name="threads"),
    path("new/", listing.show_new_thread, name="new_thread"),
    path("<uuid:thread_id>/", conversation.show_thread, name="thread"),
    path("<uuid:thread_id>/say/", acts.append_message, name="say"),
    path("<uuid:thread_id>/rename/", acts.rename_thread, name="rename_thread"),
    path("<uuid:thread_id>/go-back/", acts.move_head, name="go_back"),
    path("<uuid:thread_id>/close/", acts.close_thread, name="close_thread"),
    path("<uuid:thread_id>/delete/", acts.delete_thread, name="delete_thread"),
    path("<uuid:thread_id>/<uuid:message_id>/remember/", acts.set_do_not_remember, name="remember_message"),
]

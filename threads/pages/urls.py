from django.urls import path

from threads.pages import acts, conversation, listing

urlpatterns = [
    path("", listing.threads, name="threads"),
    path("new/", listing.new, name="new_thread"),
    path("<uuid:thread_id>/", conversation.thread, name="thread"),
    path("<uuid:thread_id>/say/", acts.say, name="say"),
    path("<uuid:thread_id>/rename/", acts.rename, name="rename_thread"),
    path("<uuid:thread_id>/go-back/", acts.go_back, name="go_back"),
    path("<uuid:thread_id>/close/", acts.close, name="close_thread"),
    path("<uuid:thread_id>/delete/", acts.delete, name="delete_thread"),
    path("<uuid:thread_id>/<uuid:message_id>/remember/", acts.remember, name="remember_message"),
]

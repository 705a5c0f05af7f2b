from __future__ import annotations

from django.urls import path

from threads.api import contexts, messages, threads

urlpatterns = [
    path("threads", threads.ThreadsView.as_view(), name="api_threads"),
    path("threads/<str:thread_id>", threads.ThreadView.as_view(), name="api_thread"),
    path("threads/<str:thread_id>/close", threads.CloseView.as_view(), name="api_thread_close"),
    path("threads/<str:thread_id>/extract", contexts.ExtractView.as_view(), name="api_thread_extract"),
    path("threads/<str:thread_id>/context", contexts.ContextView.as_view(), name="api_thread_context"),
    path("threads/<str:thread_id>/messages", messages.MessagesView.as_view(), name="api_messages"),
    path("threads/<str:thread_id>/messages/count", messages.CountView.as_view(), name="api_messages_count"),
    path(
        "threads/<str:thread_id>/messages/<str:message>", messages.MessageView.as_view(), name="api_message"
    ),
]

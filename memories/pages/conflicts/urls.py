from django.urls import path

from memories.pages.conflicts import conflict_page

urlpatterns = [
    path("", conflict_page.list_conflicts, name="conflicts"),
    path("<uuid:memory_id>/", conflict_page.show_conflict, name="conflict"),
    path("<uuid:memory_id>/answer/", conflict_page.answer_conflict, name="answer_conflict"),
]

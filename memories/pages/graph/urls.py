from django.urls import path

from memories.pages.graph import graph_page

urlpatterns = [
    path("", graph_page.show_graph, name="graph"),
    path("find/", graph_page.find_entity, name="find_entity"),
]

"""URLs of the pages that all apps share."""

from django.urls import path
from django.views.i18n import set_language

from memsite.web.health import healthz, readyz, status
from memsite.web.layout import choose_theme
from memsite.web.models_guide import show_models_guide
from memsite.web.overview import guide, home

urlpatterns = [
    path("", home, name="home"),
    path("guide/", guide, name="guide"),
    path("guide/models/", show_models_guide, name="models_guide"),
    path("status/", status, name="status"),
    path("settings/theme/", choose_theme, name="theme"),
    path("settings/language/", set_language, name="set_language"),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
]

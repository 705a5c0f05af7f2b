"""All URLs of the site: pages, API, API description, admin, health."""

from __future__ import annotations

from csp.decorators import csp_update
from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularSwaggerSplitView

from memsite.accounts.pages.sign_up import sign_up
from memsite.rest.openapi import DescriptionView

# Only Swagger UI may set inline styles, which its script does.
docs = csp_update({"style-src": ["'unsafe-inline'"]})(
    SpectacularSwaggerSplitView.as_view(url_name="api_schema")
)

api: list[URLPattern | URLResolver] = [
    path("", include("porting.api.urls")),  # first: one of its paths looks like that of a memory
    path("", include("memories.api.urls")),
    path("", include("threads.api.urls")),
    path("", include("memsite.accounts.api.urls")),
    path("", include("memsite.events.api.urls")),
    path("schema", DescriptionView.as_view(), name="api_schema"),
    path("docs", docs, name="api_docs"),
]

urlpatterns = [
    path("api/", include(api)),  # first: programs call often, and patterns are tried in order
    path("", include("memsite.web.urls")),
    path("memories/", include("memories.pages.urls")),
    path("conflicts/", include("memories.pages.conflicts.urls")),
    path("inbox/", include("memories.pages.inbox.urls")),
    path("threads/", include("threads.pages.urls")),
    path("settings/data/", include("porting.pages.urls")),
    path("settings/programs/webhooks/", include("memsite.events.pages.urls")),
    path("settings/", include("memsite.accounts.pages.urls")),
    path("accounts/signup/", sign_up, name="account_signup"),  # before allauth's own
    path("accounts/sessions/", RedirectView.as_view(pattern_name="account", permanent=True)),  # likewise
    path("accounts/", include("allauth.urls")),
    path("", include("memsite.accounts.oauth.urls")),
    path("admin/", admin.site.urls),
]
if "debug_toolbar" in settings.INSTALLED_APPS:
    urlpatterns.append(path("__debug__/", include("debug_toolbar.urls")))

handler400 = "memsite.web.errors.bad_request"
handler403 = "memsite.web.errors.permission_denied"
handler404 = "memsite.web.errors.not_found"
handler429 = "memsite.web.errors.too_many_requests"  # allauth looks for it
handler500 = "memsite.web.errors.server_error"
